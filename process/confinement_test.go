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
