package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// licence is a file with the terms of a module, or of a part of it.
type licence struct {
	file string // in the module's folder, with slashes
	id   string // of SPDX; "" where this program does not know it
	text string
}

var (
	// A file that has to be passed on with a binary.
	notice = regexp.MustCompile(`(?i)^(licen[sc]e|copying|notice|patents)|-licen[sc]e$`)
	// Folders that modules keep licences of their parts in.
	others = regexp.MustCompile(`(?i)^third[-_]party[-_]licen[sc]es$`)
)

// licences are those at the root of a module, which must be one that is known, and those beside the packages of it that
// are linked in.
func licences(root string, packages []string) ([]licence, error) {
	folders := map[string]bool{root: true}
	for _, dir := range packages {
		for ; len(dir) > len(root); dir = filepath.Dir(dir) {
			folders[dir] = true
		}
	}
	var found []licence
	known := false
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			path := filepath.Join(dir, entry.Name())
			switch {
			case entry.IsDir() && dir == root && others.MatchString(entry.Name()):
				inside, err := os.ReadDir(path)
				if err != nil {
					return nil, err
				}
				for _, file := range inside {
					l, err := readLicence(root, filepath.Join(path, file.Name()))
					if err != nil {
						return nil, err
					}
					found = append(found, l)
				}
			case entry.Type().IsRegular() && notice.MatchString(entry.Name()) && filepath.Ext(path) != ".go":
				l, err := readLicence(root, path)
				if err != nil {
					return nil, err
				}
				known = known || dir == root && l.id != ""
				found = append(found, l)
			}
		}
	}
	if !known {
		return nil, fmt.Errorf("no licence that is known stands in %s, but one must: if it is there, teach it to packaging/inventory", root)
	}
	return found, nil
}

func readLicence(root, path string) (licence, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return licence{}, err
	}
	name, err := filepath.Rel(root, path)
	if err != nil {
		return licence{}, err
	}
	return licence{filepath.ToSlash(name), identify(string(text)), string(text)}, nil
}

// phrases tell the licences that Go programs have. The first that a text contains is its licence: what is below may stand
// in those above, too.
var phrases = []struct{ id, words string }{
	{"Apache-2.0", "apache license version 2.0, january 2004"},
	{"MPL-2.0", "mozilla public license version 2.0"},
	{"BSD-3-Clause", "may be used to endorse or promote products derived from this software"},
	{"BSD-2-Clause", "redistributions in binary form must reproduce the above copyright notice"},
	{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy"},
	{"ISC", "permission to use, copy, modify, and/or distribute this software for any purpose"},
	{"ISC", "permission to use, copy, modify, and distribute this software for any purpose"},
}

// identify returns the SPDX identifier of a text, or "".
func identify(text string) string {
	words := strings.Join(strings.Fields(strings.ToLower(text)), " ")
	for _, p := range phrases {
		if strings.Contains(words, p.words) {
			return p.id
		}
	}
	return ""
}

// merged are the licences of two binaries' copies of a module, of which other packages may be linked in.
func merged(a, b []licence) []licence {
	all := append(slices.Clone(a), b...)
	slices.SortStableFunc(all, func(a, b licence) int { return cmp.Compare(a.file, b.file) })
	return slices.CompactFunc(all, func(a, b licence) bool { return a.file == b.file })
}

// writeNotices writes the terms of all that is not ours: Go's own, then of each module.
func writeNotices(out io.Writer, version, goVersion string, modules map[string]module) error {
	if goVersion != runtime.Version() {
		return fmt.Errorf("the binaries were built by %s, this by %s, whose licence cannot stand for it", goVersion, runtime.Version())
	}
	terms, err := goLicence()
	if err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "luzhanqi %s contains the following programs of others, under their own licences.\n", version)
	fmt.Fprintf(w, "\n==== Go, its library and runtime: %s ====\n\n%s", goVersion, terms)
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		m := modules[path]
		fmt.Fprintf(w, "\n==== %s %s ====\n", m.path, m.version)
		for _, l := range m.licences {
			fmt.Fprintf(w, "\n-- %s\n\n%s\n", l.file, strings.TrimRight(l.text, "\n"))
		}
	}
	return w.Flush()
}

// goLicence is that of the Go whose go command is found, which has built the binaries.
func goLicence() ([]byte, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	return os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "LICENSE"))
}
