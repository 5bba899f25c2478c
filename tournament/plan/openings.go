package plan

import (
	"fmt"
	"os"

	"luzhanqi/game"
	"luzhanqi/referee/opening"
)

// openings reads how games begin, after the players.
func (r *reading) openings() {
	file := r.root.Text("openings", "")
	r.Openings.Random = int(r.root.Whole("random_plies", 0, 0, opening.MaxRandom))
	if file != "" {
		list, err := readOpenings(Resolve(r.folder, file), r.Plan)
		if err != nil {
			r.root.Error("openings", fmt.Errorf("%q: %w", file, err))
		}
		r.Openings.List = list
	}
	if r.Openings.None() {
		return
	}
	for i := range r.Players {
		if e := &r.Players[i].Entrant; e.Protocol != nil {
			r.root.Error(playerKey(i, "dialect"), e.CheckOpening(&r.Openings))
		}
	}
}

func readOpenings(file string, p *Plan) ([]game.Opening, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return opening.Read(f, p.Game, p.Rules, p.Outcome)
}
