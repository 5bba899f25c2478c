package opening

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/games"
)

// A player that is told a position and moves knows as much as one that has played the game: whose turn it is, what may be played,
// and the same after each further move, in the frame of either side.
func TestToldPositions(t *testing.T) {
	told := map[string]int{}
	for _, g := range games.All {
		placed, ok := g.(game.Positional)
		if !ok {
			continue
		}
		rules, err := game.ParseRules("", g.Options())
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(5, 6))
		for range 12 {
			var setUps [2]game.SetUp
			if g.HasSetUp() {
				setUps = [2]game.SetUp{g.RandomSetUp(r), g.RandomSetUp(r)}
			}
			pos, err := g.New(rules, setUps)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range Draw(r, pos, r.IntN(20), over) {
				pos = pos.Play(m)
			}
			o := game.Opening{Position: string(placed.FormatPosition(pos))}
			start, err := o.Placed(g, rules)
			if err != nil {
				t.Fatal(err)
			}
			o.Moves = Draw(r, start, r.IntN(4), over)
			for _, p := range g.Protocols() {
				if _, ok := game.WithOpenings(p); !ok {
					continue
				}
				for side := range game.Side(2) {
					converse(t, p, rules, side, o, start, r)
					told[g.Name()+" "+p.Name()]++
				}
			}
		}
	}
	for _, dialect := range []string{"jungle lines", "gastank plain", "quagmire plain"} {
		if told[dialect] != 24 {
			t.Errorf("%s: %d conversations", dialect, told[dialect])
		}
	}
}

// converse plays some moves after an opening, and compares what a player of ours knows of it with what the referee does.
func converse(t *testing.T, p game.Protocol, rules game.Rules, side game.Side, o game.Opening, start game.Position, r *rand.Rand) {
	t.Helper()
	referee, player := p.RefereeEnd(side, game.Limits{}).(game.OpeningEnd), p.PlayerEnd(rules, side, 0)
	heard := game.PromptNone
	tell := func(e game.Event, pos game.Position) {
		t.Helper()
		var v game.View
		if pos != nil {
			v = pos.View(side)
		}
		text := bytes.Join(referee.Tell(e, v), nil)
		for len(text) > 0 {
			n, prompt, err := player.Scan(text, false)
			if err != nil || n == 0 {
				t.Fatalf("%s: cannot read %q: %v", o.Position, text, err)
			}
			text = text[n:]
			heard = prompt
		}
	}
	referee.Open(o, start)
	tell(game.Event{Kind: game.EventBegin}, nil)
	pos := start
	play := func(m game.Move) {
		t.Helper()
		mover := pos.Mover()
		pos = pos.Play(m)
		tell(game.Event{Kind: game.EventMoved, Side: mover, Move: m}, pos)
	}
	for _, m := range o.Moves {
		play(m)
	}
	for range 6 {
		if _, ended := over(pos); ended {
			return
		}
		tell(game.Event{Kind: game.EventTurn, Side: pos.Mover()}, pos)
		legal := pos.Moves(nil)
		m := legal[r.IntN(len(legal))]
		if pos.Mover() == side {
			if heard != game.PromptMove {
				t.Fatalf("%s and %v: side %v is not asked for its move", o.Position, o.Moves, side)
			}
			v := player.View()
			if known, want := squares(v.Moves(nil)), squares(legal); known != want || v.Side() != side {
				t.Fatalf("%s and %v: side %v knows %s, not %s", o.Position, o.Moves, side, known, want)
			}
			player.Say(game.Answer{Kind: game.AnswerMove, Move: m})
			heard = game.PromptNone
		} else if heard != game.PromptNone {
			t.Fatalf("%s and %v: side %v is asked in the other's turn", o.Position, o.Moves, side)
		}
		play(m)
	}
}

// squares writes moves, so that they can be compared in any order.
func squares(moves []game.Move) string {
	var all []string
	for _, m := range moves {
		all = append(all, fmt.Sprint(m.From, "-", m.To))
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// What follows the word for a position and is none is refused with the reason, and so is a second position.
func TestToldPositionsThatAreNone(t *testing.T) {
	for _, x := range []struct{ game, dialect, said, want string }{
		{"jungle", "lines", "position green E06\n", `the position of the opening: color "green"`},
		{"jungle", "lines", "position red E99\n", `the position of the opening: "E99"`},
		{"jungle", "lines", "opening 0 6 0 5\nposition red E06 r02\n", "before all else"},
		{"gastank", "plain", "position first --/--\nfirst\n", `"to_move" is "first"`},
		{"gastank", "plain", "position lower --/--\nfirst\n", "has 2 ranks"},
		{"gastank", "plain", "opening D1B2\nposition lower --\n", `first line "position lower --"`},
		{"quagmire", "plain", "position O ...\nO\n", "allowed are who is to move, the board"},
		{"quagmire", "plain", "position O OOO...../......../......../......../......../......../......../XXX..... c4 -\nO\n", "no O stands on c4"},
	} {
		g, err := games.Find(x.game)
		if err != nil {
			t.Fatal(err)
		}
		p, err := games.FindProtocol(g, x.dialect)
		if err != nil {
			t.Fatal(err)
		}
		rules, err := game.ParseRules("", g.Options())
		if err != nil {
			t.Fatal(err)
		}
		player, said, found := p.PlayerEnd(rules, game.First, 0), []byte(x.said), ""
		for len(said) > 0 && found == "" {
			n, _, err := player.Scan(said, false)
			if err != nil {
				found = err.Error()
			}
			said = said[n:]
		}
		if !strings.Contains(found, x.want) {
			t.Errorf("%s: %q: found %s, want %s", x.game, x.said, found, x.want)
		}
	}
}
