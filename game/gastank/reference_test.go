package gastank

import (
	"fmt"
	"slices"
	"strings"
)

// A second generator, written from the rules with plain loops: it shares nothing with Board.
type reference struct {
	cells map[string]string // by square; no entry: empty
	lower bool              // small letters are to move
}

func newReference(board string, lower bool) reference {
	r := reference{cells: map[string]string{}, lower: lower}
	for i, row := range strings.Split(board, "/") {
		for j, cell := range strings.Split(row, " ") {
			if cell != "--" {
				r.cells[fmt.Sprintf("%c%d", 'A'+j, 7-i)] = cell
			}
		}
	}
	return r
}

func (r reference) mine(cell string) bool { return (strings.ToLower(cell) == cell) == r.lower }

func (r reference) kings() (lower, upper bool) {
	for _, cell := range r.cells {
		lower = lower || cell[0] == 'k'
		upper = upper || cell[0] == 'K'
	}
	return lower, upper
}

// moves are all legal moves, sorted.
func (r reference) moves() []string {
	all := []string{}
	if lower, upper := r.kings(); !lower || !upper {
		return all
	}
	for from, cell := range r.cells {
		if !r.mine(cell) || cell[1] == '0' {
			continue
		}
		for _, to := range r.targets(from, strings.ToUpper(cell[:1])) {
			if target := r.cells[to]; target == "" || !r.mine(target) || strings.ToUpper(target[:1]) != "K" {
				all = append(all, from+to)
			}
		}
	}
	slices.Sort(all)
	return all
}

func (r reference) targets(from, kind string) (all []string) {
	file, rank := int(from[0]-'A'), int(from[1]-'1')
	step := func(df, dr int) (string, bool) {
		if f, n := file+df, rank+dr; f >= 0 && f < 8 && n >= 0 && n < 7 {
			return fmt.Sprintf("%c%c", 'A'+f, '1'+n), true
		}
		return "", false
	}
	add := func(steps ...[2]int) {
		for _, s := range steps {
			if to, ok := step(s[0], s[1]); ok {
				all = append(all, to)
			}
		}
	}
	if kind == "K" {
		add([2]int{1, 0}, [2]int{1, 1}, [2]int{0, 1}, [2]int{-1, 1}, [2]int{-1, 0}, [2]int{-1, -1}, [2]int{0, -1}, [2]int{1, -1})
	}
	if kind == "N" || kind == "Q" {
		add([2]int{1, 2}, [2]int{2, 1}, [2]int{-1, 2}, [2]int{-2, 1}, [2]int{1, -2}, [2]int{2, -1}, [2]int{-1, -2}, [2]int{-2, -1})
	}
	if kind == "B" || kind == "Q" {
		for _, d := range [][2]int{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
			for n := 1; ; n++ {
				to, ok := step(n*d[0], n*d[1])
				if !ok {
					break
				}
				all = append(all, to)
				if r.cells[to] != "" {
					break
				}
			}
		}
	}
	return all
}

func (r reference) play(move string) reference {
	next := reference{cells: map[string]string{}, lower: !r.lower}
	for sq, cell := range r.cells {
		next.cells[sq] = cell
	}
	from, to := move[:2], move[2:]
	cell := r.cells[from]
	gas := string(cell[1] - 1)
	if r.cells[to] != "" {
		gas = "3"
	}
	delete(next.cells, from)
	next.cells[to] = cell[:1] + gas
	return next
}

func (r reference) String() string {
	var rows []string
	for rank := '7'; rank >= '1'; rank-- {
		var row []string
		for file := 'A'; file <= 'H'; file++ {
			cell := r.cells[string([]rune{file, rank})]
			if cell == "" {
				cell = "--"
			}
			row = append(row, cell)
		}
		rows = append(rows, strings.Join(row, " "))
	}
	return strings.Join(rows, "/")
}
