package referee

import (
	"os"
	"strings"
	"testing"
	"time"

	"luzhanqi/clock"
	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/process"
)

// thinking is a reciting program that thinks in some of its turns until its referee looks at it, and keeps what it was told.
type thinking struct {
	reciting
	thinks map[int]bool // turns from 1 on, after the set-up
	asked  int
	looked func(turn int) // when it was looked at in a turn
	told   []string       // the writes
}

func (p *thinking) Write(b []byte, deadline time.Time) (int, error) {
	p.told = append(p.told, string(b))
	before := len(p.answers)
	n, err := p.reciting.Write(b, deadline)
	if len(p.answers) < before && !strings.HasPrefix(string(b), "(init") {
		p.asked++
	}
	return n, err
}

func (p *thinking) Read(buf []byte, deadline time.Time) (int, error) {
	if p.thinks[p.asked] {
		p.thinks[p.asked] = false
		time.Sleep(clock.Until(deadline))
		return 0, os.ErrDeadlineExceeded
	}
	if p.looked != nil {
		p.looked(p.asked)
	}
	return p.reciting.Read(buf, deadline)
}

// TestLater: what is said of the opponent's turn waits for its end where that may be, but not when the turn lasts, nor in turns soon
// after that. Both programs are told the same bytes as ever.
func TestLater(t *testing.T) {
	const plies = 2 * (promptTurns + 12)
	answers := recited(t, plies)
	g := luzhanqi.Game{}
	limits := g.Limits()
	limits.MaxPlies, limits.SetUp, limits.Move, limits.Grace = plies, time.Minute, time.Minute, time.Minute
	played := Game{Conditions: Conditions{Game: g, Rules: game.Rules{}, Limits: limits}}
	play := func(later bool, thinks map[int]bool) (programs [2]*thinking, heard map[int]string) {
		l := played.loop(NoObserver{})
		heard = map[int]string{}
		for side, turn := range []string{"(go 1)\n", "(go 2)\n"} {
			programs[side] = &thinking{reciting: reciting{turn: []byte(turn), answers: answers[side]}}
			p := program{side: game.Side(side), frame: game.Side(side), process: programs[side]}
			end := g.Protocols()[0].RefereeEnd(game.Side(side), limits)
			l.seats[side] = &dialogue{program: p, end: end, later: later, unwatch: func() bool { return true }}
		}
		programs[0].thinks = thinks
		programs[0].looked = func(turn int) { heard[turn] = programs[1].told[len(programs[1].told)-1] }
		if end := l.play(t.Context()); end.Plies != plies {
			t.Fatalf("%+v", end)
		}
		return programs, heard
	}
	before, _ := play(false, nil)
	const turn = 4 // in which the first program thinks
	after, heard := play(true, map[int]bool{turn: true})
	for side := range after {
		if got, want := strings.Join(after[side].told, ""), strings.Join(before[side].told, ""); got != want {
			t.Errorf("player %d is told %q, want %q", side+1, got, want)
		}
	}
	for i := 1; i <= plies/2; i++ {
		told := strings.HasSuffix(heard[i], "(go 1)\n")
		if want := i >= turn && i < turn+promptTurns; told != want {
			t.Errorf("in turn %d of player 1, which thinks in turn %d, player 2 is told: %v, want %v; it heard last %q", i, turn, told, want, heard[i])
		}
	}
	if writes, most := len(after[0].told), plies/2+3; writes > most { // the beginning and the end, too
		t.Errorf("player 1, whose opponent never thinks, is told in %d writes, at most %d", writes, most)
	}
}

// TestLaterOnOneProcessor: messages may wait in games on one processor alone.
func TestLaterOnOneProcessor(t *testing.T) {
	if !process.CanPin {
		t.Skip("no processors are chosen on this system")
	}
	g := luzhanqi.Game{}
	for _, processor := range []*int{nil, &process.Cores()[0]} {
		entrant := Entrant{Command: process.Command{Args: []string{"cat"}}, Protocol: g.Protocols()[0]}
		played := Game{Conditions: Conditions{Game: g, Limits: g.Limits()}, Entrants: [2]Entrant{entrant, entrant}, Processor: processor}
		l := played.loop(NoObserver{})
		if err := played.sit(t.Context(), l, nil); err != nil {
			t.Fatal(err)
		}
		for side, seat := range l.seats {
			if d := seat.(*dialogue); d.later != (processor != nil) {
				t.Errorf("on one processor: %v; messages to player %d may wait: %v", processor != nil, side+1, d.later)
			}
			seat.Close(0)
		}
	}
}
