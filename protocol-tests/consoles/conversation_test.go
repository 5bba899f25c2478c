package main

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/gastank"
	protocols "luzhanqi/game/gastank/console"
)

var update = flag.Bool("update", false, "write conversations to the test data of game/gastank/console")

// program is a console program that runs in this process, and the referee's end of its conversation. What is
// said is kept in the notation of game/gastank/console/testdata/conversations.
type program struct {
	referee game.ConsoleEnd
	side    game.Side
	keys    *io.PipeWriter
	screen  chan []byte
	done    chan struct{}
	buf     []byte
	log     strings.Builder
}

func start(t *testing.T, mode string, side game.Side, seed uint64) *program {
	t.Helper()
	protocol, err := protocols.Protocol{}.Adapter(mode)
	if err != nil {
		t.Fatal(err)
	}
	stdin, keys := io.Pipe()
	screen, stdout := io.Pipe()
	p := &program{
		referee: protocol.RefereeEnd(side, game.Limits{}).(game.ConsoleEnd), side: side,
		keys: keys, screen: make(chan []byte, 10000), done: make(chan struct{}),
	}
	fmt.Fprintf(&p.log, "adapter %s\nside %v\n", mode, side)
	go func() {
		defer close(p.done)
		run([]string{"-seed", fmt.Sprint(seed), mode}, stdin, stdout, io.Discard, protocol.Terminal())
		stdout.Close()
	}()
	go func() {
		defer close(p.screen)
		for {
			chunk := make([]byte, 4096)
			n, err := screen.Read(chunk)
			if n > 0 {
				p.screen <- chunk[:n]
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		keys.Close()
		screen.CloseWithError(io.ErrClosedPipe) // a flood ends when nobody listens
		<-p.done
	})
	return p
}

// ask waits for the program's move as a referee does.
func (p *program) ask(t *testing.T) game.Move {
	t.Helper()
	const silence, patience = 15 * time.Millisecond, 20 * time.Second
	over, fresh := time.Now().Add(patience), 0
	for time.Now().Before(over) {
		eof := false
		select {
		case chunk, ok := <-p.screen:
			p.buf = append(p.buf, chunk...)
			fresh += len(chunk)
			if ok {
				if _, _, err := p.referee.Scan(p.buf, false); err != nil {
					t.Fatal(err)
				}
				continue
			}
			eof = true
		case <-time.After(silence):
		}
		if fresh > 0 {
			fmt.Fprintf(&p.log, "out %q\n", p.buf[len(p.buf)-fresh:])
			fresh = 0
		}
		if eof {
			n, a, err := p.referee.Scan(p.buf, true)
			if n == 0 || err != nil {
				t.Fatalf("the program has gone: %v\n%s", err, p.log.String())
			}
			return a.Move
		}
		n, typed, a, found, err := p.referee.Silent(p.buf, false)
		if err != nil {
			t.Fatalf("%v\n%s", err, p.log.String())
		}
		p.buf = p.buf[n:]
		if typed != nil {
			fmt.Fprintf(&p.log, "type %q\n", typed)
			if _, err := p.keys.Write(typed); err != nil {
				t.Fatal(err)
			}
		}
		if found {
			fmt.Fprintf(&p.log, "answer %s\n", gastank.MoveName(a.Move))
			return a.Move
		}
	}
	t.Fatalf("no move within %v\n%s", patience, p.log.String())
	return game.Move{}
}

func (p *program) tell(e game.Event, v game.View) { p.referee.Tell(e, v) }

// TestWholeGames plays every program against every one with its built-in adapter, both sides.
func TestWholeGames(t *testing.T) {
	reasons := map[string]int{}
	for i, first := range modes {
		for j, second := range modes {
			t.Run(first.name+"-"+second.name, func(t *testing.T) {
				seed := uint64(3*i + j)
				programs := [2]*program{start(t, first.name, game.First, seed), start(t, second.name, game.Second, seed+100)}
				pos, err := gastank.Game{}.New(nil, [2]game.SetUp{})
				if err != nil {
					t.Fatal(err)
				}
				tell := func(e game.Event) {
					for side, p := range programs {
						p.tell(e, pos.View(game.Side(side)))
					}
				}
				tell(game.Event{Kind: game.EventBegin})
				for {
					outcome, over := pos.Outcome()
					if over {
						reasons[outcome.Reason]++
						break
					}
					mover := pos.Mover()
					tell(game.Event{Kind: game.EventTurn, Side: mover})
					programs[mover].log.WriteString("turn\n")
					m := programs[mover].ask(t)
					if err := pos.Check(m); err != nil {
						t.Fatalf("%s played an illegal move: %v\n%s", modes[mover].name, err, programs[mover].log.String())
					}
					pos = pos.Play(m)
					programs[mover.Other()].log.WriteString("human " + gastank.MoveName(m) + "\n")
					tell(game.Event{Kind: game.EventMoved, Side: mover, Move: m})
				}
				if *update && i == j {
					for side, p := range programs {
						name := fmt.Sprintf("../../game/gastank/console/testdata/conversations/%s-%d.txt", first.name, side+1)
						if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
							t.Fatal(err)
						}
						if err := os.WriteFile(name, []byte(p.log.String()), 0o644); err != nil {
							t.Fatal(err)
						}
					}
				}
			})
		}
	}
	t.Log(reasons)
}

// TestRulesAgree plays random games by the rules of the console programs and by those of the referee: had both
// the same fault, it would not show in a match.
func TestRulesAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 100 {
		m := match{board: newBoard()}
		pos := game.Position(gastank.NewPosition())
		for computer := false; !m.over; computer = !computer {
			all := m.moves(computer)
			if n := len(pos.Moves(nil)); n != len(all) {
				t.Fatalf("%d moves, the referee has %d", len(all), n)
			}
			s := all[random.IntN(len(all))]
			theirs, err := gastank.ParseMove(s.String())
			if err != nil {
				t.Fatal(err)
			}
			if err := pos.Check(theirs); err != nil {
				t.Fatal(err)
			}
			m.make(s, computer)
			pos = pos.Play(theirs)
		}
		outcome, over := pos.Outcome()
		if !over || (outcome.Winner == game.Second) != m.won {
			t.Fatalf("won by the upper side: %v; the referee says %v, %v", m.won, over, outcome)
		}
	}
}
