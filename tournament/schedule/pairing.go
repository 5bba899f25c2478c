package schedule

// cost is the cost of a pair by several rules, compared lexicographically. The pairing below only adds, subtracts,
// compares and halves (even) costs, which works component by component: nothing has to be packed into one number,
// where it could overflow.
type cost [5]int64

func (c cost) plus(d cost) cost {
	for i := range c {
		c[i] += d[i]
	}
	return c
}

func (c cost) minus(d cost) cost {
	for i := range c {
		c[i] -= d[i]
	}
	return c
}

func (c cost) half() cost {
	for i := range c {
		c[i] /= 2
	}
	return c
}

func (c cost) less(d cost) bool {
	for i := range c {
		if c[i] != d[i] {
			return c[i] < d[i]
		}
	}
	return false
}

// pairing returns the partner of each of n players, n even, such that the sum of the costs of the pairs is
// as small as possible: a minimum-weight perfect matching of a complete graph. Cost must be symmetric. The
// same costs give the same pairing. Time grows with the cube of n.
//
// It is the primal-dual method of Edmonds ("Maximum matching and a polyhedron with 0,1-vertices", 1965) as
// described by Galil ("Efficient algorithms for finding maximum matching in graphs", ACM Computing Surveys
// 18, 1986). Each vertex, and each blossom, a set of vertices with an odd cycle of tight edges through
// it, has a dual; an edge is tight when its slack, twice its cost less the duals of its ends, is zero.
// From all vertices without a partner trees of tight edges are grown, in which outer vertices, reached
// by an even number of edges, and inner ones take turns. A tight edge between two trees is a path along
// which one more pair can be made; one within a tree closes a blossom, which is from then on one outer
// vertex; and when there is neither, duals are shifted until some edge becomes tight or an inner blossom may
// be opened again.
func pairing(n int, of func(i, j int) cost) []int {
	m := newMatching(n, of)
	for range n / 2 {
		m.grow()
	}
	mates := make([]int, n)
	for v := 1; v <= n; v++ {
		mates[v-1] = m.mate[v] - 1
	}
	return mates
}

// label is the place of a vertex or an outermost blossom in the trees.
type label uint8

const (
	free label = iota // in no tree
	outer
	inner
)

// edge joins two vertices, and with them the blossoms that they are in. The zero edge is none.
type edge struct{ u, v int }

// matching is the state of the search. Vertices are 1 to n; blossoms have numbers above; zero is none.
type matching struct {
	n     int
	costs []cost // twice the cost of the edges, n by n

	dual  []cost   // of vertices; twice that of blossoms
	top   []int    // the outermost blossom that a vertex or blossom is in, or itself; zero: the number is not used
	cycle [][]int  // of a blossom: its parts, from the one that holds its base, along its odd cycle
	part  [][]int  // part[b][v] is the part of blossom b that vertex v is in
	edges [][]edge // edges[x][y] is the edge with least slack from x to y, as far as it is known

	mate   []int // the vertex that a vertex or the base of a blossom is paired with
	label  []label
	parent []int // of a labelled inner vertex or blossom: the vertex whose edge leads to it
	best   []int // the outer vertex with the least slack to it
	seen   []int // by the search for a common ancestor with this number
	search int
	queue  []int // outer vertices whose edges are to be looked at
	zero   cost
}

func newMatching(n int, of func(i, j int) cost) *matching {
	size := n + n/2 + 1 // at most n/2 blossoms exist at a time
	m := &matching{
		n: n, costs: make([]cost, n*n), dual: make([]cost, size), top: make([]int, size), cycle: make([][]int, size),
		part: make([][]int, size), edges: make([][]edge, size), mate: make([]int, size), label: make([]label, size),
		parent: make([]int, size), best: make([]int, size), seen: make([]int, size),
	}
	for x := range size {
		m.edges[x] = make([]edge, size)
		m.part[x] = make([]int, n+1)
	}
	lowest := m.zero
	for u := 1; u <= n; u++ {
		m.top[u] = u
		m.part[u][u] = u
		for v := 1; v <= n; v++ {
			m.edges[u][v] = edge{u, v}
			if u == v {
				continue
			}
			c := of(u-1, v-1)
			m.costs[(u-1)*n+v-1] = c.plus(c)
			if u == 1 && v == 2 || c.less(lowest) {
				lowest = c
			}
		}
	}
	// All duals begin alike, so that those of outer vertices are odd or even together, and halves exact.
	for u := 1; u <= n; u++ {
		m.dual[u] = lowest
	}
	return m
}

// slack is how far an edge is from tight.
func (m *matching) slack(e edge) cost {
	return m.costs[(e.u-1)*m.n+e.v-1].minus(m.dual[e.u]).minus(m.dual[e.v])
}

// grow makes one more pair.
func (m *matching) grow() {
	m.queue = m.queue[:0]
	for x := range m.top {
		m.label[x], m.best[x] = free, 0
	}
	for x := 1; x < len(m.top); x++ {
		if m.top[x] == x && m.mate[x] == 0 {
			m.parent[x], m.label[x] = 0, outer
			m.enqueue(x)
		}
	}
	for !m.scan() {
		if m.shift() {
			return
		}
	}
}

// scan looks at the edges of the outer vertices in the queue; true: a pair was made.
func (m *matching) scan() bool {
	for len(m.queue) > 0 {
		u := m.queue[len(m.queue)-1]
		m.queue = m.queue[:len(m.queue)-1]
		for v := 1; v <= m.n; v++ {
			if m.top[u] == m.top[v] || m.label[m.top[v]] == inner {
				continue
			}
			if m.slack(edge{u, v}) != m.zero {
				m.offer(u, m.top[v])
			} else if m.use(edge{u, v}) {
				return true
			}
		}
	}
	return false
}

// offer notes u as the outer vertex nearest to x if it is.
func (m *matching) offer(u, x int) {
	if m.best[x] == 0 || m.slack(m.edges[u][x]).less(m.slack(m.edges[m.best[x]][x])) {
		m.best[x] = u
	}
}

// nearest finds the outer vertex nearest to x.
func (m *matching) nearest(x int) {
	m.best[x] = 0
	for u := 1; u <= m.n; u++ {
		if m.top[u] != x && m.label[m.top[u]] == outer {
			m.offer(u, x)
		}
	}
}

// enqueue puts all vertices of x into the queue.
func (m *matching) enqueue(x int) {
	if x <= m.n {
		m.queue = append(m.queue, x)
		return
	}
	for _, y := range m.cycle[x] {
		m.enqueue(y)
	}
}

// shift changes the duals until an edge is tight, and uses what has become tight; true: a pair was made.
func (m *matching) shift() bool {
	var lowest cost
	found := false
	lower := func(c cost) {
		if !found || c.less(lowest) {
			lowest, found = c, true
		}
	}
	for x := 1; x < len(m.top); x++ {
		switch {
		case m.top[x] != x:
		case m.label[x] == inner && x > m.n:
			lower(m.dual[x].half())
		case m.label[x] == free && m.best[x] != 0:
			lower(m.slack(m.edges[m.best[x]][x]))
		case m.label[x] == outer && m.best[x] != 0:
			lower(m.slack(m.edges[m.best[x]][x]).half())
		}
	}
	for v := 1; v <= m.n; v++ {
		switch m.label[m.top[v]] {
		case outer:
			m.dual[v] = m.dual[v].plus(lowest)
		case inner:
			m.dual[v] = m.dual[v].minus(lowest)
		}
	}
	for b := m.n + 1; b < len(m.top); b++ {
		if m.top[b] != b {
			continue
		}
		switch m.label[b] {
		case outer:
			m.dual[b] = m.dual[b].plus(lowest).plus(lowest)
		case inner:
			m.dual[b] = m.dual[b].minus(lowest).minus(lowest)
		}
	}
	return m.tighten()
}

// tighten uses the edges that have become tight, and opens the inner blossoms whose dual is zero.
func (m *matching) tighten() bool {
	for x := 1; x < len(m.top); x++ {
		if m.top[x] != x || m.label[x] == inner || m.best[x] == 0 || m.top[m.best[x]] == x {
			continue
		}
		if e := m.edges[m.best[x]][x]; m.slack(e) == m.zero && m.use(e) {
			return true
		}
	}
	for b := m.n + 1; b < len(m.top); b++ {
		if m.top[b] == b && m.label[b] == inner && m.dual[b] == m.zero {
			m.open(b)
		}
	}
	return false
}
