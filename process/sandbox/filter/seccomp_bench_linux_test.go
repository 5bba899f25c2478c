//go:build amd64 || arm64

package filter

import (
	"os"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// BenchmarkRestrict is what a start costs, without the fork: a thread is restricted in all ways.
func BenchmarkRestrict(b *testing.B) {
	for _, spec := range []string{"with the network", "notify, empty"} {
		f := filterSpecs[spec]
		b.Run(spec, func(b *testing.B) {
			var capabilities, files, calls time.Duration
			for b.Loop() {
				done := make(chan error)
				go func() {
					runtime.LockOSThread() // it ends with this function
					done <- func() error {
						start := time.Now()
						if err := DropCapabilities(); err != nil {
							return err
						}
						dropped := time.Now()
						rules := Rules{ReadOnly: []string{"/"}, ReadWrite: []string{os.TempDir(), "/dev/null"}, DenyTCP: true, Scoped: true}
						if _, err := Landlock(rules); err != nil {
							return err
						}
						landlocked := time.Now()
						listener, err := Install(f)
						if listener >= 0 {
							unix.Close(listener)
						}
						capabilities += dropped.Sub(start)
						files += landlocked.Sub(dropped)
						calls += time.Since(landlocked)
						return err
					}()
				}()
				if err := <-done; err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(capabilities.Microseconds())/float64(b.N), "µs-capabilities")
			b.ReportMetric(float64(files.Microseconds())/float64(b.N), "µs-landlock")
			b.ReportMetric(float64(calls.Microseconds())/float64(b.N), "µs-filter")
		})
	}
}

// BenchmarkRefused is what a refused call costs the program, and the supervisor beside it.
func BenchmarkRefused(b *testing.B) {
	for name, attempt := range map[string]func() unix.Errno{
		"path":       raw(unix.SYS_CHROOT, text0("/somewhere")),
		"connection": socketCall(unix.SYS_CONNECT, unix.AF_INET, tcp, ipv4(80, 10, 0, 0, 1)),
		"process":    raw(unix.SYS_PTRACE, unix.PTRACE_ATTACH, 1),
	} {
		b.Run(name, func(b *testing.B) {
			f := filterSpecs["notify, empty"]
			done := make(chan error)
			listening := make(chan int, 1)
			go func() {
				runtime.LockOSThread()
				err := DropCapabilities()
				if err == nil {
					var listener int
					if listener, err = Install(f); err == nil {
						listening <- listener
						for b.Loop() {
							attempt()
						}
					}
				}
				done <- err
			}()
			select {
			case listener := <-listening:
				go Serve(f, listener, func(Refusal) {})
				if err := <-done; err != nil {
					b.Fatal(err)
				}
			case err := <-done:
				b.Fatal(err)
			}
		})
	}
}
