package plan

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player"
	"luzhanqi/process"
	"luzhanqi/referee"
)

// Entrant is the player that a text names: builtin:LEVEL, or the command line of a program, which speaks
// the game's first dialect. Without a name it is called like its level or its program.
func Entrant(g game.Game, text, name string) (e referee.Entrant, err error) {
	if level, builtin := strings.CutPrefix(text, "builtin:"); builtin {
		l, err := player.FindLevel(g, level)
		if err != nil {
			return e, err
		}
		if name == "" {
			name = level
		}
		return referee.Entrant{Name: name, Level: &l}, nil
	}
	if e.Command, err = process.ParseCommand(text); err != nil {
		return e, err
	}
	if e.Name = name; name == "" {
		e.Name = ProgramName(e.Command.Args)
	}
	e.Protocol, err = Speak(g, "")
	return e, err
}

// ProgramName is the first word after the program that is a file, or else the program: bot.jar of
// "java -jar bot.jar".
func ProgramName(args []string) string {
	for _, arg := range args[1:] {
		if info, err := os.Stat(arg); err == nil && !info.IsDir() {
			return filepath.Base(arg)
		}
	}
	return filepath.Base(args[0])
}

// Speak finds a dialect; the empty name is the game's first.
func Speak(g game.Game, dialect string) (game.Protocol, error) {
	return games.FindProtocol(g, dialect)
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

// Adapt gives the dialect of a program an adapter: a built-in one by its name, or a TOML file by its path
// from the folder.
func Adapt(g game.Game, e *referee.Entrant, text, folder string) error {
	adaptable, ok := e.Protocol.(game.Adaptable)
	if !ok {
		return fmt.Errorf("found %q: dialect %s takes no adapter; %s", text, e.Protocol.Name(), adaptableOf(g))
	}
	adapter := &referee.Adapter{Name: text}
	if !slices.Contains(adaptable.Adapters(), text) {
		var err error
		if adapter.Text, err = readAdapter(resolve(folder, text)); errors.Is(err, os.ErrNotExist) {
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

// mostAdapter bounds the file of an adapter, which takes a few hundred bytes.
const mostAdapter = 64 << 10

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
	text, err := io.ReadAll(io.LimitReader(f, mostAdapter+1))
	switch {
	case err != nil:
		return "", err
	case len(text) > mostAdapter:
		return "", fmt.Errorf("longer than %d bytes, which no adapter is", mostAdapter)
	case len(text) == 0:
		return "", errors.New("the file is empty")
	}
	return string(text), nil
}
