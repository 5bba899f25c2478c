//go:build ignore

// Command systems type-checks all packages, and their tests, for other systems: go run .ci/systems.go darwin windows. What they
// import is read from source without its functions, so that nothing of it is compiled: that would take minutes for each.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// listed is what go list says of a package, those that it imports before it.
type listed struct {
	ImportPath, Dir string
	GoFiles         []string
	ImportMap       map[string]string
	Module          *struct {
		Main      bool
		GoVersion string
	}
}

type importer func(path string) (*types.Package, error)

func (i importer) Import(path string) (*types.Package, error) { return i(path) }

func main() {
	failed := false
	for _, system := range os.Args[1:] {
		faults, err := check(system)
		if err != nil {
			faults = append(faults, err)
		}
		for _, fault := range faults {
			fmt.Fprintf(os.Stderr, "%s: %v\n", system, fault)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

func check(system string) (faults []error, err error) {
	list := exec.Command("go", "list", "-deps", "-test", "-json=ImportPath,Dir,GoFiles,ImportMap,Module", "./...")
	list.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	files := token.NewFileSet()
	known := map[string]*types.Package{"unsafe": types.Unsafe}
	own := 0
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if p.ImportPath == "unsafe" || strings.HasSuffix(p.ImportPath, ".test") { // whose main is generated
			continue
		}
		ours := p.Module != nil && p.Module.Main
		parsed, err := parse(files, p)
		if err != nil && ours {
			faults = append(faults, err)
		}
		c := types.Config{
			IgnoreFuncBodies: !ours,
			FakeImportC:      true,
			Sizes:            types.SizesFor("gc", runtime.GOARCH),
			Importer: importer(func(path string) (*types.Package, error) {
				if other, mapped := p.ImportMap[path]; mapped {
					path = other
				}
				if known[path] == nil {
					return nil, fmt.Errorf("%s is not there", path)
				}
				return known[path], nil
			}),
			Error: func(err error) { // others' imports are not used without their functions
				if ours {
					faults = append(faults, err)
				}
			},
		}
		if p.Module != nil && p.Module.GoVersion != "" {
			c.GoVersion = "go" + p.Module.GoVersion
		}
		path, _, _ := strings.Cut(p.ImportPath, " ") // of "process [process.test]", which is compiled for a test
		known[p.ImportPath], _ = c.Check(path, files, parsed, nil)
		if ours {
			own++
		}
	}
	if own == 0 {
		return nil, errors.New("no packages were found")
	}
	return faults, nil
}

func parse(files *token.FileSet, p listed) ([]*ast.File, error) {
	parsed, faults := make([]*ast.File, len(p.GoFiles)), make([]error, len(p.GoFiles))
	var all sync.WaitGroup
	for i, name := range p.GoFiles {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.Dir, name)
		}
		all.Go(func() { parsed[i], faults[i] = parser.ParseFile(files, name, nil, parser.SkipObjectResolution) })
	}
	all.Wait()
	return parsed, errors.Join(faults...)
}
