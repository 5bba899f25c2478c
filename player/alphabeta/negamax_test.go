package alphabeta

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"luzhanqi/game"
)

// lines is four in a row on a small board: a game without cycles in which search and exhaustion can
// be compared everywhere.
type lines struct {
	width, height int
	of            [][2]uint64 // a stack; bit (height+1)*x+y
}

func newLines(width, height int) *lines {
	return &lines{width: width, height: height, of: make([][2]uint64, 1)}
}

func (l *lines) top() [2]uint64   { return l.of[len(l.of)-1] }
func (l *lines) Ply() int         { return len(l.of) - 1 }
func (l *lines) Mover() game.Side { return game.Side(l.Ply() & 1) }
func (l *lines) Left() int        { return MaxDepth }
func (l *lines) WinsNext() bool   { return false }
func (l *lines) InCheck() bool    { return false }
func (l *lines) NullMoveOK() bool { return false }
func (l *lines) Pass()            { panic("nobody passes here") }
func (l *lines) Back()            { l.of = l.of[:len(l.of)-1] }
func (l *lines) Key() uint64 {
	b := l.top()
	return (b[0]*0x9e3779b97f4a7c15 ^ b[1]) * 0xd6e8feb86659fd93
}

func (l *lines) Over() (int, bool) {
	b := l.top()[l.Mover()^1]
	for _, step := range []int{1, l.height, l.height + 1, l.height + 2} {
		if pairs := b & (b >> step); pairs&(pairs>>(2*step)) != 0 {
			return -1, true
		}
	}
	return 0, l.Ply() == l.width*l.height
}

func (l *lines) Evaluate() int32 { // anything: the search must not depend on it
	return int32(l.Key()%201) - 100
}

func (l *lines) Moves(dst []Move) []Move {
	all := l.top()[0] | l.top()[1]
	for x := range l.width {
		if all>>((l.height+1)*x+l.height-1)&1 == 0 {
			dst = append(dst, Move{Move: game.Move{From: game.Square(x), To: game.Square(x) + 1}})
		}
	}
	return dst
}

func (l *lines) Gain(game.Move) int16 { return 0 }

func (l *lines) Captures(dst []Move) []Move { return dst }

func (l *lines) Play(m game.Move) {
	b := l.top()
	at := (l.height + 1) * int(m.From)
	for (b[0]|b[1])>>at&1 != 0 {
		at++
	}
	b[l.Mover()] |= 1 << at
	l.of = append(l.of, b)
}

func (l *lines) Fork() Tree {
	f := *l
	f.of = append([][2]uint64(nil), l.of...)
	return &f
}

// solve is the value for the mover by plain exhaustion.
func (l *lines) solve(ttEntry map[uint64]int) int {
	if value, over := l.Over(); over {
		return value
	}
	if value, ok := ttEntry[l.Key()]; ok {
		return value
	}
	best := -1
	for _, m := range l.Moves(nil) {
		l.Play(m.Move)
		best = max(best, -l.solve(ttEntry))
		l.Back()
		if best == 1 {
			break
		}
	}
	ttEntry[l.Key()] = best
	return best
}

// The search finds the value that exhaustion finds, with everything on that prunes or reduces, and
// the proofs it leaves in the table do not mislead later searches.
func TestSearchIsExactInAFiniteGame(t *testing.T) {
	l := newLines(5, 5)
	values := map[uint64]int{}
	r := rand.New(rand.NewPCG(1, 2))
	rules := &Rules{Stuck: -1, Futile: 10, Window: 30} // prunes far too much, which proofs must survive
	shared := newTranspositions(16)
	count := map[int]int{}
	for range 40 {
		l.of = l.of[:1]
		over := false
		for range 9 + r.IntN(4) {
			if _, over = l.Over(); over {
				break
			}
			moves := l.Moves(nil)
			l.Play(moves[r.IntN(len(moves))].Move)
		}
		if _, over = l.Over(); over {
			continue
		}
		want := l.solve(values)
		s := newNegamax(l.Fork(), rules, shared, &ordering{})
		left := l.width*l.height - l.Ply()
		shared.next()
		got := s.deepen(l.Moves(nil), 1, func(t thought) bool { return !isProven(t.score) && t.depth < 2*left })
		value := 0
		if isProven(got.score) {
			value = 1
			if got.score < 0 {
				value = -1
			}
		}
		if value != want {
			t.Errorf("%v: searched %d (score %d, depth %d), exhausted %d", l.top(), value, got.score, got.depth, want)
		}
		count[want]++
	}
	if count[1] == 0 || count[0] == 0 || count[-1] == 0 {
		t.Errorf("the positions do not cover every value: %v", count)
	}
}

// maze is a random graph with cycles, in which a node without a way out is lost for the mover and some
// nodes are won: positions recur, and the game is drawn after a number of plies.
type maze struct {
	ways  [][]int
	value []int // 0: goes on
	cap   int
	at    []int
	begun int // plies before the tree
}

func newMaze(r *rand.Rand, nodes, cap int) *maze {
	m := &maze{ways: make([][]int, nodes), value: make([]int, nodes), cap: cap, at: []int{0}}
	for i := range nodes {
		for range 1 + r.IntN(3) {
			m.ways[i] = append(m.ways[i], r.IntN(nodes))
		}
		if r.IntN(25) == 0 {
			m.value[i] = -1
		}
	}
	return m
}

func (m *maze) node() int        { return m.at[len(m.at)-1] }
func (m *maze) Ply() int         { return m.begun + len(m.at) - 1 }
func (m *maze) Mover() game.Side { return game.Side(m.Ply() & 1) }
func (m *maze) Left() int        { return m.cap - m.Ply() }
func (m *maze) WinsNext() bool   { return false }
func (m *maze) InCheck() bool    { return false }
func (m *maze) NullMoveOK() bool { return false }
func (m *maze) Pass()            { panic("nobody passes here") }
func (m *maze) Back()            { m.at = m.at[:len(m.at)-1] }
func (m *maze) Key() uint64 {
	left := 0
	if m.Left() < keyedPlies {
		left = m.Left()
	}
	return (uint64(m.node()+1)*0x9e3779b97f4a7c15 ^ uint64(m.Mover()) ^ uint64(left)<<40) * 0xd6e8feb86659fd93
}

func (m *maze) Over() (int, bool) {
	if v := m.value[m.node()]; v != 0 {
		return v, true
	}
	return 0, m.Left() <= 0
}

func (m *maze) Evaluate() int32 { return int32(m.node()*37%101) - 50 }

func (m *maze) Moves(dst []Move) []Move {
	for i := range m.ways[m.node()] {
		dst = append(dst, Move{Move: game.Move{From: game.Square(i), To: game.Square(i) + 1}})
	}
	return dst
}

func (m *maze) Gain(game.Move) int16 { return 0 }

func (m *maze) Captures(dst []Move) []Move { return dst }
func (m *maze) Play(v game.Move)           { m.at = append(m.at, m.ways[m.node()][v.From]) }
func (m *maze) Fork() Tree {
	f := *m
	f.begun, f.at = m.Ply(), []int{m.node()}
	return &f
}

// solve is every node's value by the number of plies left.
func (m *maze) solve() [][]int {
	values := make([][]int, m.cap+1)
	for left := range values {
		values[left] = make([]int, len(m.ways))
		for i := range m.ways {
			switch {
			case m.value[i] != 0:
				values[left][i] = m.value[i]
			case left > 0:
				best := -1
				for _, to := range m.ways[i] {
					best = max(best, -values[left-1][to])
				}
				values[left][i] = best
			}
		}
	}
	return values
}

// Where positions recur and the game is capped, a claimed win or loss is one by the rules, and a win
// that exists is found.
func TestSearchIsExactWithCyclesAndACap(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	rules := &Rules{Stuck: -1, Repeats: true, Futile: 10, Window: 30}
	claims := map[string]int{}
	for range 60 {
		m := newMaze(r, 150, 60)
		values := m.solve()
		shared := newTranspositions(14)
		for range 20 {
			left := 1 + r.IntN(m.cap)
			m.begun, m.at = m.cap-left, []int{r.IntN(len(m.ways))}
			if _, over := m.Over(); over {
				continue
			}
			want := values[left][m.node()]
			s := newNegamax(m.Fork(), rules, shared, &ordering{})
			s.budget.nodes = 200_000
			shared.next()
			got := s.deepen(m.Moves(nil), 1, func(t thought) bool { return !isProven(t.score) && t.depth < 60 })
			claim := 0
			if isProven(got.score) {
				claim = 1
				if got.score < 0 {
					claim = -1
				}
				if endsIn(got.score) > left {
					t.Errorf("a proof of %d plies with %d left", endsIn(got.score), left)
				}
			}
			if claim != want {
				t.Errorf("node %d, %d plies left: searched %d (score %d, depth %d), exact %d", m.node(), left, claim, got.score, got.depth, want)
			}
			claims[fmt.Sprint(want)]++
		}
	}
	if len(claims) < 3 {
		t.Errorf("the positions do not cover every value: %v", claims)
	}
}

// A proof is no proof where the game is drawn before it is carried out, though it was one with more
// plies left.
func TestProofsEndAtTheCap(t *testing.T) {
	const long, short = 70, 30
	m := &maze{ways: make([][]int, 41), value: make([]int, 41), cap: long, at: []int{0}}
	for i := range 40 {
		m.ways[i] = []int{i + 1}
	}
	m.value[40] = -1
	rules := &Rules{Stuck: -1, Repeats: true, Window: 30}
	table := newTranspositions(12)
	for _, c := range []struct {
		left  int
		score int32
	}{{long, 40 - won}, {40, 40 - won}, {39, 0}, {short, 0}} {
		m.begun = long - c.left
		s := newNegamax(m.Fork(), rules, table, &ordering{})
		table.next()
		if got := s.deepen(m.Moves(nil), 1, func(t thought) bool { return t.depth < 60 && !isProven(t.score) }); got.score != c.score {
			t.Errorf("%d plies left: score %d, want %d", c.left, got.score, c.score)
		}
	}
}
