package main

import (
	"bytes"
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
	parser, err := newParser(&cli, nil, func(int) {})
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
			if width := len("    " + line); width > 80 {
				t.Errorf("%s: %s takes %d columns, and terminals have 80", name, line, width)
			}
			line, _, _ = strings.Cut(line, " <")
			c, err := process.ParseCommand(line)
			if err != nil {
				t.Error(err)
				continue
			}
			var cli commandLine
			parser, err := newParser(&cli, c.Args[1:], func(int) {})
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

// A parser that knows one command says and refuses what the one that knows all of them does.
func TestParserOfOneCommand(t *testing.T) {
	parserOf := func(args ...string) *kong.Kong {
		parser, err := newParser(new(commandLine), args, func(int) { panic("exit") })
		if err != nil {
			t.Fatal(err)
		}
		return parser
	}
	says := func(parser *kong.Kong, args []string) (text string) {
		var out bytes.Buffer
		parser.Stdout, parser.Stderr = &out, &out
		defer func() {
			if recover() != nil { // it has helped
				text = out.String()
			}
		}()
		parsed, err := parser.Parse(args)
		if err != nil {
			return out.String() + err.Error()
		}
		return out.String() + parsed.Command()
	}
	all := parserOf()
	if len(all.Model.Children) < 20 {
		t.Fatalf("there are %d commands", len(all.Model.Children))
	}
	for _, command := range all.Model.Children {
		one := parserOf(command.Name)
		if n := len(one.Model.Children); n != 1 && command.Name != "manual" {
			t.Errorf("the parser of %s knows %d commands", command.Name, n)
		}
		lines := [][]string{{"--help"}, {"--version"}, {"--log-level", "debug", "--nonsense"}, {"nonsense", "nonsense"}, {"--log-level", "nonsense"}, {}}
		for _, child := range command.Children {
			lines = append(lines, []string{child.Name, "--help"}, []string{child.Name, "--nonsense"})
		}
		for _, line := range lines {
			args := append([]string{command.Name}, line...)
			if got, want := says(one, args), says(all, args); got == "" || got != want {
				t.Errorf("%q: the parser of the command says\n%s\nand that of all commands\n%s", args, got, want)
			}
		}
	}
}
