package process

import (
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"

	"luzhanqi/process/sandbox"
)

// BenchmarkFirstAnswer is what it takes to start a small program in C and read its first answer: the median and the least of wall
// time, and the median of processor time of all that is started for it until it is gone. The ways alternate, so that whatever
// else the machine does meets all of them. Fifty of each: -bench FirstAnswer -benchtime 50x. With
// PROCESS_TEST_WAY=bubblewrap or user-namespace, guarded and sealed are isolated in that way.
func BenchmarkFirstAnswer(b *testing.B) {
	dir := b.TempDir()
	cat := []string{"/bin/cat"}
	ways := []struct {
		name    string
		command Command
	}{
		{"unconfined", Command{Args: cat, Dir: dir}},
		{"guarded", Command{Args: cat, Dir: dir, Sandbox: sandbox.Policy{Profile: sandbox.Guarded}}},
		{"sealed", Command{Args: cat, Dir: dir, Sandbox: sandbox.Policy{Profile: sandbox.Sealed}}},
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
			if _, err := p.Stop(0); err != nil {
				b.Fatal(err)
			}
			wall[i] = append(wall[i], float64(took.Microseconds())/1000)
			cpu[i] = append(cpu[i], float64((childrenTime(b)-before).Microseconds())/1000)
		}
	}
	for i, way := range ways {
		b.ReportMetric(median(wall[i]), way.name+"-ms")
		b.ReportMetric(slices.Min(wall[i]), way.name+"-least-ms")
		b.ReportMetric(median(cpu[i]), way.name+"-cpu-ms")
	}
}

// childrenTime is the processor time of all children that are gone, and of theirs.
func childrenTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}
