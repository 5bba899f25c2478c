package quagmire

import (
	"testing"
	"time"

	"luzhanqi/game"
)

func TestGameHasNoSetUp(t *testing.T) {
	g := Game{}
	if g.HasSetUp() || g.RandomSetUp(nil) != "" || g.CheckSetUp("") != nil {
		t.Error("there is a set-up")
	}
	if _, err := g.ParseSetUp("A1:3"); err == nil {
		t.Error("a set-up is read")
	}
	if err := g.CheckSetUp("A1:3"); err == nil {
		t.Error("a set-up is accepted")
	}
	if _, err := g.New(nil, [2]game.SetUp{"", "A1:3"}); err == nil {
		t.Error("a game begins with a set-up")
	}
	if _, err := g.Perft(nil, [2]game.SetUp{"A1:3"}, 1); err == nil {
		t.Error("perft begins with a set-up")
	}
	if l := g.Limits(); l.Move != time.Second || l.Grace != 200*time.Millisecond || l.MaxPlies != 400 {
		t.Errorf("limits %+v", l)
	}
}
