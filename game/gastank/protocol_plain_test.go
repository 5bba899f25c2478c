package gastank

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
)

// wire is one conversation in memory: both ends, and the bytes toward the player.
type wire struct {
	referee game.RefereeEnd
	player  game.PlayerEnd
	toward  []byte
}

func newWire(p game.Protocol, side game.Side) *wire {
	return &wire{referee: p.RefereeEnd(side, Game{}.Limits()), player: p.PlayerEnd(nil, side.Other(), 0)}
}

// tell passes an event on and returns what it prompted.
func (w *wire) tell(t *testing.T, e game.Event, v game.View) (prompt game.Prompt) {
	t.Helper()
	for _, text := range w.referee.Tell(e, v) {
		w.toward = append(w.toward, text...)
	}
	return w.hear(t, false)
}

func (w *wire) hear(t *testing.T, eof bool) game.Prompt {
	t.Helper()
	n, prompt, err := w.player.Scan(w.toward, eof)
	if err != nil {
		t.Fatalf("the player cannot read %q: %v", w.toward, err)
	}
	w.toward = w.toward[n:]
	return prompt
}

// TestPlainGames plays random games through both ends, with a refused move now and then: moves arrive as
// they were sent, a side is asked exactly when it is to move and then knows what the referee knows, nothing
// is said at the end, and the end of the input is the end for the player.
func TestPlainGames(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 0))
		wires := [2]*wire{newWire(Plain, game.First), newWire(Plain, game.Second)}
		var asked [2]bool
		for side, w := range wires {
			asked[side] = w.tell(t, game.Event{Kind: game.EventBegin}, nil) == game.PromptMove
		}
		pos := game.Position(NewPosition())
		for {
			if _, over := pos.Outcome(); over {
				break
			}
			mover := pos.Mover()
			for side, w := range wires {
				v := pos.View(game.Side(side))
				asked[side] = w.tell(t, game.Event{Kind: game.EventTurn, Side: mover}, v) == game.PromptMove || asked[side]
				if asked[side] != (game.Side(side) == mover) || asked[side] && w.player.View() != v {
					t.Fatalf("seed %d, ply %d: player %d is asked %v, or sees another game", seed, pos.Ply(), side+1, asked[side])
				}
			}
			moves := pos.Moves(nil)
			m := moves[r.IntN(len(moves))]
			for range 1 + r.IntN(2) { // the second time after a refusal
				if !asked[mover] {
					refused := game.Event{Kind: game.EventIllegal, Side: mover, Move: m, HasMove: true}
					if wires[mover].tell(t, refused, pos.View(mover)) != game.PromptMove || wires[mover].player.View() != pos.View(mover) {
						t.Fatalf("seed %d, ply %d: after a refusal player %d is not asked again, or does not take its move back", seed, pos.Ply(), mover+1)
					}
				}
				text := wires[mover].player.Say(game.Answer{Kind: game.AnswerMove, Move: m})
				n, got, err := wires[mover].referee.Scan(text, false)
				if n != len(text) || err != nil || got.Kind != game.AnswerMove || got.Move != m {
					t.Fatalf("%s was said as %q and read as %+v, %v", MoveName(m), text, got, err)
				}
				asked[mover] = false
			}
			pos = pos.Play(m)
			for side, w := range wires {
				if w.tell(t, game.Event{Kind: game.EventMoved, Side: mover, Move: m}, pos.View(game.Side(side))) != game.PromptNone {
					t.Fatalf("seed %d, ply %d: player %d is asked before its turn", seed, pos.Ply(), side+1)
				}
			}
		}
		for _, w := range wires {
			if said := w.referee.Tell(game.Event{Kind: game.EventEnd}, nil); said != nil {
				t.Fatalf("%q is said at the end", said)
			}
			if w.hear(t, true) != game.PromptEnd {
				t.Fatal("the end of the input is not the end")
			}
		}
	}
}

// TestPlainFrames spells the dialogue out for both sides.
func TestPlainFrames(t *testing.T) {
	w := newWire(Plain, game.Second)
	if got := w.referee.Tell(game.Event{Kind: game.EventBegin}, nil); string(got[0]) != "second\n" {
		t.Errorf("got %q", got)
	}
	pos := NewPosition().play(mustMove(t, "D1E3"))
	got := w.referee.Tell(game.Event{Kind: game.EventTurn, Side: game.Second}, pos.View(game.Second))
	if len(got) != 1 || string(got[0]) != "D7E5\n" {
		t.Errorf("D1E3 is told the second player as %q, want D7E5", got)
	}
	if _, a, err := w.referee.Scan([]byte("D1E3\n"), false); err != nil || MoveName(a.Move) != "D7E5" {
		t.Errorf("D1E3 of the second player is read as %s, %v", MoveName(a.Move), err)
	}
	refused := game.Event{Kind: game.EventIllegal, Side: game.Second, Move: mustMove(t, "D7D5"), HasMove: true}
	if got := w.referee.Tell(refused, pos.View(game.Second)); len(got) != 1 || string(got[0]) != "illegal D1D3\n" {
		t.Errorf("the second player's D1D3 is refused with %q", got)
	}
	if got := w.referee.Tell(game.Event{Kind: game.EventIllegal, Side: game.Second}, pos.View(game.Second)); got != nil {
		t.Errorf("what was no move is refused with %q", got)
	}
	if limit := w.player.Limit(); limit != 5*time.Second {
		t.Errorf("the limit is %v", limit)
	}
}

func TestPlainAnswers(t *testing.T) {
	for _, c := range []struct {
		text string
		eof  bool
		n    int
		want string // a move, resign, or "": more is needed
		err  string
	}{
		{"A3D6\n", false, 5, "A3D6", ""},
		{"A3D6\r\nB1B2\n", false, 6, "A3D6", ""},
		{"\n \r\n  a3 d6 \n", false, 13, "A3D6", ""},
		{"Resign\n", false, 7, "resign", ""},
		{"A3D6", false, 0, "", ""},
		{"A3D6", true, 4, "A3D6", ""},
		{"", true, 0, "", ""},
		{" \n\n", true, 0, "", ""},
		{"A3D8\n", false, 5, "", `square "D8": allowed are A1 to H7`},
		{"my move: A3D6\n", false, 14, "", "one move a line"},
		{"A3D\n", false, 4, "", "two squares without a blank"},
		{strings.Repeat("x", 65), false, 0, "", "at most 64 bytes"},
		{strings.Repeat("x", 70) + "\n", false, 0, "", "at most 64 bytes"},
		{"\xff\xfe\x00\x00\n", false, 5, "", "allowed are A1 to H7"},
	} {
		n, a, err := Plain.RefereeEnd(game.First, game.Limits{}).Scan([]byte(c.text), c.eof)
		got := ""
		if n > 0 && err == nil {
			got = MoveName(a.Move)
			if a.Kind == game.AnswerResign {
				got = "resign"
			}
		}
		if n != c.n || got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: %d bytes, %q, %v; want %d, %q, %s", c.text, n, got, err, c.n, c.want, c.err)
		}
		if unreadable := (*game.UnreadableError)(nil); err != nil && !errors.As(err, &unreadable) {
			t.Errorf("%q: %T", c.text, err)
		}
	}
}

func TestPlainPlayerPassesOverNonsense(t *testing.T) {
	for text, want := range map[string]string{
		"hello\n": "allowed are first and second", "A3D6\n": "allowed are first and second",
		"second\nillegal D1D3\n": "no move was sent", "illegal D1D3\n": "allowed are first and second",
		"second\nfoo\n": "two squares", "second\nA3D6\n": "nothing stands on A3", "first\nD7C5\n": "it is our turn",
	} {
		p := Plain.PlayerEnd(nil, game.First, time.Second)
		buf, last := []byte(text), error(nil)
		for len(buf) > 0 {
			n, _, err := p.Scan(buf, false)
			if n == 0 {
				t.Fatalf("%q: stuck at %q", text, buf)
			}
			buf, last = buf[n:], err
		}
		if last == nil || !strings.Contains(last.Error(), want) {
			t.Errorf("%q: %v, want %s", text, last, want)
		}
	}
	p := Plain.PlayerEnd(nil, game.First, time.Second)
	if p.View() != nil || p.Limit() != time.Second || string(p.Say(game.Answer{Kind: game.AnswerResign})) != "resign\n" {
		t.Error("before the start there is a view, another limit, or no way to resign")
	}
}

func FuzzPlainReferee(f *testing.F) {
	f.Add([]byte("A3D6\n"), true)
	f.Add([]byte("resign"), true)
	f.Fuzz(func(t *testing.T, text []byte, eof bool) {
		n, a, err := Plain.RefereeEnd(game.Second, game.Limits{}).Scan(text, eof)
		if n < 0 || n > len(text) || n > 0 && err == nil && a.Kind == game.AnswerMove && (a.Move.From >= squareCount || a.Move.To >= squareCount) {
			t.Errorf("%q: %d, %+v", text, n, a)
		}
		if n == 0 && err == nil && !eof && len(text) > 4096 && strings.TrimSpace(string(text)) != "" {
			t.Errorf("%d bytes are waited for", len(text))
		}
	})
}

func FuzzPlainPlayer(f *testing.F) {
	f.Add([]byte("second\nD7E5\n"))
	f.Add([]byte("first\nillegal D1E3\nD7E5\n"))
	f.Add([]byte("first\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p := Plain.PlayerEnd(nil, game.First, 0)
		for len(text) > 0 {
			n, prompt, _ := p.Scan(text, true)
			if n < 0 || n > len(text) {
				t.Fatalf("%d of %d bytes", n, len(text))
			}
			if prompt == game.PromptMove {
				p.Say(game.Answer{Kind: game.AnswerMove, Move: p.View().Moves(nil)[0]})
			}
			if n == 0 {
				return
			}
			text = text[n:]
		}
	})
}
