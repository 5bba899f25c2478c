package referee

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"luzhanqi/game"
)

// Adapter is how a protocol was adapted to a program. A record holds all of it, so that it can be
// verified without the file.
type Adapter struct {
	Name string `json:"name"`           // of a built-in adapter, or of the file
	Text string `json:"text,omitempty"` // of the file; empty: a built-in adapter
}

// Adapt returns the protocol as the adapter speaks it. The error of a file says what is wrong, and
// in which line.
func (a *Adapter) Adapt(p game.Protocol) (game.Protocol, error) {
	adaptable, ok := p.(game.Adaptable)
	switch {
	case !ok:
		return nil, fmt.Errorf("dialect %s takes no adapter", p.Name())
	case a.Text == "":
		return adaptable.Adapter(a.Name)
	}
	adapted, err := adaptable.ReadAdapter([]byte(a.Text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.Name, err)
	}
	return adapted, nil
}

// FindAdapter gives the dialect of a program an adapter: a built-in one by its name, or a TOML file by its
// path from the folder. An empty text is none.
func (e *Entrant) FindAdapter(g game.Game, text, folder string) error {
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
	adapter := &Adapter{Name: text}
	if !slices.Contains(adaptable.Adapters(), text) {
		file := filepath.FromSlash(text)
		if !filepath.IsAbs(file) {
			file = filepath.Join(folder, file)
		}
		var err error
		if adapter.Text, err = readAdapter(file); errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("%q is neither a file nor a built-in adapter of dialect %s: allowed are %s, and TOML files",
				text, adaptable.Name(), strings.Join(adaptable.Adapters(), ", "))
		} else if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
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

// maxAdapter bounds the file of an adapter, which takes a few hundred bytes.
const maxAdapter = 64 << 10

// readAdapter reads a regular file; opening anything else could block.
func readAdapter(file string) (string, error) {
	if info, err := os.Stat(file); err != nil {
		return "", errors.Unwrap(err) // without the path, which the caller names
	} else if !info.Mode().IsRegular() {
		return "", errors.New("it is no regular file")
	}
	f, err := os.Open(file)
	if err != nil {
		return "", errors.Unwrap(err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxAdapter+1))
	switch {
	case err != nil:
		return "", err
	case len(text) > maxAdapter:
		return "", fmt.Errorf("longer than %d bytes, which no adapter is", maxAdapter)
	case len(text) == 0:
		return "", errors.New("the file is empty")
	}
	return string(text), nil
}
