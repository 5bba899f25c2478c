// Package opening reads lists of openings, chooses one for each pair of games, and draws random plies. The openings themselves are
// [game.Opening]s, which the referee plays.
package opening

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"luzhanqi/game"
)

// MaxRandom bounds random plies.
const MaxRandom = 1000

// maxList bounds a file of openings, in bytes.
const maxList = 64 << 20

// Text is an opening as it is written: a line of a file of openings, and in the header of a record.
type Text struct {
	SetUps   *[2]string      `json:"setups,omitempty"`   // each in its side's own frame
	Position json.RawMessage `json:"position,omitempty"` // instead of them, as luzhanqi moves reads it
	Moves    []string        `json:"moves,omitempty"`    // in player 1's frame
	Random   int             `json:"random_plies,omitempty"`
}

// Of writes an opening; nil: there is none.
func Of(g game.Game, o game.Opening) *Text {
	if o.None() {
		return nil
	}
	t := &Text{Random: o.Random}
	if o.SetUps != [2]game.SetUp{} {
		t.SetUps = &[2]string{string(o.SetUps[0]), string(o.SetUps[1])}
	}
	if o.Position != "" {
		t.Position = json.RawMessage(o.Position)
	}
	for _, m := range o.Moves {
		t.Moves = append(t.Moves, g.FormatMove(m))
	}
	return t
}

// Opening reads it. Whether it can be played is for [Check].
func (t *Text) Opening(g game.Game, rules game.Rules) (o game.Opening, err error) {
	if t == nil {
		return o, nil
	}
	if t.Random < 0 || t.Random > MaxRandom {
		return o, fmt.Errorf("random_plies %d: allowed are 0 to %d", t.Random, MaxRandom)
	}
	o.Random = t.Random
	if t.SetUps != nil && !g.HasSetUp() {
		return o, fmt.Errorf("%s has no set-ups: leave setups out", g.Name())
	}
	if t.SetUps != nil {
		for side, text := range t.SetUps {
			if o.SetUps[side], err = g.ParseSetUp(text); err != nil {
				return o, fmt.Errorf("the set-up of player %d: %w", side+1, err)
			}
		}
	}
	if t.Position != nil {
		if o.Position, err = t.position(g, rules); err != nil {
			return o, fmt.Errorf("the position: %w", err)
		}
	}
	for i, text := range t.Moves {
		m, err := g.ParseMove(text)
		if err != nil {
			return o, fmt.Errorf("move %d: %w", i+1, err)
		}
		o.Moves = append(o.Moves, m)
	}
	return o, nil
}

// position reads the position and writes it as the game does, so that equal ones are equal texts.
func (t *Text) position(g game.Game, rules game.Rules) (string, error) {
	if t.SetUps != nil {
		return "", errors.New("set-ups stand beside it: leave one of the two out")
	}
	pos, err := game.Opening{Position: string(t.Position)}.Start(g, rules, [2]game.SetUp{})
	if err != nil {
		return "", err
	}
	text := g.(game.Positional).FormatPosition(pos)
	var found, known map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(t.Position, &found), json.Unmarshal(text, &known)); err != nil {
		return "", err
	}
	for name := range found {
		if _, ok := known[name]; !ok {
			return "", fmt.Errorf("%.40q is none of its members: it is such as %s", name, text)
		}
	}
	return string(text), nil
}

// At is a position as an opening, without the moves that led there.
func At(g game.Game, pos game.Position) (*Text, error) {
	placed, ok := g.(game.Positional)
	if !ok {
		_, err := game.Opening{Position: "{}"}.Start(g, nil, [2]game.SetUp{})
		return nil, err
	}
	return &Text{Position: placed.FormatPosition(pos)}, nil
}

// Check says why an opening cannot be played under rules. over says whether a position ends the game.
func Check(g game.Game, rules game.Rules, o game.Opening, over func(game.Position) (game.Outcome, bool)) error {
	if o.AsksSetUps(g) && o.SetUps == [2]game.SetUp{} {
		if len(o.Moves) > 0 {
			return fmt.Errorf("moves without setups: in %s they depend on them", g.Name())
		}
		return nil
	}
	pos, err := o.Start(g, rules, o.SetUps)
	if err != nil {
		return err
	}
	if outcome, ended := over(pos); ended {
		return fmt.Errorf("the game is over in its position: %s", outcome.Reason)
	}
	for i, m := range o.Moves {
		if err := pos.Check(m); err != nil {
			return fmt.Errorf("move %d, %s: %w", i+1, g.FormatMove(m), err)
		}
		pos = pos.Play(m)
		if outcome, ended := over(pos); ended {
			return fmt.Errorf("after move %d, %s, the game is over: %s", i+1, g.FormatMove(m), outcome.Reason)
		}
	}
	return nil
}

// Read reads a file of openings: JSON Lines, each a [Text]. Lines that are blank or begin with # say nothing.
func Read(r io.Reader, g game.Game, rules game.Rules, over func(game.Position) (game.Outcome, bool)) (all []game.Opening, err error) {
	lines := bufio.NewScanner(io.LimitReader(r, maxList+1))
	lines.Buffer(nil, 1<<20)
	read := 0
	for number := 1; lines.Scan(); number++ {
		if read += len(lines.Bytes()) + 1; read > maxList {
			return nil, fmt.Errorf("it has more than %d bytes", maxList)
		}
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		o, err := readLine(line, g, rules)
		if err == nil {
			err = Check(g, rules, o, over)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		all = append(all, o)
	}
	switch {
	case errors.Is(lines.Err(), bufio.ErrTooLong):
		return nil, errors.New("it has a line of more than a mebibyte")
	case lines.Err() != nil:
		return nil, lines.Err()
	case len(all) == 0:
		return nil, errors.New("it holds no opening")
	}
	return all, nil
}

func readLine(line []byte, g game.Game, rules game.Rules) (game.Opening, error) {
	var t Text
	strict := json.NewDecoder(bytes.NewReader(line))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&t); err != nil {
		return game.Opening{}, fmt.Errorf("%w; an opening is such as %s", err, example(g))
	}
	if t.Random > 0 {
		return game.Opening{}, errors.New("random_plies stand in no file: say how many on the command line or in the plan")
	}
	return t.Opening(g, rules)
}

func example(g game.Game) string {
	if g.HasSetUp() {
		return `{"setups": ["…", "…"], "moves": ["…"]}`
	}
	return `{"moves": ["…", "…"]} or {"position": {…}}`
}

// Draw draws so many plies from a position, none of which ends the game; fewer where it finds no more. The same source draws the same.
func Draw(r *rand.Rand, pos game.Position, plies int, over func(game.Position) (game.Outcome, bool)) (moves []game.Move) {
	const tries = 20
	for range tries {
		at, drawn := pos, make([]game.Move, 0, plies)
		for len(drawn) < plies {
			legal := at.Moves(nil)
			if len(legal) == 0 {
				break
			}
			m := legal[r.IntN(len(legal))]
			next := at.Play(m)
			if _, ended := over(next); ended {
				break
			}
			at, drawn = next, append(drawn, m)
		}
		if len(drawn) == plies {
			return drawn
		}
		if len(drawn) > len(moves) {
			moves = drawn
		}
	}
	return moves
}

// Random is the source of the random plies of a pair of games, the same in both.
func Random(seed uint64, number int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, ^uint64((number-1)/2)))
}

// Book is where openings come from.
type Book struct {
	List   []game.Opening // taken one after the other, and again from the first
	Random int            // plies that are drawn beyond them
}

// None says that there are no openings.
func (b *Book) None() bool { return b == nil || len(b.List) == 0 && b.Random == 0 }

// Positions says that some begin with a position.
func (b *Book) Positions() bool {
	return b != nil && slices.ContainsFunc(b.List, func(o game.Opening) bool { return o.Position != "" })
}

// For returns the opening of a pair, from 0. The games of a match are numbered from 1 under one seed; number is that of one of
// the pair. Where there are no set-ups to wait for, random plies are drawn now, so that programs can be told them.
func (b *Book) For(g game.Game, rules game.Rules, pair int, seed uint64, number int, over func(game.Position) (game.Outcome, bool)) (o game.Opening, err error) {
	if b.None() {
		return o, nil
	}
	if len(b.List) > 0 {
		o = b.List[pair%len(b.List)]
	}
	o.Random = b.Random
	if o.AsksSetUps(g) && o.SetUps == [2]game.SetUp{} || b.Random == 0 {
		return o, nil
	}
	pos, err := o.Start(g, rules, o.SetUps)
	if err != nil {
		return o, err
	}
	for _, m := range o.Moves {
		pos = pos.Play(m)
	}
	drawn := Draw(Random(seed, number), pos, b.Random, over)
	o.Moves = append(o.Moves[:len(o.Moves):len(o.Moves)], drawn...)
	o.Random = 0
	return o, nil
}
