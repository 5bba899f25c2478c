//go:build unix

package referee

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"luzhanqi/clock"
	"luzhanqi/game"
	"luzhanqi/game/jungle"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/process"
)

// TestTellNeverWaits fills the input of a program that does not read. Telling it something must not
// take time, which would be its opponent's; being asked must cost it its own.
func TestTellNeverWaits(t *testing.T) {
	t.Parallel()
	g := luzhanqi.Game{}
	limits := game.Limits{SetUp: time.Second, Move: time.Second, Grace: time.Second}
	command := process.Command{Args: []string{"/bin/sh", "-c", "exec sleep 100"}}
	seat, err := newSeat(t.Context(), Entrant{Command: command, Protocol: g.Protocols()[0]}, game.First, limits, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer seat.Close(0)
	start := time.Now()
	for range 40_000 { // 280 KB; a pipe holds 64
		seat.Tell(game.Event{Kind: game.EventTurn, Side: game.Second}, nil)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("telling took %v", took)
	}
	if len(seat.(*dialogue).unsent) == 0 {
		t.Fatal("the pipe never filled")
	}
	start = time.Now()
	_, foul := seat.Ask(t.Context(), Question{Start: start, Limit: 100 * time.Millisecond, Deadline: start.Add(150 * time.Millisecond)})
	if foul == nil || foul.Code != TimedOut || !strings.Contains(foul.Text, "does not read its standard input") || time.Since(start) < 150*time.Millisecond {
		t.Errorf("%+v after %v", foul, time.Since(start))
	}
}

// TestExitIsNewsWithoutGrace tells a program that has exited from one that has closed its output,
// whatever the grace is.
func TestExitIsNewsWithoutGrace(t *testing.T) {
	t.Parallel()
	g := luzhanqi.Game{}
	for script, want := range map[string]Code{"exit 3": Crashed, "exec >&-; sleep 100": Closed} {
		seat, err := newSeat(t.Context(), Entrant{Command: process.Command{Args: []string{"/bin/sh", "-c", script}}, Protocol: g.Protocols()[0]}, game.First, g.Limits(), nil)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		_, foul := seat.Ask(t.Context(), Question{Start: start, Limit: 10 * time.Second, Deadline: start.Add(10 * time.Second)})
		if foul == nil || foul.Code != want {
			t.Errorf("%s: %+v, want %s", script, foul, want)
		}
		seat.Close(0)
	}
}

// TestFloodNamesTheLimit guards that the limit named is the one that was applied: Jungle's, of a line.
func TestFloodNamesTheLimit(t *testing.T) {
	t.Parallel()
	g := jungle.Game{}
	script := "head -c 4208 /dev/zero | tr '\\0' 7; sleep 100"
	seat, err := newSeat(t.Context(), Entrant{Command: process.Command{Args: []string{"/bin/sh", "-c", script}}, Protocol: g.Protocols()[0]}, game.First, g.Limits(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer seat.Close(0)
	start := time.Now()
	_, foul := seat.Ask(t.Context(), Question{Start: start, Limit: 10 * time.Second, Deadline: start.Add(10 * time.Second)})
	if foul == nil || foul.Code != Flooded || !strings.Contains(foul.Text, "more than 4096 bytes") {
		t.Errorf("%+v, want flooded, more than 4096 bytes", foul)
	}
}

// TestTold guards what is written together: what is said of a move waits for the turn that follows, unless the program is
// one that gets each message by itself.
func TestTold(t *testing.T) {
	t.Parallel()
	g := luzhanqi.Game{}
	pos, err := g.New(game.Rules{}, [2]game.SetUp{firstArmy, otherArmy})
	if err != nil {
		t.Fatal(err)
	}
	m := pos.Moves(nil)[0]
	pos = pos.Play(m)
	for oneByOne, want := range map[bool][]string{false: {"", "outcome go"}, true: {"outcome", "go"}} {
		var noted []string
		e := Entrant{Command: process.Command{Args: []string{"cat"}}, Protocol: g.Protocols()[0], OneByOne: oneByOne}
		seat, err := newSeat(t.Context(), e, game.First, g.Limits(), func(m Message) { noted = append(noted, string(m.Text)) })
		if err != nil {
			t.Fatal(err)
		}
		d := seat.(*dialogue)
		heard := func(wait time.Duration) string { // what cat has written, the words of its messages
			var text string
			for buf := make([]byte, 100); ; {
				n, err := d.process.Read(buf, clock.Now().Add(wait))
				if text += string(buf[:n]); err != nil || strings.Contains(text, "go") {
					return strings.Join(regexp.MustCompile("[a-z]+").FindAllString(text, -1), " ")
				}
				wait = 100 * time.Millisecond
			}
		}
		const ample = 10 * time.Second
		wait := ample
		if want[0] == "" {
			wait = 100 * time.Millisecond
		}
		seat.Tell(game.Event{Kind: game.EventMoved, Side: game.First, Move: m}, pos.View(game.First))
		if got := heard(wait); got != want[0] {
			t.Errorf("one by one %v: after a move %q, want %q", oneByOne, got, want[0])
		}
		seat.Tell(game.Event{Kind: game.EventTurn, Side: game.Second}, pos.View(game.First))
		if got := heard(ample); got != want[1] {
			t.Errorf("one by one %v: after a turn %q, want %q", oneByOne, got, want[1])
		}
		if len(noted) != 2 || noted[1] != "(go 2)\n" { // each by itself, however it was written
			t.Errorf("one by one %v: noted %q", oneByOne, noted)
		}
		seat.Close(0)
	}
}

// TestPartOfAMessage guards that a message of which a part has found room is not begun again.
func TestPartOfAMessage(t *testing.T) {
	t.Parallel()
	g := luzhanqi.Game{}
	e := Entrant{Command: process.Command{Args: []string{"/bin/sh", "-c", "read go; sleep 0.1; exec cat"}}, Protocol: g.Protocols()[0]}
	seat, err := newSeat(t.Context(), e, game.First, g.Limits(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer seat.Close(0)
	d := seat.(*dialogue)
	var want strings.Builder
	for i := range 100 {
		message := fmt.Sprintf("%d%s\n", i, strings.Repeat("x", 9001))
		d.say([]byte(message))
		d.send(time.Time{})
		if i > 0 { // the shell reads the first
			want.WriteString(message)
		}
	}
	if len(d.ends) == 0 {
		t.Fatal("the pipe never filled")
	}
	sent := make(chan bool)
	go func() { sent <- d.send(clock.Now().Add(10 * time.Second)) }()
	var got []byte
	for buf := make([]byte, 64<<10); len(got) < want.Len(); {
		n, err := d.process.Read(buf, clock.Now().Add(10*time.Second))
		if got = append(got, buf[:n]...); err != nil {
			t.Fatal(err)
		}
	}
	if !<-sent || len(d.unsent) > 0 || string(got) != want.String() {
		t.Errorf("%d bytes came back of %d, %d are unsent", len(got), want.Len(), len(d.unsent))
	}
}
