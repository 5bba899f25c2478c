package gastank

import (
	"errors"
	"strings"
	"testing"

	"luzhanqi/game"
)

// TestPersonAboveSeesItselfBelow follows a person who moves second.
func TestPersonAboveSeesItselfBelow(t *testing.T) {
	g := Game{}
	for line, want := range map[string]game.Side{"first": game.First, " Second ": game.Second, "2": game.Second, "F": game.First} {
		if side, err := g.ReadSide(line); err != nil || side != want {
			t.Errorf("%q is read as %v, %v", line, side, err)
		}
	}
	if _, err := g.ReadSide("third"); err == nil || g.SharedScreen() || !strings.Contains(g.SideQuestion(), "first or second") {
		t.Errorf("third: %v", err)
	}
	for _, line := range []string{"?", " help "} {
		if _, err := g.ReadSide(line); err == nil || !strings.Contains(err.Error(), "the computer makes it") || strings.Contains(err.Error(), "allowed") {
			t.Errorf("%q is answered by %v, want an explanation", line, err)
		}
	}
	end := g.PersonEnd([2]bool{false, true}, [2]string{"Last Drop", "Ann"}, game.DrawStyle{})
	pos := NewPosition()
	if got := end.Tell(game.Event{Kind: game.EventTurn}, pos.View(game.Second)); !strings.Contains(got, "7  -- -- B3 Q3 K3 B3 -- --  computer\n") || !strings.Contains(got, "b3 -- --  human\n") {
		t.Errorf("at the start:\n%s", got)
	}
	m := mustMove(t, "D1E3")
	pos = pos.play(m)
	v := pos.View(game.Second)
	if got := end.Tell(game.Event{Kind: game.EventMoved, Side: game.First, Move: m}, v); !strings.Contains(got, "Last Drop: D7E5\n") || !strings.Contains(got, "5  -- -- -- --[Q2]-- -- --\n") {
		t.Errorf("after D1E3:\n%s", got)
	}
	if got := end.Tell(game.Event{Kind: game.EventTurn}, v); got != "" {
		t.Errorf("the board is shown again:\n%s", got)
	}
	m, err := end.ReadMove(" f2 e4", v)
	if err != nil || MoveName(m) != "F6E4" || g.InFrame(m, game.Second) != mustMove(t, "F2E4") || end.Prompt(v) == "" {
		t.Errorf("f2e4 is read as %s, %v", MoveName(m), err)
	}
	_, err = end.ReadMove("queen to b4", v)
	if got := end.Unreadable(err); !strings.Contains(got, "allowed are two squares") {
		t.Errorf("it says %q", got)
	}
	err = pos.Check(mustMove(t, "D6D5"))
	if got := end.Tell(game.Event{Kind: game.EventIllegal, Side: game.Second, Err: err}, v); !strings.HasPrefix(got, "You cannot play D2D3: a knight moves") {
		t.Errorf("it says %q", got)
	}
	if got := end.Tell(game.Event{Kind: game.EventIllegal, Err: errors.New("x")}, v); got != "You cannot play x.\n" {
		t.Errorf("it says %q", got)
	}
	if got := end.End(game.Won(game.First, "Ann has lost the king."), v); got != "Ann has lost the king.\n" {
		t.Errorf("it says %q", got)
	}
	both := g.PersonEnd([2]bool{true, true}, [2]string{"Ann", "Bob"}, game.DrawStyle{})
	if got := both.Tell(game.Event{Kind: game.EventTurn}, NewPosition().View(game.First)); !strings.Contains(got, "  Bob\n") || !strings.Contains(got, "  Ann\n") {
		t.Errorf("two people see\n%s", got)
	}
}
