package grading

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"luzhanqi/grading/course"
)

// TestFind: names come from entries, and every submission has a folder of its own.
func TestFind(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("such names are not possible here")
	}
	file := describe(t, "[[submission]]\nname = \"late/er\"\npath = \"elsewhere.zip\"\n")
	dir := filepath.Join(filepath.Dir(file), "submissions")
	write(t, filepath.Join(filepath.Dir(file), "elsewhere.zip"), "")
	for _, name := range []string{
		"ann/role", "bob.tar.gz", "cyd.zip", "cyd.tgz", "dan.txt", "dot./role", ".hidden/role", "Class/role", "work.zip", "<script>/role", "=1+1/role",
		"bell\a/role", "latin\xe9/role", strings.Repeat("長", 80) + "/role",
	} {
		write(t, filepath.Join(dir, name), "honest")
	}
	c, err := course.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	all, err := find(c)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	folders := map[string]bool{}
	for _, s := range all {
		found[s.name] = s.folder
		folders[strings.ToLower(s.folder)] = true
		if err := os.Mkdir(filepath.Join(t.TempDir(), s.folder), 0o777); err != nil {
			t.Errorf("%q: %v", s.name, err)
		}
	}
	for name, folder := range map[string]string{
		"ann": "ann", "bob": "bob", "cyd.zip": "cyd.zip", "cyd.tgz": "cyd.tgz", "dan.txt": "dan.txt", "dot.": "dot%2E", "Class": "%43lass", "work": "%77ork",
		"<script>": "%3Cscript%3E", "=1+1": "=1+1", "bell%07": "bell%2507", "latin%E9": "latin%25E9", "late/er": "late%2Fer",
	} {
		if found[name] != folder {
			t.Errorf("the folder of %q is %q, want %q", name, found[name], folder)
		}
	}
	if len(all) != 14 || len(folders) != 14 || !slices.IsSortedFunc(all, func(a, b submission) int { return strings.Compare(a.name, b.name) }) {
		t.Errorf("found %d submissions, %d folders: %q", len(all), len(folders), found)
	}
}

func TestFindRefuses(t *testing.T) {
	for want, text := range map[string]string{
		"no entry of that name":     "[[submission]]\nname = \"nobody\"\n",
		"an entry of that name too": "[[submission]]\nname = \"ann\"\npath = \"submissions\"\n",
		"no such file":              "[[submission]]\nname = \"x\"\npath = \"nowhere\"\n",
	} {
		file := describe(t, text, "ann=honest")
		c, err := course.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := find(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		} else if !strings.Contains(err.Error(), "course.toml:") {
			t.Errorf("%v: it does not say where", err)
		}
	}
	file := describe(t, "")
	c, err := course.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := find(c); err == nil || !strings.Contains(err.Error(), "folder of submissions") {
		t.Errorf("without a folder: %v", err)
	}
	if err := os.Mkdir(filepath.Join(filepath.Dir(file), "submissions"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := find(c); err == nil || !strings.Contains(err.Error(), "holds no submissions") {
		t.Errorf("of an empty folder: %v", err)
	}
}
