package game

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"luzhanqi/text"
)

// SetUp is one side's initial arrangement in its own frame and its game's notation
// (Luzhanqi: "A1:3 A2:7 …"). It is a proposal; Game.CheckSetUp and Game.New check it.
type SetUp string

// NoSetUp is embedded in games without set-ups: only the empty set-up is legal.
type NoSetUp struct{}

func (NoSetUp) HasSetUp() bool                          { return false }
func (g NoSetUp) ParseSetUp(text string) (SetUp, error) { return "", g.CheckSetUp(SetUp(text)) }

func (NoSetUp) CheckSetUp(s SetUp) error {
	if s != "" {
		return fmt.Errorf("set-up %s: this game has none", text.Quote(string(s), 40))
	}
	return nil
}

func (NoSetUp) RandomSetUp(*rand.Rand) SetUp { return "" }

// CheckSetUps is CheckSetUp of both sides; the error names the side.
func (g NoSetUp) CheckSetUps(setUps [2]SetUp) error {
	_, err := ParseSetUps(setUps, g.ParseSetUp)
	return err
}

// ParseSetUps reads the set-ups of both sides; the error names the side.
func ParseSetUps[S any](setUps [2]SetUp, parse func(string) (S, error)) (parsed [2]S, err error) {
	for side, s := range setUps {
		if parsed[side], err = parse(string(s)); err != nil {
			return parsed, fmt.Errorf("player %v: %w", Side(side), err)
		}
	}
	return parsed, nil
}

// Normal is the set-up in one order, where a game names the square of each piece: those who name them in another mean the same.
func (s SetUp) Normal() SetUp {
	if !strings.Contains(string(s), ":") {
		return s
	}
	pieces := strings.Fields(string(s))
	slices.Sort(pieces)
	return SetUp(strings.Join(pieces, " "))
}
