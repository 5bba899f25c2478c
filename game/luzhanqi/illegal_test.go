package luzhanqi

import (
	"errors"
	"testing"

	"luzhanqi/game"
)

func TestIllegalMoves(t *testing.T) {
	const board = "A6:91 A7:82 A2:51 D1:F1 B1:41 E1:L1 B2:L1 B8:12 C6:11 D6:22 C3:31 B3:32 E6:92 D12:21"
	for _, c := range []struct {
		move string
		kind IllegalKind
		want string
	}{
		{"A6 A6", SameSquare, "A6 to A6: a move must leave its square"},
		{"E10 E9", NothingThere, "E10 to E9: there is no piece on E10"},
		{"A7 A8", NotYours, "A7 to A8: the piece on A7 is the enemy's"},
		{"D1 D2", NeverMoves, "D1 to D2: the piece on D1 is a flag, which never moves"},
		{"E1 E2", NeverMoves, "E1 to E2: the piece on E1 is a landmine, which never moves"},
		{"B1 B2", InHeadquarters, "B1 to B2: a piece in a headquarters never moves again"},
		{"D12 D11", InHeadquarters, "D12 to D11: a piece in a headquarters never moves again"},
		{"A2 B2", OwnTarget, "A2 to B2: an own piece stands on B2"},
		{"C3 B3", CampOccupied, "C3 to B3: an occupied camp cannot be attacked"},
		{"A6 A9", RailwayBlocked, "A6 to A9: the railway is blocked at A7"},
		{"A2 A8", RailwayBlocked, "A2 to A8: the railway is blocked at A6"},
		{"A2 E2", RailwayBlocked, "A2 to E2: the railway is blocked at B2"},
		{"A6 E6", RailwayBlocked, "A6 to E6: the railway is blocked at C6"},
		{"A6 E8", RailwayBlocked, "A6 to E8: every way by railway is blocked"},
		{"A6 D5", NoWay, "A6 to D5: no road or railway leads there in one move"},
		{"C3 C5", NoWay, "C3 to C5: no road or railway leads there in one move"},
	} {
		b := mustBoard(t, board)
		checkWhy(t, &b, mustMove(t, c.move), c.kind, c.want)
	}

	b := mustBoard(t, "B6:91 C7:11 E7:12")
	checkWhy(t, &b, mustMove(t, "B6 A3"), NeedsCorner, "B6 to A3: only an engineer turns corners on the railway")
	checkWhy(t, &b, mustMove(t, "C7 E8"), 0, "")
	checkWhy(t, &b, mustMove(t, "C7 E10"), 0, "")
	checkWhy(t, &b, game.Move{From: 60, To: 5}, OffBoard, "square(60) to A2: the board is A1 to E12")
	checkWhy(t, &b, game.Move{From: 5, To: 255}, OffBoard, "A2 to square(255): the board is A1 to E12")
	checkWhy(t, &b, game.Move{From: 64, To: 65}, OffBoard, "square(64) to square(65): the board is A1 to E12")

	b = mustBoard(t, "A6:41 B6:11 C6:42")
	checkWhy(t, &b, mustMove(t, "B6 D6"), RailwayBlocked, "B6 to D6: the railway is blocked at C6")
	checkWhy(t, &b, mustMove(t, "B6 E9"), RailwayBlocked, "B6 to E9: every way by railway is blocked")

	b = mustBoard(t, "A6:91 A9:B2")
	err := b.Why(game.Second, mustMove(t, "A9 A5"))
	var illegal *IllegalMove
	if !errors.As(err, &illegal) {
		t.Fatalf("error %v, want an *IllegalMove", err)
	}
	if got, want := illegal.InFrame(game.Second).Error(), "E4 to E8: the railway is blocked at E7"; got != want {
		t.Errorf("turned: %s, want %s", got, want)
	}
}
