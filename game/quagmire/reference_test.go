package quagmire

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"luzhanqi/game"
)

// reference generates moves as slowly and as literally as the rules are written: squares are names,
// and pieces walk from square to square. It shares nothing with the fast generator but the text of a
// board.
type reference struct {
	piece map[string]byte   // "c2": 'O' or 'X'; absent when empty
	last  map[byte]string   // by side: where the piece stands that it moved last
	names map[string][2]int // every square's column and row
}

func newReference(board string, lastO, lastX string) reference {
	r := reference{map[string]byte{}, map[byte]string{'O': lastO, 'X': lastX}, map[string][2]int{}}
	for i, row := range strings.Split(board, "/") {
		for column, c := range []byte(row) {
			name := fmt.Sprintf("%c%d", "abcdefgh"[column], 8-i)
			r.names[name] = [2]int{column, 7 - i}
			if c != '.' {
				r.piece[name] = c
			}
		}
	}
	return r
}

// compass are the eight directions.
var compass = [8][2]int{{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}

// next is the square so many steps away; false beyond the wall.
func (r reference) next(at string, way [2]int, steps int) (string, bool) {
	column, row := r.names[at][0]+way[0]*steps, r.names[at][1]+way[1]*steps
	if column < 0 || column > 7 || row < 0 || row > 7 {
		return "", false
	}
	return fmt.Sprintf("%c%d", "abcdefgh"[column], row+1), true
}

func other(side byte) byte { return map[byte]byte{'O': 'X', 'X': 'O'}[side] }

// from are the moves of one piece, and those of them that jump an enemy.
func (r reference) from(at string) (moves, enemyJumps []string) {
	side := r.piece[at]
	for _, way := range compass {
		for steps := 1; ; steps++ {
			to, ok := r.next(at, way, steps)
			if !ok || r.piece[to] != 0 {
				break
			}
			moves = append(moves, at+" "+to)
		}
		over, _ := r.next(at, way, 1)
		to, ok := r.next(at, way, 2)
		if !ok || r.piece[to] != 0 {
			continue
		}
		switch r.piece[over] {
		case side:
			moves = append(moves, at+" "+to)
		case other(side):
			if !r.joined(at, to, other(side)) {
				moves = append(moves, at+" "+to)
				enemyJumps = append(enemyJumps, at+" "+to)
			}
		}
	}
	return moves, enemyJumps
}

// joined says whether a king could walk from a to b if only the pieces of wall stood on the board.
func (r reference) joined(a, b string, wall byte) bool {
	seen := map[string]bool{a: true}
	for queue := []string{a}; len(queue) > 0; queue = queue[1:] {
		for _, way := range compass {
			at, ok := r.next(queue[0], way, 1)
			if ok && !seen[at] && r.piece[at] != wall {
				seen[at] = true
				queue = append(queue, at)
			}
		}
	}
	return seen[b]
}

// stuck says whether the piece on a square is in Quagmire.
func (r reference) stuck(at string) bool {
	enemy := false
	for _, way := range compass {
		if to, ok := r.next(at, way, 1); ok {
			if r.piece[to] == 0 {
				return false
			}
			enemy = enemy || r.piece[to] != r.piece[at]
		}
	}
	return enemy
}

// moves are all legal moves of a side, and those of them that jump an enemy, sorted; the pieces in
// Quagmire too.
func (r reference) moves(side byte) (moves, enemyJumps, stuck []string) {
	var freeing, freeingJumps []string
	for at, piece := range r.piece {
		if piece != side {
			continue
		}
		if r.stuck(at) {
			stuck = append(stuck, at)
		}
		if r.last[side] == at {
			continue
		}
		m, e := r.from(at)
		moves, enemyJumps = append(moves, m...), append(enemyJumps, e...)
		if r.stuck(at) {
			freeing, freeingJumps = append(freeing, m...), append(freeingJumps, e...)
		}
	}
	if len(freeing) > 0 {
		moves, enemyJumps = freeing, freeingJumps
	}
	for _, list := range [][]string{moves, enemyJumps, stuck} {
		slices.Sort(list)
	}
	return moves, enemyJumps, stuck
}

// agree compares all that the fast board says of a position with the reference.
func agree(t *testing.T, b Board) {
	t.Helper()
	lastName := func(side game.Side) string {
		if b.Last(side) == NoSquare {
			return ""
		}
		return SquareName(b.Last(side))
	}
	slow := newReference(b.String(), lastName(game.First), lastName(game.Second))
	for _, side := range []game.Side{game.First, game.Second} {
		moves, enemyJumps, stuck := slow.moves(Letter(side))
		where := fmt.Sprintf("%c on %s, last %s %s", Letter(side), b.String(), lastName(game.First), lastName(game.Second))
		var got, gotJumps []string
		legal := map[game.Move]bool{}
		for _, m := range b.Moves(side, nil) {
			got = append(got, MoveName(m))
			legal[m] = true
			if b.EnemyJump(side, m) {
				gotJumps = append(gotJumps, MoveName(m))
			}
		}
		slices.Sort(got)
		slices.Sort(gotJumps)
		if !slices.Equal(got, moves) || !slices.Equal(gotJumps, enemyJumps) {
			t.Fatalf("%s\n got %v\nwant %v\nenemy jumps\n got %v\nwant %v", where, got, moves, gotJumps, enemyJumps)
		}
		if b.HasMove(side) != (len(moves) > 0) {
			t.Fatalf("%s: HasMove is %v", where, b.HasMove(side))
		}
		if names := sorted(squareNames(b.Quagmired(side))); !slices.Equal(names, stuck) {
			t.Fatalf("%s: in Quagmire are %v, want %v", where, names, stuck)
		}
		for from := range game.Square(squareCount + 1) {
			for to := range game.Square(squareCount + 1) {
				m := game.Move{From: from, To: to}
				if err := b.Why(side, m); (err == nil) != legal[m] {
					t.Fatalf("%s: %s is legal: %v, but the reason against it is %v", where, MoveName(m), legal[m], err)
				}
			}
		}
	}
}

// anyBoard puts so many pieces anywhere, with any last moves.
func anyBoard(r *rand.Rand, pieces int) Board {
	var of [2]Squares
	last := [2]game.Square{NoSquare, NoSquare}
	for _, n := range r.Perm(squareCount)[:pieces] {
		side := r.IntN(2)
		of[side] |= Bit(game.Square(n))
		if r.IntN(4) == 0 {
			last[side] = game.Square(n)
		}
	}
	b, err := NewBoard(of, last)
	if err != nil {
		panic(err)
	}
	return b
}

func TestMovesAgreeWithTheReference(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for pieces := range squareCount + 1 {
		for range 6 {
			agree(t, anyBoard(r, pieces))
		}
	}
}

// A closed loop is rare on random boards: here a wall of one side crosses the board, whole or with a
// hole, and jumpers of the other stand beside it.
func TestLoopsAgreeWithTheReference(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	jumps := 0
	for range 300 {
		var of [2]Squares
		side := r.IntN(2)
		row := r.IntN(columns)
		for column := range columns {
			of[side] |= Bit(game.Square(row*columns + column))
			if r.IntN(2) == 0 { // an orthogonal step up or down keeps it closed
				row = min(columns-1, max(0, row+1-2*r.IntN(2)))
				of[side] |= Bit(game.Square(row*columns + column))
			}
		}
		if r.IntN(4) == 0 {
			of[side] &^= Bit(game.Square(r.IntN(squareCount)))
		}
		for range r.IntN(25) {
			of[1-side] |= Bit(game.Square(r.IntN(squareCount))) &^ of[side]
		}
		b, err := NewBoard(of, [2]game.Square{NoSquare, NoSquare})
		if err != nil {
			t.Fatal(err)
		}
		agree(t, b)
		for _, m := range b.Moves(game.Side(1-side), nil) {
			if b.EnemyJump(game.Side(1-side), m) {
				jumps++
			}
		}
	}
	if jumps < 100 {
		t.Errorf("only %d jumps over enemies: the boards do not test what they should", jumps)
	}
}

func TestGamesAgreeWithTheReference(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	for range 3 {
		b, side := Start(), game.First
		for range 100 {
			agree(t, b)
			moves := b.Moves(side, nil)
			if len(moves) == 0 {
				break
			}
			b.Play(moves[r.IntN(len(moves))])
			if _, over := b.Outcome(side); over {
				break
			}
			side = side.Other()
		}
	}
}
