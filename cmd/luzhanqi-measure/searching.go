package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"

	"luzhanqi/game/luzhanqi"
	"luzhanqi/player"
	searchers "luzhanqi/player/luzhanqi"
	"luzhanqi/player/luzhanqi/likelihood"
	"luzhanqi/player/luzhanqi/network"
	"luzhanqi/player/luzhanqi/policy"
	"luzhanqi/player/luzhanqi/stranger"
)

// searching is a search like strong's, with what may be tuned of it, as its file (.search) has it. It thinks about as many
// positions a move as strong does.
type searching struct {
	Name      string  `json:"name"`
	Made      string  `json:"made"`      // by hand, or the command that tuned it
	Belief    string  `json:"belief"`    // what was learned of set-ups and moves, one of beliefs
	SetUp     float64 `json:"set_up"`    // the exponent of what was learned of set-ups
	Moves     float64 `json:"moves"`     // that of what was learned of moves
	Strangers float64 `json:"strangers"` // the same for makers of set-ups of whom nothing is known
	Doubt     float64 `json:"doubt"`     // how likely it is at first that what was learned says nothing
	Network   string  `json:"network"`   // what judges where playouts end, one of networks
	Policy    string  `json:"policy"`    // by what moves of playouts are drawn, one of policies
	Plies     int     `json:"plies"`     // of a playout
	Begin     int     `json:"begin"`     // plies of those of the first round; 0: as all others
	Halfway   bool    `json:"halfway"`   // playouts count by what they are worth halfway, too
	Learns    bool    `json:"learns"`    // playouts prefer what did well in those before
	Rushes    bool    `json:"rushes"`    // in some playouts the enemy rushes; only without a policy
	Storms    int     `json:"storms"`    // of 16 playouts, those in which it storms
	Boldness  float64 `json:"boldness"`  // what a fight with a piece that is not known is worth beyond what playouts return, in wins
	Passive   bool    `json:"passive"`   // an enemy that has stayed in its half for long is expected to go on so
	// SetUps are drawn evenly, and mirrored half of the time.
	SetUps []stranger.SetUp `json:"set_ups"`
}

// beliefs are what a search can have learned of set-ups and moves.
var beliefs = map[string]func(*searchers.Style){
	"newest": func(s *searchers.Style) { s.Trust.Makers = true },
	"f665184": func(s *searchers.Style) {
		s.Trust.Makers, s.Learned = false, searchers.F665184.Learned
	},
}

// networks are what can judge where its playouts end.
var networks = map[string]func() *network.Network{"newest": network.Default, "f665184": network.F665184, "none": nil}

// policies are what can draw the moves of its playouts; without one the quick policy chooses them, as before there was another.
var policies = map[string]func() *policy.Policy{"newest": policy.Default, "none": nil}

// mostPlies is how many plies a playout can have at most.
const mostPlies = 80

// mostBoldness keeps what a move is worth between −1 and 1, and what playouts find worse worse.
const mostBoldness = 0.5

// mostDoubt is below 1, as hiddeninfo.Belief wants it.
const mostDoubt = 0.99

// likeStrong is the level strong at so many positions a move, with a few set-ups of its book, drawn by a seed.
func likeStrong(seed uint64, nodes int) searching {
	const setUps = 4
	r := rand.New(rand.NewPCG(seed, 12))
	plies, begin := searchers.Strong.Lengths(nodes)
	s := searching{
		Name: "like-strong", Made: fmt.Sprintf("as strong, with %d set-ups of its book, drawn by seed %d", setUps, seed), Belief: "newest", SetUp: searchers.Strong.Trust.Prior, Moves: searchers.Strong.Trust.Likelihoods,
		Strangers: searchers.Strong.Trust.Strangers, Doubt: searchers.Strong.Trust.Doubt, Network: "newest", Policy: "newest",
		Plies: plies, Begin: begin, Halfway: searchers.Strong.Halfway, Learns: searchers.Strong.Learns,
		Rushes: searchers.Strong.Rushes, Storms: searchers.Strong.Storms, Boldness: searchers.Strong.Boldness, Passive: searchers.Strong.Passive,
	}
	for range setUps {
		s.SetUps = append(s.SetUps, stranger.SetUp{SetUp: searchers.Strong.SetUps.Draw(r)})
	}
	return s
}

// readSearching reads the file of one.
func readSearching(path string) (*searching, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s := &searching{}
	var found map[string]json.RawMessage
	if err := json.Unmarshal(text, &found); err != nil {
		return nil, fmt.Errorf("%s: search: %w", path, err)
	}
	for field := range reflect.TypeFor[searching]().Fields() {
		if name := field.Tag.Get("json"); found[name] == nil {
			return nil, fmt.Errorf("%s: search: found no %q, must have all of its fields", path, name)
		}
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil {
		return nil, fmt.Errorf("%s: search: %w", path, err)
	}
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

func (s *searching) check() error {
	_, belief := beliefs[s.Belief]
	_, judge := networks[s.Network]
	_, drawing := policies[s.Policy]
	exponent := func(x float64) bool { return x >= 0 && x <= mostExponent/100 }
	switch {
	case s.Name == "" || len(s.SetUps) == 0:
		return fmt.Errorf("search %q: found %d set-ups: must have a name and a set-up at least", s.Name, len(s.SetUps))
	case !belief:
		return fmt.Errorf("search %s: belief %q: allowed are %s", s.Name, s.Belief, strings.Join(slices.Sorted(maps.Keys(beliefs)), ", "))
	case !judge:
		return fmt.Errorf("search %s: network %q: allowed are %s", s.Name, s.Network, strings.Join(slices.Sorted(maps.Keys(networks)), ", "))
	case !drawing:
		return fmt.Errorf("search %s: policy %q: allowed are %s", s.Name, s.Policy, strings.Join(slices.Sorted(maps.Keys(policies)), ", "))
	case !exponent(s.SetUp) || !exponent(s.Moves) || !exponent(s.Strangers):
		return fmt.Errorf("search %s: exponents %v, %v and %v: allowed are 0 to 4", s.Name, s.SetUp, s.Moves, s.Strangers)
	case !(s.Doubt >= 0 && s.Doubt <= mostDoubt):
		return fmt.Errorf("search %s: doubt %v: allowed are 0 to %v", s.Name, s.Doubt, mostDoubt)
	case s.Plies < 1 || s.Plies > mostPlies || s.Begin < 0 || s.Begin > s.Plies:
		return fmt.Errorf("search %s: playouts of %d plies, first %d: allowed are 1 to %d, first 0 to as many", s.Name, s.Plies, s.Begin, mostPlies)
	case s.Storms < 0 || s.Storms > 16:
		return fmt.Errorf("search %s: storms %d: allowed are 0 to 16", s.Name, s.Storms)
	case !(s.Boldness >= 0 && s.Boldness <= mostBoldness):
		return fmt.Errorf("search %s: boldness %v: allowed are 0 to %v", s.Name, s.Boldness, mostBoldness)
	}
	return nil
}

// style is what a searcher is made of.
func (s *searching) style() searchers.Style {
	style := searchers.Strong
	style.Trust = likelihood.Trust{Prior: s.SetUp, Likelihoods: s.Moves, Strangers: s.Strangers, Doubt: s.Doubt}
	beliefs[s.Belief](&style)
	style.Network, style.Policy = networks[s.Network], policies[s.Policy]
	style.Plies, style.Begin, style.Full, style.Halfway, style.Learns = s.Plies, s.Begin, 0, s.Halfway, s.Learns
	style.Rushes, style.Storms, style.Boldness, style.Passive = s.Rushes, s.Storms, s.Boldness, s.Passive
	style.SetUps = drawnFrom(s.SetUps)
	return style
}

// drawnFrom is a source of set-ups that draws evenly.
type drawnFrom []stranger.SetUp

// Draw implements luzhanqi.SetUpSource.
func (all drawnFrom) Draw(r *rand.Rand) luzhanqi.SetUp {
	s := all[r.IntN(len(all))]
	if r.IntN(2) == 0 {
		s = s.Mirrored()
	}
	return s.SetUp
}

func (s *searching) name() string { return s.Name }
func (s *searching) made() string { return s.Made }
func (s *searching) player(o player.Options) player.Player {
	return searchers.NewSearcher(s.style(), o)
}

func (s *searching) text(made string) ([]byte, error) {
	named := *s
	named.Made = made
	text, err := json.MarshalIndent(named, "", "  ")
	return append(text, '\n'), err
}

// changed is the search with one of its set-ups changed, or in place of another, or with one of its numbers changed, or both.
func (s *searching) changed(r *rand.Rand) tunable {
	for {
		if c := s.varied(r); !reflect.DeepEqual(c, s) { // a number can have come out as it was
			return c
		}
	}
}

func (s *searching) varied(r *rand.Rand) *searching {
	c := *s
	c.SetUps = slices.Clone(s.SetUps)
	kind := r.IntN(3)
	if kind != 0 {
		i := r.IntN(len(c.SetUps))
		if r.IntN(4) == 0 {
			c.SetUps[i] = c.SetUps[r.IntN(len(c.SetUps))]
		}
		for range 1 + r.IntN(3) {
			c.SetUps[i] = c.SetUps[i].Exchanged(r)
		}
	}
	if kind == 1 {
		return &c
	}
	switch r.IntN(12) {
	case 0:
		c.SetUp = exponentNear(c.SetUp, r)
	case 1, 2:
		c.Moves = exponentNear(c.Moves, r)
	case 3, 4:
		c.Plies = min(max(int(math.Round(float64(c.Plies)*math.Exp(0.3*r.NormFloat64()))), 1), mostPlies)
		c.Begin = min(c.Begin, c.Plies)
	case 5:
		c.Begin = r.IntN(c.Plies + 1)
	case 6:
		c.Storms = r.IntN(17)
	case 7:
		flags := []*bool{&c.Halfway, &c.Learns, &c.Rushes, &c.Passive}
		flag := flags[r.IntN(len(flags))]
		*flag = !*flag
	case 8:
		c.Strangers = exponentNear(c.Strangers, r)
	case 9:
		switch r.IntN(3) {
		case 0:
			c.Belief = other(beliefs, c.Belief, r)
		case 1:
			c.Network = other(networks, c.Network, r)
		case 2:
			c.Policy = other(policies, c.Policy, r)
		}
	case 10:
		c.Doubt = min(max(c.Doubt+0.2*r.NormFloat64(), 0), mostDoubt)
	case 11:
		c.Boldness = min(max(c.Boldness+0.04*r.NormFloat64(), 0), mostBoldness)
	}
	return &c
}

func exponentNear(x float64, r *rand.Rand) float64 {
	return min(max(x+0.25*r.NormFloat64(), 0), mostExponent/100)
}

// other draws one of the names but the one that is.
func other[T any](all map[string]T, name string, r *rand.Rand) string {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(all)), func(n string) bool { return n == name })
	return names[r.IntN(len(names))]
}
