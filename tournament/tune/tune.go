// Package tune finds better values for numbers of a program, by games of the program against itself.
//
// [Load] reads a plan: one player, in whose command line or environment {name} stands for a number. A [Tuning] is a tournament
// of two players in rounds, whose values in a round follow from the results of the rounds before; so it is played, resumed,
// stored and given to workers like any other. After the last round the tuned values meet those at the start. [Tuning.State] says
// how far it has come, [WriteSVG] and [State.Text] show it.
package tune

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"luzhanqi/referee"
	"luzhanqi/tournament"
	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/plan/strict"
	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/schedule"
	"luzhanqi/tournament/store"
)

// Tuning is a plan that can be played.
type Tuning struct {
	*tournament.Tournament
	Numbers []Number
	Rounds  int // of tuning
	Verify  int // rounds of the tuned values against those at the start, after them
	spsa    spsa
	name    string // of the player

	mu     sync.Mutex
	cursor *schedule.Cursor
	open   []schedule.Game // of the round that is not complete
	path   [][]float64     // theta before the first round, and after each
	after  rating.Tally    // of the verification, from the side of the tuned values
	played int             // rounds of either kind that are complete
}

// The defaults of [tune].
const (
	defaultPairs  = 1000
	defaultBatch  = 8
	defaultVerify = 200
	// decay is what rate and pairs make if the plan has no rate. A number that costs 5 Elo at one step from its best value is
	// brought to within a twentieth of where it began by a product of 25, where each win counts as in the last round.
	decay = 25
	// The bounds of such a rate: fishtest's own for tens of thousands of games, and what leaves less than a step of noise.
	minRate, maxRate = 0.002, 0.1
)

// Load reads a plan; version is that of this program.
func Load(file, version string) (*Tuning, tournament.Options, error) {
	u := &Tuning{}
	p, err := plan.LoadSingle(file, u.read)
	if err != nil {
		return nil, tournament.Options{}, err
	}
	player := p.Players[0]
	u.name = player.Name
	p.Players = []plan.Player{player, player}
	p.Players[0].Name, p.Players[1].Name = player.Name+"+", player.Name+"-"
	t, o, err := tournament.FromPlan(p, version)
	if err != nil {
		return nil, o, err
	}
	u.spsa.seed = p.Schedule.Seed
	lines, err := u.canonical()
	if err != nil {
		return nil, o, err
	}
	t.Text += lines
	sum := sha256.Sum256([]byte(t.Text))
	t.Fingerprint = hex.EncodeToString(sum[:])
	t.Vary = u.entrants
	u.Tournament, u.cursor = t, t.Schedule.Cursor()
	start := make([]float64, len(u.Numbers))
	for i, n := range u.Numbers {
		start[i] = n.Start
	}
	u.path = [][]float64{start}
	return u, o, nil
}

// read takes out what a tuning has besides a tournament.
func (u *Tuning) read(root *strict.Table, p *plan.Plan) {
	t := root.Table("tune")
	s := &u.spsa
	s.pairs = int(t.Whole("pairs", defaultPairs, 1, schedule.MaxGames/4))
	s.batch = min(int(t.Whole("batch", defaultBatch, 1, 10_000)), s.pairs)
	verify := int(t.Whole("verify", defaultVerify, 0, schedule.MaxGames/4))
	s.rate = t.Number("rate", min(max(decay/float64(s.pairs), minRate), maxRate), 1e-6, 10)
	u.Rounds, u.Verify = (s.pairs+s.batch-1)/s.batch, (verify+s.batch-1)/s.batch
	if all := u.Rounds + u.Verify; all > schedule.MaxSwissRounds {
		t.Errorf("batch", "found %d: that makes %d rounds; allowed are %d, so %d or more pairs a round", s.batch, all, schedule.MaxSwissRounds,
			(s.pairs+verify)/(schedule.MaxSwissRounds-2)+1)
		return
	}
	tables := root.Tables("number")
	if len(tables) == 0 || len(tables) > MaxNumbers {
		root.Errorf("number", "found %d numbers; allowed are 1 to %d, each begun with [[number]]", len(tables), MaxNumbers)
		return
	}
	player := &p.Players[0]
	for _, t := range tables {
		n := readNumber(t)
		if slices.ContainsFunc(u.Numbers, func(o Number) bool { return o.Name == n.Name }) {
			t.Errorf("name", "another number is called %q too", n.Name)
		}
		if player.Level == nil && !n.uses(player.Command) {
			t.Errorf("name", "%s stands neither in the player's command nor in its env", n.placeholder())
		}
		u.Numbers = append(u.Numbers, n)
	}
	if player.Level != nil {
		root.Errorf("player", "a built-in level has no numbers; a program has, such as luzhanqi player --level easy --nodes {nodes}")
	}
	s.numbers = u.Numbers
	p.Schedule = schedule.Spec{
		Format: schedule.Swiss, Players: 2, Games: 2 * s.batch, Rounds: u.Rounds + u.Verify, Rematches: true, Seed: p.Schedule.Seed, Seeds: schedule.Mixed,
	}
}

// canonical is what decides results besides the tournament.
func (u *Tuning) canonical() (string, error) {
	text := fmt.Sprintf("tune.pairs = %d\ntune.verify_rounds = %d\ntune.rate = %v\n", u.spsa.pairs, u.Verify, u.spsa.rate)
	for _, n := range u.Numbers {
		line, err := json.Marshal(n)
		if err != nil {
			return "", err
		}
		text += fmt.Sprintf("tune.number.%s = %s\n", n.Name, line)
	}
	return text, nil
}

// errEarly: a game is asked for before the results that it depends on are there.
var errEarly = errors.New("the round before is not complete")

// entrants are who plays a game.
func (u *Tuning) entrants(ctx context.Context, s *store.Store, g schedule.Game) (both [2]referee.Entrant, err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.advance(ctx, s); err != nil {
		return both, err
	}
	values, names := [2][]float64{}, [2]string{"+", "-"}
	switch {
	case g.Round-1 > u.played:
		return both, fmt.Errorf("game %s: %w", g.ID, errEarly)
	case g.Round <= u.Rounds:
		r := u.spsa.play(g.Round, u.path[g.Round-1])
		values = [2][]float64{r.plus, r.minus}
	default:
		values, names = [2][]float64{u.tuned(), u.path[0]}, [2]string{" tuned", " at the start"}
	}
	for side, player := range g.Players {
		both[side] = u.Players[player].Entrant
		both[side].Name = u.name + names[player]
		both[side].Command = fill(both[side].Command, u.Numbers, values[player])
	}
	return both, nil
}

// tuned are the values that have come out so far.
func (u *Tuning) tuned() []float64 {
	values := settled(u.path)
	for i := range values {
		values[i] = u.Numbers[i].final(values[i])
	}
	return values
}

// advance takes in the results of rounds that are complete.
func (u *Tuning) advance(ctx context.Context, s *store.Store) error {
	results := &stored{ctx: ctx, store: s}
	for {
		for len(u.open) < 2*u.spsa.batch {
			g, ok := u.cursor.Next(results)
			if !ok || results.err != nil {
				return results.err
			}
			u.open = append(u.open, g)
		}
		all := make([]rating.Result, len(u.open))
		for i, g := range u.open {
			if all[i] = results.Result(g.ID); all[i] == rating.Void {
				return results.err
			}
			if g.Players[0] == 1 {
				all[i] = all[i].Swapped()
			}
		}
		at, won := u.open[0].Round, 0
		for i, r := range all {
			won += int(r) - int(rating.Draw)
			if at > u.Rounds {
				u.after.Add(at*schedule.MaxGames+u.open[i].Pair, r)
			}
		}
		if at <= u.Rounds {
			theta := u.path[at-1]
			u.path = append(u.path, u.spsa.move(at, theta, u.spsa.play(at, theta), won))
		}
		u.played, u.open = at, nil
	}
}

// stored answers a schedule from a store.
type stored struct {
	ctx   context.Context
	store *store.Store
	err   error
}

func (s *stored) Result(id string) rating.Result {
	if s.err != nil {
		return rating.Void
	}
	var r rating.Result
	if r, s.err = s.store.Outcome(s.ctx, id); s.err != nil {
		return rating.Void
	}
	return r
}
