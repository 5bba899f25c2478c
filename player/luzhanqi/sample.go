package luzhanqi

import (
	"math/rand/v2"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player/luzhanqi/tables"
)

// sampler makes the worlds of one choice.
type sampler struct {
	view   *luzhanqi.View
	belief *hiddeninfo.Belief
	style  Style
	random *rand.Rand
	truth  *luzhanqi.Board
	ours   *exchanges // the same in all worlds
	kept   bool       // exchanges keep what a policy is learned by
	// What the enemy knows of us, by the masks that it leaves our standing pieces: many worlds have the same.
	known map[[hiddeninfo.Pieces]hiddeninfo.Mask]*exchanges
}

// draw samples n worlds and the order in which playouts take them. If there are no more than n, each
// is there once and taken as often as it is likely.
func (d *sampler) draw(n int) (worlds []*world, schedule []int) {
	if d.truth != nil {
		return []*world{d.world(d.truth, nil)}, []int{0}
	}
	if !d.style.Beliefs {
		return d.blind(n)
	}
	if all, ok := d.belief.Enumerate(n, nil); ok {
		turns := 256.0 // by which chances are rounded
		if d.style.Most > 0 {
			turns = max(turns, 16*float64(len(all)))
		}
		for i, w := range all {
			board := d.belief.Board(&w.World)
			worlds = append(worlds, d.world(&board, &all[i].World))
			for range max(int(w.P*turns+0.5), 1) {
				schedule = append(schedule, i)
			}
		}
		d.random.Shuffle(len(schedule), func(i, j int) { schedule[i], schedule[j] = schedule[j], schedule[i] })
		return worlds, schedule
	}
	for i := range n {
		var w hiddeninfo.World
		d.belief.Sample(d.random, &w)
		board := d.belief.Board(&w)
		worlds = append(worlds, d.world(&board, &w))
		schedule = append(schedule, i)
	}
	return worlds, schedule
}

// blind samples worlds that agree with the rules of set-ups and with who has moved, but with nothing
// that combat has told.
func (d *sampler) blind(n int) (worlds []*world, schedule []int) {
	var masks [hiddeninfo.Pieces]hiddeninfo.Mask
	fresh := hiddeninfo.New(luzhanqi.NewView(d.view.Side(), d.view.SetUp(), d.view.MinesStay()))
	flag, shown := d.view.EnemyFlag()
	for p := range hiddeninfo.Piece(hiddeninfo.Pieces) {
		masks[p] = fresh.Known(p)
		sq, alive := d.belief.SquareOf(p)
		if !alive || sq != d.belief.Initial(p) {
			masks[p] &= hiddeninfo.Movers | 1<<luzhanqi.Landmine
		}
		if alive && sq != d.belief.Initial(p) {
			masks[p] &= hiddeninfo.Movers
		}
		if shown && sq == flag {
			masks[p] = hiddeninfo.Only(luzhanqi.Flag)
		}
	}
	a := hiddeninfo.NewAssignments()
	if !a.Solve(&masks, nil) {
		for p := range masks {
			masks[p] = hiddeninfo.AnyRank
		}
		a.Solve(&masks, nil)
	}
	for i := range n {
		var w hiddeninfo.World
		a.By(0).Sample(d.random, &w)
		board := d.belief.Board(&w)
		worlds = append(worlds, d.world(&board, nil))
		schedule = append(schedule, i)
	}
	return worlds, schedule
}

// world prepares one. Without the enemy's ranks by piece, both sides see everything.
func (d *sampler) world(board *luzhanqi.Board, ranks *hiddeninfo.World) *world {
	side := d.view.Side()
	w := newWorld(board, side, d.view.MinesStay(), d.numbering())
	w.everyGate = d.style.Gates
	if d.style.Policy != nil {
		w.policy = d.style.Policy()
		w.start.remember(d.view)
	}
	if ranks == nil {
		for s := range game.Side(2) {
			var of suspects
			for sq := range w.start.of[s.Other()].All() {
				of[w.start.piece[sq]] = certain(w.start.rank[sq])
			}
			w.exchanges[s] = d.exchanges(&w.start, s.Other(), &of)
			for p := range w.start.shown[s] { // what is known already is not told
				w.start.shown[s][p], w.start.floor[s][p] = shownNoNews, uint8(luzhanqi.FieldMarshal)
			}
		}
		return w
	}
	if d.ours == nil {
		d.ours = d.know(&w.start)
	}
	w.exchanges[side] = d.ours
	w.exchanges[side.Other()] = d.theirs(&w.start, ranks)
	for p := range hiddeninfo.Pieces {
		note(&w.start, side.Other(), p, d.belief.Mask(hiddeninfo.Piece(p)))
	}
	return w
}

// numbering tells which piece stands where: as the belief does, or in the order of the squares for a
// board that is the truth.
func (d *sampler) numbering() numbering {
	if d.truth != nil {
		return bySquare()
	}
	return func(side game.Side, sq game.Square) (hiddeninfo.Piece, bool) {
		if side == d.view.Side() {
			return d.belief.OwnPieceAt(sq)
		}
		return d.belief.PieceAt(sq)
	}
}

// exchanges works out what is known of a side's pieces that stand, by their odds.
func (d *sampler) exchanges(s *state, side game.Side, of *suspects) *exchanges {
	var pieces uint32
	var squares [32]game.Square
	for sq := range s.of[side].All() {
		pieces |= 1 << s.piece[sq]
		squares[s.piece[sq]] = sq
	}
	k := newExchanges(of, pieces, &squares, d.view.MinesStay())
	if d.style.Policy != nil {
		k.weighed = k.weigh(d.style.Policy(), of, pieces)
	}
	if d.kept {
		k.kept = newKept(of, pieces)
	}
	return k
}

// know works out what we know of the enemy.
func (d *sampler) know(s *state) *exchanges {
	var of suspects
	marginals := d.belief.Marginals()
	for p := range hiddeninfo.Pieces {
		of[p] = marginals[p]
	}
	of[31][luzhanqi.Captain] = 1
	return d.exchanges(s, d.view.Side().Other(), &of)
}

// theirs works out what the enemy of this world knows of us.
func (d *sampler) theirs(s *state, ranks *hiddeninfo.World) *exchanges {
	var masks [hiddeninfo.Pieces]hiddeninfo.Mask
	d.belief.Opponent(ranks, &masks)
	side := d.view.Side()
	var left [tables.RankCodes]uint8
	var key [hiddeninfo.Pieces]hiddeninfo.Mask
	for sq := range s.of[side].All() {
		left[s.rank[sq]]++
		if p := s.piece[sq]; p < hiddeninfo.Pieces {
			key[p] = masks[p]
		}
	}
	for p, m := range masks {
		note(s, side, p, m)
	}
	if k, ok := d.known[key]; ok {
		return k
	}
	flag := 0.0
	if d.style.FlagOdds {
		flag = flagOdds(&masks, s.of[side], &s.piece)
	}
	var of suspects
	for p := range hiddeninfo.Pieces {
		of[p] = suspected(masks[p], &left)
		if flag > 0 {
			of[p].setFlag(masks[p], flag)
		}
	}
	of[31][luzhanqi.Captain] = 1
	k := d.exchanges(s, side, &of)
	if d.known == nil {
		d.known = map[[hiddeninfo.Pieces]hiddeninfo.Mask]*exchanges{}
	}
	d.known[key] = k
	return k
}

// note writes into the start of a world whether a first move of the piece will say something, and what it has beaten.
func note(s *state, side game.Side, p int, m hiddeninfo.Mask) {
	if m&^hiddeninfo.Movers == 0 {
		s.shown[side][p] = shownNoNews
	}
	for rank := luzhanqi.Engineer; rank <= luzhanqi.General && !m.Has(rank); rank++ {
		s.floor[side][p] = uint8(rank)
	}
}
