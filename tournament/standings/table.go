package standings

import (
	"fmt"
	"slices"

	"luzhanqi/tournament/rating"
)

// Table is the standings of a tournament.
type Table struct {
	Order Order
	Rows  []Row // by rank
	Games int   // that count
	Voids int   // that do not
	// Rated says whether players have ratings; more than 1,000 have none.
	Rated bool
	// Ratings are in the order of entry, scaled to their worth in points.
	Ratings rating.Ratings
	First   Moved // all games, from the side of the player who moved first

	cells map[[2]int]Cell
}

// Moved counts games by result.
type Moved struct {
	Wins   int `json:"wins"`
	Draws  int `json:"draws"`
	Losses int `json:"losses"`
}

// Row is one player's place.
type Row struct {
	Rank            int     `json:"rank"`   // from 1
	Player          int     `json:"player"` // in the order of entry, from 0
	Name            string  `json:"name"`
	Games           int     `json:"games"`
	Wins            int     `json:"wins"`
	Draws           int     `json:"draws"`
	Losses          int     `json:"losses"`
	Fouls           int     `json:"fouls"` // games lost by breaking the rules or failing
	Byes            int     `json:"byes"`
	Reached         int     `json:"rounds_survived,omitempty"` // of a knockout
	Points          float64 `json:"points"`                    // with those for byes
	HeadToHead      float64 `json:"head_to_head"`              // 0 where it was not asked for
	SonnebornBerger float64 `json:"sonneborn_berger"`
	Buchholz        float64 `json:"buchholz"`

	Score       float64         `json:"-"` // points a game, without byes: 0 to 1; 0 without games
	Elo         rating.Interval `json:"-"` // difference to the mean of all players
	Superiority float64         `json:"-"` // likelihood to be stronger than the next in rank; ½ of the last
}

// Cell counts the points and games of one player against another.
type Cell struct {
	Points float64 `json:"points"`
	Games  int     `json:"games"`
}

// maxRated is how many players can be rated.
const maxRated = 1000

// Table makes the standings.
func (t *Tally) Table(order Order) (*Table, error) {
	if err := order.check(); err != nil {
		return nil, err
	}
	n := len(t.names)
	table := &Table{
		Order: Order{order.By, slices.Clone(order.TieBreaks)}, Games: t.games, Voids: t.voids,
		Rated: n > 0 && n <= maxRated, cells: make(map[[2]int]Cell, 2*len(t.met)),
	}
	if order.By == Elo && n > maxRated {
		return nil, fmt.Errorf("rank %d players by Elo: allowed are %d", n, maxRated)
	}
	met := t.meetings()
	rows := make([]Row, n)
	for i := range rows {
		rows[i] = Row{Player: i, Name: t.names[i], Fouls: t.fouls[i], Byes: t.sat[i], Reached: t.last[i], Points: float64(t.byes[i]) / 2}
	}
	for _, m := range met {
		table.First.Wins += m.Wins
		table.First.Draws += m.Draws
		table.First.Losses += m.Losses
		table.add(&rows[m.First], m.Second, m.Wins, m.Draws, m.Losses)
		table.add(&rows[m.Second], m.First, m.Losses, m.Draws, m.Wins)
	}
	for _, m := range met { // all points are in halves and all products in quarters: sums are exact
		for _, pair := range [...][2]int{{m.First, m.Second}, {m.Second, m.First}} {
			row, other, points := &rows[pair[0]], &rows[pair[1]], float64(m.Wins)
			if pair[0] == m.Second {
				points = float64(m.Losses)
			}
			points += float64(m.Draws) / 2
			row.SonnebornBerger += points * other.Points
			row.Buchholz += float64(m.Wins+m.Draws+m.Losses) * other.Points
		}
	}
	if table.Rated {
		ratings, err := rating.Fit(n, met)
		if err != nil {
			return nil, err
		}
		table.Ratings = ratings.Scaled()
		for i := range rows {
			rows[i].Elo = table.Ratings.FromMean(i)
		}
	}
	for i := range rows {
		if r := &rows[i]; r.Games > 0 {
			r.Score = (float64(r.Wins) + float64(r.Draws)/2) / float64(r.Games)
		}
	}
	table.Rows = order.rank(rows, table)
	for i := range table.Rows {
		r := &table.Rows[i]
		r.Rank, r.Superiority = i+1, 0.5
		if table.Rated && i+1 < n {
			r.Superiority = table.Ratings.Superiority(r.Player, table.Rows[i+1].Player)
		}
	}
	return table, nil
}

func (t *Table) add(row *Row, other, wins, draws, losses int) {
	row.Games += wins + draws + losses
	row.Wins += wins
	row.Draws += draws
	row.Losses += losses
	points := float64(wins) + float64(draws)/2
	row.Points += points
	cell := t.cells[[2]int{row.Player, other}]
	cell.Points += points
	cell.Games += wins + draws + losses
	t.cells[[2]int{row.Player, other}] = cell
}

// Cell returns the score of a player against another, both by their place in the order of entry.
func (t *Table) Cell(player, against int) Cell { return t.cells[[2]int{player, against}] }

// FirstMove returns what moving first is worth, in Elo.
func (t *Table) FirstMove() rating.Interval { return t.Ratings.Advantage() }

// DrawShare is the share of games between equals that are drawn, 0 to 1.
func (t *Table) DrawShare() rating.Interval { return t.Ratings.DrawShare() }

// Fouls says whether any game was lost by a foul.
func (t *Table) Fouls() bool {
	return slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Fouls > 0 })
}
