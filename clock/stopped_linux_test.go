package clock

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	"luzhanqi/process/processtest"
)

// TestRound: what was measured on machines where 150 processes computed is no stop, with and without a pause by Ctrl-Z; a stop is one.
func TestRound(t *testing.T) {
	const ms = time.Millisecond
	for name, c := range map[string]struct {
		round
		resumed bool
		want    time.Duration
	}{
		"nothing": {round: round{took: 51 * ms, counted: true}, resumed: true},
		"the thread waited in the queue, and a pause began then": {
			round{late: 100 * ms, took: 152 * ms, waited: 102 * ms, counted: true}, true, 0,
		},
		"it waited in the queue when a pause was over": {
			round{late: 480 * ms, took: 1017 * ms, waited: 272 * ms, paused: 730 * ms, counted: true}, true, 0,
		},
		"it waited for Go's scheduler when a pause was over": {
			round{late: 480 * ms, took: 1017 * ms, paused: 730 * ms, counted: true}, true, 0,
		},
		"it waited for Go's scheduler, and Go told late of a pause before": {
			round{took: 237 * ms, before: 730 * ms, counted: true}, true, 0,
		},
		"it waited for Go's scheduler":                  {round: round{took: 237 * ms, counted: true}},
		"the queue, where the kernel does not count it": {round: round{late: 200 * ms, took: 250 * ms}},
		"it waited for Go's scheduler, and Go told late of a stop before": {
			round{took: 237 * ms, busy: 180 * ms, counted: true}, true, 0,
		},
		"a stop while it was asked":                     {round{took: 90 * ms, asking: 230 * ms, counted: true}, true, 270 * ms},
		"a stop, and before that it was asked for long": {round{took: 250 * ms, asking: 900 * ms, counted: true}, true, 200 * ms},
		"it was asked for long":                         {round: round{took: 60 * ms, asking: 900 * ms, counted: true}},
		"a stop, and a wait for Go's scheduler":         {round{took: 550 * ms, busy: 230 * ms, counted: true}, true, 320 * ms},
		"a stop":                                        {round{late: 200 * ms, took: 250 * ms, counted: true}, true, 200 * ms},
		"a stop by a debugger":                          {round{late: 200 * ms, took: 250 * ms, counted: true}, false, 200 * ms},
		"a stop, and the queue":                         {round{late: 300 * ms, took: 350 * ms, waited: 100 * ms, counted: true}, true, 200 * ms},
		"a stop before it slept":                        {round{took: 250 * ms, counted: true}, true, 200 * ms},
		"a stop before it slept, and the queue":         {round{took: 350 * ms, waited: 100 * ms, counted: true}, true, 200 * ms},
		"a stop where the kernel does not count":        {round{late: 200 * ms, took: 250 * ms}, true, 200 * ms},
		"a stop beside a pause":                         {round{late: 900 * ms, took: 950 * ms, paused: 700 * ms, counted: true}, true, 200 * ms},
		"the machine slept":                             {round{machine: time.Hour, took: 51 * ms, counted: true}, false, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.stopped(func() bool { return c.resumed }, func(time.Duration) time.Duration { return c.took }); got != c.want {
				t.Errorf("stopped for %v, want %v", got, c.want)
			}
		})
	}
}

// TestAwake: of a stop that comes between two sleeps, and of which no signal tells, nothing else tells but that nothing explains it.
func TestAwake(t *testing.T) {
	const ms = time.Millisecond
	for name, c := range map[string]struct {
		round
		explained, want time.Duration
	}{
		"a stop":                         {round{took: 1837 * ms, counted: true}, 30 * ms, 1757 * ms},
		"a short one":                    {round{took: 1337 * ms, counted: true}, 300 * ms, 0},
		"it waited for a processor, too": {round{took: 1937 * ms, waited: 100 * ms, counted: true}, 30 * ms, 1757 * ms},
		"it slept long, too":             {round{took: 1887 * ms, late: 50 * ms, counted: true}, 30 * ms, 1757 * ms},
		"others kept it waiting":         {round{took: 1837 * ms, counted: true}, 1787 * ms, 0},
		"a pause":                        {round{took: 1837 * ms, paused: 1780 * ms, counted: true}, 3 * ms, 0},
		"a pause before":                 {round{took: 1837 * ms, before: 1780 * ms, counted: true}, 3 * ms, 0},
		"the kernel does not count":      {round{took: 1837 * ms}, 3 * ms, 0},
	} {
		t.Run(name, func(t *testing.T) {
			got := c.stopped(func() bool { return false }, func(time.Duration) time.Duration { return c.explained })
			if got != c.want {
				t.Errorf("stopped for %v, want %v", got, c.want)
			}
		})
	}
}

// TestStoppedWhileBusy stops a process whose goroutines never give up a processor, again and again. Its watching thread then mostly waits
// for Go's scheduler rather than sleeps, so that only the signal tells of the stop, or that nothing else explains it.
func TestStoppedWhileBusy(t *testing.T) {
	const thinking = 24
	if os.Getenv("LUZHANQI_STOPPED_WHILE_BUSY") != "" {
		defer Watch()()
		for range thinking {
			go func() {
				for n := uint64(1); n != 0; n |= 1 {
				}
			}()
		}
		for in := bufio.NewScanner(os.Stdin); in.Scan(); { // a line begins a span, the next one ends it
			span, start := Begin(), Now()
			fmt.Println("begun")
			in.Scan()
			fmt.Println(span.Stopped(start, Now()).Milliseconds())
		}
		os.Exit(0)
	}
	for name, hold := range map[string]struct {
		times int
		stop  time.Duration
		by    func(t *testing.T, pid int, d time.Duration)
	}{
		"signal": {10, 300 * time.Millisecond, holdBySignal},
		"trace":  {2, 5 * time.Second, processtest.HoldByTrace}, // far longer than others can make it wait
	} {
		t.Run(name, func(t *testing.T) {
			if os.Getenv("LUZHANQI_NIGHTLY") != "" {
				hold.times *= 20
			}
			stoppedWhileBusy(t, hold.times, hold.stop, hold.by)
		})
	}
}

func stoppedWhileBusy(t *testing.T, times int, stop time.Duration, hold func(t *testing.T, pid int, d time.Duration)) {
	c := exec.Command(os.Args[0], "-test.run=^TestStoppedWhileBusy$")
	c.Env = append(os.Environ(), "LUZHANQI_STOPPED_WHILE_BUSY=1", "GOMAXPROCS=2")
	in, _ := c.StdinPipe()
	pipe, _ := c.StdoutPipe()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer c.Wait()
	defer c.Process.Kill()
	out := bufio.NewScanner(pipe)
	ask := func() string {
		fmt.Fprintln(in)
		if !out.Scan() {
			t.Fatalf("it ended: %v", out.Err())
		}
		return out.Text()
	}
	overlooked, invented := 0, 0
	var all []int // milliseconds that were found of each stop
	for n := range 2 * times {
		held := n%2 == 0 // every other time it is not stopped
		begin := time.Now()
		ask()
		time.Sleep(time.Duration(rand.IntN(300)) * time.Millisecond)
		if held {
			hold(t, c.Process.Pid, stop)
		} else {
			time.Sleep(stop)
		}
		ms, err := strconv.Atoi(ask())
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case held && ms == 0:
			overlooked++
		case held:
			if all = append(all, ms); time.Duration(ms)*time.Millisecond > time.Since(begin) {
				t.Errorf("%d ms were found in %v", ms, time.Since(begin))
			}
		case ms > 0:
			invented++
		}
	}
	t.Logf("found of stops of %v: %d ms", stop, all)
	if overlooked > 0 || invented > 0 {
		t.Errorf("of %d stops of %v %d were overlooked, and %d of as many times without a stop taken for one", times, stop, overlooked, invented)
	}
}

func holdBySignal(_ *testing.T, pid int, d time.Duration) {
	syscall.Kill(pid, syscall.SIGSTOP)
	time.Sleep(d)
	syscall.Kill(pid, syscall.SIGCONT)
}
