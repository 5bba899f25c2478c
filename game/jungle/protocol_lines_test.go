package jungle

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
)

// wire is one conversation in memory: both ends, and what the player has not read yet.
type wire struct {
	referee game.RefereeEnd
	player  game.PlayerEnd
	toward  []byte
	heard   string // all that the player was ever sent
}

func newWire(side game.Side, rules game.Rules) *wire {
	p := Game{}.Protocols()[0]
	limits := Game{}.Limits()
	// The player's end is told the wrong side: the color is what counts.
	return &wire{referee: p.RefereeEnd(side, limits), player: p.PlayerEnd(rules, side.Other(), 0)}
}

// tell passes an event on and returns the number of messages and what they prompted.
func (w *wire) tell(t *testing.T, e game.Event, v game.View) (messages int, prompt game.Prompt) {
	t.Helper()
	for _, text := range w.referee.Tell(e, v) {
		w.toward = append(w.toward, text...)
		w.heard += string(text)
		messages++
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
			return messages, prompt
		}
	}
}

// TestBothEnds plays random games from end to end. Only the mover is spoken to, in one message a
// turn; and what the player has put together is at all times what the referee knows.
func TestBothEnds(t *testing.T) {
	endings := map[string]int{}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 0))
		rules, err := game.ParseRules([]string{"", "rules=statement"}[seed%2], Game{}.Options())
		if err != nil {
			t.Fatal(err)
		}
		pos, err := Game{}.New(rules, [2]game.SetUp{})
		if err != nil {
			t.Fatal(err)
		}
		if seed%4 > 1 { // a few pieces, so that games end
			few := randomBoard(r, 15, reading(rules))
			few.Put(At(0, 6), game.First, Elephant)
			pos = NewPosition(few, game.First)
		}
		wires := [2]*wire{newWire(game.First, rules), newWire(game.Second, rules)}
		for side, w := range wires {
			w.tell(t, game.Event{Kind: game.EventBegin}, nil)
			if pos.(*Position).board != Start(reading(rules)) { // both know; the color is not sent again
				w.referee.(*refereeEnd).begun = true
				*w.player.(*playerEnd) = playerEnd{reading: reading(rules), view: pos.View(game.Side(side)).(*View), expects: theLastMove}
			}
		}
		outcome, over := pos.Outcome()
		for ; !over && pos.Ply() < 150; outcome, over = pos.Outcome() {
			mover := pos.Mover()
			for side, w := range wires {
				messages, prompt := w.tell(t, game.Event{Kind: game.EventTurn, Side: mover}, pos.View(game.Side(side)))
				asked := messages == 1 && prompt == game.PromptMove
				if asked != (game.Side(side) == mover) || !asked && messages > 0 {
					t.Fatalf("seed %d: %s is to move, %d messages prompt %d of %s", seed, Color(mover), messages, prompt, Color(game.Side(side)))
				}
			}
			truth, known := pos.(*Position), wires[mover].player.View().(*View)
			if known.Position != *truth || known.side != mover {
				t.Fatalf("seed %d: the referee's position\n%+v\nthe player's\n%+v", seed, *truth, known.Position)
			}
			pos = pos.Play(wires[mover].answer(t, pos, r))
			for side, w := range wires {
				if n, _ := w.tell(t, game.Event{Kind: game.EventMoved, Side: mover}, pos.View(game.Side(side))); n > 0 {
					t.Fatal("the protocol is silent between turns")
				}
			}
		}
		if !over {
			outcome.Reason = "cap"
		}
		endings[outcome.Reason]++
		for side, w := range wires {
			e := game.Event{Kind: game.EventEnd, Draw: !over, Winner: outcome.Winner}
			messages, prompt := w.tell(t, e, pos.View(game.Side(side)))
			told := outcome.Reason == "no legal moves" && game.Side(side) != outcome.Winner
			if (messages == 1) != told || told && (prompt != game.PromptEnd || !strings.HasSuffix(w.heard, "\n0\n")) {
				t.Fatalf("seed %d: %s: %d messages to %s, the last is %q", seed, outcome.Reason, messages, Color(game.Side(side)), w.heard)
			}
			if n, p, err := w.player.Scan(nil, true); n != 0 || p != game.PromptEnd || err != nil {
				t.Fatalf("hanging up is no end: %d, %v, %v", n, p, err)
			}
		}
	}
	for _, reason := range []string{"den entered", "no legal moves", "cap"} {
		if endings[reason] == 0 {
			t.Errorf("no game ended with %q: %v", reason, endings)
		}
	}
}

// answer lets the player say a move, with a comment or left to the referee's choice at times.
func (w *wire) answer(t *testing.T, pos game.Position, r *rand.Rand) game.Move {
	t.Helper()
	moves := pos.Moves(nil)
	a := game.Answer{Kind: game.AnswerMove, Move: moves[r.IntN(len(moves))]}
	switch r.IntN(8) {
	case 0:
		a = game.Answer{Kind: game.AnswerAny}
	case 1:
		a.Comment = "for\nyou"
	}
	text := w.player.Say(a)
	n, got, err := w.referee.Scan(text, false)
	if n != len(text) || err != nil {
		t.Fatalf("the referee reads %q as %+v, %v", text, got, err)
	}
	if a.Kind == game.AnswerAny {
		a.Kind, a.Move = game.AnswerMove, moves[0]
	}
	if got != a {
		t.Fatalf("%+v became %q and that %+v", a, text, got)
	}
	return got.Move
}

// TestWhatAProgramIsSent is the beginning of a game, to the letter.
func TestWhatAProgramIsSent(t *testing.T) {
	var pos game.Position = NewPosition(Start(Referee), game.First)
	red, blue := newWire(game.First, nil), newWire(game.Second, nil)
	turn := func(w *wire) {
		w.tell(t, game.Event{Kind: game.EventTurn, Side: pos.Mover()}, pos.View(pos.Mover()))
	}
	turn(red)
	pos = pos.Play(game.Move{From: At(0, 6), To: At(0, 5)})
	turn(blue)
	pos = pos.Play(game.Move{From: At(0, 2), To: At(0, 3)})
	red.player.Say(game.Answer{Kind: game.AnswerMove, Move: game.Move{From: At(0, 6), To: At(0, 5)}})
	turn(red)
	first := "red\n-1 -1 -1 -1\n24\n0 6 1 6\n0 6 0 5\n0 6 0 7\n6 8 5 8\n6 8 6 7\n0 8 1 8\n0 8 0 7\n4 6 3 6\n4 6 5 6\n4 6 4 7\n" +
		"2 6 1 6\n2 6 3 6\n2 6 2 7\n5 7 4 7\n5 7 6 7\n5 7 5 6\n5 7 5 8\n1 7 0 7\n1 7 2 7\n1 7 1 6\n1 7 1 8\n6 6 5 6\n6 6 6 5\n6 6 6 7\n"
	if !strings.HasPrefix(red.heard, first+"0 2 0 3\n23\n0 5 0 4\n0 5 0 6\n") {
		t.Errorf("red is sent %s", red.heard)
	}
	if !strings.HasPrefix(blue.heard, "blue\n0 6 0 5\n24\n6 2 5 2\n6 2 6 1\n6 2 6 3\n0 0 1 0\n") {
		t.Errorf("blue is sent %s", blue.heard)
	}
	if args := (Game{}.Protocols()[0].Arguments(game.Second, Game{}.Limits())); len(args) > 0 {
		t.Errorf("arguments %q", args)
	}
}

// TestAnswers are lines that programs write, and how they are read.
func TestAnswers(t *testing.T) {
	move := func(comment string) game.Answer {
		return game.Answer{Kind: game.AnswerMove, Move: game.Move{From: At(1, 7), To: At(1, 6)}, Comment: comment}
	}
	for text, want := range map[string]game.Answer{
		"1 7 1 6\n":                 move(""),
		"1 7 1 6\r\n":               move(""),
		"1 7 1 6 \n":                move(""),
		"1 7 1 6 message\n":         move("message"),
		"1 7 1 6  two  blanks \r\n": move(" two  blanks "),
		"1 7 1 6 a\\nb\\n\n":        move("a\nb\n"),
		"1 7 1 6 a\\\\nb\n":         move("a\\\nb"),
		"1 7 1 6 虎 \x1b[2J\xff\t\n": move("虎 �[2J��"),
		"random\n":                  {Kind: game.AnswerAny},
		"random\r\n":                {Kind: game.AnswerAny},
		"0 0 6 8\n":                 {Move: game.Move{From: At(0, 0), To: At(6, 8)}},
		"1 7 1 6 " + strings.Repeat("虎", 60) + "\n":          move(strings.Repeat("虎", 50)),
		"1 7 1 6 " + strings.Repeat("x", 48) + "\\nyyy\n":    move(strings.Repeat("x", 48) + "\n"),
		"1 7 1 6 " + strings.Repeat("x", maxAnswer-8) + "\n": move(strings.Repeat("x", 50)),
	} {
		for _, eof := range []bool{false, true} {
			end := lines{}.RefereeEnd(game.First, game.Limits{})
			n, got, err := end.Scan([]byte(text+"9 9\n"), eof)
			if n != len(text) || err != nil || got != want {
				t.Errorf("%.80q: %d, %+v, %v; want %d, %+v", text, n, got, err, len(text), want)
			}
			whole := strings.TrimSuffix(text, "\n")
			n, got, err = end.Scan([]byte(whole), eof)
			if eof && (n != len(whole) || err != nil || got != want) || !eof && (n != 0 || err != nil) {
				t.Errorf("%.80q without its end, eof %v: %d, %+v, %v", text, eof, n, got, err)
			}
		}
	}
	for _, text := range []string{
		"", "\r", " ", "1 7 1", "1 7 1 ", "1 7 1 66", "1 7 1 6\tx", "1 7 1 6,x", " 1 7 1 6", "1  7 1 6", "1 7 1  6", "1\t7 1 6",
		"01 7 1 6", "+1 7 1 6", "-1 7 1 6", "-1 -1 -1 -1", "7 7 1 6", "1 9 1 6", "1 7 7 6", "1 7 1 9", "257 7 1 6", "4294967297 7 1 6",
		"1.0 7 1 6", "a b c d", "random ", " random", "random 1", "Random", "RANDOM", "resign", "(A6 A7)", "\xef\xbb\xbf1 7 1 6", "1 7 1 6\r\r", "１ ７ １ ６",
	} {
		n, got, err := lines{}.RefereeEnd(game.First, game.Limits{}).Scan([]byte(text+"\n"), false)
		if unreadable := (*game.UnreadableError)(nil); !errors.As(err, &unreadable) || n != len(text)+1 || !strings.Contains(err.Error(), "x 0 to 6 and y 0 to 8") {
			t.Errorf("%q: %d, %+v, %v; want it unreadable", text, n, got, err)
		}
	}
	long := []byte("1 7 1 6 " + strings.Repeat("x", maxAnswer))
	for _, text := range [][]byte{long, append(long, '\n')} {
		if _, _, err := (lines{}.RefereeEnd(game.First, game.Limits{})).Scan(text, false); !errors.Is(err, game.ErrTooLong) {
			t.Errorf("%d bytes: %v", len(text), err)
		}
	}
}

func FuzzAnswers(f *testing.F) {
	f.Add([]byte("1 7 1 6 hello\\n\nrandom\r\n"), uint8(3))
	f.Add([]byte("1 7 1 6 \xff\x00"), uint8(9))
	f.Fuzz(func(t *testing.T, text []byte, split uint8) {
		n, a, err := lines{}.RefereeEnd(game.First, game.Limits{}).Scan(text, true)
		if n > len(text) || n == 0 && err == nil && len(text) > 0 {
			t.Fatalf("%d of %d bytes used, %v", n, len(text), err)
		}
		if a.Move.From >= squareCount || a.Move.To >= squareCount || len([]rune(a.Comment)) > maxComment {
			t.Fatalf("%+v", a)
		}
		// The same bytes in two pieces are the same answer.
		end := lines{}.RefereeEnd(game.First, game.Limits{})
		part := min(int(split), len(text))
		n2, a2, err2 := end.Scan(text[:part], false)
		if n2 == 0 && err2 == nil {
			n2, a2, err2 = end.Scan(text, true)
		}
		if n2 != n || a2 != a || (err2 == nil) != (err == nil) {
			t.Fatalf("%d, %+v, %v; in pieces %d, %+v, %v", n, a, err, n2, a2, err2)
		}
	})
}

func TestLimits(t *testing.T) {
	for _, said := range []time.Duration{0, 70 * time.Millisecond} {
		end := lines{}.PlayerEnd(nil, game.First, said)
		want := []time.Duration{time.Second, 150 * time.Millisecond}
		if said > 0 {
			want = []time.Duration{said, said}
		}
		for turn, text := range []string{"blue\n0 6 0 5\n1\n0 2 0 3\n", "0 5 0 4\n1\n0 3 1 3\n"} {
			for rest := []byte(text); len(rest) > 0; {
				n, _, _ := end.Scan(rest, false)
				rest = rest[n:]
			}
			if end.Limit() != want[turn] {
				t.Errorf("said %v, turn %d: %v, want %v", said, turn+1, end.Limit(), want[turn])
			}
			end.Say(game.Answer{Kind: game.AnswerMove, Move: end.View().Moves(nil)[0]})
		}
	}
}
