package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"luzhanqi/cmd/luzhanqi/manual"
	"luzhanqi/examples/starters"
	"luzhanqi/game/games"
	"luzhanqi/player/levels"
	"luzhanqi/text"
)

type manualCommand struct {
	Install    manualInstall    `cmd:"" help:"Install man pages, and completion for bash, zsh and fish, for you or below a prefix."`
	Page       manualPage       `cmd:"" help:"Write the man page of a command."`
	Completion manualCompletion `cmd:"" help:"Write what a shell reads to complete commands, flags and their values."`
	Candidates manualCandidates `cmd:"" hidden:"" help:"What can stand for the last word; shells ask for it."`
}

type manualInstall struct {
	Prefix string `help:"Folder with share/man and so on, such as /usr/local. Default: ~/.local." placeholder:"DIR"`
}

func (m *manualInstall) Run(c *stdio, k *kong.Context) error {
	prefix := m.Prefix
	if prefix == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return usage(fmt.Errorf("%w; give a folder with --prefix", err))
		}
		prefix = filepath.Join(home, ".local")
	}
	files, err := manual.Install(k.Model.Node, version(), prefix)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%s below %s: man luzhanqi, and completion in new shells.\n", text.Count(len(files), "file"), filepath.Join(prefix, "share"))
	fmt.Fprintf(c.out, "zsh: fpath must have %s before compinit is called.\n", filepath.Join(prefix, "share", "zsh", "site-functions"))
	return nil
}

type manualPage struct {
	Command []string `arg:"" optional:"" help:"The command, such as tournament run. Default: luzhanqi itself."`
}

func (m *manualPage) Run(c *stdio, k *kong.Context) error {
	pages := manual.Pages(k.Model.Node, version())
	name := strings.Join(append([]string{"luzhanqi"}, m.Command...), "-")
	page, ok := pages[name]
	if !ok {
		return usage(fmt.Errorf("command %q: luzhanqi help lists them", strings.Join(m.Command, " ")))
	}
	_, err := fmt.Fprint(c.out, page)
	return err
}

type manualCompletion struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

func (m *manualCompletion) Run(c *stdio) error {
	script, err := manual.Script(m.Shell)
	if err != nil {
		return usage(err)
	}
	_, err = fmt.Fprint(c.out, script)
	return err
}

type manualCandidates struct {
	BashLine *string  `help:"The line up to the cursor, for bash."`
	Words    []string `arg:"" optional:"" help:"What was typed after the program's name; the last is to be completed."`
}

func (m *manualCandidates) Run(c *stdio, k *kong.Context) error {
	words, kept := m.Words, ""
	if m.BashLine != nil {
		words, kept = manual.Words(*m.BashLine)
	}
	for _, candidate := range manual.Candidates(k.Model.Node, words, valuesOf) {
		switch {
		case m.BashLine != nil:
			fmt.Fprintln(c.out, strings.TrimPrefix(candidate.Word, kept))
		default:
			fmt.Fprintf(c.out, "%s\t%s\n", candidate.Word, candidate.Help)
		}
	}
	return nil
}

// valuesOf are the values that only the games know, and those of a few arguments.
func valuesOf(command, name string, before []string) (all []string) {
	g := games.All[0]
	for i, word := range before {
		if chosen, ok := strings.CutPrefix(word, "--game="); ok {
			word, i = chosen, 0
		} else if i == 0 || before[i-1] != "--game" {
			continue
		}
		if found, err := games.Find(word); err == nil {
			g = found
		}
	}
	levelNames := func(prefix string) (all []string) {
		for _, l := range levels.Of(g) {
			all = append(all, prefix+l.Name)
		}
		return all
	}
	switch {
	case name == "--game" || slices.Contains([]string{"games", "solve"}, command) && name == "game":
		for _, g := range games.All {
			all = append(all, g.Name())
		}
	case command == "play" && name == "--against", name == "--level":
		return levelNames("")
	case command == "match" && !strings.HasPrefix(name, "-"):
		return levelNames("builtin:")
	case command == "new" && name == "language":
		return starters.Names()
	case name == "--rules":
		for _, o := range g.Options() {
			for _, value := range o.Allowed {
				all = append(all, o.Name+"="+value)
			}
		}
	}
	return all
}
