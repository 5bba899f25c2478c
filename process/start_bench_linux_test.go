package process

import (
	"errors"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"luzhanqi/process/sandbox"
)

// BenchmarkFirstAnswer is what it takes to start a small program in C and read its first answer, by os/exec alone (bare) and in
// our ways: the median and the least of wall time, how much longer than bare it takes, and the median of processor time of all that
// is started for it until it is gone. The ways alternate, so that whatever else the machine does meets all of them. Fifty of each:
// -bench FirstAnswer -benchtime 50x. With PROCESS_TEST_WAY=bubblewrap or user-namespace, guarded and sealed are isolated in that way.
func BenchmarkFirstAnswer(b *testing.B) {
	dir := b.TempDir()
	cat := []string{"/bin/cat"}
	ways := []struct {
		name    string
		command Command
	}{
		{name: "bare"},
		{"unconfined", Command{Args: cat, Dir: dir}},
		{"guarded", Command{Args: cat, Dir: dir, Sandbox: sandbox.Policy{Profile: sandbox.Guarded}}},
		{"sealed", Command{Args: cat, Dir: dir, Sandbox: sandbox.Policy{Profile: sandbox.Sealed}}},
	}
	for _, way := range ways[2:] {
		c := way.command
		c.Ready = NewReserve(func() bool { return true })
		b.Cleanup(func() { c.Ready.Close() })
		ways = append(ways, struct {
			name    string
			command Command
		}{way.name + "-ready", c})
	}
	if path, err := exec.LookPath("bwrap"); err == nil {
		ways = append(ways, struct {
			name    string
			command Command
		}{"bubblewrap", Command{Dir: dir, Args: slices.Concat(
			[]string{path, "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--"}, cat)}})
	}
	Isolation()
	wall, cpu := make([][]float64, len(ways)), make([][]float64, len(ways))
	for b.Loop() {
		for i, way := range ways {
			before := childrenTime(b)
			if way.command.Ready != nil { // it has had the time of a game
				way.command.Ready.getting.Wait()
				time.Sleep(10 * time.Millisecond)
			}
			if way.command.Args == nil {
				took := bareAnswer(b, cat, dir)
				wall[i] = append(wall[i], float64(took.Microseconds())/1000)
				cpu[i] = append(cpu[i], float64((childrenTime(b)-before).Microseconds())/1000)
				continue
			}
			began := time.Now()
			p, err := Start(way.command)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := p.Write([]byte("?\n"), began.Add(10*time.Second)); err != nil {
				b.Fatal(err)
			}
			answer := make([]byte, 16)
			n, err := p.Read(answer, began.Add(10*time.Second))
			took := time.Since(began)
			if string(answer[:n]) != "?\n" {
				b.Fatalf("%s: %q, %v", way.name, answer[:n], err)
			}
			exit, err := p.Stop(0)
			if err != nil {
				b.Fatal(err)
			}
			after := childrenTime(b)
			if _, ok := p.guard.(*stayed); ok { // nobody has waited for it that is gone
				after += exit.User + exit.System
			}
			wall[i] = append(wall[i], float64(took.Microseconds())/1000)
			cpu[i] = append(cpu[i], float64((after-before).Microseconds())/1000)
		}
	}
	for i, way := range ways {
		b.ReportMetric(median(wall[i]), way.name+"-ms")
		b.ReportMetric(slices.Min(wall[i]), way.name+"-least-ms")
		b.ReportMetric(median(cpu[i]), way.name+"-cpu-ms")
		if i > 0 {
			b.ReportMetric(median(wall[i])-median(wall[0]), way.name+"-over-bare-ms")
		}
	}
}

// bareAnswer starts a program as any program is started, and returns how long its first answer took.
func bareAnswer(b *testing.B, args []string, dir string) time.Duration {
	b.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	in, failed := cmd.StdinPipe()
	out, err := cmd.StdoutPipe()
	if err = errors.Join(failed, err); err != nil {
		b.Fatal(err)
	}
	began := time.Now()
	if err := children.start(cmd); err != nil {
		b.Fatal(err)
	}
	in.Write([]byte("?\n"))
	answer := make([]byte, 16)
	n, err := out.Read(answer)
	took := time.Since(began)
	if string(answer[:n]) != "?\n" {
		b.Fatalf("bare: %q, %v", answer[:n], err)
	}
	in.Close()
	children.wait(cmd)
	return took
}

// childrenTime is the processor time of all children that are gone, and of theirs, and of the supervisor that stays.
func childrenTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u); err != nil {
		b.Fatal(err)
	}
	used := time.Duration(u.Utime.Nano() + u.Stime.Nano())
	if h := hosts.current; h != nil {
		var t unix.Timespec
		if err := unix.ClockGettime(int32(^h.cmd.Process.Pid<<3|2), &t); err != nil { // its clock, see clock_getcpuclockid(3)
			b.Fatal(err)
		}
		used += time.Duration(t.Nano())
	}
	return used
}

func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}
