package gastank

import (
	"strings"
	"testing"

	"luzhanqi/game"
)

func TestGameHasNoSetUps(t *testing.T) {
	g := Game{}
	if s, err := g.ParseSetUp(""); s != "" || err != nil || g.HasSetUp() || g.RandomSetUp(nil) != "" {
		t.Errorf("%q, %v", s, err)
	}
	if err := g.CheckSetUp("A1:k"); err == nil {
		t.Error("a set-up is accepted")
	}
	if _, err := g.New(nil, [2]game.SetUp{"", "x"}); err == nil || !strings.Contains(err.Error(), "player 2") {
		t.Errorf("%v", err)
	}
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
