package protocoltests

import (
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/protocol-tests/protocoltest"
)

// TestEveryModeIsJudged guards that a hostile mode that is added, or a phase of it, cannot be
// forgotten here.
func TestEveryModeIsJudged(t *testing.T) {
	out, err := exec.Command(hostile, "-list").Output()
	if err != nil {
		t.Fatal(err)
	}
	judged := map[string]map[string]verdict{}
	for _, r := range rows {
		if judged[r.mode] != nil {
			t.Errorf("mode %s has two rows", r.mode)
		}
		judged[r.mode] = r.want
	}
	for line := range strings.Lines(string(out)) {
		columns := strings.SplitN(strings.TrimSpace(line), "\t", 3)
		mode, takes := columns[0], columns[1]
		if takes == "FILE" { // script and instant say what a file says; see files_test.go
			continue
		}
		if strings.HasPrefix(mode, "take-") || mode == "compute" || strings.HasPrefix(mode, "ponder") { // see starved_linux_test.go
			continue
		}
		want, found := judged[mode]
		delete(judged, mode)
		if !found {
			t.Errorf("mode %s has no row", mode)
		}
		for _, phase := range phasesOf(takes) {
			if _, found := want[phase]; !found {
				t.Errorf("mode %s has no verdict for phase %s", mode, phase)
			}
		}
	}
	for mode := range judged {
		t.Errorf("there is no hostile mode %s", mode)
	}
}

// phasesOf reads "[start|setup] [MS=300]".
func phasesOf(takes string) []string {
	list, _, found := strings.Cut(strings.TrimPrefix(takes, "["), "]")
	if !found || strings.Contains(list, "=") {
		return nil
	}
	return strings.Split(list, "|")
}

// trials are all cases, but nightly one of every row, in alternating seats.
func trials() (all []trial) {
	for i, r := range slices.Concat(rows, retries) {
		arguments := slices.Sorted(maps.Keys(r.want))
		if !protocoltest.Nightly() {
			arguments = arguments[i%len(arguments):][:1]
		}
		for _, a := range arguments {
			tr := trial{mode: strings.TrimSpace(r.mode + " " + a), want: r.want[a]}
			for tr.seat = range game.Side(2) {
				if protocoltest.Nightly() || int(tr.seat) == i%2 {
					all = append(all, tr)
				}
			}
		}
	}
	return slices.Concat(all, pairs, conversationTrials())
}

// TestHostilePrograms plays every hostile mode in every phase and seat.
func TestHostilePrograms(t *testing.T) {
	noLeaks(t, func() {
		t.Run("cases", func(t *testing.T) {
			for _, tr := range trials() {
				t.Run(tr.String(), func(t *testing.T) {
					t.Parallel()
					for range protocoltest.Repeats() {
						if tr.play(t); !t.Failed() {
							unharmed(t, tr.talk)
						}
						if t.Failed() {
							return
						}
					}
				})
			}
		})
	})
}

// listed are the process ids in a file of hostile programs.
func listed(file string) (pids []int) {
	text, _ := os.ReadFile(file)
	for _, word := range strings.Fields(string(text)) {
		if pid, err := strconv.Atoi(word); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}
