package quagmire

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
)

// wire is one conversation in memory: both ends, and the bytes on their way to the player.
type wire struct {
	referee game.RefereeEnd
	player  game.PlayerEnd
	toward  []byte
	sent    strings.Builder
}

func newWire(side game.Side) *wire {
	limits := Game{}.Limits()
	// The player's end is told the wrong side: it must believe the conversation.
	return &wire{referee: plain.RefereeEnd(side, limits), player: plain.PlayerEnd(nil, side.Other(), limits.Move)}
}

// tell sends an event and returns what it prompted.
func (w *wire) tell(t *testing.T, e game.Event, v game.View) (prompt game.Prompt) {
	t.Helper()
	for _, text := range w.referee.Tell(e, v) {
		w.toward = append(w.toward, text...)
		w.sent.Write(text)
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
	for i := range text { // dribbled: nothing is read before the line is whole
		if n, _, err := w.referee.Scan(text[:i], false); n != 0 || err != nil {
			t.Fatalf("%q is read in part: %d, %v", text[:i], n, err)
		}
	}
	n, got, err := w.referee.Scan(text, false)
	if err != nil || n != len(text) {
		t.Fatalf("the referee reads %d bytes of %q as %+v, %v", n, text, got, err)
	}
	return got
}

// TestBothEnds plays random games, with a refused move now and then. What a player knows must at all
// times be what the referee knows, and it is asked exactly when it is to move.
func TestBothEnds(t *testing.T) {
	over := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 0))
		wires := [2]*wire{newWire(game.First), newWire(game.Second)}
		pos, err := Game{}.New(nil, [2]game.SetUp{})
		if err != nil {
			t.Fatal(err)
		}
		var asked [2]bool
		for side, w := range wires {
			asked[side] = w.tell(t, game.Event{Kind: game.EventBegin}, nil) == game.PromptMove
		}
		for pos.Ply() < 400 {
			if _, ended := pos.Outcome(); ended {
				over++
				break
			}
			mover := pos.Mover()
			for side, w := range wires {
				if w.tell(t, game.Event{Kind: game.EventTurn, Side: mover}, pos.View(game.Side(side))) == game.PromptMove {
					asked[side] = true
				}
				if asked[side] != (game.Side(side) == mover) {
					t.Fatalf("seed %d, ply %d: player %d asked: %v", seed, pos.Ply(), side+1, asked[side])
				}
			}
			asked = [2]bool{}
			w := wires[mover]
			truth, known := pos.View(mover).(*View), w.player.View().(*View)
			lastTruth, _ := truth.LastMove()
			lastKnown, _ := known.LastMove()
			if known.Side() != mover || truth.Board() != known.Board() || truth.Ply() != known.Ply() || known.Mover() != mover || lastTruth != lastKnown {
				t.Fatalf("seed %d, ply %d: the referee's view\n%s\nthe player's view\n%s", seed, pos.Ply(), truth.Draw(game.DrawStyle{}), known.Draw(game.DrawStyle{}))
			}
			if r.IntN(10) == 0 {
				m := game.Move{From: game.Square(r.IntN(64)), To: game.Square(r.IntN(64))}
				if err := pos.Check(m); err != nil {
					w.say(t, game.Answer{Kind: game.AnswerMove, Move: m})
					e := game.Event{Kind: game.EventIllegal, Side: mover, Move: m, HasMove: true, Err: err}
					if board := known.Board(); board.passable(mover, m) && w.tell(t, e, truth) != game.PromptMove {
						t.Fatalf("seed %d: no second try after %v", seed, err)
					}
					if again := w.player.View().(*View); again.Board() != truth.Board() || again.Mover() != mover {
						t.Fatalf("seed %d: after %v the player's view is\n%s", seed, err, again.Draw(game.DrawStyle{}))
					}
				}
			}
			moves := pos.Moves(nil)
			m := moves[r.IntN(len(moves))]
			if got := w.say(t, game.Answer{Kind: game.AnswerMove, Move: m}); got.Kind != game.AnswerMove || got.Move != m {
				t.Fatalf("seed %d: %s became %+v", seed, MoveName(m), got)
			}
			pos = pos.Play(m)
			for side, w := range wires {
				w.tell(t, game.Event{Kind: game.EventMoved, Side: mover, Move: m}, pos.View(game.Side(side)))
			}
		}
		for side, w := range wires {
			before := w.sent.Len()
			w.tell(t, game.Event{Kind: game.EventEnd}, pos.View(game.Side(side)))
			if w.sent.Len() != before {
				t.Fatalf("seed %d: the end is written", seed)
			}
			if n, prompt, err := w.player.Scan(nil, true); n != 0 || prompt != game.PromptEnd || err != nil {
				t.Fatalf("seed %d: closed input is %d, %v, %v, want the end", seed, n, prompt, err)
			}
		}
	}
	if over == 0 {
		t.Error("no game was played to its end")
	}
}

// TestConversation is the example of README.md, byte for byte.
func TestConversation(t *testing.T) {
	wires := [2]*wire{newWire(game.First), newWire(game.Second)}
	pos := game.Position(NewPosition())
	for _, w := range wires {
		w.tell(t, game.Event{Kind: game.EventBegin}, nil)
	}
	for _, text := range []string{"c2 c4", "f7 f5", "a1 c3", "f5 f4"} {
		m := mustMove(t, text)
		mover := pos.Mover()
		for side, w := range wires {
			w.tell(t, game.Event{Kind: game.EventTurn, Side: mover}, pos.View(game.Side(side)))
		}
		if err := pos.Check(m); err != nil {
			wires[mover].say(t, game.Answer{Kind: game.AnswerMove, Move: m})
			wires[mover].tell(t, game.Event{Kind: game.EventIllegal, Side: mover, Move: m, HasMove: true, Err: err}, pos.View(mover))
			continue
		}
		wires[mover].say(t, game.Answer{Kind: game.AnswerMove, Move: m})
		pos = pos.Play(m)
	}
	if got := wires[0].sent.String(); got != "O\nf7 f5\n" {
		t.Errorf("O is sent %q", got)
	}
	if got := wires[1].sent.String(); got != "X\nc2 c4\na1 c3\nillegal f5 f4\n" {
		t.Errorf("X is sent %q", got)
	}
}

func TestRefereeScan(t *testing.T) {
	move := game.Answer{Kind: game.AnswerMove, Move: mustMove(t, "c2 c4")}
	for _, c := range []struct {
		text string
		eof  bool
		n    int
		want game.Answer
	}{
		{"c2 c4\n", false, 6, move},
		{"c2 c4\nd1 d2\n", false, 6, move},
		{"c2-c4\r\n", false, 7, move},
		{"C2C4\n", false, 5, move},
		{"\n\r\n  c2 c4  \n", false, 13, move},
		{"c2 c4", true, 5, move},
		{"c2 c4", false, 0, game.Answer{}},
		{"", false, 0, game.Answer{}},
		{"", true, 0, game.Answer{}},
		{" \n\n", true, 0, game.Answer{}},
		{"resign\n", false, 7, game.Answer{Kind: game.AnswerResign}},
		{"Resign\r\n", false, 8, game.Answer{Kind: game.AnswerResign}},
		{strings.Repeat("\n", 5000) + "c2 c4\n", false, 5006, move},
	} {
		n, a, err := plain.RefereeEnd(game.First, game.Limits{}).Scan([]byte(c.text), c.eof)
		if n != c.n || a != c.want || err != nil {
			t.Errorf("%.30q: %d bytes, %+v, %v, want %d and %+v", c.text, n, a, err, c.n, c.want)
		}
	}
	for _, text := range []string{
		"c2\n", "hello\n", "c2 c4 c6\n", "move c2 c4\n", "c2 c4 check!\n", "c2 c9\n", "0\n", "\x00\n", "\xef\xbb\xbfc2 c4\n", "(c2 c4)\n",
		strings.Repeat("x", 2000), strings.Repeat("x", 2000) + "\n", "c2" + strings.Repeat(" ", 2000) + "c4\n", "c2" + strings.Repeat(" ", 2000),
	} {
		_, a, err := plain.RefereeEnd(game.First, game.Limits{}).Scan([]byte(text), false)
		var unreadable *game.UnreadableError
		if !errors.As(err, &unreadable) || !strings.Contains(err.Error(), "one move a line, such as c2 c4, c2-c4 or c2c4, or resign") || len(err.Error()) > 300 {
			t.Errorf("%.30q: %+v, %v", text, a, err)
		}
	}
}

// A player of ours survives a referee that plays by other rules, or talks nonsense, and goes on.
func TestPlayerHearsWrongThings(t *testing.T) {
	p := plain.PlayerEnd(nil, game.First, time.Second)
	hear := func(text string, prompt game.Prompt, trouble string) {
		t.Helper()
		n, got, err := p.Scan([]byte(text), false)
		if n != len(text) || got != prompt || (err == nil) != (trouble == "") || err != nil && !strings.Contains(err.Error(), trouble) {
			t.Errorf("%q: %d bytes, prompt %v, %v, want prompt %v, %q", text, n, got, err, prompt, trouble)
		}
	}
	if p.View() != nil {
		t.Error("there is a view before the first message")
	}
	if n, prompt, err := p.Scan(nil, true); n != 0 || prompt != game.PromptNone || err != nil {
		t.Errorf("closed before it began: %d, %v, %v", n, prompt, err)
	}
	hear("Y\n", game.PromptNone, "allowed are O and X")
	hear("X\n", game.PromptNone, "")
	hear("c2 c5\n", game.PromptMove, "")
	hear("c2 c5\n", game.PromptNone, "our turn")
	hear("illegal f7 f5\n", game.PromptNone, "no move was sent")
	p.Say(game.Answer{Kind: game.AnswerMove, Move: mustMove(t, "f7 f5")})
	hear("what?\n", game.PromptNone, "allowed are")
	hear("e1 e2\n", game.PromptNone, "there is no piece on e1")
	hear("c5 c6\n", game.PromptMove, "illegal by our rules: c5 c6: the O on c5 moved")
	hear("illegal f7 f5\n", game.PromptNone, "no move was sent")          // it was answered
	p.Say(game.Answer{Kind: game.AnswerMove, Move: mustMove(t, "f5 f4")}) // illegal, and played on both sides
	hear("illegal f5 f4\n", game.PromptMove, "")
	if board := p.View().(*View).Board(); board.Of(game.Second).Has(mustMove(t, "f4 f5").From) {
		t.Error("the refused move was not taken back")
	}
	if got := string(p.Say(game.Answer{Kind: game.AnswerResign})); got != "resign\n" {
		t.Errorf("resigns with %q", got)
	}
	if p.Limit() != time.Second {
		t.Errorf("limit %v", p.Limit())
	}
	if n, _, err := p.Scan([]byte(strings.Repeat("x", 2000)), false); n != 2000 || err == nil {
		t.Errorf("a long line: %d, %v", n, err)
	}
}

func FuzzRefereeScan(f *testing.F) {
	f.Add([]byte("c2 c4\n"), false)
	f.Add([]byte("\r\nC2-c4\r\nresign"), true)
	f.Fuzz(func(t *testing.T, text []byte, eof bool) {
		end := plain.RefereeEnd(game.First, game.Limits{})
		for rest := text; ; {
			n, a, err := end.Scan(rest, eof)
			if n < 0 || n > len(rest) {
				t.Fatalf("%d bytes used of %d", n, len(rest))
			}
			if err == nil && n > 0 && a.Kind == game.AnswerMove && (a.Move.From >= squareCount || a.Move.To >= squareCount) {
				t.Fatalf("%q leads off the board", rest[:n])
			}
			if n == 0 {
				return
			}
			rest = rest[n:]
		}
	})
}

// FuzzPlayerScan feeds a referee's nonsense to our player's end, which answers with legal moves.
func FuzzPlayerScan(f *testing.F) {
	f.Add([]byte("O\nh5 h4\nillegal c2 c4\nf7 f5\n"))
	f.Add([]byte("X\nc2 c4\nc4 c2\nO\nillegal"))
	f.Fuzz(func(t *testing.T, text []byte) {
		end := plain.PlayerEnd(nil, game.First, 0)
		r := rand.New(rand.NewPCG(1, 1))
		for rest := text; ; {
			n, prompt, _ := end.Scan(rest, true)
			if n < 0 || n > len(rest) {
				t.Fatalf("%d bytes used of %d", n, len(rest))
			}
			rest = rest[n:]
			switch {
			case prompt == game.PromptMove:
				moves := end.View().Moves(nil)
				if len(moves) == 0 {
					t.Fatalf("asked for a move where there is none:\n%s", end.View().Draw(game.DrawStyle{}))
				}
				end.Say(game.Answer{Kind: game.AnswerMove, Move: moves[r.IntN(len(moves))]})
			case prompt == game.PromptEnd || n == 0:
				return
			}
		}
	})
}

// startingFrom is the game from another position.
type startingFrom struct {
	Game
	start *Position
}

func (g startingFrom) New(game.Rules, [2]game.SetUp) (game.Position, error) { return g.start, nil }

// A referee may tell the move that ends the game: it is not answered.
func TestPlayerIsSilentAfterTheEnd(t *testing.T) {
	b := mustBoard(t, ".O....../OO....../X......./......../......../......../......../........")
	dialogue := *plain
	dialogue.Game = startingFrom{Game{}, &Position{Turn: game.Turn{}.Of(game.Second), board: b}}
	p := dialogue.PlayerEnd(nil, game.First, 0)
	p.Scan([]byte("O\n"), false)
	n, prompt, err := p.Scan([]byte("a6 a8\n"), false) // across the closed corner, into Quagmire
	if n != 6 || prompt != game.PromptNone || err != nil {
		t.Errorf("%d bytes, prompt %v, %v", n, prompt, err)
	}
	if o, over := p.View().(*View).Outcome(); !over || o.Winner != game.First {
		t.Errorf("%+v, %v", o, over)
	}
	if n, prompt, err := p.Scan([]byte("\r\n"), true); n != 2 || prompt != game.PromptEnd || err != nil {
		t.Errorf("closed: %d bytes, prompt %v, %v", n, prompt, err)
	}
}
