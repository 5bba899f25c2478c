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
// all draws, since what loses in them can take longer than anything to be seen. Where having no move draws,
// these are millions, so it is only those on the first turn. It needs 0.7 GiB.
func HardMoves(ctx context.Context, own chess1d.SetUp, draws bool, longer int, progress Progress) ([]Known, error) {
	var all []Known
	progress.tell("book", draws, 0, armies)
	number := SetUpNumber(own)
	seen := map[chess1d.Board]bool{}
	for enemy := range army(armies) {
		m := matchup{army(number / perArmy), enemy}
		t := newTable(m, starting(m), draws)
		if err := t.solve(ctx, nil); err != nil {
			return nil, err
		}
		w := walk{search: newSearch(m, draws, 0), matchup: m, longer: longer, seen: seen}
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
		progress.tell("book", draws, int(enemy)+1, armies)
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
	search  *search
	matchup matchup
	longer  int
	// seen is shared by all armies: a board does not tell what letter was captured, nor does it matter.
	seen  map[chess1d.Board]bool
	moves []knownStep
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
	board := w.matchup.board(p)
	if w.seen[board] {
		return
	}
	w.seen[board] = true
	moves, wins := w.search.moves(p, int(game.First), nil)
	if wins || len(moves) == 0 {
		return
	}
	switch w.search.exact.value(p, game.First) {
	case Draw:
		if !first && w.search.draws {
			return
		}
		best := w.keeping(p, moves)
		if len(moves) > 1 {
			w.moves = append(w.moves, knownStep{p, best, Draw})
		}
		if !w.search.draws {
			w.replies(p.play(best, int(game.First)), false)
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

// keeping returns a move that keeps a draw: of all these one after which the smallest part of the replies
// keeps it too, and of equal ones one with the fewest replies that lead to draws not seen yet. So those
// who err are punished, and the draws lead back to each other: all set-ups together have 2,700 of them.
func (w *walk) keeping(p state, moves []step) (best step) {
	minDrawn, ofAll, minFresh := 2, 1, 0 // more than all
	for _, m := range moves {
		next := p.play(m, int(game.First))
		if w.search.exact.value(next, game.Second) != Draw {
			continue
		}
		drawn, fresh, all := 0, 0, 0
		replies, _ := w.search.moves(next, int(game.Second), nil) // nobody wins at once where it is drawn
		for _, reply := range replies {
			all++
			if after := next.play(reply, int(game.Second)); w.search.exact.value(after, game.First) == Draw {
				drawn++
				if !w.seen[w.matchup.board(after)] {
					fresh++
				}
			}
		}
		if all == 0 { // by the rules that make this a draw
			drawn, all = 1, 1
		}
		if part := drawn*ofAll - minDrawn*all; part < 0 || part == 0 && fresh < minFresh {
			best, minDrawn, ofAll, minFresh = m, drawn, all, fresh
		}
	}
	return best
}
