package stranger

import "luzhanqi/game/luzhanqi"

// lanes are the ways of an army, as its owner sees them. Beyond the enemy's row 11 every square is in all of them.
var lanes = map[string]luzhanqi.Squares{
	"any":    luzhanqi.EverySquare,
	"edge":   columnE | last,
	"centre": columnC | columnC<<1 | columnC>>1 | last,
	"both":   columnE | columnE>>4 | last,
}

const (
	columnC luzhanqi.Squares = (1 | 1<<5 | 1<<10 | 1<<15 | 1<<20 | 1<<25 | 1<<30 | 1<<35 | 1<<40 | 1<<45 | 1<<50 | 1<<55) << 2
	columnE luzhanqi.Squares = columnC << 2
	last    luzhanqi.Squares = luzhanqi.BackRows << 50
)

// history is what has happened, as both sides know it.
type history struct {
	ply       int
	exchanges int // fights in which both fell
	fights    int
	lead      int // enemy pieces that have fallen, less own ones
	passed    int // own moves into the enemy's half
}

// beginnings say whether it is time to strike, by the number of the style. Once it was, it stays so.
var beginnings = map[string]func(*history, float64) bool{
	"at once":         func(*history, float64) bool { return true },
	"after plies":     func(h *history, n float64) bool { return h.ply >= int(n) },
	"after exchanges": func(h *history, n float64) bool { return h.exchanges >= int(n) },
	"after fights":    func(h *history, n float64) bool { return h.fights >= int(n) },
	"when ahead":      func(h *history, n float64) bool { return h.lead >= int(n) },
	"after feint":     func(h *history, n float64) bool { return h.passed >= int(n) || h.ply >= 40 },
	"never":           func(*history, float64) bool { return false },
}
