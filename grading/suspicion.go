package grading

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"luzhanqi/grading/report"
	"luzhanqi/referee"
	"luzhanqi/text"
	"luzhanqi/tournament/store"
)

// What is pointed out is for a teacher to look at, and never changes a mark: programs that are alike were perhaps given out
// so, and who resigns to one opponent only perhaps loses to it only.

// classEnding is how a game of the class tournament ended, as far as a player's own fault did it.
type classEnding struct {
	Code  referee.Code `json:"code"`
	Loser int          `json:"loser"` // by the places of the players; -1: nobody's fault
	Other int          `json:"other"`
	Plies int          `json:"plies"`
}

// endingOf is how a game ended.
func endingOf(r *store.Result) classEnding {
	e := classEnding{Code: r.Ending.Code, Loser: -1, Other: -1, Plies: r.Ending.Plies}
	if w := r.Ending.Winner; w != nil && e.Code != referee.Won {
		e.Loser, e.Other = r.Players[w.Other()], r.Players[*w]
	} else if w != nil {
		e.Other = r.Players[*w]
	}
	return e
}

const (
	leastAlike   = 2   // games that two must have played alike
	leastPlies   = 10  // of such a game: shorter ones are alike by chance
	leastOthers  = 4   // games against others, for a rate of giving up to be known
	givesUpOften = 0.2 // at a greater rate against others, giving up says nothing
)

// suspicions are what the programs have in common, and who gives up to whom.
func suspicions(works []*submissionRun, class *classFound) (notes []report.Note) {
	notes = append(notes, same(works)...)
	notes = append(notes, alike(works)...)
	if class != nil {
		notes = append(notes, gifts(class)...)
	}
	return notes
}

// same are submissions of different people that are the same, or became the same by their builds.
func same(works []*submissionRun) (notes []report.Note) {
	seen := map[string]bool{}
	for _, by := range []struct {
		what string
		of   func(w *submissionRun) string
	}{
		{"handed in the same files", func(w *submissionRun) string { return w.content }},
		{"are the same, file by file, as they were built", func(w *submissionRun) string {
			if w.evidence.Built() {
				return w.evidence.Build.Tree
			}
			return ""
		}},
	} {
		groups := map[string][]string{}
		for _, w := range works {
			if w.err == nil && w.evidence != nil {
				if key := by.of(w); key != "" && !slices.Contains(groups[key], w.base) {
					groups[key] = append(groups[key], w.base)
				}
			}
		}
		for _, names := range sorted(groups) {
			if key := strings.Join(names, "\x00"); len(names) > 1 && !seen[key] {
				seen[key] = true
				notes = append(notes, report.Note{Name: listed(names), Text: by.what})
			}
		}
	}
	return notes
}

// alike are submissions that are not the same, and played all games against a level alike.
func alike(works []*submissionRun) (notes []report.Note) {
	groups := map[string][]string{}
	trees := map[string]map[string]bool{}
	games := map[string]int{}
	for _, w := range works {
		if w.err != nil || w.evidence == nil || !w.evidence.Built() {
			continue
		}
		var key strings.Builder
		n := 0
		for _, item := range slices.Sorted(maps.Keys(w.evidence.Matches)) {
			for _, g := range w.evidence.Matches[item].Games {
				if g.Course == "" || g.Plies < leastPlies {
					continue
				}
				fmt.Fprintf(&key, "%d %s %s\n", item, g.ID, g.Course)
				n++
			}
		}
		if n < leastAlike {
			continue
		}
		k := key.String()
		if !slices.Contains(groups[k], w.base) {
			groups[k] = append(groups[k], w.base)
		}
		if trees[k] == nil {
			trees[k] = map[string]bool{}
		}
		trees[k][w.evidence.Build.Tree], games[k] = true, n
	}
	for _, k := range slices.Sorted(maps.Keys(groups)) {
		if names := groups[k]; len(names) > 1 && len(trees[k]) > 1 {
			notes = append(notes, report.Note{Name: listed(names), Text: fmt.Sprintf("played all %d games against staff levels alike, move by move, with files that differ", games[k])})
		}
	}
	slices.SortFunc(notes, func(a, b report.Note) int { return strings.Compare(a.Name, b.Name) })
	return notes
}

// gifts are those who gave every game to one opponent by their own fault, and to others hardly any.
func gifts(class *classFound) (notes []report.Note) {
	type pair struct{ loser, other int }
	given, all := map[pair][]classEnding{}, map[pair]int{}
	gave, played := map[int]int{}, map[int]int{}
	for i, g := range class.Games {
		if i >= len(class.Endings) {
			return nil // of an earlier version
		}
		all[pair{g.First, g.Second}]++
		all[pair{g.Second, g.First}]++
		played[g.First]++
		played[g.Second]++
		if e := class.Endings[i]; e.Loser >= 0 {
			given[pair{e.Loser, e.Other}] = append(given[pair{e.Loser, e.Other}], e)
			gave[e.Loser]++
		}
	}
	for _, p := range slices.SortedFunc(maps.Keys(given), func(a, b pair) int { return (a.loser-b.loser)*len(class.Players) + a.other - b.other }) {
		endings := given[p]
		others, elsewhere := played[p.loser]-all[p], gave[p.loser]-len(endings)
		if len(endings) < leastAlike || len(endings) < all[p] || others < leastOthers || float64(elsewhere) > givesUpOften*float64(others) {
			continue
		}
		names := [2]string{class.Players[p.loser].Name, class.Players[p.other].Name}
		if names[0] == "" || names[1] == "" {
			continue
		}
		var how []string
		for _, e := range endings {
			how = append(how, fmt.Sprintf("%s after %s", e.Code, text.Count(e.Plies, "ply")))
		}
		notes = append(notes, report.Note{Name: listed(names[:]), Text: fmt.Sprintf("%s gave %s of the class tournament to %s by its own fault (%s), and %d of %s to all others",
			names[0], text.Count(len(endings), "game"), names[1], strings.Join(how[:min(len(how), 6)], ", "), elsewhere, text.Count(others, "game"))})
	}
	return notes
}

func sorted(groups map[string][]string) (all [][]string) {
	for _, names := range groups {
		slices.Sort(names)
		all = append(all, names)
	}
	slices.SortFunc(all, slices.Compare)
	return all
}

// listed names some, the rest by their number.
func listed(names []string) string {
	const most = 8
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
