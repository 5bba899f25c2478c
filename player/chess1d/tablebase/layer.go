package tablebase

// cell is the values of sixteen positions that differ only in where the second archer stands: a bit
// for each square, bit 15 for captured. A position in neither set is drawn, or not solved yet.
type cell struct{ win, loss uint16 }

// layer is all positions with the same pawns and royals. The cells are indexed by who moves and by
// the squares of the first horse, the first archer and the second horse.
type layer [2][cells]cell

const cells = 16 * 16 * 16

func index(h, a, h2 uint8) int { return int(h) | int(a)<<4 | int(h2)<<8 }

// layerKey is where the pawns and royals stand.
type layerKey uint16

func keyOf(pawn1, royal1, pawn2, royal2 uint8) layerKey {
	return layerKey(pawn1) | layerKey(royal1)<<4 | layerKey(pawn2)<<8 | layerKey(royal2)<<12
}

func (k layerKey) squares() (pawn1, royal1, pawn2, royal2 uint8) {
	return uint8(k & 15), uint8(k >> 4 & 15), uint8(k >> 8 & 15), uint8(k >> 12)
}

const onBoard = 1<<15 - 1

func bit(sq uint8) uint16 { return 1 << sq &^ (1 << off) }
