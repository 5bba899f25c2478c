package luzhanqi

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
)

// wire is one conversation in memory: both ends, and the bytes between them.
type wire struct {
	referee game.RefereeEnd
	player  game.PlayerEnd
	toward  []byte // the player
}

func newWire(p game.Protocol, side game.Side, rules game.Rules) *wire {
	limits := Game{}.Limits()
	return &wire{referee: p.RefereeEnd(side, limits), player: p.PlayerEnd(rules, side, limits.Move)}
}

// tell sends an event and returns what it prompted.
func (w *wire) tell(t *testing.T, e game.Event, v game.View) (prompt game.Prompt) {
	t.Helper()
	for _, text := range w.referee.Tell(e, v) {
		w.toward = append(w.toward, text...)
	}
	for {
		n, p, err := w.player.Scan(w.toward, false)
		if err != nil {
			t.Fatalf("the player cannot read %q: %v", w.toward, err)
		}
		w.toward = w.toward[n:]
		if p != game.PromptNone {
			prompt = p
		}
		if n == 0 {
			return prompt
		}
	}
}

// say sends an answer to the referee and returns what it reads.
func (w *wire) say(t *testing.T, a game.Answer) game.Answer {
	t.Helper()
	text := w.player.Say(a)
	n, got, err := w.referee.Scan(text, false)
	if err != nil || strings.TrimSpace(string(text[n:])) != "" {
		t.Fatalf("the referee reads %q as %+v, %v", text, got, err)
	}
	return got
}

// sameView compares all that a view lets its player see.
func sameView(a, b *View) bool {
	return a.side == b.side && a.mover == b.mover && a.minesStay == b.minesStay && a.setUp == b.setUp && a.board == b.board &&
		a.Ply() == b.Ply() && fmt.Sprint(a.Since(a.Ply()-2)) == fmt.Sprint(b.Since(b.Ply()-2))
}

// TestViewsAtBothEnds plays random games through both ends of both dialects. What a player has put
// together from the messages must at all times be what the referee says that it may know; and that
// holds nothing of the enemy but squares and shown flags.
func TestViewsAtBothEnds(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 0))
		g := Game{}
		rules, err := game.ParseRules([]string{"", "mines=stay"}[seed%2], g.Options())
		if err != nil {
			t.Fatal(err)
		}
		protocols := g.Protocols()
		wires := [2]*wire{
			newWire(protocols[seed/2%2], game.First, rules),
			newWire(protocols[seed/4%2], game.Second, rules),
		}
		var setUps [2]game.SetUp
		for side, w := range wires {
			w.tell(t, game.Event{Kind: game.EventBegin}, nil)
			setUps[side] = w.say(t, game.Answer{Kind: game.AnswerSetUp, SetUp: g.RandomSetUp(r)}).SetUp
		}
		pos, err := g.New(rules, setUps)
		if err != nil {
			t.Fatal(err)
		}
		for {
			if _, over := pos.Outcome(); over {
				break
			}
			mover := pos.Mover()
			for side, w := range wires {
				prompt := w.tell(t, game.Event{Kind: game.EventTurn, Side: mover}, pos.View(game.Side(side)))
				if prompt == game.PromptMove && game.Side(side) != mover {
					t.Fatalf("seed %d: player %d was asked out of turn", seed, side+1)
				}
				truth, known := pos.View(game.Side(side)).(*View), w.player.View().(*View)
				if !sameView(truth, known) {
					t.Fatalf("seed %d, ply %d, player %d: the referee's view\n%s\nthe player's view\n%s",
						seed, pos.Ply(), side+1, truth.Draw(game.DrawStyle{}), known.Draw(game.DrawStyle{}))
				}
				flag, shown := truth.EnemyFlag()
				for sq := range truth.Enemy().All() {
					if rank := truth.Rank(sq); rank != None && (!shown || sq != flag) {
						t.Fatalf("seed %d, ply %d: the view of player %d says what stands on %s: %v", seed, pos.Ply(), side+1, SquareName(sq), rank)
					}
				}
			}
			moves := pos.Moves(nil)
			m := moves[r.IntN(len(moves))]
			if got := wires[mover].say(t, game.Answer{Kind: game.AnswerMove, Move: m}); got.Kind != game.AnswerMove || got.Move != m {
				t.Fatalf("seed %d: %s became %+v", seed, MoveName(m), got)
			}
			pos = pos.Play(m)
			for side, w := range wires {
				w.tell(t, game.Event{Kind: game.EventMoved, Side: mover, Move: m}, pos.View(game.Side(side)))
			}
		}
		outcome, _ := pos.Outcome()
		for side, w := range wires {
			e := game.Event{Kind: game.EventEnd, Draw: outcome.Draw, Winner: outcome.Winner}
			if w.tell(t, e, pos.View(game.Side(side))) != game.PromptEnd {
				t.Fatalf("seed %d: player %d does not know that the game is over", seed, side+1)
			}
		}
	}
}

// TestRepetition counts only configurations after quiet moves since the last capture, whoever is to
// move, and draws at the tenth.
func TestRepetition(t *testing.T) {
	board := func(text string) Board {
		b, err := ParseBoard(text)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	p := &Position{board: board("B1:F1 A2:91 A12:51 B12:F2 E11:82 E1:52")}
	for side := range p.views {
		p.views[side] = NewView(game.Side(side), SetUp{}, false)
	}
	var pos game.Position = p
	play := func(text string) {
		m, err := Game{}.ParseMove(text)
		if err == nil {
			err = pos.Check(m)
		}
		if err != nil {
			t.Fatal(err)
		}
		pos = pos.Play(m)
	}
	cycle := []string{"A2 A3", "E11 E10", "A3 A2", "E10 E11"}
	plies := 0
	for plies < 100 {
		play(cycle[plies%4])
		plies++
		if _, over := pos.Outcome(); over {
			break
		}
	}
	// The first of the four configurations occurs after plies 1, 5, …, 37: at ply 37 for the tenth time.
	if o, over := pos.Outcome(); !over || !o.Draw || o.Reason != "repetition" || plies != 37 {
		t.Fatalf("%+v after %d plies, want a draw by repetition after 37", o, plies)
	}
	if err := pos.Check(game.Move{}); err == nil {
		t.Error("a move after the end is accepted")
	}
}

// TestBranches plays two continuations of one position: neither may see the other's past.
func TestBranches(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	pos := game.Position(NewPosition(RandomSetUp(r), RandomSetUp(r), false))
	for range 30 {
		moves := pos.Moves(nil)
		pos = pos.Play(moves[r.IntN(len(moves))])
	}
	moves := pos.Moves(nil)
	before := pos.View(game.First).(*View)
	was := fmt.Sprint(before.Since(0))
	a, b := pos.Play(moves[0]), pos.Play(moves[1])
	lastA, _ := a.View(game.First).(*View).Last()
	lastB, _ := b.View(game.First).(*View).Last()
	if lastA.Move != moves[0] || lastB.Move != moves[1] || fmt.Sprint(before.Since(0)) != was || before.Ply() != 30 {
		t.Fatal("positions share what they should not")
	}
}

// TestAnswers5500 are the framing habits seen in the wild, and what is not an answer.
func TestAnswers5500(t *testing.T) {
	move := game.Answer{Kind: game.AnswerMove, Move: game.Move{From: 25, To: 30}} // A6 A7
	for text, want := range map[string]game.Answer{
		"(A6 A7)":           move,
		"(A6 A7)\n":         move,
		"( A6 A7 )":         move,
		"\r\n\t (A6\r\nA7)": move,
		"(\nA6\nA7\n)":      move,
		"(A6 A7)(B6 B7)":    move,
		"(resign)":          {Kind: game.AnswerResign},
		"((A1 F) ( B1 L ))": {Kind: game.AnswerSetUp, SetUp: "A1:F B1:L"},
		"()":                {Kind: game.AnswerSetUp},
	} {
		end := dialect5500{}.RefereeEnd(game.First, game.Limits{})
		n, got, err := end.Scan([]byte(text), false)
		if n == 0 || err != nil || got != want {
			t.Errorf("%q: %d, %+v, %v; want %+v", text, n, got, err, want)
		}
	}
	for _, text := range []string{"", "  \n", "(", "(A6", "(A6 A7", "((A1 F)"} {
		end := dialect5500{}.RefereeEnd(game.First, game.Limits{})
		if n, got, err := end.Scan([]byte(text), false); n != 0 || err != nil {
			t.Errorf("%q is not whole: %d, %+v, %v", text, n, got, err)
		}
	}
	for _, text := range []string{"hello", "resign", ")", "(A6)", "(A6 A13)", "(a6 a7)", "(A6 A7 A8)", "((A6 A7))", "((A1 X))", "\x00(A6 A7)", "(A6 \xff)", "forfeit"} {
		end := dialect5500{}.RefereeEnd(game.First, game.Limits{})
		n, got, err := end.Scan([]byte(text), false)
		if unreadable := (*game.UnreadableError)(nil); !errors.As(err, &unreadable) {
			t.Errorf("%q: %d, %+v, %v; want it unreadable", text, n, got, err)
		}
	}
	long := append([]byte("("), bytes.Repeat([]byte("A6 "), 30_000)...)
	end := dialect5500{}.RefereeEnd(game.First, game.Limits{})
	if _, _, err := end.Scan(long, false); !errors.Is(err, game.ErrTooLong) {
		t.Errorf("%d bytes: %v", len(long), err)
	}
}

// TestAnswers4500 resigns by a bare word, which may be the last thing a program writes.
func TestAnswers4500(t *testing.T) {
	type result struct {
		n    int
		kind game.AnswerKind
	}
	scan := func(text string, eof bool) (result, error) {
		n, a, err := dialect4500{}.RefereeEnd(game.Second, game.Limits{}).Scan([]byte(text), eof)
		return result{n, a.Kind}, err
	}
	for text, want := range map[string]result{
		"forfeit":         {7, game.AnswerResign},
		" \nforfeit\n":    {9, game.AnswerResign},
		"forf":            {0, 0},
		"( A6 A7 )forf":   {9, game.AnswerMove},
		"((A1 F))(A6 A7)": {8, game.AnswerSetUp},
	} {
		if got, err := scan(text, false); got != want || err != nil {
			t.Errorf("%q: %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"(resign)", "forget", "A6 A7"} {
		if got, err := scan(text, false); err == nil {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
	if got, err := scan("forf", true); err == nil {
		t.Errorf("half a word at the end is read as %+v", got)
	}
	args := strings.Join(dialect4500{}.Arguments(game.Second, game.Limits{Move: 750 * time.Millisecond}), " ")
	if args != "--go 2 --time/move 750ms" {
		t.Errorf("arguments %q", args)
	}
}

func TestRefusals4500(t *testing.T) {
	b, _ := ParseBoard("A1:L1 B1:F1 A6:51 C6:91 A7:52 D12:F2")
	for text, want := range map[string]string{
		"E6 E7": "No Piece", "A1 A2": "Piece not movable", "B1 B2": "From To Invalid", "D1 D2": "From To Invalid",
		"A7 A8": "From To Invalid", "C6 A6": "From To Invalid", "A6 E9": "From To Invalid",
	} {
		m, err := Game{}.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		end := dialect4500{}.RefereeEnd(game.First, game.Limits{})
		got := end.Tell(game.Event{Kind: game.EventIllegal, Move: m, HasMove: true, Err: b.Why(game.First, m)}, nil)
		if len(got) != 1 || string(got[0]) != "Invalid Board Move "+want+"\n" {
			t.Errorf("%s: %q, want %s", text, got, want)
		}
	}
	end := dialect4500{}.RefereeEnd(game.First, game.Limits{})
	if got := end.Tell(game.Event{Kind: game.EventIllegal, Err: Game{}.CheckSetUp("A1:F")}, nil); string(got[0]) != "Invalid Board Setup\n" {
		t.Errorf("set-up: %q", got)
	}
	if got := end.Tell(game.Event{Kind: game.EventIllegal, Err: errors.New("unreadable")}, nil); string(got[0]) != "Invalid Board Move Location Invalid\n" {
		t.Errorf("unreadable: %q", got)
	}
}

// FuzzPlayerEnds feeds a referee's nonsense to our players' ends, which must survive it and go on.
func FuzzPlayerEnds(f *testing.F) {
	f.Add([]byte("(init 1 time/move 1.0)\n(go 1)\n(outcome > (A6 A7))\n(flag 2 D12)\n(illegal (A1 A2))\n(end 1)\n"))
	f.Add([]byte("A6 A7 1 win\nF D1\nInvalid Board Move No Piece\n2 Victory\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, p := range (Game{}).Protocols() {
			end := p.PlayerEnd(game.Rules{}, game.First, time.Second)
			r := rand.New(rand.NewPCG(1, 1))
			rest := text
			for range len(text) + 10 {
				n, prompt, err := end.Scan(rest, true)
				if n > len(rest) {
					t.Fatalf("%s: %d of %d bytes used", p.Name(), n, len(rest))
				}
				rest = rest[n:]
				switch prompt {
				case game.PromptSetUp:
					end.Say(game.Answer{Kind: game.AnswerSetUp, SetUp: Game{}.RandomSetUp(r)})
				case game.PromptMove:
					if moves := end.View().Moves(nil); len(moves) > 0 {
						end.Say(game.Answer{Kind: game.AnswerMove, Move: moves[r.IntN(len(moves))]})
					}
				case game.PromptEnd:
					return
				case game.PromptNone:
					if n == 0 {
						if err == nil || len(rest) == 0 {
							return
						}
						rest = rest[1:]
					}
				}
			}
		}
	})
}
