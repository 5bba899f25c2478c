// Package levels is the one list of the built-in players: which [player.Level] each game has, the weakest
// first, and which of them plays when nobody names one. Every game has the level random; one that is not
// in the list has no other. To give a game players of its own, make a folder beside this one and add a
// line to the list.
package levels

import (
	"fmt"
	"slices"
	"strings"

	"luzhanqi/game"
	"luzhanqi/player"
	"luzhanqi/player/chess1d"
	"luzhanqi/player/gastank"
	"luzhanqi/player/jungle"
	"luzhanqi/player/luzhanqi"
	"luzhanqi/player/luzhanqi/coach"
	"luzhanqi/player/luzhanqi/likelihood"
	"luzhanqi/player/luzhanqi/stranger"
	"luzhanqi/player/quagmire"
)

// byGame is the list; the level random comes before what it names.
var byGame = map[string]func() []player.Level{
	"luzhanqi": func() []player.Level { return append(luzhanqi.Levels(), stranger.Levels()...) },
	"jungle":   jungle.Levels,
	"gastank":  gastank.Levels,
	"quagmire": quagmire.Levels,
	"chess1d":  chess1d.Levels,
}

// all are the levels of a game, those for measuring too.
func all(g game.Game) []player.Level {
	levels := []player.Level{random}
	if more, ok := byGame[g.Name()]; ok {
		levels = append(levels, withSlips(g, more())...)
	}
	return levels
}

// Of returns the levels of a game, the weakest first, without those for measuring.
func Of(g game.Game) []player.Level {
	return slices.DeleteFunc(all(g), func(l player.Level) bool { return l.Hidden })
}

// Find returns the level of that name, those for measuring included.
func Find(g game.Game, name string) (player.Level, error) {
	for _, l := range all(g) {
		if l.Name == name {
			return l, nil
		}
	}
	var names []string
	for _, l := range Of(g) {
		names = append(names, l.Name)
	}
	return player.Level{}, fmt.Errorf("level %q of %s: allowed are %s", name, g.Name(), strings.Join(names, ", "))
}

// Default is the level that plays when nobody says which, in a match and against a program that is
// checked: greedy, or random where there is no other. It answers at once.
func Default(g game.Game) player.Level {
	if l, err := Find(g, "greedy"); err == nil {
		return l
	}
	return random
}

// Strongest is the level that plays when nobody says which and strength is wanted.
func Strongest(g game.Game) player.Level {
	levels := Of(g)
	return levels[len(levels)-1]
}

// coaches are those who say to people what the boards of a game do not show.
var coaches = map[string]func() player.Coach{"luzhanqi": coach.New}

// Coach is a new one for a person who plays one side of a game; nil: the board shows everything.
func Coach(g game.Game) player.Coach {
	if begin, ok := coaches[g.Name()]; ok {
		return begin()
	}
	return nil
}

// Easiest is the level that plays against a person who names none: easy, or where there is none the weakest that looks ahead.
func Easiest(g game.Game) player.Level {
	if l, err := Find(g, "easy"); err == nil {
		return l
	}
	return Default(g)
}

// believers are those of games that hide something.
var believers = map[string]func() player.Believer{"luzhanqi": likelihood.NewBeliever}

// Believer is a new one for one side of a game; nil: the game hides nothing, or nobody knows how to think of it.
func Believer(g game.Game) player.Believer {
	if found, ok := believers[g.Name()]; ok {
		return found()
	}
	return nil
}
