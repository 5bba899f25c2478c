package referee

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"go.uber.org/goleak"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player"
	"luzhanqi/process"
)

func TestMain(m *testing.M) {
	process.Reexec()
	if err := flag.Set("test.parallel", "12"); err != nil { // most of the tests wait for silence or for a limit
		panic(err)
	}
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("luzhanqi/process.(*thread).run.func1.1"))
}

// Two legal set-ups, each in its own frame.
const (
	firstArmy = "A1:3 A2:7 A3:5 A4:6 A5:2 A6:5 B1:2 B2:L B4:3 B6:4 C1:3 C2:B C3:4 C5:7 C6:1 D1:F D2:L D4:1 D6:8 E1:L E2:2 E3:9 E4:B E5:1 E6:6"
	otherArmy = "A1:L A2:5 A3:2 A4:B A5:2 A6:1 B1:L B2:3 B4:9 B6:1 C1:L C2:4 C3:3 C5:7 C6:1 D1:F D2:4 D4:B D6:3 E1:5 E2:2 E3:6 E4:6 E5:7 E6:8"
)

// scripted is a seat that answers from a list and writes down what it is told.
type scripted struct {
	t       *testing.T
	answers []any // game.Answer, *Foul, or func() for something else to happen
	told    []string
	closed  int
}

func (s *scripted) Tell(e game.Event, _ game.View) {
	text := [...]string{"begin", "turn", "moved", "illegal", "end"}[e.Kind]
	switch e.Kind {
	case game.EventTurn, game.EventMoved:
		text += " " + e.Side.String()
	case game.EventEnd:
		text += " 0"
		if !e.Draw {
			text = "end " + e.Winner.String()
		}
	}
	s.told = append(s.told, text)
}

func (s *scripted) Ask(context.Context, Question) (game.Answer, *Foul) {
	if len(s.answers) == 0 {
		s.t.Error("asked once too often") // not Fatal: this is not the goroutine of the test
		return game.Answer{Kind: game.AnswerResign}, nil
	}
	next := s.answers[0]
	s.answers = s.answers[1:]
	switch a := next.(type) {
	case *Foul:
		return game.Answer{}, a
	default:
		return a.(game.Answer), nil
	}
}

func (s *scripted) Close(time.Duration) Postmortem {
	s.closed++
	return Postmortem{Program: true, LastLines: []string{"> (go 1)"}}
}

func move(text string) game.Answer {
	m, err := luzhanqi.Game{}.ParseMove(text)
	if err != nil {
		panic(err)
	}
	return game.Answer{Kind: game.AnswerMove, Move: m}
}

func setUp(text string) game.Answer {
	return game.Answer{Kind: game.AnswerSetUp, SetUp: game.SetUp(text)}
}

func newLoop(t *testing.T, first, second []any) (*loop, [2]*scripted) {
	g := luzhanqi.Game{}
	rules, err := game.ParseRules("", g.Options())
	if err != nil {
		t.Fatal(err)
	}
	seats := [2]*scripted{{t: t, answers: first}, {t: t, answers: second}}
	return &loop{
		Conditions: Conditions{Game: g, Rules: rules, Limits: g.Limits()},
		entrants:   [2]Entrant{{Name: "ann"}, {Name: "bob"}}, seats: [2]Seat{seats[0], seats[1]}, observer: NoObserver{},
	}, seats
}

var (
	resign = game.Answer{Kind: game.AnswerResign}
	slow   = fouled(TimedOut, "was too slow")
	broken = fouled(Void, "the machine broke")
)

// TestEndings is the table of who wins when, and what both are told last.
func TestEndings(t *testing.T) {
	ok := []any{setUp(firstArmy)}
	also := []any{setUp(otherArmy)}
	then := func(start []any, more ...any) []any { return append(slices.Clone(start), more...) }
	for name, c := range map[string]struct {
		first, second []any
		code          Code
		winner        string
		reason        string
		adjust        func(*loop)
	}{
		"first resigns":               {then(ok, resign), also, Resigned, "2", "player 1 (ann) resigned", nil},
		"second resigns":              {then(ok, move("B6 B5")), then(also, resign), Resigned, "1", "player 2 (bob) resigned", nil},
		"illegal move":                {then(ok, move("E1 E2")), also, IllegalMove, "2", "played an illegal move: E1 to E2", nil},
		"second's illegal move":       {then(ok, move("B6 B5")), then(also, move("A6 A7")), IllegalMove, "1", "played an illegal move", nil},
		"too slow":                    {then(ok, slow), also, TimedOut, "2", "player 1 (ann) was too slow", nil},
		"void":                        {then(ok, broken), also, Void, "0", "the machine broke", nil},
		"set-up as a move":            {then(ok, setUp(firstArmy)), also, Unreadable, "2", "sent a set-up where a move", nil},
		"move as a set-up":            {[]any{move("A6 A7")}, also, Unreadable, "2", "sent a move where a set-up", nil},
		"resigns instead of a set-up": {ok, []any{resign}, Resigned, "1", "player 2 (bob) resigned", nil},
		"illegal set-up":              {ok, []any{game.Answer{Kind: game.AnswerSetUp, SetUp: "A1:F"}}, IllegalSetUp, "1", "gave an illegal set-up: ", nil},
		"both set-ups illegal": {
			[]any{game.Answer{Kind: game.AnswerSetUp, SetUp: "A1:F"}},
			[]any{game.Answer{Kind: game.AnswerSetUp}},
			IllegalSetUp, "2", "player 1 (ann) gave an illegal set-up", nil,
		},
		"first slow, second illegal": {[]any{slow}, []any{game.Answer{Kind: game.AnswerSetUp}}, TimedOut, "2", "player 1 (ann)", nil},
		"cap of plies": {
			then(ok, move("B6 B5")), also, Drawn, "0", "draw: cap of 1 plies reached",
			func(l *loop) { l.Limits.MaxPlies = 1 },
		},
		"retries used up": {
			then(ok, move("E1 E2"), move("E1 E3"), move("D1 D2")), also, IllegalMove, "2", "D1 to D2",
			func(l *loop) { l.Retries = 2 },
		},
		"retries that help": {
			then(ok, move("E1 E2"), move("E1 E3"), move("B6 B5"), move("E1 E2"), move("E1 E2"), resign),
			then(also, move("B7 B8")), Resigned, "2", "player 1 (ann) resigned",
			func(l *loop) { l.Retries = 2 },
		},
	} {
		t.Run(name, func(t *testing.T) {
			l, seats := newLoop(t, c.first, c.second)
			if c.adjust != nil {
				c.adjust(l)
			}
			e := l.play(t.Context())
			winner := "0"
			if e.Winner != nil {
				winner = e.Winner.String()
			}
			if e.Code != c.code || winner != c.winner || !strings.Contains(e.Reason, c.reason) {
				t.Errorf("%s, winner %s: %s; want %s, %s: %s", e.Code, winner, e.Reason, c.code, c.winner, c.reason)
			}
			for side, s := range seats {
				if s.closed != 1 || s.told[0] != "begin" || s.told[len(s.told)-1] != "end "+winner {
					t.Errorf("player %d was told %v and closed %d times", side+1, s.told, s.closed)
				}
				if len(s.answers) != 0 {
					t.Errorf("player %d was not asked for %d answers", side+1, len(s.answers))
				}
			}
			if (e.Fault != nil) != (e.Code != Void && e.Code != Won && e.Code != Drawn) || e.Fault != nil && len(e.LastLines) == 0 {
				t.Errorf("fault %v, last lines %v", e.Fault, e.LastLines)
			}
		})
	}
}

// TestOrder is what each side is told, in order.
func TestOrder(t *testing.T) {
	l, seats := newLoop(t, []any{setUp(firstArmy), move("B6 B5"), move("E1 E2")}, []any{setUp(otherArmy), move("B7 B8")})
	l.play(t.Context())
	want := [2]string{
		"begin, turn 1, moved 1, turn 2, moved 2, turn 1, illegal, end 2",
		"begin, turn 1, moved 1, turn 2, moved 2, turn 1, end 2",
	}
	for side, s := range seats {
		if got := strings.Join(s.told, ", "); got != want[side] {
			t.Errorf("player %d: %s; want %s", side+1, got, want[side])
		}
	}
}

// brokenLevel is a built-in player with a bug.
var brokenLevel = &player.Level{Name: "broken", New: func(game.Game, player.Options) player.Player { return nil }}

func TestVoidMatch(t *testing.T) {
	g := luzhanqi.Game{}
	rules, _ := game.ParseRules("", g.Options())
	s := &Match{Conditions: Conditions{Game: g, Rules: rules, Limits: g.Limits()}, Games: 3, Entrants: [2]Entrant{{Name: "a"}, {Name: "b"}}}
	var results []Result
	s.Ended = func(r Result, _ Score) { results = append(results, r) }
	for i := range s.Entrants {
		s.Entrants[i].Level = brokenLevel
	}
	score, err := s.Run(t.Context())
	if !errors.Is(err, ErrVoid) || score.Voids != 2 || score.Games() != 0 || len(results) != 2 || results[1].Attempt != 2 {
		t.Fatalf("%v, %+v, %d results", err, score, len(results))
	}
	if e := results[0].Ending; e.Code != Void || e.Winner != nil || e.Draw() || !strings.Contains(e.Reason, "the built-in player failed") {
		t.Errorf("%+v", e)
	}
}

// TestReasonsAreCut: the reason of an ending is cut between two characters.
func TestReasonsAreCut(t *testing.T) {
	l, _ := newLoop(t, nil, nil)
	long := strings.Repeat("é", maxReason)
	for _, reason := range []string{l.loss(game.First, Unreadable, long).Reason, l.loss(game.Second, Unreadable, "x"+long).Reason, l.void(ByMachine, long).Reason, Remark("x" + long)} {
		if !utf8.ValidString(reason) || strings.Contains(reason, "\uFFFD") || !strings.Contains(reason, "bytes more)") {
			t.Errorf("%q", reason)
		}
	}
}

// facingFirst talks in player 1's frame, wherever it sits.
type facingFirst struct{ *scripted }

func (facingFirst) Faces() game.Side { return game.First }

// TestFacing: a verdict names squares as the offender's conversation does.
func TestFacing(t *testing.T) {
	for _, faces := range []bool{false, true} {
		l, seats := newLoop(t, []any{setUp(firstArmy), move("B6 B5")}, []any{setUp(otherArmy), move("A6 A7")})
		if faces {
			l.seats[1] = facingFirst{seats[1]}
		}
		end := l.play(context.Background())
		if named := strings.Contains(end.Reason, "A6 to A7"); named != faces || end.Code != IllegalMove {
			t.Errorf("facing %v: %s", faces, end.Reason)
		}
	}
}

// held answers moves late, as if the referee had had no processor, or had been stopped.
type held struct {
	*scripted
	by time.Duration
}

func (h held) Ask(ctx context.Context, q Question) (game.Answer, *Foul) {
	if q.Kind == game.AnswerMove {
		time.Sleep(time.Until(q.Deadline) + h.by)
	}
	return h.scripted.Ask(ctx, q)
}

// woken computes while it is told that it has to answer, as a program that takes the processor from the referee which wakes it.
type woken struct {
	*scripted
	by time.Duration
}

func (w woken) Tell(e game.Event, v game.View) {
	if e.Kind == game.EventBegin || e.Kind == game.EventTurn {
		time.Sleep(w.by)
	}
	w.scripted.Tell(e, v)
}

// timed is an observer of how long answers took.
type timed struct {
	NoObserver
	mu   sync.Mutex
	took []time.Duration
}

func (o *timed) SetUp(_ game.Side, _ game.SetUp, took, _ time.Duration) { o.answered(took) }
func (o *timed) Moved(_, _ game.Position, p Played)                     { o.answered(p.Took) }

func (o *timed) answered(took time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.took = append(o.took, took)
}

// TestClockRunsFirst: the clock runs before a program is told that it has to answer.
func TestClockRunsFirst(t *testing.T) {
	const by = 20 * time.Millisecond
	l, seats := newLoop(t, []any{setUp(firstArmy), move("B6 B5"), resign}, []any{setUp(otherArmy), move("B7 B8")})
	o := &timed{}
	l.observer, l.seats[0], l.seats[1] = o, woken{seats[0], by}, woken{seats[1], by}
	if end := l.play(t.Context()); end.Code != Resigned || len(o.took) != 4 {
		t.Fatalf("%+v after %v", end, o.took)
	}
	for i, took := range o.took {
		if took < by {
			t.Errorf("answer %d took %v, of which %v passed while it was asked for", i, took, by)
		}
	}
}

// saysSeconds says whether a reason names how much after its time an answer was read, in tenths of a second from least to most.
func saysSeconds(reason string, least, most time.Duration) bool {
	_, said, _ := strings.Cut(reason, " was read ")
	var seconds float64
	if n, err := fmt.Sscanf(said, "%f s after its time was over", &seconds); n != 1 || err != nil {
		return false
	}
	return seconds >= least.Seconds()-0.051 && seconds <= most.Seconds()+0.051
}

// TestReadLate: what is read somewhat late has come in time, as far as anybody knows; a second later nobody knows. People have
// no clock.
func TestReadLate(t *testing.T) {
	for _, c := range []struct {
		by     time.Duration
		people bool
		code   Code
	}{
		{ReadLate / 10, false, Resigned},
		{ReadLate + ReadLate/5, false, Void},
		{ReadLate + ReadLate/5, true, Resigned},
	} {
		l, seats := newLoop(t, []any{setUp(firstArmy), move("B6 B5")}, []any{setUp(otherArmy), resign})
		l.seats[0], l.people = held{seats[0], c.by}, c.people
		l.Limits.Move, l.Limits.First, l.Limits.Grace = time.Millisecond, 0, 0
		began := time.Now()
		if end := l.play(t.Context()); end.Code != c.code || end.Code == Void && (end.VoidBy != ByStop || !saysSeconds(end.Reason, c.by, time.Since(began))) {
			t.Errorf("%v late, people %v: %s, void by %q: %s", c.by, c.people, end.Code, end.VoidBy, end.Reason)
		}
	}
}
