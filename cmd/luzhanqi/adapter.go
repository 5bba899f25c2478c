package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"luzhanqi/game"
	"luzhanqi/referee"
)

// mostAdapter bounds the file of an adapter, which takes a few hundred bytes.
const mostAdapter = 64 << 10

// adapt gives the dialect of a program the adapter of a built-in name, or of a file.
func adapt(g game.Game, e *referee.Entrant, text string) error {
	if text == "" {
		return nil
	}
	if e.Level != nil {
		return fmt.Errorf("found %q for %s: a built-in player needs no adapter", text, e.Name)
	}
	adaptable, ok := e.Protocol.(game.Adaptable)
	if !ok {
		return fmt.Errorf("found %q: dialect %s takes no adapter; %s", text, e.Protocol.Name(), adaptableOf(g))
	}
	adapter := &referee.Adapter{Name: text}
	if !slices.Contains(adaptable.Adapters(), text) {
		found, err := readAdapter(text)
		if errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("%q is neither a file nor a built-in adapter of dialect %s: allowed are %s, and TOML files",
				text, adaptable.Name(), strings.Join(adaptable.Adapters(), ", "))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		adapter.Text = found
	}
	adapted, err := adapter.Adapt(adaptable)
	if err != nil {
		return err
	}
	e.Protocol, e.Adapter = adapted, adapter
	return nil
}

// adaptableOf says which dialects take an adapter.
func adaptableOf(g game.Game) string {
	var names []string
	for _, p := range g.Protocols() {
		if _, ok := p.(game.Adaptable); ok {
			names = append(names, p.Name())
		}
	}
	if len(names) == 0 {
		return "none of " + g.Name() + " does"
	}
	return "of " + g.Name() + " these do: " + strings.Join(names, ", ")
}

func readAdapter(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", errors.Unwrap(err) // without the path, which the caller names
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostAdapter+1))
	switch {
	case err != nil:
		return "", errors.Unwrap(err)
	case len(text) > mostAdapter:
		return "", fmt.Errorf("longer than %d bytes, which no adapter is", mostAdapter)
	case len(text) == 0:
		return "", errors.New("the file is empty")
	}
	return string(text), nil
}

// startsAnew says whether any of the entrants is a program that is started for each question.
func startsAnew(all [2]referee.Entrant) bool {
	return slices.ContainsFunc(all[:], func(e referee.Entrant) bool { return e.Level == nil && referee.StartsAnew(e.Protocol) })
}
