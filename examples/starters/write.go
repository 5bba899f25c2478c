package starters

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"luzhanqi/game"
	"luzhanqi/game/games"
)

// Write makes a folder with the starter of a language for a game, ready to be changed, and a README of three commands.
// referee is how the README calls this program. A folder that holds anything is left as it is.
func Write(dir string, l Language, g game.Game, referee string) error {
	if !slices.Contains(l.Games(), g.Name()) {
		return fmt.Errorf("there is no starter for %s in %s: in %[2]s there are %[3]s; for %[1]s there is one in %[4]s",
			g.Name(), l.Title, strings.Join(l.Games(), " and "), strings.Join(in(g.Name()), " and "))
	}
	source, err := l.Source(g.Name())
	if err != nil {
		return err
	}
	readme, err := l.readme(g, referee)
	if err != nil {
		return err
	}
	files := map[string][]byte{l.File: source, "README.md": readme}
	if l.Name == "go" {
		files["go.mod"] = []byte("module bot\n\ngo 1.23\n")
	}
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		err = os.MkdirAll(dir, 0o777)
	case err == nil && len(entries) > 0:
		err = fmt.Errorf("the folder %s is not empty, it holds %s: name one that is not there yet", dir, entries[0].Name())
	}
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// in names the languages that have a starter for a game.
func in(game string) (all []string) {
	for _, l := range Languages {
		if slices.Contains(l.Games(), game) {
			all = append(all, l.Name)
		}
	}
	return all
}

//go:embed readme.tmpl
var readmeText string

var readmeTemplate = template.Must(template.New("readme").Parse(readmeText))

func (l Language) readme(g game.Game, referee string) ([]byte, error) {
	var text bytes.Buffer
	title, _, _ := strings.Cut(g.Title(), " (")
	err := readmeTemplate.Execute(&text, map[string]any{
		"Language": l, "Game": title, "Referee": referee, "Match": Match(l, g, referee), "Check": Check(l, g, referee),
	})
	return text.Bytes(), err
}

// Match is the command line that plays a game of the starter against a built-in level.
func Match(l Language, g game.Game, referee string) string {
	return fmt.Sprintf("%s match %s'%s' builtin:random", referee, selection(g), l.Run)
}

// Check is the command line that checks the starter.
func Check(l Language, g game.Game, referee string) string {
	return fmt.Sprintf("%s check %s'%s'", referee, selection(g), l.Run)
}

// selection chooses a game, unless it is the one that is meant without it.
func selection(g game.Game) string {
	if g.Name() == games.All[0].Name() {
		return ""
	}
	return "--game " + g.Name() + " "
}
