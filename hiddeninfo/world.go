package hiddeninfo

import "luzhanqi/game/luzhanqi"

// World is one answer to everything hidden: the rank of each of an army's pieces, dead or alive
// (a determinization).
type World [Pieces]luzhanqi.Rank

// Marginals are probabilities by piece and rank code; each row adds up to 1.
type Marginals [Pieces][rankCodes]float64
