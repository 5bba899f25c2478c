package store

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"luzhanqi/process/sandbox"
)

// How far [Others] looks: a folder in which people work has fewer entries near its top; a look at so many takes some 10 ms.
const (
	maxDepth   = 4
	maxEntries = 4000
)

// tokenSuffix names files of tokens, as a run names its own.
const tokenSuffix = ".token"

// Others finds what of other tournaments is to be hidden from programs that run in these folders: below each, stores, by the file
// of their results, and files of tokens that nobody else may read. It looks at what is near first, and follows no links.
func Others(dirs ...string) (found []string) {
	entries := 0
	for next := dirs; len(next) > 0 && entries < maxEntries; {
		var below []string
		for _, dir := range next {
			list, _ := os.ReadDir(dir) // what this user cannot read, its programs cannot
			entries += len(list)
			if entries > maxEntries {
				break
			}
			at, top := within(dir, dirs)
			for _, e := range list {
				path := filepath.Join(dir, e.Name())
				switch {
				case e.IsDir():
					if at < maxDepth {
						below = append(below, path)
					}
				case e.Name() == fileName && !top && !slices.ContainsFunc(dirs, func(d string) bool { return sandbox.Overlap(d, dir) && len(d) > len(dir) }):
					found = append(found, dir)
				case e.Name() == fileName, strings.HasSuffix(e.Name(), tokenSuffix) && private(e):
					found = append(found, path)
				}
			}
		}
		next = below
	}
	return found
}

// within is how deep a folder lies below one of dirs, and whether it is one itself.
func within(dir string, dirs []string) (depth int, top bool) {
	for _, d := range dirs {
		if relative, err := filepath.Rel(d, dir); err == nil && filepath.IsLocal(relative) {
			return strings.Count(relative, string(filepath.Separator)) + 1, relative == "."
		}
	}
	return maxDepth, false
}

// private says whether a file is only its user's.
func private(e fs.DirEntry) bool {
	info, err := e.Info()
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 == 0
}
