// Package tournament plays many games between many players and loses none: a schedule says which games
// there are, a queue hands them to workers in this process and on other machines, and a store keeps their
// results and records.
//
// [FromPlan] makes a [Tournament] of a plan. [Run] plays it, or goes on with one that was interrupted, however it
// was; [Work] is a worker; [Tournament.Open] reads what was played so far, and [Tournament.Standings] and
// [Tournament.WriteHTML] say what has come of it.
//
// How nothing is lost or counted twice: the schedule is a pure function of the plan and the results, so that
// every game has an id that never changes; a job is taken out of the queue only after its result is in
// it, and a result only after it is in the store; the store takes one result for each id. Whatever dies in
// between, the game is at worst played twice, and counted once.
//
// The parts are packages: plan reads the file, schedule says which games there are, queue and store keep them,
// rating and standings evaluate the results, page draws them.
package tournament

import (
	"context"
	crand "crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"luzhanqi/referee"
	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/schedule"
	"luzhanqi/tournament/store"
)

// Tournament is a plan that can be played.
type Tournament struct {
	*plan.Plan // its Command.Env is added to the environment of the worker, its Concurrency written into records
	Schedule   *schedule.Schedule

	// Text is all that influences results, a line for each thing, and Fingerprint its digest. A store goes on with
	// the plan that it began with, and no other.
	Text, Fingerprint string
	Version           string // of this program

	// Vary says who plays a game instead of the players of the plan; nil: they do. It depends on the plan and on results of
	// earlier games alone.
	Vary func(ctx context.Context, s *store.Store, g schedule.Game) ([2]referee.Entrant, error)
}

// FromPlan makes the tournament that a plan describes, and the options by which the plan wants it to be played:
// Dir, Events and Warn are to be added.
func FromPlan(p *plan.Plan, version string) (*Tournament, Options, error) {
	s, err := schedule.New(p.Schedule)
	if err != nil {
		return nil, Options{}, err
	}
	t := &Tournament{Plan: p, Schedule: s, Text: p.Canonical(), Fingerprint: p.Fingerprint(), Version: version}
	return t, Options{Queue: p.Queue, PlanFile: p.File, Concurrency: p.Concurrency, Pin: p.Pin}, nil
}

// Names are the names of the players.
func (t *Tournament) Names() []string {
	names := make([]string, len(t.Players))
	for i, p := range t.Players {
		names[i] = p.Name
	}
	return names
}

// ErrPlan is the error of [Run] and [Tournament.Open] when the store holds another tournament.
var ErrPlan = errors.New("the store holds the results of another plan")

// Open opens the results in a directory for reading; ErrPlan: they are of another tournament.
func (t *Tournament) Open(ctx context.Context, dir string) (*store.Store, error) {
	s, err := store.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	i, err := s.Identity(ctx)
	if err == nil {
		if err = t.adopt(i); err == nil {
			err = t.belongs(i)
		}
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	s.Players = len(t.Players)
	return s, nil
}

// identify makes sure that the store is of this tournament.
func (t *Tournament) identify(ctx context.Context, s *store.Store) (store.Identity, error) {
	s.Players = len(t.Players)
	i, err := s.Identity(ctx)
	if err != nil {
		return i, err
	}
	if err := t.adopt(i); err != nil {
		return i, err
	}
	if i.ID == "" {
		i = store.Identity{ID: fmt.Sprintf("%016x", rand.Uint64()), Plan: t.Text, Fingerprint: t.Fingerprint, Version: t.Version, Created: time.Now()}
		return i, s.Begin(ctx, i)
	}
	grown := i.Fingerprint != t.Fingerprint
	if err := t.belongs(i); err != nil {
		return i, err
	}
	if grown && i.Fingerprint != t.Fingerprint { // else it is of an earlier version, whose plan it keeps
		i.Plan, i.Fingerprint = t.Text, t.Fingerprint
		return i, s.Grow(ctx, i)
	}
	return i, nil
}

// adopt takes on the seed with which a tournament was begun whose plan names none; if it has not begun, one is drawn. So nobody can
// know set-ups before they are played by knowing the plan.
func (t *Tournament) adopt(i store.Identity) error {
	if !t.SeedDrawn {
		return nil
	}
	seed, ok := plan.SeedIn(i.Plan)
	if !ok {
		var b [8]byte
		crand.Read(b[:])
		seed = binary.BigEndian.Uint64(b[:]) >> 11 // which every reader of records can hold
	}
	p := *t.Plan
	p.Schedule.Seed = seed
	s, err := schedule.New(p.Schedule)
	if err != nil {
		return err
	}
	t.Plan, t.Schedule, t.Text, t.Fingerprint = &p, s, p.Canonical(), p.Fingerprint()
	return nil
}

// belongs says, by ErrPlan, that results are of another tournament. Those of the same one when it was smaller are its own.
func (t *Tournament) belongs(i store.Identity) error {
	if i.ID == "" || i.Fingerprint == t.Fingerprint || plan.Grown(i.Plan, t.Text) {
		return nil
	}
	hint, text := "", t.Text
	if begun, seeds := plan.Begun(t.Text, i.Plan); seeds != schedule.Hidden { // else it was begun by this version
		if i.Fingerprint == plan.Digest(begun) || plan.Grown(i.Plan, begun) {
			return t.asBefore(begun, t.Schedule.Spec().Growing, seeds)
		}
		text = begun
	}
	if t.Schedule.Spec().Growing {
		if former := plan.Former(text); i.Fingerprint == plan.Digest(former) {
			return t.asBefore(former, false, schedule.Wide)
		}
		if hint = " (a match, a round robin or a gauntlet may get more games or cycles, and players behind those that are there)"; !plan.Grown(i.Plan, i.Plan) {
			hint = " (a tournament that an earlier version began does not grow)"
		}
	}
	return fmt.Errorf("%w: %s%s; go back to the plan as it was, choose another --store, or forget these results by luzhanqi tournament reset", ErrPlan, differences(i.Plan, text), hint)
}

// asBefore goes on with a tournament that an earlier version began: its games keep the seeds that they had, and if that was before
// schedules could grow their names, too.
func (t *Tournament) asBefore(text string, growing bool, seeds schedule.Seeds) error {
	spec := t.Schedule.Spec()
	spec.Growing, spec.Seeds = growing, seeds
	s, err := schedule.New(spec)
	if err != nil {
		return err
	}
	t.Schedule, t.Text, t.Fingerprint = s, text, plan.Digest(text)
	return nil
}

// differences says what has changed from one plan to another.
func differences(before, after string) string {
	var all []string
	for _, change := range plan.Changes(before, after) {
		all = append(all, change.String())
	}
	if len(all) > 3 {
		all = append(all[:3], fmt.Sprintf("and %d more", len(all)-3))
	}
	return strings.Join(all, "; ")
}
