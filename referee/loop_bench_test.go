package referee

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/process"
	"luzhanqi/process/starvation"
)

// reciting is a program without a process: it answers (init …) and its own (go …) from a list, at once.
type reciting struct {
	turn    []byte // its own
	answers [][]byte
	waiting []byte
}

func (r *reciting) Write(b []byte, _ time.Time) (int, error) {
	if bytes.HasPrefix(b, []byte("(init")) || bytes.HasSuffix(b, r.turn) {
		r.waiting = r.answers[0]
		r.answers = r.answers[1:]
	}
	return len(b), nil
}

func (r *reciting) Read(buf []byte, _ time.Time) (int, error) {
	n := copy(buf, r.waiting)
	r.waiting = r.waiting[n:]
	return n, nil
}

func (*reciting) Unread() int                                         { return 0 }
func (*reciting) CloseInput()                                         {}
func (*reciting) Interrupt()                                          {}
func (*reciting) Starving() (none starvation.Program)                 { return none }
func (*reciting) Hold()                                               {}
func (*reciting) LetGo()                                              {}
func (*reciting) Farewell() []byte                                    { return nil }
func (*reciting) Exited() <-chan struct{}                             { return nil }
func (*reciting) Exit() (none process.Exit)                           { return none }
func (*reciting) Stderr() ([]byte, int64)                             { return nil, 0 }
func (*reciting) Stop(time.Duration) (process.Exit, error)            { return process.Exit{}, nil }
func (r *reciting) StopOwn(grace time.Duration) (process.Exit, error) { return r.Stop(grace) }

// recited is a game without captures, as both programs say it.
func recited(b testing.TB, plies int) (answers [2][][]byte) {
	b.Helper()
	g := luzhanqi.Game{}
	setUps := [2]game.SetUp{firstArmy, otherArmy}
	pos, err := g.New(game.Rules{}, setUps)
	if err != nil {
		b.Fatal(err)
	}
	for side, s := range setUps {
		var text strings.Builder
		for item := range strings.FieldsSeq(string(s)) {
			square, piece, _ := strings.Cut(item, ":")
			fmt.Fprintf(&text, "(%s %s) ", square, piece)
		}
		answers[side] = append(answers[side], fmt.Appendf(nil, "(%s)\n", text.String()))
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range plies {
		side := pos.Mover()
		enemy := pos.View(side).(*luzhanqi.View).Enemy()
		moves := pos.Moves(nil)
		m := moves[r.IntN(len(moves))]
		for enemy.Has(m.To) || luzhanqi.Headquarters.Has(m.To) {
			m = moves[r.IntN(len(moves))]
		}
		answers[side] = append(answers[side], fmt.Appendf(nil, "(%s)\n", luzhanqi.MoveName(g.InFrame(m, side))))
		pos = pos.Play(m)
	}
	return answers
}

// BenchmarkLoop is all that the referee does in a ply of a game between two programs, but for system calls: no process
// runs. An operation is a ply of a game of 2,000.
func BenchmarkLoop(b *testing.B) {
	const plies = 2000
	answers := recited(b, plies)
	g := luzhanqi.Game{}
	limits := g.Limits()
	played := Game{Conditions: Conditions{Game: g, Rules: game.Rules{}, Limits: limits}}
	b.ReportAllocs()
	for left := b.N; left > 0; left -= plies {
		played.Limits.MaxPlies = min(left, plies)
		l := played.loop(NoObserver{})
		for side, turn := range []string{"(go 1)\n", "(go 2)\n"} {
			p := program{side: game.Side(side), frame: game.Side(side), process: &reciting{turn: []byte(turn), answers: answers[side]}}
			l.seats[side] = &dialogue{program: p, end: g.Protocols()[0].RefereeEnd(game.Side(side), limits), unwatch: func() bool { return true }}
		}
		if end := l.play(b.Context()); end.Plies != min(left, plies) {
			b.Fatalf("%+v", end)
		}
	}
}
