// Package adjudication ends games whose result is clear: when a built-in level, asked at each turn with what the mover sees, gives the
// same verdict for some plies in a row, from both sides' views.
//
// A [Rule] says which level and when; [ParseRule] reads it as people write it. A [Bench] asks the level, a [Streak] counts. The
// values are on record, and a Streak over them comes to the same end, so that a record is judged without asking again: a
// level may be better in a later version.
package adjudication

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"luzhanqi/game"
	"luzhanqi/player"
	"luzhanqi/player/levels"
)

// Rule says when a game is adjudicated.
type Rule struct {
	Level string `json:"level"`
	Nodes int    `json:"nodes"` // positions that it looks at for a value
	// Win is the value, in the level's own unit, from which on a position counts as won by a side; Draw the value up to which, for
	// either side, it counts as drawn; zero: games are not adjudicated so.
	Win  float64 `json:"win,omitempty"`
	Draw float64 `json:"draw,omitempty"`
	// Plies in a row must agree; draws are not looked for before ply After.
	Plies int `json:"plies"`
	After int `json:"after,omitempty"`
}

// Proven is the value of a win that the level has proven.
const Proven = 1000

// The bounds of a rule.
const (
	MinPlies = 2 // one from each side's view
	MaxPlies = 1000
	MaxNodes = 1_000_000_000
)

// defaultPlies is how many plies must agree if nobody says.
const defaultPlies = 6

// Example is a rule as it is written.
const Example = "strong@20000,win=0.9,draw=0.05,plies=6,after=200"

// ParseRule reads LEVEL@NODES,win=V,draw=V,plies=N,after=N, such as [Example].
func ParseRule(g game.Game, text string) (*Rule, error) {
	r := &Rule{Plies: defaultPlies}
	parts := strings.Split(text, ",")
	level, nodes, _ := strings.Cut(parts[0], "@")
	r.Level = level
	var err error
	if r.Nodes, err = strconv.Atoi(nodes); err != nil {
		return nil, fmt.Errorf("%q: a level at fixed nodes was expected, such as %s", parts[0], Example)
	}
	seen := map[string]bool{}
	for _, part := range parts[1:] {
		name, value, _ := strings.Cut(part, "=")
		if seen[name] {
			return nil, fmt.Errorf("%q: %s stands there twice", text, name)
		}
		seen[name] = true
		switch name {
		case "win":
			r.Win, err = strconv.ParseFloat(value, 64)
		case "draw":
			r.Draw, err = strconv.ParseFloat(value, 64)
		case "plies":
			r.Plies, err = strconv.Atoi(value)
		case "after":
			r.After, err = strconv.Atoi(value)
		default:
			return nil, fmt.Errorf("%q: allowed are win=, draw=, plies= and after=, such as %s", part, Example)
		}
		if err != nil {
			return nil, fmt.Errorf("%q: a number was expected", part)
		}
	}
	return r, r.Check(g)
}

// Check says what is wrong with a rule.
func (r *Rule) Check(g game.Game) error {
	if err := r.CheckNumbers(); err != nil {
		return err
	}
	level, err := levels.Find(g, r.Level)
	if err != nil {
		return err
	}
	if !explains(g, level) {
		var able []string
		for _, l := range levels.Of(g) {
			if explains(g, l) {
				able = append(able, l.Name)
			}
		}
		if len(able) == 0 {
			return fmt.Errorf("no level of %s gives positions a value", g.Name())
		}
		return fmt.Errorf("level %s gives positions no value; allowed are %s", r.Level, strings.Join(able, ", "))
	}
	return nil
}

// CheckNumbers looks at the numbers, whatever the level is: a record may name one that this version does not have.
func (r *Rule) CheckNumbers() error {
	switch {
	case r.Nodes < 1 || r.Nodes > MaxNodes:
		return fmt.Errorf("%d nodes: allowed are 1 to %d", r.Nodes, MaxNodes)
	case r.Plies < MinPlies || r.Plies > MaxPlies:
		return fmt.Errorf("%d plies in a row: allowed are %d to %d", r.Plies, MinPlies, MaxPlies)
	case !(r.Win >= 0 && r.Win <= Proven) || !(r.Draw >= 0 && r.Draw <= Proven):
		return fmt.Errorf("values win %v and draw %v: allowed are 0 (not looked at) to %d (proven)", r.Win, r.Draw, Proven)
	case r.Win == 0 && r.Draw == 0:
		return fmt.Errorf("neither win nor draw is given, so no game would be adjudicated")
	case r.Win > 0 && r.Draw >= r.Win:
		return fmt.Errorf("draw %v is not below win %v", r.Draw, r.Win)
	case r.After < 0:
		return fmt.Errorf("after %d plies: allowed are 0 and more", r.After)
	}
	return nil
}

// String writes the rule as ParseRule reads it.
func (r *Rule) String() string {
	text := fmt.Sprintf("%s@%d", r.Level, r.Nodes)
	if r.Win > 0 {
		text += fmt.Sprintf(",win=%v", r.Win)
	}
	if r.Draw > 0 {
		text += fmt.Sprintf(",draw=%v", r.Draw)
	}
	text += fmt.Sprintf(",plies=%d", r.Plies)
	if r.After > 0 {
		text += fmt.Sprintf(",after=%d", r.After)
	}
	return text
}

func explains(g game.Game, l player.Level) bool {
	_, ok := l.New(g, player.Options{Nodes: 1, Threads: 1}).(player.Explainer)
	return ok
}

// Verdict is what a streak says of a game.
type Verdict struct {
	Over   bool
	Draw   bool
	Winner game.Side // meaningless in a draw
}

// Streak counts the plies that agree. The zero value, with its rule, has seen none.
type Streak struct {
	Rule *Rule
	won  [2]int    // plies in a row that give the win to a side
	by   [2]seenBy // from whose views
	tied int
	even seenBy
}

type seenBy [2]bool

// Add takes in the value of a position at some ply, as its mover sees it: positive values are good for the mover. The verdict is
// final: whoever goes on asking after it counts on from there.
func (s *Streak) Add(mover game.Side, ply int, value float64) Verdict {
	r := s.Rule
	for side := range game.Side(2) {
		sign := 1.0
		if side != mover {
			sign = -1
		}
		if r.Win > 0 && sign*value >= r.Win {
			s.won[side]++
			s.by[side][mover] = true
		} else {
			s.won[side], s.by[side] = 0, seenBy{}
		}
		if s.won[side] >= r.Plies && s.by[side] == (seenBy{true, true}) {
			return Verdict{Over: true, Winner: side}
		}
	}
	if r.Draw > 0 && ply >= r.After && math.Abs(value) <= r.Draw {
		s.tied++
		s.even[mover] = true
	} else {
		s.tied, s.even = 0, seenBy{}
	}
	if s.tied >= r.Plies && s.even == (seenBy{true, true}) {
		return Verdict{Over: true, Draw: true}
	}
	return Verdict{}
}
