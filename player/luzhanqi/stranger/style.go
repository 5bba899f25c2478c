// Package stranger is players of Luzhanqi that the level strong was not made with: rushers, waiters, a defender, a
// player of exchanges. They exist to measure how strong fares against strangers ([Levels], all of them hidden); nobody
// is meant to learn from them. Each is a [Style], a file of data in the folder styles, over one [Player] that
// looks one ply ahead by the exact belief of package hiddeninfo and knows nothing that was learned.
//
// The command luzhanqi-measure panel plays a level against all of them, and luzhanqi-measure tune writes the files.
package stranger

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player"
	"luzhanqi/player/luzhanqi/tables"
)

// Style is a way to play. Left and right are as the set-ups are written; when one is drawn mirrored, so is the rest.
type Style struct {
	Name    string `json:"name"`
	Summary string `json:"summary"`
	Made    string `json:"made"` // by hand, or the command that tuned it
	// Lane is the way of the army, one of lanes.
	Lane string `json:"lane"`
	// Begin says when Strike takes the place of Wait, one of beginnings, by the number After.
	Begin  string  `json:"begin"`
	After  float64 `json:"after"`
	Wait   Weights `json:"wait"`
	Strike Weights `json:"strike"`
	// SetUps are drawn evenly, and mirrored half of the time: the ranks of A1, B1, … E6 without the camps.
	SetUps []SetUp `json:"set_ups"`
}

// Weights are what a style cares for. Gains and losses are in the worth of pieces, of which a field marshal has 10.
type Weights struct {
	Win   float64 `json:"win"`   // for what falls in a fight, as a share of its worth
	Lose  float64 `json:"lose"`  // for what is lost in it
	Trade float64 `json:"trade"` // for an exchange, as a share of what falls, besides
	Fight float64 `json:"fight"` // for any fight
	Open  float64 `json:"open"`  // for a landmine that guards the headquarters that it wants
	Guard float64 `json:"guard"` // for fighting who is two steps from the own flag or less

	Near float64 `json:"near"` // for being near the headquarters
	Way  float64 `json:"way"`  // steps after which that is a third
	// Eager multiplies Near, for 9, 8, 7, 6, 5, 4, 3, 2, 1 and B.
	Eager [10]float64 `json:"eager"`

	Off     float64    `json:"off"`     // steps that a square outside the lane counts besides
	Through float64    `json:"through"` // steps that an enemy on the way counts besides
	Queue   float64    `json:"queue"`   // steps that an own piece on the way counts besides
	Doubt   float64    `json:"doubt"`   // steps that a headquarters without the flag would count besides
	Far     float64    `json:"far"`     // steps that the headquarters on the other side of the lane counts besides
	Gates   [3]float64 `json:"gates"`   // steps that entering from the corner, the front and the middle counts besides

	Danger   float64 `json:"danger"`   // for what stands in danger
	Cover    float64 `json:"cover"`    // for what else stands in danger
	Threat   float64 `json:"threat"`   // for the fight that the piece could begin next
	Exposure float64 `json:"exposure"` // for the own flag
	Shut     float64 `json:"shut"`     // for standing next to the own flag
	Camp     float64 `json:"camp"`     // for standing in a camp
	Cross    float64 `json:"cross"`    // against entering the enemy's half
	Back     float64 `json:"back"`     // against going back where it came from
	Noise    float64 `json:"noise"`    // drawn
}

// eagerRanks is the order of Weights.Eager.
const eagerRanks = "987654321B"

// SetUp is one as style files write it.
type SetUp struct{ luzhanqi.SetUp }

// MarshalText implements encoding.TextMarshaler.
func (s SetUp) MarshalText() ([]byte, error) {
	var text []byte
	for sq := range (luzhanqi.OwnHalf &^ luzhanqi.Camps).All() {
		text = append(text, s.At(sq).Letter())
	}
	return text, nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *SetUp) UnmarshalText(text []byte) error {
	var ranks [30]luzhanqi.Rank
	squares := luzhanqi.OwnHalf &^ luzhanqi.Camps
	if len(text) != squares.Len() {
		return fmt.Errorf("set-up %q: found %d pieces, must be %d", text, len(text), squares.Len())
	}
	n := 0
	for sq := range squares.All() {
		rank, err := luzhanqi.ParseRank(text[n])
		if err != nil {
			return fmt.Errorf("set-up %q: %w", text, err)
		}
		ranks[sq] = rank
		n++
	}
	legal, err := luzhanqi.NewSetUp(ranks)
	if err != nil {
		return fmt.Errorf("set-up %q: %w", text, err)
	}
	s.SetUp = legal
	return nil
}

// Mirrored exchanges left and right.
func (s SetUp) Mirrored() SetUp {
	var ranks [30]luzhanqi.Rank
	for sq := range ranks {
		ranks[sq] = s.At(mirror(game.Square(sq)))
	}
	m, err := luzhanqi.NewSetUp(ranks)
	if err != nil {
		panic("stranger: the mirror image of a legal set-up: " + err.Error()) // left and right are alike in the rules
	}
	return SetUp{m}
}

// mirror is the square with left and right exchanged.
func mirror(sq game.Square) game.Square { return sq - 2*(sq%tables.Columns) + tables.Columns - 1 }

// ReadFile reads the file of a style.
func ReadFile(path string) (Style, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Style{}, err
	}
	s, err := Parse(text)
	if err != nil {
		return s, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// Parse reads a style as its file has it.
func Parse(text []byte) (Style, error) {
	var s Style
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return Style{}, fmt.Errorf("style: %w", err)
	}
	if s.Name == "" || len(s.SetUps) == 0 {
		return Style{}, fmt.Errorf("style %q: found %d set-ups: must have a name and a set-up at least", s.Name, len(s.SetUps))
	}
	if _, ok := lanes[s.Lane]; !ok {
		return Style{}, fmt.Errorf("style %s: lane %q: allowed are %s", s.Name, s.Lane, names(lanes))
	}
	if _, ok := beginnings[s.Begin]; !ok {
		return Style{}, fmt.Errorf("style %s: begin %q: allowed are %s", s.Name, s.Begin, names(beginnings))
	}
	return s, nil
}

// Text is the style as its file has it.
func (s Style) Text() ([]byte, error) {
	text, err := json.MarshalIndent(s, "", "  ")
	return append(text, '\n'), err
}

func names[T any](m map[string]T) string {
	return strings.Join(slices.Sorted(maps.Keys(m)), ", ")
}

//go:embed styles
var files embed.FS

// All are the styles, by name. It panics on a faulty file: it is part of the program.
var All = sync.OnceValue(func() (all []Style) {
	entries, err := files.ReadDir("styles")
	if err != nil {
		panic("stranger: " + err.Error())
	}
	for _, e := range entries {
		text, err := files.ReadFile("styles/" + e.Name())
		if err == nil {
			var s Style
			if s, err = Parse(text); err == nil && s.Name+".json" != e.Name() {
				err = fmt.Errorf("the style in it is named %q", s.Name)
			}
			all = append(all, s)
		}
		if err != nil {
			panic(fmt.Sprintf("stranger: styles/%s: %v", e.Name(), err))
		}
	}
	return all
})

// Find returns the style of a name.
func Find(name string) (Style, error) {
	var known []string
	for _, s := range All() {
		if s.Name == name {
			return s, nil
		}
		known = append(known, s.Name)
	}
	return Style{}, fmt.Errorf("style %q: allowed are %s", name, strings.Join(known, ", "))
}

// Levels are the styles as levels, for measuring: none is listed.
func Levels() (all []player.Level) {
	for _, s := range All() {
		all = append(all, player.Level{
			Name: s.Name, Summary: s.Summary, Hidden: true,
			New: func(game.Game, player.Options) player.Player { return New(&s) },
		})
	}
	return all
}
