package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"luzhanqi/check"
	"luzhanqi/examples/starters"
	"luzhanqi/game/games"
)

type newCommand struct {
	Language string `arg:"" optional:"" name:"language" help:"Language: ${languages}."`
	Dir      string `arg:"" optional:"" name:"dir" help:"Folder to write it into, which is made; one that holds anything is refused."`
	Game     string `help:"Game to play: ${games}; all of them in Python, the first two in the other languages." default:"${game}"`
}

func (k *newCommand) Run(c *stdio) error {
	g, err := games.Find(k.Game)
	if err != nil {
		return usage(err)
	}
	l, ok := starters.Find(strings.ToLower(k.Language))
	switch {
	case k.Language == "":
		return usage(fmt.Errorf("no language is given: name one of %s, and a folder, such as luzhanqi new python mybot", strings.Join(starters.Names(), ", ")))
	case !ok:
		return usage(fmt.Errorf("language %q: allowed are %s", k.Language, strings.Join(starters.Names(), ", ")))
	case k.Dir == "":
		return usage(fmt.Errorf("no folder is given: name the one to write the program into, such as luzhanqi new %s mybot", l.Name))
	}
	if err := starters.Write(k.Dir, l, g, called()); err != nil {
		return usage(err)
	}
	fmt.Fprintf(c.out, "%s is a program for %s in %s. Next:\n\n  cd %s\n  %s\n  %s\n\nREADME.md there says more.\n",
		filepath.Join(k.Dir, l.File), g.Name(), l.Title, check.CommandLine(k.Dir), l.Build, starters.Match(l, g, called()))
	return nil
}

// called is what to type in any folder to call this program: its name if the shell finds it, or else its path.
func called() string {
	name := os.Args[0]
	if filepath.Base(name) == name {
		return name
	}
	this, err := os.Executable()
	if err != nil {
		return name
	}
	if found, err := exec.LookPath(filepath.Base(this)); err == nil && found == this {
		return filepath.Base(this)
	}
	return check.CommandLine(this)
}
