package luzhanqi

import (
	"strings"
	"testing"
)

// The table is drawn from the rules: a row for each attacker, a column for each defender. Nobody
// wins against a bomb, the engineer alone clears landmines, and everything takes the flag.
const combatTable = `
   9 8 7 6 5 4 3 2 1 B L F
9  = > > > > > > > > = = f
8  < = > > > > > > > = = f
7  < < = > > > > > > = = f
6  < < < = > > > > > = = f
5  < < < < = > > > > = = f
4  < < < < < = > > > = = f
3  < < < < < < = > > = = f
2  < < < < < < < = > = = f
1  < < < < < < < < = = > f
B  = = = = = = = = = = = f
`

func TestCombat(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(combatTable), "\n")
	defenders := strings.Fields(lines[0])
	for _, line := range lines[1:] {
		fields := strings.Fields(line)
		attacker := mustRank(t, fields[0])
		for n, sign := range fields[1:] {
			defender := mustRank(t, defenders[n])
			want := strings.Replace(sign, "f", "flag", 1)
			if got := Combat(attacker, defender, false).String(); got != want {
				t.Errorf("%v attacks %v: %q, want %q", attacker, defender, got, want)
			}
			if defender == Landmine && attacker != Engineer && attacker != Bomb {
				want = "<"
			}
			if got := Combat(attacker, defender, true).String(); got != want {
				t.Errorf("%v attacks %v, mines stay: %q, want %q", attacker, defender, got, want)
			}
		}
		if got := Combat(attacker, None, false); got != Quiet || got.String() != "" {
			t.Errorf("%v attacks nobody: %v", attacker, got)
		}
	}
}

func mustRank(t *testing.T, letter string) Rank {
	t.Helper()
	rank, err := ParseRank(letter[0])
	if err != nil {
		t.Fatal(err)
	}
	return rank
}

func TestResultSaysWhoFalls(t *testing.T) {
	for result, want := range map[Result][2]bool{
		Quiet: {false, false}, Win: {false, true}, Loss: {true, false}, Tie: {true, true}, FlagTaken: {false, true},
	} {
		if got := [2]bool{result.AttackerFalls(), result.DefenderFalls()}; got != want {
			t.Errorf("%q: attacker and defender fall %v, want %v", result, got, want)
		}
	}
}
