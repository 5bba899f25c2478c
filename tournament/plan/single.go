package plan

import (
	"path/filepath"

	"luzhanqi/tournament/plan/strict"
	"luzhanqi/tournament/schedule"
)

// LoadSingle reads a plan of one player, without a format or a test: whoever asks for it decides what the player plays. more
// takes out of the file what else there is.
func LoadSingle(file string, more func(root *strict.Table, p *Plan)) (*Plan, error) {
	d, err := strict.Load(file)
	if err != nil {
		return nil, err
	}
	r := reading{Plan: &Plan{document: d, File: file}, folder: filepath.Dir(file), root: d.Root(), single: true}
	r.Name = r.root.Text("name", "")
	g := ReadGame(r.root)
	if g == nil {
		return nil, d.Reported() // nothing else makes sense without it
	}
	r.Conditions = ReadConditions(r.root, g)
	r.adjudication()
	r.players()
	if len(r.Players) == 1 {
		r.openings()
	}
	r.Schedule.Seed, r.Schedule.Seeds = ReadSeed(r.root), schedule.Wide // whoever plays it says how its games are made
	r.execution()
	if len(r.Players) == 1 {
		more(r.root, r.Plan)
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	return r.Plan, nil
}
