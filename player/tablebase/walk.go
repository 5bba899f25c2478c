package tablebase

import (
	"context"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/chess1d"
)

// Known is a position with a move that is known to be right in it, and what it is worth. The board is
// as the side to move sees it.
type Known struct {
	Board chess1d.Board
	Move  game.Move
	Value Value
}

// HardMoves walks through every game that a side can get into that sets up own and plays by these
// moves, against every set-up and every reply, with either side beginning. It returns a right move for
// the positions that a search could be too slow for: the wins that take longer than so many plies, and
// the draws on the side's first turn. Progress may be nil; it counts enemy armies. It needs 0.7 GiB.
func HardMoves(ctx context.Context, own chess1d.SetUp, draws bool, longer int, progress Progress) ([]Known, error) {
	var all []Known
	if progress != nil {
		progress(0, armies)
	}
	number := SetUpNumber(own)
	for enemy := range army(armies) {
		m := matchup{army(number / perArmy), enemy}
		t := newTable(m, starting(m), draws)
		if err := t.solve(ctx, nil); err != nil {
			return nil, err
		}
		w := walk{search: newSearch(m, draws, 0), longer: longer, seen: map[state]bool{}}
		w.search.exact = t
		for n := range perArmy {
			if err := ctx.Err(); err != nil {
				t.free()
				return nil, err
			}
			w.start(pack(deployed(number, int(enemy)*perArmy+n)))
		}
		for _, k := range w.moves {
			all = append(all, Known{m.board(k.p), game.Move{From: game.Square(k.p.at(int(k.best.piece))), To: game.Square(k.best.to)}, k.value})
		}
		t.free()
		if progress != nil {
			progress(int(enemy)+1, armies)
		}
	}
	return all, nil
}

// deployed is the placement of two set-ups by their numbers.
func deployed(first, second int) (at squares) {
	copy(at[:], placements()[first][:])
	for place, sq := range placements()[second] {
		at[places+place] = chess1d.Size - 1 - sq
	}
	return at
}

// board writes a placement as a board, seen by the first army.
func (m matchup) board(p state) (b chess1d.Board) {
	for n := range b {
		b[n] = ' '
	}
	for piece := range 2 * places {
		if sq := p.at(piece); sq != off {
			b[sq] = m[piece/places].letter(piece % places)
			if piece >= places {
				b[sq] -= 'a' - 'A'
			}
		}
	}
	return b
}

type walk struct {
	search *search
	longer int
	seen   map[state]bool
	moves  []knownStep
}

type knownStep struct {
	p     state
	best  step
	value Value
}

func (w *walk) start(p state) {
	w.visit(p, true)
	w.replies(p, true)
}

// replies visits what the opponent can do.
func (w *walk) replies(p state, first bool) {
	moves, wins := w.search.moves(p, int(game.Second), nil)
	if wins {
		return
	}
	for _, m := range moves {
		w.visit(p.play(m, int(game.Second)), first)
	}
}

// visit finds the move for a position of the side's own, and goes on if it is a hard one.
func (w *walk) visit(p state, first bool) {
	if w.seen[p] {
		return
	}
	w.seen[p] = true
	moves, wins := w.search.moves(p, int(game.First), nil)
	if wins || len(moves) == 0 {
		return
	}
	switch w.search.exact.value(p.squares(), game.First) {
	case Draw:
		if first {
			w.moves = append(w.moves, knownStep{p, w.keeping(p, moves), Draw})
		}
	case Win:
		w.search.begin(time.Now().AddDate(1, 0, 0), 0)
		for depth := 1; depth < Horizon; depth++ {
			v, plies := w.search.value(p, int(game.First), depth, Draw, Win)
			if v != Win {
				continue
			}
			if plies > w.longer {
				e, _ := w.search.probe(p, int(game.First))
				w.moves = append(w.moves, knownStep{p, e.best, Win})
				w.replies(p.play(e.best, int(game.First)), false)
			}
			return
		}
	}
}

// keeping returns the first move that keeps a draw.
func (w *walk) keeping(p state, moves []step) step {
	for _, m := range moves {
		next := p.play(m, int(game.First))
		if w.search.exact.value(next.squares(), game.Second) == Draw {
			return m
		}
	}
	return moves[0]
}
