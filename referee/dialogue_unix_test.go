//go:build unix

package referee

import (
	"strings"
	"testing"
	"time"

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
	seat, err := newSeat(t.Context(), command, g.Protocols()[0], game.First, limits, nil)
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
		seat, err := newSeat(t.Context(), process.Command{Args: []string{"/bin/sh", "-c", script}}, g.Protocols()[0], game.First, g.Limits(), nil)
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
	seat, err := newSeat(t.Context(), process.Command{Args: []string{"/bin/sh", "-c", script}}, g.Protocols()[0], game.First, g.Limits(), nil)
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
