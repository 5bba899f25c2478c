package luzhanqi

import (
	"strings"
	"testing"
)

func TestRanks(t *testing.T) {
	total := 0
	for _, rank := range Ranks {
		back, err := ParseRank(rank.Letter())
		if err != nil || back != rank {
			t.Errorf("%v is written %c, which is read as %v, %v", rank, rank.Letter(), back, err)
		}
		total += Count(rank)
	}
	if total != ArmySize {
		t.Errorf("an army has %d pieces, want %d", total, ArmySize)
	}
	for letter := range 256 {
		_, err := ParseRank(byte(letter))
		known := letter != 0 && strings.IndexByte("123456789BLF", byte(letter)) >= 0
		if known != (err == nil) {
			t.Errorf("letter %q: error %v", rune(letter), err)
		}
	}
	if got := Engineer.String() + Engineer.Chinese() + FieldMarshal.String() + FieldMarshal.Chinese(); got != "engineer工兵field marshal司令" {
		t.Errorf("names %s", got)
	}
}
