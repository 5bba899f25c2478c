package schedule

import "slices"

// use follows a tight edge from an outer vertex; true: a pair was made.
func (m *matching) use(e edge) bool {
	x, y := m.top[e.u], m.top[e.v]
	switch m.label[y] {
	case free: // its partner becomes outer
		m.parent[y], m.label[y] = e.u, inner
		z := m.top[m.mate[y]]
		m.best[y], m.best[z] = 0, 0
		m.label[z] = outer
		m.enqueue(z)
	case outer:
		ancestor := m.ancestor(x, y)
		if ancestor == 0 {
			m.augment(x, y)
			m.augment(y, x)
			return true
		}
		m.close(x, ancestor, y)
	}
	return false
}

// ancestor is the nearest common one of two outer vertices or blossoms; zero: they are in two trees.
func (m *matching) ancestor(x, y int) int {
	m.search++
	for x != 0 || y != 0 {
		if x != 0 {
			if m.seen[x] == m.search {
				return x
			}
			m.seen[x] = m.search
			if x = m.top[m.mate[x]]; x != 0 {
				x = m.top[m.parent[x]]
			}
		}
		x, y = y, x
	}
	return 0
}

// augment pairs x with y, and swaps the pairs along the path from x to its root.
func (m *matching) augment(x, y int) {
	for {
		partner := m.top[m.mate[x]]
		m.match(x, y)
		if partner == 0 {
			return
		}
		above := m.top[m.parent[partner]]
		m.match(partner, above)
		x, y = above, partner
	}
}

// match makes the edge from x to y the one by which x is paired, and moves the bases of blossoms to it.
func (m *matching) match(x, y int) {
	e := m.edges[x][y]
	m.mate[x] = e.v
	if x <= m.n {
		return
	}
	entry := m.part[x][e.u]
	steps := m.even(x, entry)
	for i := range steps {
		m.match(m.cycle[x][i], m.cycle[x][i^1])
	}
	m.match(entry, y)
	m.cycle[x] = slices.Concat(m.cycle[x][steps:], m.cycle[x][:steps])
}

// even turns the cycle of a blossom such that the way from its base to a part of it has an even number
// of steps, and returns the number.
func (m *matching) even(b, part int) int {
	steps := slices.Index(m.cycle[b], part)
	if steps%2 == 1 {
		slices.Reverse(m.cycle[b][1:])
		return len(m.cycle[b]) - steps
	}
	return steps
}

// close makes a blossom of the cycle through x, y and their common ancestor. It is outer.
func (m *matching) close(x, ancestor, y int) {
	b := m.n + 1
	for m.top[b] != 0 {
		b++
	}
	m.dual[b], m.label[b], m.mate[b], m.parent[b] = m.zero, outer, m.mate[ancestor], m.parent[ancestor]
	cycle := []int{ancestor}
	for i, end := range []int{x, y} {
		if i == 1 {
			slices.Reverse(cycle[1:])
		}
		for end != ancestor {
			partner := m.top[m.mate[end]]
			cycle = append(cycle, end, partner)
			m.enqueue(partner)
			end = m.top[m.parent[partner]]
		}
	}
	m.cycle[b] = cycle
	m.place(b, b)
	m.join(b)
	m.nearest(b)
}

// place says that top is the outermost blossom that x and all in it are in.
func (m *matching) place(x, top int) {
	m.top[x] = top
	if x > m.n {
		for _, y := range m.cycle[x] {
			m.place(y, top)
		}
	}
}

// join finds the edges of a new blossom: of those of its parts the ones with least slack.
func (m *matching) join(b int) {
	clear(m.edges[b])
	clear(m.part[b])
	for x := range m.edges {
		m.edges[x][b] = edge{}
	}
	for _, y := range m.cycle[b] {
		for x := 1; x < len(m.top); x++ {
			e, known := m.edges[y][x], m.edges[b][x]
			if m.top[x] == 0 || m.top[x] == b || e.u == 0 || known.u != 0 && !m.slack(e).less(m.slack(known)) {
				continue
			}
			m.edges[b][x], m.edges[x][b] = e, edge{e.v, e.u}
		}
		for v := 1; v <= m.n; v++ {
			if m.part[y][v] != 0 {
				m.part[b][v] = y
			}
		}
	}
}

// open takes an inner blossom apart: the way from its parent to its partner through it stays in the
// tree, the other parts leave it.
func (m *matching) open(b int) {
	for _, x := range m.cycle[b] {
		m.place(x, x)
	}
	entry := m.part[b][m.edges[b][m.parent[b]].u]
	steps := m.even(b, entry)
	cycle := m.cycle[b]
	for i := 0; i < steps; i += 2 {
		x, next := cycle[i], cycle[i+1]
		m.parent[x] = m.edges[next][x].u
		m.label[x], m.label[next] = inner, outer
		m.best[x] = 0
		m.nearest(next)
		m.enqueue(next)
	}
	m.label[entry], m.parent[entry] = inner, m.parent[b]
	m.best[entry] = 0
	for _, x := range cycle[steps+1:] {
		m.label[x] = free
		m.nearest(x)
	}
	m.top[b] = 0
	m.cycle[b] = nil
}
