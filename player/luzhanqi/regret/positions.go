// Package regret holds positions of Luzhanqi in which a long search has judged every move ([Positions]), and
// measures by them what a player gives away, and how often it chooses the same move twice ([Measure]). That costs seconds
// where a match costs hours, and says nothing about strength where the long search itself is wrong.
package regret

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
)

// text is the committed positions; its first lines say what made them.
//
//go:embed positions.txt
var text string

// Positions are the committed ones. It panics if the file, which is part of the program, is faulty.
var Positions = sync.OnceValue(func() []Position {
	all, err := Read(text)
	if err != nil {
		panic("regret/positions.txt: " + err.Error())
	}
	return all
})

// Header is what the first lines of their file say of how they were made.
func Header() string {
	var header strings.Builder
	for line := range strings.Lines(text) {
		said, ok := strings.CutPrefix(line, "# ")
		if !ok {
			break
		}
		header.WriteString(said)
	}
	return header.String()
}

// Game is from where positions are taken.
type Game struct {
	Players [2]string // by side
	SetUps  [2]game.SetUp
	Moves   []game.Move
}

// Position is a game after some plies, with what was found of its moves.
type Position struct {
	Game     *Game
	Ply      int
	Verdicts map[string][]Verdict // by the name of the search, each with a seed of its own
}

// Verdict is what one search found of the moves, in the order in which the view of the mover lists them.
type Verdict struct {
	Values []int // in ten-thousandths of a win, from −10,000 to 10,000
	Best   int   // the move that the search would choose; others that it dropped early may look better by luck
}

// Before is the game n plies before the position, or at its beginning.
func (p *Position) Before(n int) *rules.Position {
	var setUps [2]rules.SetUp
	for side, s := range p.Game.SetUps {
		setUps[side], _ = rules.ParseSetUp(string(s)) // Read has tried it
	}
	at := rules.NewPosition(setUps[0], setUps[1], false)
	for _, m := range p.Game.Moves[:max(0, p.Ply-n)] {
		at = at.Play(m).(*rules.Position)
	}
	return at
}

// bestMark stands before the value of the move that the search would choose.
const bestMark = "*"

// Text is the form in which positions are kept, below the lines of the header. Those of one game must follow each other.
func Text(header string, all []Position) string {
	var b strings.Builder
	for line := range strings.Lines(header) {
		b.WriteString("# " + line)
	}
	var last *Game
	for _, p := range all {
		if p.Game != last {
			last = p.Game
			fmt.Fprintf(&b, "game %s %s\n%s\n%s\n", last.Players[0], last.Players[1], last.SetUps[0], last.SetUps[1])
			for i, m := range last.Moves {
				if i > 0 {
					b.WriteByte(' ')
				}
				b.WriteString(strings.Replace(rules.MoveName(m), " ", "-", 1))
			}
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "ply %d\n", p.Ply)
		for _, name := range slices.Sorted(maps.Keys(p.Verdicts)) {
			for _, v := range p.Verdicts[name] {
				b.WriteString(name)
				for i, value := range v.Values {
					mark := ""
					if i == v.Best {
						mark = bestMark
					}
					fmt.Fprintf(&b, " %s%d", mark, value)
				}
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}

// Read reads what Text writes. Values must be as many as the position has moves.
func Read(text string) ([]Position, error) {
	r := reader{lines: strings.Split(strings.TrimRight(text, "\n"), "\n")}
	for r.at < len(r.lines) {
		if err := r.next(); err != nil {
			return nil, fmt.Errorf("line %d: %w", r.at+1, err)
		}
		r.at++
	}
	return r.all, nil
}

type reader struct {
	lines []string
	at    int
	game  *Game
	all   []Position
	moves int // that the position has
}

func (r *reader) next() error {
	fields := strings.Fields(r.lines[r.at])
	switch {
	case len(fields) == 0 || fields[0] == "#":
		return nil
	case fields[0] == "game":
		return r.readGame(fields[1:])
	case r.game == nil:
		return fmt.Errorf("%q before the first game", fields[0])
	case fields[0] == "ply" && len(fields) == 2:
		ply, err := strconv.Atoi(fields[1])
		if err != nil || ply < 0 || ply > len(r.game.Moves) {
			return fmt.Errorf("ply %q: must be a number from 0 to %d, the plies of the game", fields[1], len(r.game.Moves))
		}
		p := Position{Game: r.game, Ply: ply, Verdicts: map[string][]Verdict{}}
		before := p.Before(0)
		r.moves = len(before.Moves(nil))
		r.all = append(r.all, p)
		return nil
	case len(r.all) == 0 || r.all[len(r.all)-1].Game != r.game:
		return fmt.Errorf("%q before the first ply of its game", fields[0])
	case len(fields)-1 != r.moves:
		return fmt.Errorf("%s: %d values: must be %d, one for each move", fields[0], len(fields)-1, r.moves)
	}
	name := fields[0]
	verdict := Verdict{Values: make([]int, r.moves), Best: -1}
	for i, field := range fields[1:] {
		value, best := strings.CutPrefix(field, bestMark)
		v, err := strconv.Atoi(value)
		if err != nil || v < -10_000 || v > 10_000 {
			return fmt.Errorf("%s: value %q: must be a whole number from -10000 to 10000", name, value)
		}
		if best && verdict.Best >= 0 {
			return fmt.Errorf("%s: a second %s: one value must be marked, that of the move that the search would choose", name, bestMark)
		}
		if best {
			verdict.Best = i
		}
		verdict.Values[i] = v
	}
	if verdict.Best < 0 {
		return fmt.Errorf("%s: no %s: one value must be marked, that of the move that the search would choose", name, bestMark)
	}
	by := r.all[len(r.all)-1].Verdicts
	by[name] = append(by[name], verdict)
	return nil
}

// readGame reads a game and the three lines after it: both set-ups and the moves.
func (r *reader) readGame(players []string) error {
	if len(players) != 2 || r.at+3 >= len(r.lines) {
		return fmt.Errorf("a game must have two players, and three lines that follow: both set-ups and the moves")
	}
	g := &Game{Players: [2]string{players[0], players[1]}}
	for side := range g.SetUps {
		r.at++
		g.SetUps[side] = game.SetUp(r.lines[r.at])
	}
	p, err := rules.Game{}.New(game.Rules{}, g.SetUps)
	if err != nil {
		return err
	}
	r.at++
	for _, name := range strings.Fields(r.lines[r.at]) {
		from, to, _ := strings.Cut(name, "-")
		m, err := rules.Game{}.ParseMove(from + " " + to)
		if err == nil {
			err = p.Check(m)
		}
		if err != nil {
			return fmt.Errorf("move %q at ply %d: %w", name, p.Ply(), err)
		}
		g.Moves = append(g.Moves, m)
		p = p.Play(m)
	}
	r.game = g
	return nil
}
