package store

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"luzhanqi/process/sandbox"
)

// TestOthers: stores and tokens of other runs are found where programs run, however they are named; what is no secret is not.
func TestOthers(t *testing.T) {
	for name, c := range map[string]struct {
		files []string // those that end in ! are for everybody
		dirs  []string
		want  []string
	}{
		"store":                   {[]string{"a/cup/results.sqlite!", "a/cup/queue/x!"}, []string{"."}, []string{"a/cup"}},
		"token":                   {[]string{"cup.token", "kept/worker.token", "open.token!", "token.txt"}, []string{"."}, []string{"cup.token", "kept/worker.token"}},
		"store that is run in":    {[]string{"results.sqlite!", "bot!"}, []string{"."}, []string{"results.sqlite"}},
		"program below a store":   {[]string{"cup/results.sqlite!", "cup/bots/a!"}, []string{".", "cup/bots"}, []string{"cup/results.sqlite"}},
		"several folders":         {[]string{"one/x.token", "two/s/results.sqlite!"}, []string{"one", "two"}, []string{"one/x.token", "two/s"}},
		"deeper than it looks":    {[]string{"a/b/c/d/e/f/x.token"}, []string{"."}, nil},
		"beside, not below":       {[]string{"x.token", "one/bot!"}, []string{"one"}, nil},
		"a folder named so":       {[]string{"x.token/file"}, []string{"."}, nil},
		"near before crowded":     {append(crowd("z/"), "near.token"), []string{"."}, []string{"near.token"}},
		"crowded, in other order": {append(crowd("a/"), "z/z/near.token"), []string{"."}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			for _, file := range c.files {
				path, open := strings.CutSuffix(filepath.Join(top, file), "!")
				mode := os.FileMode(0o600)
				if open {
					mode = 0o644
				}
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, nil, mode); err != nil {
					t.Fatal(err)
				}
			}
			var dirs, got []string
			for _, dir := range c.dirs {
				dirs = append(dirs, filepath.Join(top, dir))
			}
			for _, path := range Others(dirs...) {
				relative, err := filepath.Rel(top, path)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, relative)
			}
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
			for _, dir := range dirs {
				if err := (sandbox.Policy{Profile: sandbox.Guarded, Hidden: Others(dirs...)}).Check(dir); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func crowd(dir string) (files []string) {
	for i := range maxEntries + 1 {
		files = append(files, dir+strings.Repeat("x", i%50+1)+string(rune('A'+i/50)))
	}
	return files
}
