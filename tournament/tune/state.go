package tune

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"luzhanqi/text"
	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/store"
)

// State is how far a tuning has come.
type State struct {
	Rounds   int         `json:"rounds"` // of tuning that are complete, of Of
	Of       int         `json:"of"`
	Numbers  []Value     `json:"numbers"`
	Path     [][]float64 `json:"path"` // of the numbers: before the first round, and after each
	Verified int         `json:"verified"`
	Complete bool        `json:"complete"`
	// Gain is the tuned values against those at the start, in games that were not tuned by; null: none were played yet.
	Gain *Gain `json:"gain"`
}

// Value is a number and what has come of it.
type Value struct {
	Number
	Tuned float64 `json:"tuned"`
}

// Gain is what games of the tuned values against those at the start say.
type Gain struct {
	Games    int      `json:"games"`
	Score    float64  `json:"score"`
	Elo      *float64 `json:"elo"`       // null: infinite
	EloError *float64 `json:"elo_error"` // of the 95 % interval
	LOS      float64  `json:"los"`
	Text     string   `json:"-"`
}

// State reads how far the tuning has come.
func (u *Tuning) State(ctx context.Context, s *store.Store) (State, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.advance(ctx, s); err != nil {
		return State{}, err
	}
	return u.state(), nil
}

func (u *Tuning) state() State {
	st := State{
		Rounds: len(u.path) - 1, Of: u.Rounds, Path: slices.Clone(u.path), Verified: max(0, u.played-u.Rounds), Complete: u.played == u.Rounds+u.Verify,
	}
	for i, x := range u.tuned() {
		st.Numbers = append(st.Numbers, Value{u.Numbers[i], x})
	}
	if c := u.after.Counts(); u.after.Games().Total() > 0 {
		e := rating.NewEstimate(c)
		st.Gain = &Gain{
			Games: u.after.Games().Total(), Score: e.Score.Value, Elo: finite(e.Elo.Value), EloError: finite(e.Elo.Error()), LOS: e.Superiority,
			Text: rating.NewVerdict(c, nil).String(),
		}
	}
	return st
}

// finite is a number for JSON, which has no infinity.
func finite(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}

// Line is the state in one line: it is shown while games are played.
func (st *State) Line() string {
	var values []string
	for i, n := range st.Numbers {
		values = append(values, n.Name+" "+n.Format(n.final(st.Path[len(st.Path)-1][i])))
	}
	what := fmt.Sprintf("round %d of %d", st.Rounds, st.Of)
	if st.Rounds == st.Of {
		what = "tuned; against the start"
		if st.Gain != nil {
			what = fmt.Sprintf("tuned; %s against the start", text.Count(st.Gain.Games, "game"))
		}
	}
	return what + ": " + strings.Join(values, ", ")
}

// Text writes the numbers with their course, and the gain.
func (st *State) Text(w io.Writer) {
	wide := len("number")
	for _, n := range st.Numbers {
		wide = max(wide, len(n.Name))
	}
	fmt.Fprintf(w, "%-*s  %12s  %12s  %-24s  course\n", wide, "number", "start", "tuned", "range")
	for i, n := range st.Numbers {
		fmt.Fprintf(w, "%-*s  %12s  %12s  %-24s  %s\n", wide, n.Name, n.Format(n.Start), n.Format(n.Tuned),
			n.Format(n.Min)+" to "+n.Format(n.Max), sparkline(&n.Number, st.Path, i))
	}
	switch {
	case st.Gain != nil && st.Complete:
		fmt.Fprintf(w, "gain in %s against the start: %s\n", text.Count(st.Gain.Games, "game"), st.Gain.Text)
	case st.Gain != nil:
		fmt.Fprintf(w, "gain so far in %s against the start: %s\n", text.Count(st.Gain.Games, "game"), st.Gain.Text)
	case st.Complete:
		fmt.Fprintln(w, "gain: not measured (verify = 0)")
	default:
		fmt.Fprintf(w, "%d of %d rounds were played; the gain is measured after them\n", st.Rounds, st.Of)
	}
}

// sparkline is the course of a number within its range, in at most twenty characters.
func sparkline(n *Number, path [][]float64, i int) string {
	const most = 20
	bars := []rune("▁▂▃▄▅▆▇█")
	points := min(most, len(path))
	line := make([]rune, points)
	for p := range line {
		at := len(path) - 1
		if points > 1 {
			at = p * (len(path) - 1) / (points - 1)
		}
		share := (path[at][i] - n.Min) / (n.Max - n.Min)
		line[p] = bars[min(len(bars)-1, int(share*float64(len(bars))))]
	}
	return string(line)
}
