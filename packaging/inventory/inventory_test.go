package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"luzhanqi/process/processtest"
)

// TestLicences guards that whatever is released can be: on each system, every module that is linked in has a licence
// that NOTICES.txt and the bill of materials can name.
func TestLicences(t *testing.T) {
	for _, goos := range []string{"linux", "darwin", "windows"} {
		modules, err := folders("luzhanqi/cmd/luzhanqi", goos, "amd64")
		if err != nil {
			t.Fatal(err)
		}
		if len(modules) < 10 {
			t.Errorf("%s: only %d modules are linked in", goos, len(modules))
		}
		for name, m := range modules {
			if _, err := licences(m.root, m.packages); err != nil {
				t.Errorf("%s: %s: %v", goos, name, err)
			}
		}
	}
}

func TestIdentify(t *testing.T) {
	all, err := folders("luzhanqi/cmd/luzhanqi", "linux", "amd64")
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"github.com/gofrs/flock/LICENSE":            "BSD-3-Clause",
		"modernc.org/libc/LICENSE":                  "BSD-3-Clause", // in other words than most
		"modernc.org/sqlite/LICENSE-SQLITE":         "",             // public domain, which SPDX has no name for
		"github.com/nats-io/nats-server/v2/LICENSE": "Apache-2.0",
		"github.com/alecthomas/kong/COPYING":        "MIT",
		"golang.org/x/sys/PATENTS":                  "",
	} {
		path, name := filepath.Split(file)
		path = strings.TrimSuffix(path, "/")
		for module, found := range all {
			if !strings.HasPrefix(module, path+"@") {
				continue
			}
			l, err := readLicence(found.root, filepath.Join(found.root, name))
			if err != nil || l.id != want {
				t.Errorf("%s is taken for %q, not for %q; %v", file, l.id, want, err)
			}
			path = ""
		}
		if path != "" {
			t.Errorf("%s is not linked in", path)
		}
	}
}

// TestRefusals: what cannot be named is not released.
func TestRefusals(t *testing.T) {
	empty := t.TempDir()
	if _, err := licences(empty, nil); err == nil || !strings.Contains(err.Error(), empty) {
		t.Errorf("a module without a licence: %v", err)
	}
	if err := os.WriteFile(filepath.Join(empty, "LICENSE"), []byte("Ask me."), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := licences(empty, nil); err == nil {
		t.Error("a licence of one's own is taken for a known one")
	}
	if _, err := contents(filepath.Join(empty, "LICENSE"), "luzhanqi/cmd/luzhanqi"); err == nil {
		t.Error("a text is taken for a binary")
	}
}

// TestRelease builds a release of a program with one module of others, in two folders: the same bytes, and all in it
// that is promised. Those of luzhanqi itself are built and compared every night.
func TestRelease(t *testing.T) {
	processtest.Need(t, "bash")
	processtest.Need(t, "sha256sum")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	copied := t.TempDir()
	for _, path := range []string{"go.mod", "go.sum", "packaging", "docs/install.md"} {
		if info, err := os.Stat(filepath.Join(root, path)); err != nil {
			t.Fatal(err)
		} else if info.IsDir() {
			err = os.CopyFS(filepath.Join(copied, path), os.DirFS(filepath.Join(root, path)))
			if err != nil {
				t.Fatal(err)
			}
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(copied, path)
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	target := runtime.GOOS + "/" + runtime.GOARCH
	name := strings.ReplaceAll("luzhanqi-"+target, "/", "-")
	released := map[string]string{}
	for _, dir := range []string{root, copied} {
		out := filepath.Join(t.TempDir(), "release")
		release := exec.Command("bash", filepath.Join(dir, "packaging/release"), out)
		release.Env = append(os.Environ(), "VERSION=7.1", "TARGETS="+target, "PACKAGE=./packaging/inventory/testdata/small")
		if text, err := release.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		check := exec.Command("sha256sum", "--check", "--strict", "SHA256SUMS")
		check.Dir = out
		if text, err := check.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
		files, err := os.ReadDir(out)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(filepath.Join(out, file.Name()))
			if err != nil {
				t.Fatal(err)
			}
			if before, ok := released[file.Name()]; dir == copied && (!ok || before != string(text)) {
				t.Errorf("%s is another when it is built in another folder", file.Name())
			}
			released[file.Name()] = string(text)
		}
		said, err := exec.Command(filepath.Join(out, name)).Output()
		if want := "7.1 false\n"; err != nil || string(said) != want {
			t.Errorf("the program says %q, %v", said, err)
		}
	}
	for _, file := range []string{"Containerfile", "install.md", "luzhanqi-serve.service", "luzhanqi-serve.socket", "luzhanqi-worker.service", "SHA256SUMS"} {
		if released[file] == "" {
			t.Errorf("%s is missing", file)
		}
	}
	if binary := released[name]; strings.Contains(binary, root) {
		t.Error("the folder it was built in is in the binary")
	}
	for _, want := range []string{"github.com/gofrs/flock v0", "Go, its library and runtime: " + runtime.Version(), "luzhanqi 7.1 contains"} {
		if !strings.Contains(released["NOTICES.txt"], want) {
			t.Errorf("NOTICES.txt lacks %q", want)
		}
	}
	var b bom
	if err := json.Unmarshal([]byte(released[name+".cdx.json"]), &b); err != nil {
		t.Fatal(err)
	}
	found := map[string]component{}
	for _, c := range b.Components {
		found[c.Name] = c
	}
	flock := found["github.com/gofrs/flock"]
	if b.Metadata.Component.Version != "7.1" || found["std"].Version != strings.TrimPrefix(runtime.Version(), "go") ||
		len(flock.Hashes) != 1 || len(flock.Hashes[0].Content) != 64 || flock.PURL != "pkg:golang/github.com/gofrs/flock@"+flock.Version ||
		len(flock.Licences) != 1 || flock.Licences[0].Licence.ID != "BSD-3-Clause" {
		t.Errorf("the bill is wrong:\n%s", released[name+".cdx.json"])
	}
}
