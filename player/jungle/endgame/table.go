// Package endgame knows who wins the endings of Jungle in which either side has one piece left, and
// in how many plies, when both play as well as can be: [Look] answers.
//
// The tables are made when they are first asked for, one for each pair of animals: that takes a
// millisecond or two, and 8 KiB. Nothing is read from files. Endings with more pieces are not here:
// games between good players are over, or drawn at the cap, before they come to them.
package endgame

import (
	"sync"

	"luzhanqi/game"
	"luzhanqi/game/jungle"
)

// Look tells how the game ends if the board has one piece of either side and no den is entered, else ok
// is false. The value is 1 when the mover wins, −1 when it loses, 0 when neither can force a win,
// however long the game lasts; plies are those until the end, which the winner makes few and the
// loser many.
func Look(b *jungle.Board, mover game.Side) (value, plies int, ok bool) {
	red, blue := b.Of(game.First), b.Of(game.Second)
	if red.Len() != 1 || blue.Len() != 1 {
		return 0, 0, false
	}
	if _, over := b.Winner(); over {
		return 0, 0, false
	}
	_, hunter, _ := b.At(red.First())
	_, hunted, _ := b.At(blue.First())
	l := &library[b.Reading()&1][hunter][hunted]
	l.once.Do(func() { l.ending = solve(b.Reading(), hunter, hunted) })
	switch n := int(l.ending[mover&1][state(red.First(), blue.First())]); {
	case n > 0:
		return 1, n, true
	case n < 0:
		return -1, -n - 1, true
	}
	return 0, 0, true
}

// ending is every position of two animals, by the mover and the state: 0 is drawn, n > 0 is won in n
// plies, n < 0 is lost in −n − 1 plies.
type ending [2][64 * 64]int8

func state(red, blue game.Square) int { return int(red&63)<<6 | int(blue&63) }

// library is by the reading of the rules, red's animal and blue's.
var library [2][jungle.Kinds][jungle.Kinds]struct {
	once   sync.Once
	ending *ending
}
