package film

import (
	"fmt"
	"slices"
	"strings"

	"luzhanqi/game"
	"luzhanqi/player"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
)

// OfRecord is the film of a record, with everything that is in it; find looks its game up. A record without a position
// gives a film without frames.
func OfRecord(r *record.Replay, find func(name string) (game.Game, error)) (*Film, error) {
	g, err := find(r.Header.Game)
	if err != nil {
		return nil, err
	}
	f := New(g, [2]string{r.Header.Players[0].Name, r.Header.Players[1].Name}, r.Header.Limits.Move, All, First, Second)
	for ply, pos := range r.Positions {
		if ply == 0 {
			f.Begin(pos)
			continue
		}
		line := r.Moves[ply-1]
		m, err := g.ParseMove(line.Move)
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", ply, err)
		}
		f.Move(r.Positions[ply-1].Mover(), m, pos, Ply{Took: line.Took, Drawn: line.Drawn, Said: Said(line.Comment, line.Explanation)})
	}
	switch {
	case r.Ending != nil:
		f.End = EndOf(r.Ending)
	case r.Torn:
		f.End = &End{Code: "torn", Reason: "the record breaks off here"}
	}
	return f, nil
}

// EndOf is an ending as pages show it.
func EndOf(e *referee.Ending) *End {
	end := &End{Code: string(e.Code), Reason: e.Reason}
	if e.Winner != nil {
		end.Winner = e.Winner.Number()
	}
	return end
}

// candidates is how many moves an explanation names.
const candidates = 4

// Said is what a player says of its move: its comment, or its explanation in a sentence.
func Said(comment string, e *player.Explanation) string {
	if comment != "" || e == nil {
		return comment
	}
	var s strings.Builder
	if e.Forced {
		s.WriteString("forced")
	}
	if i := slices.IndexFunc(e.Candidates, func(c player.Explained) bool { return c.Move == e.Move }); i >= 0 {
		fmt.Fprintf(&s, "chose %s %+.2f", e.Move, e.Candidates[i].Value)
		word := " over"
		for n, c := range e.Candidates[:min(candidates, len(e.Candidates))] {
			if n != i {
				fmt.Fprintf(&s, "%s %s %+.2f", word, c.Move, c.Value)
				word = ","
			}
		}
	}
	if e.Score != nil {
		fmt.Fprintf(&s, "score %+d at depth %d", *e.Score, e.Depth)
	}
	if len(e.Line) > 0 {
		fmt.Fprintf(&s, ": %s", strings.Join(e.Line, ", "))
	}
	if s.Len() > 0 {
		s.WriteString("; ")
	}
	fmt.Fprintf(&s, "%d positions looked at", e.Nodes)
	return s.String()
}
