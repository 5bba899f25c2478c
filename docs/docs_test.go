package docs

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"luzhanqi/process/processtest"
	"luzhanqi/protocol-tests/protocoltest"
)

// root is the folder of the repository.
var root = sync.OnceValue(func() string {
	dir, err := filepath.Abs("..")
	if err != nil {
		panic(err)
	}
	return dir
})

// A page is a file with documentation.
type page struct{ name, text string }

// pages are all Markdown files: those at the top first, as their readers begin there.
func pages(t *testing.T) (all []page) {
	t.Helper()
	read := func(file string) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name, err := filepath.Rel(root(), file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, page{filepath.ToSlash(name), string(text)})
	}
	top, err := filepath.Glob(filepath.Join(root(), "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range top {
		read(file)
	}
	err = filepath.WalkDir(root(), func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "node_modules" || strings.HasPrefix(entry.Name(), ".")):
			return filepath.SkipDir
		case filepath.Ext(file) == ".md" && filepath.Dir(file) != root():
			read(file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// build makes the command in a folder.
func build(t *testing.T, dir string) (luzhanqi string) {
	t.Helper()
	luzhanqi, err := protocoltest.Program(dir, "luzhanqi/cmd/luzhanqi")
	if err != nil {
		t.Fatal(err)
	}
	return luzhanqi
}

// console is a block of commands that a reader may copy, example one of them: a line that begins with "$ ", and those
// that follow one that ends with a | or a backslash.
var (
	console = regexp.MustCompile("(?ms)^ *```console\n(.*?)^ *```$")
	example = regexp.MustCompile(`(?m)^ *\$ ((?:.*[|\\]\n)*.*)$`)
)

// TestExamples runs every command that the pages show, in order, in a copy of the repository.
func TestExamples(t *testing.T) {
	processtest.Need(t, "python3") // many play a program in Python, and others need their records and results
	dir := t.TempDir()
	entries, err := os.ReadDir(root())
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ".") || entry.Name() == "luzhanqi" {
			continue
		}
		if err := os.Symlink(filepath.Join(root(), entry.Name()), filepath.Join(dir, entry.Name())); err != nil {
			t.Fatal(err)
		}
	}
	build(t, dir)
	ran := 0
	for _, p := range pages(t) {
		for _, block := range console.FindAllStringSubmatch(p.text, -1) {
			for _, found := range example.FindAllStringSubmatch(block[1], -1) {
				command := found[1]
				if strings.HasPrefix(command, "go ") {
					continue // it was built above
				}
				ran++
				// The pages are for quiet machines; next to other tests, half of a short limit is not always enough.
				patient := command
				if !strings.Contains(command, "--attacks") { // which plays nothing
					patient = strings.Replace(command, "luzhanqi check ", "luzhanqi check --grace 20s ", 1)
				}
				run := exec.Command("bash", "-ec", patient)
				run.Dir = dir
				run.Env = append(os.Environ(), "XDG_STATE_HOME="+dir, "PATH="+dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
				if out, err := run.CombinedOutput(); err != nil {
					t.Errorf("%s: %s: %v\n%s", p.name, command, err, out)
				}
			}
		}
	}
	if ran < 5 {
		t.Errorf("only %d examples were found", ran)
	}
}
