package standings

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"luzhanqi/tournament/rating"
)

// What JSON holds is rounded, so that the last bits of a computer's arithmetic do not show.
const (
	eloDigits   = 100   // 0.01 Elo
	shareDigits = 10000 // 0.0001
)

type tableJSON struct {
	By        string        `json:"by"`
	TieBreaks []string      `json:"tie_breaks"`
	Games     int           `json:"games"`
	Voids     int           `json:"voids"`
	First     Moved         `json:"first_player"`
	FirstMove *intervalJSON `json:"first_move_elo"` // null: not rated
	DrawShare *intervalJSON `json:"draw_share"`
	Players   []rowJSON     `json:"players"`
}

// intervalJSON is an interval at 95 %; an infinite end is null.
type intervalJSON struct {
	Value *float64 `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

type rowJSON struct {
	Row
	Score       *float64      `json:"score"` // null: no game
	Elo         *intervalJSON `json:"elo"`   // null: not rated
	Superiority *float64      `json:"superior_to_next"`
	Against     []cellJSON    `json:"against"` // by rank; only whom it met
}

type cellJSON struct {
	Player int `json:"player"`
	Cell
}

// MarshalJSON writes the table; what is infinite or unknown is null.
func (t *Table) MarshalJSON() ([]byte, error) {
	out := tableJSON{
		By: t.Order.By.String(), TieBreaks: []string{}, Games: t.Games, Voids: t.Voids,
		First: t.First, Players: []rowJSON{},
	}
	for _, tie := range t.Order.TieBreaks {
		out.TieBreaks = append(out.TieBreaks, tie.String())
	}
	if t.Rated {
		out.FirstMove, out.DrawShare = encode(t.FirstMove(), eloDigits), encode(t.DrawShare(), shareDigits)
	}
	against := t.against()
	for i, r := range t.Rows {
		row := rowJSON{Row: r, Against: against[r.Player]}
		if r.Games > 0 {
			row.Score = finite(r.Score, shareDigits)
		}
		if t.Rated {
			row.Elo = encode(r.Elo, eloDigits)
			if i+1 < len(t.Rows) {
				row.Superiority = finite(r.Superiority, shareDigits)
			}
		}
		out.Players = append(out.Players, row)
	}
	return json.Marshal(out)
}

// against returns the opponents of each player, by the players' place in the order of entry.
func (t *Table) against() [][]cellJSON {
	rank := make([]int, len(t.Rows))
	out := make([][]cellJSON, len(t.Rows))
	for i, r := range t.Rows {
		rank[r.Player], out[i] = i, []cellJSON{}
	}
	for pair, c := range t.cells {
		out[pair[0]] = append(out[pair[0]], cellJSON{pair[1], c})
	}
	for _, cells := range out {
		slices.SortFunc(cells, func(a, b cellJSON) int { return cmp.Compare(rank[a.Player], rank[b.Player]) })
	}
	return out
}

func encode(i rating.Interval, digits float64) *intervalJSON {
	return &intervalJSON{finite(i.Value, digits), finite(i.Low, digits), finite(i.High, digits)}
}

func finite(x, digits float64) *float64 {
	if math.IsInf(x, 0) {
		return nil
	}
	x = math.Round(x*digits)/digits + 0 // no -0
	return &x
}
