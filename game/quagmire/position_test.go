package quagmire

import (
	"strings"
	"testing"

	"luzhanqi/game"
)

// TestPositionIsAValue plays on from positions that must stay as they were.
func TestPositionIsAValue(t *testing.T) {
	start, err := Game{}.New(nil, [2]game.SetUp{})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := start.View(game.First).(*View).LastMove(); ok {
		t.Error("a last move before the first")
	}
	pos := start
	for i, text := range []string{"a3 c5", "h5 d5", "a4 b4"} {
		m := mustMove(t, text)
		if err := pos.Check(m); err != nil {
			t.Fatal(err)
		}
		pos = pos.Play(m)
		last, _ := pos.View(game.First).(*View).LastMove()
		if pos.Ply() != i+1 || pos.Mover() != game.Side((i+1)%2) || last != m {
			t.Fatalf("ply %d, %v to move, %s played after %s", pos.Ply(), pos.Mover(), MoveName(last), text)
		}
	}
	if start.Ply() != 0 || start.Draw(game.DrawStyle{}) != startDrawn {
		t.Error("a position changed by what was played from it")
	}
	v := pos.View(game.First).(*View) // not to move: what it could play if it were
	board := v.Board()
	if got := v.Moves(nil); len(got) != len(board.Moves(game.First, nil)) || len(got) == 0 {
		t.Errorf("%d moves", len(got))
	}
}

// TestEndOfGame ends a position by Quagmire: there are no more moves, for anyone.
func TestEndOfGame(t *testing.T) {
	b := mustBoard(t, ".X....../XX....../O......./......../......../......../......../........")
	p := &Position{board: b}
	m := mustMove(t, "a6 a8")
	if err := p.Check(m); err != nil { // across the closed corner, into it
		t.Fatal(err)
	}
	after := p.Play(m)
	o, over := after.Outcome()
	if !over || o != game.Won(game.Second, leftInQuagmire) {
		t.Errorf("%+v, %v", o, over)
	}
	if err := after.Check(mustMove(t, "b8 c8")); err == nil || !strings.Contains(err.Error(), "b8 c8: the game is over: opponent left a piece in Quagmire") {
		t.Errorf("a move after the end: %v", err)
	}
	for side := range game.Side(2) {
		v := after.View(side).(*View)
		if len(after.Moves(nil)) != 0 || len(v.Moves(nil)) != 0 {
			t.Error("there are moves after the end")
		}
		if vo, vover := v.Outcome(); vo != o || vover != over || v.Ply() != 1 || v.Side() != side || v.Mover() != game.Second {
			t.Errorf("player %v sees %+v, %v, ply %d", side, vo, vover, v.Ply())
		}
	}
}
