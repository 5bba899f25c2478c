// Package docs holds documentation. Its test runs the examples in it.
package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// example is a command in a fenced block marked console: a line that begins with "$ ", and those that
// follow one that ends with a | or a backslash.
var example = regexp.MustCompile(`(?m)^ *\$ ((?:.*[|\\]\n)*.*)$`)

// pages are the files with documentation for users.
var pages = []string{
	"README.md", "docs/protocol.md", "docs/endings.md", "docs/record.md", "docs/trouble.md",
	"docs/tournament.md", "docs/limits.md", "docs/grading.md",
	"game/luzhanqi/README.md", "game/jungle/README.md", "game/gastank/README.md", "game/quagmire/README.md", "game/chess1d/README.md",
	"player/README.md",
}

// TestExamples runs every command that the documentation shows, in order, in a copy of the folder.
func TestExamples(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"cmd", "docs", "examples", "game", "grading", "hiddeninfo", "player", "process", "protocol-tests", "referee", "sexpr", "tournament", "go.mod", "go.sum"} {
		if err := os.Symlink(filepath.Join(root, name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "luzhanqi"), "./cmd/luzhanqi")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ran := 0
	for _, file := range pages {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		for i, block := range strings.Split(string(text), "```console\n") {
			if i == 0 {
				continue
			}
			block, _, ok := strings.Cut(block, "```")
			if !ok {
				t.Errorf("%s: a console block without its end", file)
			}
			for _, found := range example.FindAllStringSubmatch(block, -1) {
				command := found[1]
				if strings.HasPrefix(command, "go ") {
					continue // built above, in the module itself
				}
				ran++
				run := exec.Command("bash", "-ec", command)
				run.Dir = dir
				run.Env = append(os.Environ(), "PATH="+dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
				if out, err := run.CombinedOutput(); err != nil {
					t.Errorf("%s: %s: %v\n%s", file, command, err, out)
				}
			}
		}
	}
	if ran < 5 {
		t.Errorf("only %d examples were found", ran)
	}
}

// TestLinks finds files that the documentation names and that are not there.
func TestLinks(t *testing.T) {
	fenced := regexp.MustCompile("(?ms)^ *```.*?^ *```$") // a board may look like a link
	link := regexp.MustCompile(`\]\(([^)#:]+)\)`)
	for _, file := range pages {
		text, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range link.FindAllStringSubmatch(fenced.ReplaceAllString(string(text), ""), -1) {
			if _, err := os.Stat(filepath.Join("..", filepath.Dir(file), found[1])); err != nil {
				t.Errorf("%s links to %s: %v", file, found[1], err)
			}
		}
	}
}
