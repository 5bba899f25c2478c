package luzhanqi

import (
	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player/luzhanqi/tables"
)

// state is a full-information position in a playout: what luzhanqi.Board holds, with ranks by
// square for look-ups without bit planes, which piece stands where, so that what is known of a
// piece follows it, and the material counted as it falls. Playouts copy it and play on the copy.
type state struct {
	of                             [2]luzhanqi.Squares
	fixed                          luzhanqi.Squares // flags and landmines of both sides
	engineers                      luzhanqi.Squares
	touched                        luzhanqi.Squares // from or to which a piece has moved, since the start of the world
	rank                           [64]luzhanqi.Rank
	piece                          [64]uint8
	shown                          [2][32]uint8 // by piece: what this playout has shown of it to its enemy
	floor                          [2][32]uint8 // by piece: the least rank it could be before the playout, less one
	worth                          [2]int32     // material, by the table material
	movers                         [2]int8      // pieces that are not fixed
	flag                           [2]game.Square
	mover                          game.Side
	lost                           int8 // 0: nobody has; else the number of the side that has
	minesStay                      uint8
	aim                            [2]game.Square // the headquarters that each side makes for
	ahead                          [2]uint8       // how much each side's quick policy cares to go forward
	last, before, origin, lastFrom game.Square    // where the last move went, and where the one before went and came from
}

// What a playout shows of a piece. The codes 1 to 8 say that it has beaten that rank.
const (
	shownNothing  = 0
	shownMobile   = 10 // it moved for the first time
	shownEngineer = 11 // it took a landmine
	shownNoNews   = 12 // it has moved before the playout, so that a move says nothing
	shownCodes    = 13
)

// combats is luzhanqi.Combat as a table, by minesStay and the codes of attacker and defender.
var combats = func() (table [2][tables.RankCodes * tables.RankCodes]luzhanqi.Result) {
	for stay := range table {
		for _, attacker := range luzhanqi.Ranks {
			for _, defender := range luzhanqi.Ranks {
				table[stay][int(attacker)*tables.RankCodes+int(defender)] = luzhanqi.Combat(attacker, defender, stay == 1)
			}
		}
	}
	return table
}()

// numbering gives the pieces their numbers. One that it does not know shares number 31 with the others.
type numbering func(game.Side, game.Square) (hiddeninfo.Piece, bool)

// bySquare numbers the pieces of each side in the order in which they are asked for.
func bySquare() numbering {
	var next [2]hiddeninfo.Piece
	return func(side game.Side, _ game.Square) (hiddeninfo.Piece, bool) {
		next[side]++
		return next[side] - 1, next[side] <= hiddeninfo.Pieces
	}
}

// newState sets up the pieces of a board.
func newState(b *luzhanqi.Board, mover game.Side, minesStay bool, number numbering) state {
	s := state{
		mover: mover, ahead: [2]uint8{steady, steady}, flag: [2]game.Square{tables.Nowhere, tables.Nowhere},
		last: tables.Nowhere, lastFrom: tables.Nowhere, before: tables.Nowhere, origin: tables.Nowhere,
	}
	if minesStay {
		s.minesStay = 1
	}
	for sq := range b.Occupied().All() {
		side, rank, _ := b.At(sq)
		at := luzhanqi.Bit(sq)
		s.of[side] |= at
		s.rank[sq] = rank
		s.piece[sq] = 31
		if p, ok := number(side, sq); ok {
			s.piece[sq] = uint8(p)
		}
		if rank.Moves() {
			s.movers[side]++
		} else {
			s.fixed |= at
		}
		switch rank {
		case luzhanqi.Engineer:
			s.engineers |= at
		case luzhanqi.Flag:
			s.flag[side] = sq
		}
	}
	return s
}

// value counts the material.
func (s *state) value() {
	for side := range s.of {
		s.worth[side] = 0
		for sq := range s.of[side].All() {
			s.worth[side] += material[s.rank[sq]&15]
		}
	}
}

// targets is where the piece on sq, which must be mobile and outside the headquarters, can move.
func (s *state) targets(sq game.Square) luzhanqi.Squares {
	occupied := s.of[0] | s.of[1]
	w := &tables.Paths[sq&63]
	t := w.Steps | w.Lines(occupied)
	if s.engineers.Has(sq) {
		t |= luzhanqi.RailwayFrom(sq, occupied)
	}
	return t &^ (s.of[s.mover&1] | occupied&luzhanqi.Camps)
}

// movable are the pieces of the mover that have a move, given the squares that it cannot enter. The railway
// leads nowhere that does not begin with a step.
func (s *state) movable(barred luzhanqi.Squares) luzhanqi.Squares {
	return s.of[s.mover&1] &^ (s.fixed | luzhanqi.Headquarters) & luzhanqi.Beside(luzhanqi.EverySquare&^barred)
}

// play makes a legal move.
func (s *state) play(from, to game.Square) {
	from, to = from&63, to&63
	me := s.mover & 1
	enemy := me ^ 1
	rank, piece := s.rank[from], s.piece[from]&31
	out, in := luzhanqi.Bit(from), luzhanqi.Bit(to)
	s.before, s.origin, s.last, s.lastFrom = s.last, s.lastFrom, to, from
	s.of[me] &^= out
	s.touched |= out | in
	s.mover = enemy
	if s.of[enemy]&in == 0 {
		s.of[me] |= in
		s.rank[to], s.piece[to] = rank, piece
		if rank == luzhanqi.Engineer {
			s.engineers = s.engineers&^out | in
		}
		if s.shown[me][piece] == shownNothing {
			s.shown[me][piece] = shownMobile
		}
		return
	}
	s.engineers &^= out
	other := s.rank[to]
	result := combats[s.minesStay&1][(int(rank)*tables.RankCodes+int(other))&255]
	if result.DefenderFalls() {
		s.of[enemy] &^= in
		s.fixed &^= in
		s.engineers &^= in
		s.worth[enemy] -= material[other&15]
		if other.Moves() {
			s.movers[enemy]--
		}
	} else {
		s.tell(enemy, s.piece[to], rank)
	}
	if result.AttackerFalls() {
		s.worth[me] -= material[rank&15]
		s.movers[me]--
		return
	}
	s.of[me] |= in
	s.rank[to], s.piece[to] = rank, piece
	switch {
	case result == luzhanqi.FlagTaken:
		s.lost = int8(enemy) + 1
		return
	case rank == luzhanqi.Engineer:
		s.engineers |= in
	}
	if other == luzhanqi.Landmine {
		s.shown[me][piece] = shownEngineer
		return
	}
	s.tell(me, piece, other)
}

// tell notes that a piece has beaten a rank.
func (s *state) tell(side game.Side, piece uint8, beaten luzhanqi.Rank) {
	if beaten > luzhanqi.General {
		return // nothing beats a field marshal; a bomb leaves nobody
	}
	now := &s.shown[side&1][piece&31]
	if beaten := uint8(beaten); beaten > s.floor[side&1][piece&31] && (*now == shownNothing || *now == shownMobile || *now == shownNoNews || *now < beaten) {
		*now = beaten
	}
}
