// Package coach says to a person who plays Luzhanqi what its board does not show: what a fight did and told, what the
// pieces are called and which are lost, what a hidden one can still be. It knows what a careful player could work out from
// the observations, no more: everything comes from [hiddeninfo.Belief] without opinions.
package coach

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player"
	"luzhanqi/text"
)

var _ player.Coach = (*Coach)(nil)

// Coach is for one side of one game. The zero value is ready to use.
type Coach struct {
	belief *hiddeninfo.Belief
	ply    int
}

// New is a coach for one game.
func New() player.Coach { return &Coach{} }

// follow brings the belief up to a view.
func (c *Coach) follow(v *luzhanqi.View) {
	if c.belief == nil {
		c.belief = hiddeninfo.New(luzhanqi.NewView(v.Side(), v.SetUp(), v.MinesStay()))
	}
	c.belief.Update(v)
	c.ply = v.Ply()
}

// Saw takes in the view after a move, and says what a fight in it did.
func (c *Coach) Saw(view game.View) string {
	v, ok := view.(*luzhanqi.View)
	if !ok {
		return ""
	}
	o, moved := v.Last()
	if !moved {
		return ""
	}
	if c.belief == nil {
		c.belief = hiddeninfo.New(luzhanqi.NewView(v.Side(), v.SetUp(), v.MinesStay()))
	}
	own, enemy := o.Move.From, o.Move.To
	if o.Mover != v.Side() {
		own, enemy = enemy, own
	}
	mine, mineKnown := c.belief.OwnPieceAt(own)
	theirs, theirsKnown := c.belief.PieceAt(enemy)
	c.follow(v)
	if o.Result == luzhanqi.Quiet || !mineKnown || !theirsKnown {
		return ""
	}
	f := fight{
		result: o.Result, attacked: o.Mover == v.Side(), at: square(o.Move.To, v.Side()),
		own: v.SetUp().At(hiddeninfo.Homes[mine]), enemy: c.belief.Mask(theirs),
	}
	return f.String() + flags(o.Flags, v.Side())
}

// fight is what one side knows after a fight.
type fight struct {
	result   luzhanqi.Result
	attacked bool // the own piece attacked
	at       string
	own      luzhanqi.Rank
	enemy    hiddeninfo.Mask // what the enemy's piece is, or was
}

// String says who won, and what the enemy's piece must therefore be.
func (f fight) String() string {
	mine := "your " + f.own.String()
	switch {
	case f.result == luzhanqi.FlagTaken && f.attacked:
		return fmt.Sprintf("Your %v took the flag on %s.", f.own, f.at)
	case f.result == luzhanqi.FlagTaken:
		return fmt.Sprintf("Your flag on %s was taken.", f.at)
	case f.result == luzhanqi.Tie && f.attacked:
		return fmt.Sprintf("Both fell on %s: %s and the piece there, which was %s.", f.at, mine, Ranks(f.enemy))
	case f.result == luzhanqi.Tie:
		return fmt.Sprintf("Both fell on %s: %s and the piece that attacked it, which was %s.", f.at, mine, Ranks(f.enemy))
	case f.attacked && f.result == luzhanqi.Win:
		return fmt.Sprintf("Your %v won: the piece on %s has fallen. It was %s.", f.own, f.at, Ranks(f.enemy))
	case f.attacked:
		return fmt.Sprintf("Your %v fell to the piece on %s, which is %s.", f.own, f.at, Ranks(f.enemy))
	case f.result == luzhanqi.Win:
		return fmt.Sprintf("Your %v on %s fell to the piece that now stands there, which is %s.", f.own, f.at, Ranks(f.enemy))
	}
	return fmt.Sprintf("Your %v on %s held: the piece that attacked it has fallen. It was %s.", f.own, f.at, Ranks(f.enemy))
}

// flags says whose flag is seen from now on.
func flags(shown []luzhanqi.Reveal, side game.Side) (said string) {
	for _, f := range shown {
		if f.Owner == side {
			said += fmt.Sprintf(" Your field marshal is lost, so the enemy now sees your flag on %s.", square(f.Square, side))
		} else {
			said += fmt.Sprintf(" That was the field marshal, so you now see the enemy's flag on %s.", square(f.Square, side))
		}
	}
	return said
}

// square names a square in the frame of a side.
func square(sq game.Square, side game.Side) string {
	if side == game.Second {
		sq = luzhanqi.Turn(sq)
	}
	return luzhanqi.SquareName(sq)
}

// Ranks says in words what is in a set: "a major", "6 to 9 or a bomb".
func Ranks(m hiddeninfo.Mask) string {
	if m.Len() == len(luzhanqi.Ranks) {
		return "anything"
	}
	var all []string
	for rank := luzhanqi.FieldMarshal; rank >= luzhanqi.Engineer; rank-- {
		if !m.Has(rank) {
			continue
		}
		lowest := rank
		for lowest > luzhanqi.Engineer && m.Has(lowest-1) {
			lowest--
		}
		if rank-lowest >= 2 { // three or more in a row
			all = append(all, fmt.Sprintf("%c to %c", lowest.Letter(), rank.Letter()))
			rank = lowest
			continue
		}
		all = append(all, article(rank))
	}
	for _, rank := range []luzhanqi.Rank{luzhanqi.Bomb, luzhanqi.Landmine, luzhanqi.Flag} {
		if m.Has(rank) {
			all = append(all, article(rank))
		}
	}
	switch len(all) {
	case 0:
		return "nothing that the rules allow"
	case 1:
		return all[0]
	}
	return strings.Join(all[:len(all)-1], ", ") + " or " + all[len(all)-1]
}

func article(rank luzhanqi.Rank) string {
	switch rank {
	case luzhanqi.FieldMarshal, luzhanqi.General, luzhanqi.Flag:
		return "the " + rank.String()
	case luzhanqi.Engineer:
		return "an engineer"
	}
	return "a " + rank.String()
}

// Beside is the legend: each rank's letter and name, how many of the own pieces stand, of how many; and how many of the
// enemy's do.
func (c *Coach) Beside(view game.View) []string {
	v, ok := view.(*luzhanqi.View)
	if !ok {
		return nil
	}
	var standing [16]int
	for sq := range v.Own().All() {
		standing[v.Rank(sq)&15]++
	}
	lines := []string{"                  yours"}
	for _, rank := range luzhanqi.Ranks {
		lines = append(lines, fmt.Sprintf("%c %-18s%d/%d", rank.Letter(), short(rank), standing[rank], luzhanqi.Count(rank)))
	}
	return append(lines, fmt.Sprintf("the enemy's:     %2d/%d", v.Enemy().Len(), luzhanqi.ArmySize))
}

func short(rank luzhanqi.Rank) string {
	return strings.Replace(rank.String(), "brigadier general", "brigadier", 1)
}

// About says what hidden pieces can be: those on the squares that were typed, in the person's frame, or all, those of
// which more is known first.
func (c *Coach) About(typed string, view game.View) (string, error) {
	v, ok := view.(*luzhanqi.View)
	if !ok {
		return "", nil
	}
	c.follow(v)
	var squares luzhanqi.Squares
	for _, name := range strings.Fields(strings.ToUpper(typed)) {
		sq, err := luzhanqi.ParseSquare(name)
		if err != nil {
			return "", err
		}
		if v.Side() == game.Second {
			sq = luzhanqi.Turn(sq)
		}
		if !v.Enemy().Has(sq) {
			return "", fmt.Errorf("no piece of the enemy stands on %s", name)
		}
		squares |= luzhanqi.Bit(sq)
	}
	if squares == 0 {
		squares = v.Enemy()
	}
	return c.groups(v, squares), nil
}

// groups are the pieces on some squares, those together that can be the same.
func (c *Coach) groups(v *luzhanqi.View, squares luzhanqi.Squares) string {
	names := map[hiddeninfo.Mask][]string{}
	var masks []hiddeninfo.Mask
	for sq := range squares.All() {
		p, ok := c.belief.PieceAt(sq)
		if !ok {
			continue
		}
		mask := c.belief.Mask(p)
		if names[mask] == nil {
			masks = append(masks, mask)
		}
		names[mask] = append(names[mask], square(sq, v.Side()))
	}
	slices.SortStableFunc(masks, func(a, b hiddeninfo.Mask) int { return cmp.Compare(a.Len(), b.Len()) })
	var s strings.Builder
	for _, mask := range masks {
		const width = 79
		line := strings.Join(names[mask], " ") + ": " + Ranks(mask)
		for _, part := range text.Wrap(line, width) {
			s.WriteString(part + "\n")
		}
	}
	return s.String()
}

// Sketch is a set-up as six rows of letters, the front row first; camps are dots.
func (*Coach) Sketch(s game.SetUp) []string {
	setUp, err := luzhanqi.ParseSetUp(string(s))
	if err != nil {
		return nil
	}
	return setUp.Rows()
}
