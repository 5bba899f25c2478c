package main

import (
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"luzhanqi/process"
)

// Every command has examples in its help, and each is a command line that the parser takes.
func TestHelpExamples(t *testing.T) {
	var leaves []string
	var walk func(n *kong.Node, path string)
	walk = func(n *kong.Node, path string) {
		if n.Hidden { // for shells
			return
		}
		if len(n.Children) == 0 {
			leaves = append(leaves, path)
		}
		for _, child := range n.Children {
			walk(child, strings.TrimSpace(path+" "+child.Name))
		}
	}
	var cli commandLine
	parser, err := newParser(&cli, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	walk(parser.Model.Node, "")
	for _, name := range leaves {
		if len(examples[name]) == 0 {
			t.Errorf("%s has no example", name)
		}
	}
	for name, all := range examples {
		for _, line := range all {
			line, _, _ = strings.Cut(line, " <")
			c, err := process.ParseCommand(line)
			if err != nil {
				t.Error(err)
				continue
			}
			var cli commandLine
			parser, err := newParser(&cli, func(int) {})
			if err != nil {
				t.Fatal(err)
			}
			parsed, err := parser.Parse(c.Args[1:])
			if err != nil {
				t.Errorf("%s: %s: %v", name, line, err)
			} else if !strings.HasPrefix(parsed.Command(), name) {
				t.Errorf("%s: %s is %s", name, line, parsed.Command())
			}
		}
	}
}
