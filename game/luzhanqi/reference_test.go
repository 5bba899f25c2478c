package luzhanqi

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"luzhanqi/game"
)

// reference generates moves as slowly and as literally as the rules are written: squares are
// names, roads and railways are lists of edges, and pieces walk them. It shares nothing with the
// fast generator but the text of a board.
type reference struct {
	side map[string]byte // "A6": '1' or '2'
	rank map[string]byte // "A6": '1' to '9', 'B', 'L', 'F'
}

func newReference(board string) reference {
	r := reference{map[string]byte{}, map[string]byte{}}
	for _, field := range strings.Fields(board) {
		at, piece, _ := strings.Cut(field, ":")
		r.rank[at], r.side[at] = piece[0], piece[1]
	}
	return r
}

var (
	referenceCamps        = strings.Fields("B3 D3 C4 B5 D5 D10 B10 C9 D8 B8")
	referenceHeadquarters = strings.Fields("B1 D1 D12 B12")
	// Every railway line, from end to end.
	referenceRailways = [][]string{
		strings.Fields("A2 B2 C2 D2 E2"),
		strings.Fields("A6 B6 C6 D6 E6"),
		strings.Fields("A7 B7 C7 D7 E7"),
		strings.Fields("A11 B11 C11 D11 E11"),
		strings.Fields("A2 A3 A4 A5 A6 A7 A8 A9 A10 A11"),
		strings.Fields("E2 E3 E4 E5 E6 E7 E8 E9 E10 E11"),
		strings.Fields("C6 C7"),
	}
	referenceEdges = makeReferenceEdges() // by square
)

const referenceRows = "1 2 3 4 5 6 7 8 9 10 11 12"

func makeReferenceEdges() map[string][]string {
	edges := map[string][]string{}
	join := func(a, b string) { edges[a], edges[b] = append(edges[a], b), append(edges[b], a) }
	all := strings.Fields(referenceRows)
	const letters = "ABCDE"
	for r, row := range all {
		for c := range letters {
			at := letters[c:c+1] + row
			if c+1 < len(letters) {
				join(at, letters[c+1:c+2]+row)
			}
			if r+1 == len(all) {
				continue
			}
			if above := letters[c:c+1] + all[r+1]; at != "B6" && at != "D6" {
				join(at, above)
			}
			for _, d := range []int{-1, 1} {
				if c+d < 0 || c+d >= len(letters) {
					continue
				}
				diagonal := letters[c+d:c+d+1] + all[r+1]
				if slices.Contains(referenceCamps, at) || slices.Contains(referenceCamps, diagonal) {
					join(at, diagonal)
				}
			}
		}
	}
	return edges
}

func (r reference) empty(at string) bool { return r.side[at] == 0 }

// moves are all legal moves of '1' or '2', such as "A6 A7", sorted.
func (r reference) moves(side byte) []string {
	var all []string
	for from := range r.side {
		if r.side[from] != side || r.rank[from] == 'F' || r.rank[from] == 'L' || slices.Contains(referenceHeadquarters, from) {
			continue
		}
		reached := map[string]bool{}
		for _, to := range referenceEdges[from] {
			reached[to] = true
		}
		r.slide(from, reached)
		if r.rank[from] == '1' {
			r.walk(from, reached)
		}
		for to := range reached {
			camp := slices.Contains(referenceCamps, to)
			if to != from && r.side[to] != side && (r.empty(to) || !camp) {
				all = append(all, from+" "+to)
			}
		}
	}
	slices.Sort(all)
	return all
}

// slide goes along each line in both directions up to the first piece.
func (r reference) slide(from string, reached map[string]bool) {
	for _, line := range referenceRailways {
		n := slices.Index(line, from)
		if n < 0 {
			continue
		}
		for _, direction := range []int{-1, 1} {
			for i := n + direction; i >= 0 && i < len(line); i += direction {
				reached[line[i]] = true
				if !r.empty(line[i]) {
					break
				}
			}
		}
	}
}

// walk searches the railway breadth first; pieces end the way.
func (r reference) walk(from string, reached map[string]bool) {
	seen := map[string]bool{from: true}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if at != from && !r.empty(at) {
			continue
		}
		for _, line := range referenceRailways {
			n := slices.Index(line, at)
			for _, i := range []int{n - 1, n + 1} {
				if n >= 0 && i >= 0 && i < len(line) && !seen[line[i]] {
					seen[line[i]] = true
					reached[line[i]] = true
					queue = append(queue, line[i])
				}
			}
		}
	}
}

// moveNames writes moves sorted, as reference.moves does.
func moveNames(moves []game.Move) []string {
	var names []string
	for _, m := range moves {
		names = append(names, MoveName(m))
	}
	slices.Sort(names)
	return names
}

// randomBoard puts pieces of the given ranks anywhere.
func randomBoard(r *rand.Rand, pieces int, ranks []Rank) Board {
	var b Board
	for _, n := range r.Perm(squareCount)[:pieces] {
		b.Put(game.Square(n), game.Side(r.IntN(2)), ranks[r.IntN(len(ranks))])
	}
	return b
}

func TestMovesAgreeWithTheReference(t *testing.T) {
	kinds := map[string][]Rank{
		"all ranks":             Ranks[:],
		"engineers":             {Engineer},
		"engineers and mines":   {Engineer, Landmine},
		"field marshals":        {FieldMarshal},
		"never moving":          {Landmine, Flag},
		"engineers among bombs": {Engineer, Bomb, General},
	}
	r := rand.New(rand.NewPCG(5, 12))
	for name, ranks := range kinds {
		for pieces := range squareCount + 1 {
			for range 8 {
				b := randomBoard(r, pieces, ranks)
				slow := newReference(b.String())
				for _, side := range []game.Side{game.First, game.Second} {
					want := slow.moves(byte('1' + side))
					got := moveNames(b.Moves(side, nil))
					if !slices.Equal(got, want) {
						t.Fatalf("%s, %v to move on %s\n got %v\nwant %v", name, side, b.String(), got, want)
					}
					if b.HasMove(side) != (len(want) > 0) {
						t.Fatalf("%s: HasMove(%v) on %s, but the moves are %v", name, side, b.String(), want)
					}
				}
			}
		}
	}
}

// Random games meet what random boards do not: the crowded lines of real positions.
func TestMovesAgreeWithTheReferenceInGames(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 6 {
		b, side := Deploy(RandomSetUp(r), RandomSetUp(r)), game.First
		for ply := range 300 {
			moves := b.Moves(side, nil)
			if want := newReference(b.String()).moves(byte('1' + side)); !slices.Equal(moveNames(moves), want) {
				t.Fatalf("ply %d, %v to move on %s\n got %v\nwant %v", ply, side, b.String(), moveNames(moves), want)
			}
			if len(moves) == 0 {
				break
			}
			if result, _, _ := b.Play(moves[r.IntN(len(moves))], ply%2 == 0); result == FlagTaken {
				break
			}
			side = side.Other()
		}
	}
}
