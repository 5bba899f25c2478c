package plan

import (
	"errors"
	"slices"
	"strconv"

	"luzhanqi/tournament/plan/strict"
	"luzhanqi/tournament/schedule"
)

// formatKeys are the keys that not all formats have.
var formatKeys = []struct {
	key     string
	formats []schedule.Format
}{
	{"cycles", []schedule.Format{schedule.RoundRobin, schedule.Gauntlet}},
	{"rounds", []schedule.Format{schedule.Swiss}},
	{"rematches", []schedule.Format{schedule.Swiss}},
	{"seeding", []schedule.Format{schedule.Swiss, schedule.Knockout}},
	{"replays", []schedule.Format{schedule.Knockout}},
}

// specKeys are the keys at which an error in a field of the spec is shown.
var specKeys = map[string]string{"Games": "games", "Cycles": "cycles", "Rounds": "rounds", "Replays": "replays", "Drawn": "seeding"}

// replays is how many further pairs a tied encounter of a knockout is given if the plan does not say.
const replays = 5

// schedule reads the format, after the players.
func (r *reading) schedule() {
	t := r.root
	name := t.Text("format", "")
	s := schedule.Spec{
		Players: len(r.Players), Seed: r.seed(),
		Games: int(t.Whole("games", 2, 1, schedule.MaxGames)), Odd: t.Flag("odd_games", false),
		Cycles:    int(t.Whole("cycles", 0, 1, schedule.MaxGames)),
		Rounds:    int(t.Whole("rounds", 0, 1, schedule.MaxSwissRounds)),
		Rematches: t.Flag("rematches", false),
		Drawn:     t.Word("seeding", "entry", "entry", "drawn") == "drawn",
		Replays:   int(t.Whole("replays", 0, 0, schedule.MaxReplays)),
	}
	t.Require("format")
	if !t.Has("format") {
		return
	}
	var err error
	if s.Format, err = schedule.ParseFormat(name); err != nil {
		t.Error("format", err)
		return
	}
	if s.Format == schedule.Swiss {
		t.Require("rounds")
	}
	for _, f := range formatKeys {
		has := slices.Contains(f.formats, s.Format)
		switch {
		case t.Has(f.key) && !has:
			t.Errorf(f.key, "a %v has none; allowed with format %v", s.Format, f.formats)
		case f.key == "cycles" && has && !t.Has(f.key):
			s.Cycles = 1
		case f.key == "replays" && has && !t.Has(f.key):
			s.Replays = replays
		}
	}
	s.Challengers, s.Growing = r.challengers(s.Format), s.Format.Grows()
	if !r.sound() {
		return // what the schedule would say of it would only confuse
	}
	if _, err := schedule.New(s); err != nil {
		var wrong *schedule.SpecError
		key := "format"
		if errors.As(err, &wrong) && specKeys[wrong.Field] != "" {
			key = specKeys[wrong.Field]
		}
		t.Error(key, err)
		return
	}
	r.Schedule = s
}

// challengers are the players that a gauntlet is about.
func (r *reading) challengers(f schedule.Format) (challengers []int) {
	for i, p := range r.Players {
		switch {
		case p.Challenger && f != schedule.Gauntlet:
			r.root.Errorf(playerKey(i, "challenger"), "a %v has no challengers; only a gauntlet has", f)
		case p.Challenger:
			challengers = append(challengers, i)
		}
	}
	return challengers
}

// sound says that nothing was wrong so far.
func (r *reading) sound() bool { return r.document.Reported() == nil }

// playerKey is a key of a player, as strict names it.
func playerKey(i int, key string) string { return strict.Join("player", strconv.Itoa(i+1), key) }
