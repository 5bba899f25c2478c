package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// What follows tries to be given time: threads that wait for processors are there for show, while the work is done by
// others, or none is done and the program only wants to wait.

// The threads that wait.

func niceSpin() {
	must(unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), 19))
	spin()
}

func idleSpin() {
	must(unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_IDLE}, 0))
	spin()
}

func boundSpin() {
	var set unix.CPUSet
	set.Set(0)
	must(unix.SchedSetaffinity(0, &set))
	spin()
}

// behind does something while a thread like that waits for a processor.
func behind(wait func(), do func(time.Duration)) func(*player, int) {
	return func(p *player, n int) {
		started := false
		p.think = func() {
			if !started {
				runtime.GOMAXPROCS(runtime.NumCPU() + 2)
				go func() {
					runtime.LockOSThread()
					wait()
				}()
				started = true
			}
			do(milliseconds(n))
		}
	}
}

func must1[T any](t T, err error) T {
	must(err)
	return t
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// elsewhere lets another process of the program compute, which lives on.
func elsewhere(d time.Duration) {
	if computer == nil {
		computer = exec.Command(must1(os.Executable()), "-descendant", kindComputer)
		order, report := must1(computer.StdinPipe()), must1(computer.StdoutPipe())
		must(computer.Start())
		orders, reports = order, report
	}
	must1(fmt.Fprintln(orders, d))
	must1(reports.Read(make([]byte, 1)))
}

var (
	computer *exec.Cmd
	orders   io.Writer
	reports  io.Reader
)

// childAfterChild lets children compute that nobody waits for, one after the other, for so much processor time in all: the
// kernel forgets what they used.
func childAfterChild(d time.Duration) {
	signal.Ignore(syscall.SIGCHLD)
	for ; d > 0; d -= errand {
		child := exec.Command(must1(os.Executable()), "-descendant", kindErrand)
		must(child.Start())
		_ = child.Wait()
	}
}

// threads lets 64 threads compute, for so much processor time in all.
func threads(d time.Duration) {
	const all = 64
	runtime.GOMAXPROCS(all)
	done := make(chan struct{})
	for range all {
		go func() {
			runtime.LockOSThread()
			for end := processorTime() + d; processorTime() < end; {
			}
			done <- struct{}{}
		}()
	}
	for range all {
		<-done
	}
}

// crowdThenSleep sleeps for so long in all, and lets threads of its own crowd each other out in between.
func crowdThenSleep(d time.Duration) {
	const nap = 8 * time.Millisecond
	for slept := time.Duration(0); slept < d; slept += nap {
		threads(2 * time.Millisecond)
		time.Sleep(nap)
	}
}

// ponder keeps all processors busy as long as the game lasts, its opponent's turns too, and computes before every move.
func ponder(p *player, n int) {
	p.think = func() { compute(milliseconds(n)) }
	runtime.GOMAXPROCS(4*runtime.NumCPU() + 2)
	for range 4 * runtime.NumCPU() {
		go func() {
			runtime.LockOSThread()
			spin()
		}()
	}
}

// ponderStorm keeps all processors busy while its opponent is asked, by so many processes, each in a session of its own, to which
// the scheduler gives as much as to the opponent. In its own turns they stand still.
func ponderStorm(p *player, processes int) reply {
	var storm []*os.Process
	all := func(signal syscall.Signal) {
		for _, process := range storm {
			must(process.Signal(signal))
		}
	}
	for range processes {
		c := exec.Command("/bin/sh", "-c", "while :; do :; done")
		c.SysProcAttr = ownSession()
		must(c.Start())
		storm = append(storm, c.Process)
		must(c.Process.Signal(syscall.SIGSTOP))
	}
	p.think = func() { all(syscall.SIGSTOP) }
	p.style = func(w io.Writer, answer string) error {
		err := wholeLine(w, answer)
		all(syscall.SIGCONT)
		return err
	}
	return besides
}
