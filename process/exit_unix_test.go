//go:build unix

package process

import "testing"

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
