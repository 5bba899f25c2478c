package gastank

import (
	"testing"
)

func TestGame(t *testing.T) {
	g := Game{}
	if m, err := g.ParseMove("H7A1"); err != nil || g.FormatMove(m) != "H7A1" {
		t.Errorf("%v, %v", m, err)
	}
	if limits := g.Limits(); limits.Move.Seconds() != 5 || limits.Grace.Milliseconds() != 200 || limits.MaxPlies != 0 {
		t.Errorf("%+v", limits)
	}
	if names := g.Protocols(); len(names) != 1 || names[0].Name() != "plain" {
		t.Errorf("%v", names)
	}
}
