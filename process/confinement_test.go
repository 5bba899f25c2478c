package process

import (
	"strings"
	"testing"
)

// TestCheck: senseless limits are refused before anything runs.
func TestCheck(t *testing.T) {
	for want, c := range map[string]Confinement{
		"limit of memory: -1 bytes; allowed are 0 (none) and 1048576": {Memory: -1},
		"limit of memory: 5 bytes":                                    {Memory: 5},
		"limit of processes: -3":                                      {Processes: -3},
		"limit of threads: -1":                                        {Threads: -1},
		"limit of processor time: -1":                                 {CPU: -1},
		"limit of file size: -1":                                      {FileSize: -1},
		"limit of open files: 7; allowed":                             {Files: 7},
		"processor":                                                   {CPUs: []int{1 << 20}},
		"processor ":                                                  {CPUs: []int{-1}},
		"names no directory to copy":                                  {Private: true},
	} {
		if _, err := Start(Command{Args: []string{"sh"}, Confine: c}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", c, err, want)
		}
	}
}

func TestExitWords(t *testing.T) {
	for want, e := range map[string]Exit{
		"exited with code 0": Exit{}.confined(Confinement{Memory: 1 << 20}, NoLimit),
		"exited with code 1; its limit of 1 MiB of memory may be why":                              Exit{Code: 1}.confined(Confinement{Memory: 1 << 20}, NoLimit),
		"was killed by signal 11 (segmentation fault); its limit of 1025 KiB of memory may be why": Exit{Code: -1, Signal: 11}.confined(Confinement{Memory: 1025 << 10}, NoLimit),
		"was killed for using more than 1 process at once, its limit":                              Exit{Code: -1, Signal: 9}.confined(Confinement{Processes: 1, Memory: 1 << 20}, LimitProcesses),
		"did not exit by itself and was killed by the referee":                                     {Code: -1, Signal: 9, Killed: true, Suspected: "1 MiB of memory"},
	} {
		if got := e.String(); got != want {
			t.Errorf("%+v: %q, want %q", e, got, want)
		}
	}
}
