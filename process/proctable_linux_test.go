package process

import (
	"os"
	"testing"
)

func TestParseEntry(t *testing.T) {
	const rest = " 0 0 20 0 1 0 777 1 2"
	for stat, want := range map[string]Entry{
		"12 (sh) S 3 4 5 6 7 8 9 10 11 12 13 14" + rest:       {Parent: 3, Session: 5, Started: 777, Command: "sh"},
		"12 (a) Z (b)) Z 3 4 5 6 7 8 9 10 11 12 13 14" + rest: {Parent: 3, Session: 5, Started: 777, Command: "a) Z (b)", Zombie: true},
		"12 (sh) S 3 4 5":  {},
		"12 )sh( S" + rest: {},
		"":                 {},
	} {
		e, ok := parseEntry([]byte(stat))
		if e != want || ok != (want != Entry{}) {
			t.Errorf("%q: %+v, %v", stat, e, ok)
		}
	}
	found := Entry{}
	for pid, e := range Processes() {
		if pid == os.Getpid() {
			found = e
		}
	}
	if found.Parent != os.Getppid() || found.Zombie || found.Started == 0 {
		t.Errorf("this process: %+v", found)
	}
}
