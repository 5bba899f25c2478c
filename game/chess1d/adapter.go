package chess1d

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"luzhanqi/game"
)

// Adapters are the built-in ones.
func (protocol) Adapters() []string { return []string{standard.name, byArguments.name} }

// Adapter returns a built-in one.
func (p protocol) Adapter(name string) (game.Protocol, error) {
	for _, adapted := range []protocol{standard, byArguments} {
		if adapted.name == name {
			return adapted, nil
		}
	}
	return nil, fmt.Errorf("adapter %.40q: allowed are %s", name, strings.Join(p.Adapters(), ", "))
}

// maxCode is far above any code that a program could want.
const maxCode = 80

// maxAdapter bounds the text of an adapter.
const maxAdapter = 64 << 10

// ReadAdapter reads an adapter; the README of this folder shows one with all keys.
func (protocol) ReadAdapter(text []byte) (game.Protocol, error) {
	if len(text) > maxAdapter {
		return nil, fmt.Errorf("adapter: %d bytes, allowed are %d", len(text), maxAdapter)
	}
	keys := struct {
		SetUp string `toml:"setup"`
		Move  string `toml:"move"`
		Input string `toml:"input"`
	}{standard.setUp, standard.move, standard.name}
	d := toml.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&keys); err != nil {
		return nil, adapterError(err)
	}
	p := protocol{setUp: keys.SetUp, move: keys.Move}
	switch keys.Input {
	case standard.name:
	case byArguments.name:
		p.asArgument = true
	default:
		return nil, fmt.Errorf("adapter: input = %.40q: allowed are %q and %q", keys.Input, standard.name, byArguments.name)
	}
	for name, code := range map[string]string{"setup": p.setUp, "move": p.move} {
		if err := checkCode(code); err != nil {
			return nil, fmt.Errorf("adapter: %s = %.40q: %w", name, code, err)
		}
	}
	if p.setUp == p.move {
		return nil, fmt.Errorf("adapter: setup and move are both %.40q; a program must be able to tell them apart", p.setUp)
	}
	return p, nil
}

// Recognised is nothing: an answer is the whole output, so there is nothing to be found in it.
func (protocol) Recognised([]byte) []string { return nil }

func checkCode(code string) error {
	if code == "" || len(code) > maxCode {
		return fmt.Errorf("a code has 1 to %d bytes", maxCode)
	}
	if strings.ContainsFunc(code, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return errors.New("a code is one line without control characters")
	}
	return nil
}

// adapterError names the line of a mistake, and for an unknown key the keys that there are.
func adapterError(err error) error {
	var strict *toml.StrictMissingError
	var syntax *toml.DecodeError
	switch {
	case errors.As(err, &strict) && len(strict.Errors) > 0:
		first := &strict.Errors[0]
		line, _ := first.Position()
		return fmt.Errorf("adapter: line %d: unknown key %s: allowed are setup, move and input", line, strings.Join(first.Key(), "."))
	case errors.As(err, &syntax):
		line, _ := syntax.Position()
		return fmt.Errorf("adapter: line %d: %w", line, err)
	}
	return fmt.Errorf("adapter: %w", err)
}
