// Package tournaments shows tournaments while they are played: standings, games that are being played, encounters that are left,
// ratings over time.
//
// A tournament is played by another process, `luzhanqi tournament run`, into a store; a [Watched] looks at that store when
// somebody asks, and not too often. So nothing of the tournament depends on the server, and the server starts no programs.
package tournaments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"luzhanqi/tournament"
	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/standings"
	"luzhanqi/tournament/store"
)

const (
	maxSchedule = 200_000 // games of schedules whose encounters are counted
	maxHistory  = 20_000  // games of which the ratings over time are worked out
	maxCurves   = 60      // players of whom they are
	points      = 30      // of each curve
	latest      = 12      // games in the list of those that are over
)

// Watched is a tournament that is looked at.
type Watched struct {
	Name, Plan, Dir string
	Version         string        // of this program
	Every           time.Duration // how often the store is looked at, at most

	mu    sync.Mutex
	next  time.Time // before it nobody looks
	state state
	view  *View
}

// state is what is looked at first: while it is the same, so is the view.
type state struct {
	planned         time.Time // when the plan was written
	finished, voids int
	pid             int
	playing         string
	problem         string
}

// View is a tournament at one time. It is not changed.
type View struct {
	Seq      int // counts views
	Title    string
	Game     string
	Format   string
	Pace     string
	Problem  string // why there is nothing else
	Running  bool   // on this machine
	Finished int
	Min, Max int // games in all
	Voids    int
	Complete bool
	Table    *standings.Table
	Playing  []Playing
	Left     []Encounter // the most games first; nil: there are too many to count
	LeftAll  int         // games
	Curves   []Curve
	Steps    []int // games after which the curves have their points
	Latest   []Over

	open map[string]bool // games that are to come or being played; nil: too many to say
}

// Playing is a game that is being played.
type Playing struct {
	ID, First, Second, Worker string
	Since                     time.Time
}

// Encounter is how often two players have yet to meet.
type Encounter struct {
	Players [2]string
	Games   int
}

// Curve is a player's rating over time.
type Curve struct {
	Name string
	Elo  []float64 // as many as steps; NaN: not known
}

// Over is a game that is over.
type Over struct {
	ID, First, Second, Reason string
	Plies                     int
	Winner                    string // empty: drawn
	Ended                     time.Time
	Shown                     bool // its record may be seen
}

// Now is the tournament as it is.
func (w *Watched) Now(ctx context.Context) *View {
	w.mu.Lock()
	defer w.mu.Unlock()
	began := time.Now()
	if w.view != nil && began.Before(w.next) {
		return w.view
	}
	v, s, err := w.look(ctx)
	if err != nil && ctx.Err() != nil && w.view != nil {
		return w.view // who asked has gone
	}
	if err != nil {
		s = state{problem: err.Error()}
		v = &View{Title: w.Name, Problem: err.Error()}
	}
	if v != nil && (w.view == nil || s != w.state) {
		if v.Seq = 1; w.view != nil {
			v.Seq = w.view.Seq + 1
		}
		w.view, w.state = v, s
	}
	w.next = time.Now().Add(max(w.Every, 10*time.Since(began))) // a great tournament takes longer to look at
	return w.view
}

// look looks; no view: nothing has changed.
func (w *Watched) look(ctx context.Context) (*View, state, error) {
	var s state
	info, err := os.Stat(w.Plan)
	if err != nil {
		return nil, s, fmt.Errorf("the plan: %w", err)
	}
	s.planned = info.ModTime()
	read, err := plan.Load(w.Plan)
	if err != nil {
		return nil, s, err
	}
	t, _, err := tournament.FromPlan(read, w.Version)
	if err != nil {
		return nil, s, err
	}
	begun, pid, err := tournament.Playing(w.Dir)
	if err != nil {
		return nil, s, err
	}
	s.pid = pid
	for _, g := range begun {
		s.playing += g.ID + " "
	}
	results, err := t.Open(ctx, w.Dir)
	if err != nil && !errors.Is(err, store.ErrNone) {
		return nil, s, err
	}
	if results != nil {
		defer results.Close()
		if s.finished, s.voids, err = results.Count(ctx); err != nil {
			return nil, s, err
		}
	}
	if w.view != nil && s == w.state {
		return nil, s, nil
	}
	v, err := draw(ctx, t, results, begun)
	if err == nil {
		v.Title, v.Running = cmp.Or(read.Name, w.Name), pid != 0
	}
	return v, s, err
}

// known are the results that there are, by the id of the game.
type known map[string]rating.Result

func (k known) Result(id string) rating.Result {
	if r, ok := k[id]; ok {
		return r
	}
	return rating.Void
}

// draw works out a view; without a store nothing was played.
func draw(ctx context.Context, t *tournament.Tournament, s *store.Store, begun []tournament.Begun) (*View, error) {
	v := &View{Game: t.Game.Name(), Format: t.Plan.Schedule.Format.String(), Pace: t.Limits.Pace()}
	v.Min, v.Max = t.Schedule.Size()
	names := t.Names()
	var all []*store.Result
	var err error
	if s == nil {
		v.Table, err = standings.Compute(names, nil, t.Order())
	} else if v.Table, err = t.Standings(ctx, s); err == nil {
		err = s.Results(ctx, false, func(r *store.Result) error {
			r.Record = nil
			all = append(all, r)
			return nil
		})
	}
	if err != nil {
		return nil, err
	}
	v.Finished, v.Voids = len(all), v.Table.Voids
	results := known{}
	for _, r := range all {
		results[r.ID] = r.Outcome()
	}
	v.counted(t, results, begun, names)
	slices.SortStableFunc(all, func(a, b *store.Result) int { return a.Ended.Compare(b.Ended) })
	for _, r := range slices.Backward(all[max(0, len(all)-latest):]) {
		o := Over{ID: r.ID, First: names[r.Players[0]], Second: names[r.Players[1]], Reason: r.Ending.Reason, Plies: r.Ending.Plies, Ended: r.Ended, Shown: v.shown(r.ID)}
		switch r.Points() {
		case 1:
			o.Winner = o.First
		case 0:
			o.Winner = o.Second
		}
		v.Latest = append(v.Latest, o)
	}
	return v, v.rate(t, all, names)
}

// counted goes through the schedule: which games are left, and who plays now.
func (v *View) counted(t *tournament.Tournament, results known, begun []tournament.Begun, names []string) {
	playing := map[string]tournament.Begun{}
	for _, b := range begun {
		playing[b.ID] = b
	}
	if v.Max > maxSchedule {
		for _, b := range begun {
			v.Playing = append(v.Playing, Playing{ID: b.ID, Worker: b.Worker, Since: b.Since})
		}
		return
	}
	left := map[[2]int]int{}
	v.open = map[string]bool{}
	cursor := t.Schedule.Cursor()
	for g, more := cursor.Next(results); more; g, more = cursor.Next(results) {
		if _, over := results[g.ID]; over {
			continue
		}
		v.open[g.ID] = true
		left[[2]int{min(g.Players[0], g.Players[1]), max(g.Players[0], g.Players[1])}]++
		v.LeftAll++
		if b, ok := playing[g.ID]; ok {
			v.Playing = append(v.Playing, Playing{g.ID, names[g.Players[0]], names[g.Players[1]], b.Worker, b.Since})
		}
	}
	v.Complete = cursor.Complete() && v.LeftAll == 0
	v.Left = []Encounter{}
	for pair, games := range left {
		v.Left = append(v.Left, Encounter{[2]string{names[pair[0]], names[pair[1]]}, games})
	}
	slices.SortFunc(v.Left, func(a, b Encounter) int {
		return cmp.Or(b.Games-a.Games, cmp.Compare(a.Players[0], b.Players[0]), cmp.Compare(a.Players[1], b.Players[1]))
	})
	slices.SortFunc(v.Playing, func(a, b Playing) int { return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.ID, b.ID)) })
}

// partner is the other game of a pair, which has the same seed, and so the same hidden things; empty: there is none.
func partner(id string) string {
	if at := strings.LastIndex(id, "-g"); at >= 0 {
		if number, ok := map[string]string{"-g1": "-g2", "-g2": "-g1"}[id[at:]]; ok {
			return id[:at] + number
		}
	}
	return ""
}

// shown says whether the record of a game that is over may be seen: that of its pair is not to come any more.
func (v *View) shown(id string) bool { return v.open != nil && !v.open[partner(id)] }

// rate works out ratings over time: those of all games that had ended by then.
func (v *View) rate(t *tournament.Tournament, all []*store.Result, names []string) error {
	if len(all) < 2 || len(all) > maxHistory || len(names) > maxCurves {
		return nil
	}
	tally, done := standings.NewTally(names), 0
	for _, name := range names {
		v.Curves = append(v.Curves, Curve{Name: name})
	}
	for n := 1; n <= min(points, len(all)); n++ {
		for until := len(all) * n / min(points, len(all)); done < until; done++ {
			if err := tally.Add(all[done].Standing()); err != nil {
				return err
			}
		}
		table, err := tally.Table(t.Order())
		if err != nil {
			return err
		}
		v.Steps = append(v.Steps, done)
		for i := range v.Curves {
			v.Curves[i].Elo = append(v.Curves[i].Elo, math.NaN())
		}
		for _, row := range table.Rows {
			if table.Rated && row.Games > 0 && !math.IsInf(row.Elo.Value, 0) {
				v.Curves[row.Player].Elo[n-1] = row.Elo.Value
			}
		}
	}
	return nil
}

// ErrWithheld is the error of Record for a game whose pair is not over.
var ErrWithheld = errors.New("the other game of this pair is not over: both share what is hidden, and are shown afterwards")

// Record is the record of a game, in JSON Lines; nil: there is none.
func (w *Watched) Record(ctx context.Context, id string) ([]byte, error) {
	if !w.Now(ctx).shown(id) {
		return nil, ErrWithheld
	}
	s, err := store.Open(ctx, w.Dir)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	r, err := s.Result(ctx, id)
	if r == nil || err != nil {
		return nil, err
	}
	return s.Record(ctx, id, r.Attempt)
}
