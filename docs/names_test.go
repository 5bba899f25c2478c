package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	fenced = regexp.MustCompile("(?ms)^ *```.*?^ *```$") // a board may look like a link
	link   = regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	code   = regexp.MustCompile("`([^`\n]+)`")
	file   = regexp.MustCompile(`^\.?[a-zA-Z][\w.-]*/[\w./-]*$`)
	name   = regexp.MustCompile(`^([a-z]\w*)\.([a-zA-Z]\w*(?:\.\w+)?)$`)
	suffix = regexp.MustCompile(`\.(go|mod|sum|md|toml|txt|gz|jsonl?|xml|csv|html|css|py|sh)$`)
)

// TestLinks finds files that a page links to and that are not there.
func TestLinks(t *testing.T) {
	for _, p := range pages(t) {
		for _, found := range link.FindAllStringSubmatch(fenced.ReplaceAllString(p.text, ""), -1) {
			if _, err := os.Stat(filepath.Join(root(), filepath.Dir(p.name), found[1])); err != nil {
				t.Errorf("%s links to %s: %v", p.name, found[1], err)
			}
		}
	}
}

// TestNames finds what a page names in code quotes and that is not there: a file or folder in one of ours, and a name
// of one of our packages, such as `referee.Match.Run`.
func TestNames(t *testing.T) {
	declared, packages := names(t)
	for _, p := range pages(t) {
		for _, found := range code.FindAllStringSubmatch(fenced.ReplaceAllString(p.text, ""), -1) {
			if path := found[1]; file.MatchString(path) {
				if top, err := os.Stat(filepath.Join(root(), strings.SplitN(path, "/", 2)[0])); err != nil || !top.IsDir() {
					continue // not in a folder of ours; a file of that name is what the README has people build
				}
				if _, err := os.Stat(filepath.Join(root(), path)); err != nil {
					t.Errorf("%s names %s: %v", p.name, path, err)
				}
			}
			if parts := name.FindStringSubmatch(found[1]); parts != nil && packages[parts[1]] && !suffix.MatchString(found[1]) && !declared[found[1]] {
				t.Errorf("%s names %s, which no package declares", p.name, found[1])
			}
		}
	}
}

// names are what our packages declare: "package.Name" and, of methods and fields, "package.Type.Name".
func names(t *testing.T) (declared, packages map[string]bool) {
	t.Helper()
	declared, packages = map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir(root(), func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "submissions" || entry.Name() == "node_modules" || strings.HasPrefix(entry.Name(), ".")):
			return filepath.SkipDir
		case filepath.Ext(path) != ".go":
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		of := parsed.Name.Name
		packages[of] = true
		for _, d := range parsed.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				declared[strings.Join(append(append([]string{of}, receiver(d)...), d.Name.Name), ".")] = true
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					declare(declared, of, spec)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return declared, packages
}

// receiver is the name of a method's type.
func receiver(d *ast.FuncDecl) []string {
	if d.Recv == nil {
		return nil
	}
	of := d.Recv.List[0].Type
	for {
		switch inner := of.(type) {
		case *ast.StarExpr:
			of = inner.X
		case *ast.IndexExpr:
			of = inner.X
		case *ast.Ident:
			return []string{inner.Name}
		default:
			return nil
		}
	}
}

// declare adds what one line of a declaration declares, and the fields and methods of a type.
func declare(declared map[string]bool, of string, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		for _, n := range spec.Names {
			declared[of+"."+n.Name] = true
		}
	case *ast.TypeSpec:
		declared[of+"."+spec.Name.Name] = true
		var inner *ast.FieldList
		switch type_ := spec.Type.(type) {
		case *ast.StructType:
			inner = type_.Fields
		case *ast.InterfaceType:
			inner = type_.Methods
		default:
			return
		}
		for _, f := range inner.List {
			for _, n := range f.Names {
				declared[of+"."+spec.Name.Name+"."+n.Name] = true
			}
		}
	}
}
