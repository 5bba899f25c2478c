package game

import "luzhanqi/picture"

// PicturedGame is a game that says how its board looks. Its positions and views are [Pictured].
type PicturedGame interface {
	Game
	Board() *picture.Board
}

// Pictured is a position or a view that says which pieces stand where: all of them, or those that the side sees.
type Pictured interface {
	Pieces() []picture.Piece
}

// Picture is the board of a game with the pieces of one of its positions or views. Those of a game that says nothing
// of it are a plain grid.
func Picture(g Game, of interface{ Draw(DrawStyle) string }) (*picture.Board, []picture.Piece) {
	if pictured, ok := g.(PicturedGame); ok {
		if p, ok := of.(Pictured); ok {
			return pictured.Board(), p.Pieces()
		}
	}
	return picture.Grid(of.Draw(DrawStyle{}))
}

// OpenPieces are those that both sides see: of each side's what its enemy sees of them.
func OpenPieces(g Game, pos Position) []picture.Piece {
	var all []picture.Piece
	for side := range Side(2) {
		_, seen := Picture(g, pos.View(side.Other()))
		for _, p := range seen {
			if p.Side == side.Number() || p.Side == 0 && side == First {
				all = append(all, p)
			}
		}
	}
	return all
}

// Narrated is a position or a view that says in words what its latest move did, beyond from where it led to where; nothing that
// only one side may know.
type Narrated interface {
	// Told is a sentence without its end, such as "B8 attacks C7, and both fall", and a short form for lists,
	// such as "B8×C7 =". ok is false before the first move.
	Told() (sentence, short string, ok bool)
}
