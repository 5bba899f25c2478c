package tablebase

// cell is the values of sixteen positions that differ only in where the second archer stands: a bit
// for each square, bit 15 for captured. A position in neither set is drawn, or not solved yet.
type cell struct{ win, loss uint16 }

// layer is all positions with the same pawns and royals. The cells are indexed by who moves and by
// the squares of the first horse, the first archer and the second horse.
type layer [2][cells]cell

const cells = 16 * 16 * 16

func index(h, a, h2 uint8) int { return int(h) | int(a)<<4 | int(h2)<<8 }

// layer numbers the squares of pawns and royals, cell is the index in their layer.
func (p state) layer() int { return int(p&0xf | p>>8&0xff0 | p>>16&0xf000) }
func (p state) cell() int  { return int(p>>4&0xff | p>>12&0xf00) }

const onBoard = 1<<15 - 1

func bit(sq uint8) uint16 { return 1 << sq &^ (1 << off) }
