package page

import (
	"cmp"
	"html/template"
	"maps"
	"slices"
	"strconv"

	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/standings"
)

// Standings is the table of standings.
func Standings(t *standings.Table) template.HTML {
	has := func(tie standings.TieBreak) bool { return slices.Contains(t.Order.TieBreaks, tie) }
	return render("standings.html", map[string]any{
		"Rows": t.Rows, "Rated": t.Rated, "Fouls": t.Fouls(), "Last": len(t.Rows),
		"HeadToHead": has(standings.HeadToHead), "SonnebornBerger": has(standings.SonnebornBerger), "Buchholz": has(standings.Buchholz),
		"First": t.First, "FirstMove": t.FirstMove(), "Games": t.Games,
	})
}

type crossRow struct {
	Rank  int
	Name  string
	Cells []crossCell
}

type crossCell struct {
	Self   bool
	Games  int
	Points string
	Shade  int // 0 to 4: lost all to won all
}

// CrossTable shows the score of each player against each other, by rank; of more than 60 players, that of the first 60.
func CrossTable(t *standings.Table) template.HTML {
	rows := t.Rows[:min(len(t.Rows), maxCross)]
	var cross []crossRow
	for i, r := range rows {
		row := crossRow{Rank: r.Rank, Name: r.Name}
		for j, other := range rows {
			c := t.Cell(r.Player, other.Player)
			cell := crossCell{Self: i == j, Games: c.Games, Points: strconv.FormatFloat(c.Points, 'f', -1, 64)}
			if c.Games > 0 {
				cell.Shade = min(int(5*c.Points/float64(c.Games)), 4)
			}
			row.Cells = append(row.Cells, cell)
		}
		cross = append(cross, row)
	}
	return render("cross.html", map[string]any{"Rows": cross, "Players": len(t.Rows), "Games": t.Games})
}

type endingsRow struct {
	Name   string
	Counts []int
	Total  int
}

// Endings is how the players lost, the most frequent way first.
func Endings(players []PlayerRow) template.HTML {
	totals := map[string]int{}
	for _, p := range players {
		for way, n := range p.Endings {
			totals[way] += n
		}
	}
	ways := slices.SortedFunc(maps.Keys(totals), func(a, b string) int {
		return cmp.Or(totals[b]-totals[a], cmp.Compare(a, b))
	})
	var rows []endingsRow
	for _, p := range players[:min(len(players), maxPlayers)] {
		row := endingsRow{Name: p.Name}
		for _, way := range ways {
			row.Counts = append(row.Counts, p.Endings[way])
			row.Total += p.Endings[way]
		}
		rows = append(rows, row)
	}
	return render("endings.html", map[string]any{"Ways": ways, "Rows": rows, "Players": len(players)})
}

type gameRow struct {
	GameRow
	Result string
}

// Games is the list of games, of which it shows the first 1,000. total is how many there are, if the
// list is already only part of them; 0: it is not.
func Games(list []GameRow, total int) template.HTML {
	var rows []gameRow
	for _, g := range list[:min(len(list), maxGames)] {
		rows = append(rows, gameRow{g, results[min(g.Result, rating.Win+1)]})
	}
	return render("games.html", map[string]any{"Rows": rows, "Total": max(total, len(list))})
}

var results = [...]string{rating.Void: "void", rating.Loss: "0–1", rating.Draw: "½–½", rating.Win: "1–0", rating.Win + 1: "?"}
