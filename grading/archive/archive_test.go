package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// entry is what the tests pack.
type entry struct {
	name, text string
	mode       fs.FileMode
	kind       byte // of tar
}

func zipOf(t testing.TB, entries ...entry) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		h.SetMode(e.mode | 0o600)
		out, err := w.CreateHeader(h)
		if err == nil && !strings.HasSuffix(e.name, "/") {
			_, err = out.Write([]byte(e.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarOf(t testing.TB, entries ...entry) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Typeflag: e.kind, Mode: int64(e.mode.Perm() | 0o600)}
		switch e.kind {
		case 0:
			h.Typeflag, h.Size = tar.TypeReg, int64(len(e.text))
		case tar.TypeSymlink, tar.TypeLink:
			h.Linkname = e.text
		}
		err := w.WriteHeader(h)
		if err == nil && h.Size > 0 {
			_, err = w.Write([]byte(e.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipOf(t testing.TB, text []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// unpack writes an archive and unpacks it.
func unpack(t testing.TB, name string, text []byte, limits Limits) (string, error) {
	dir := t.TempDir()
	file := filepath.Join(dir, name)
	target := filepath.Join(dir, "in", "target")
	if err := errors.Join(os.WriteFile(file, text, 0o666), os.MkdirAll(target, 0o777)); err != nil {
		t.Fatal(err)
	}
	err := Unpack(t.Context(), file, target, limits)
	outside, _ := os.ReadDir(filepath.Join(dir, "in"))
	if all, _ := os.ReadDir(dir); len(outside) != 1 || len(all) != 2 {
		t.Errorf("%s has written outside: %v, %v", name, outside, all)
	}
	return target, err
}

func TestUnpack(t *testing.T) {
	files := []entry{
		{name: "bot/", mode: fs.ModeDir | 0o755, kind: tar.TypeDir},
		{name: "bot/main.py", text: "print()", mode: 0o644},
		{name: "./bot/deep/run", text: "#!/bin/sh", mode: 0o755},
		{name: "__MACOSX/bot/._main.py", text: "x"},
		{name: "bot/.DS_Store", text: "x"},
		{name: "棋/馬.txt", text: "horse"},
	}
	for name, text := range map[string][]byte{
		"a.zip": zipOf(t, files...), "a.ZIP": zipOf(t, files...), "a.tar": tarOf(t, files...),
		"a.tar.gz": gzipOf(t, tarOf(t, files...)), "a.tgz": gzipOf(t, tarOf(t, files...)),
	} {
		target, err := unpack(t, name, text, Usual)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for file, want := range map[string]string{"bot/main.py": "print()", "bot/deep/run": "#!/bin/sh", "棋/馬.txt": "horse"} {
			if got, err := os.ReadFile(filepath.Join(target, file)); err != nil || string(got) != want {
				t.Errorf("%s: %s is %q, %v", name, file, got, err)
			}
		}
		if info, err := os.Stat(filepath.Join(target, "bot/deep/run")); err != nil || info.Mode()&0o111 == 0 {
			t.Errorf("%s: the program is not executable: %v", name, err)
		}
		if all, _ := os.ReadDir(target); len(all) != 2 {
			t.Errorf("%s: unpacked were %v", name, all)
		}
	}
}

// TestAttacks: each is refused with its reason, and nothing is written outside.
func TestAttacks(t *testing.T) {
	small := Limits{Bytes: 4 << 20, Files: 10, Ratio: 100}
	many := make([]entry, 11)
	for i := range many {
		many[i] = entry{name: strings.Repeat("f", i+1), text: "x"}
	}
	var random [3 << 20]byte
	rand.NewChaCha8([32]byte{}).Read(random[:])
	noise := string(random[:])
	for _, test := range []struct {
		why     string
		entries []entry
		tarOnly bool
		want    string
	}{
		{"path traversal", []entry{{name: "../evil", text: "x"}}, false, `".."`},
		{"path traversal inside", []entry{{name: "a/../../evil", text: "x"}}, false, `".."`},
		{"absolute path", []entry{{name: "/etc/evil", text: "x"}}, false, "absolute path"},
		{"drive", []entry{{name: "C:evil", text: "x"}}, false, "drive"},
		{"backslashes", []entry{{name: `..\evil`, text: "x"}}, false, "backslash"},
		{"too much", []entry{{name: "a", text: noise}, {name: "b", text: noise}}, false, "4 MiB"},
		{"too many", many, false, "allowed"},
		{"link out", []entry{{name: "l", text: "../../x", mode: fs.ModeSymlink, kind: tar.TypeSymlink}}, false, "leads out"},
		{"absolute link", []entry{{name: "l", text: "/etc/passwd", mode: fs.ModeSymlink, kind: tar.TypeSymlink}}, false, "stay inside"},
		{"dangling link", []entry{{name: "l", text: "nothing", mode: fs.ModeSymlink, kind: tar.TypeSymlink}}, false, "nowhere"},
		{"link loop", []entry{
			{name: "a", text: "b", mode: fs.ModeSymlink, kind: tar.TypeSymlink},
			{name: "b", text: "a", mode: fs.ModeSymlink, kind: tar.TypeSymlink},
		}, false, "nowhere"},
		{"link out through a link", []entry{
			{name: "here", text: ".", mode: fs.ModeSymlink, kind: tar.TypeSymlink},
			{name: "l", text: "here/../..", mode: fs.ModeSymlink, kind: tar.TypeSymlink},
		}, false, "leads out"},
		{"file through a link", []entry{
			{name: "l", text: "..", mode: fs.ModeSymlink, kind: tar.TypeSymlink},
			{name: "l/evil", text: "x"},
		}, false, "a file and a folder"},
		{"duplicate", []entry{{name: "a", text: "1"}, {name: "./a", text: "2"}}, false, "is there twice"},
		{"case", []entry{{name: "Bot.py", text: "1"}, {name: "bot.py", text: "2"}}, false, "only in case"},
		{"case of a folder", []entry{{name: "Src/a", text: "1"}, {name: "src/b", text: "2"}}, false, "only in case"},
		{"file and folder", []entry{{name: "a", text: "1"}, {name: "a/b", text: "2"}}, false, "a file and a folder"},
		{"folder and file", []entry{{name: "a/b", text: "2"}, {name: "a", text: "1"}}, false, "a file and a folder"},
		{"no UTF-8", []entry{{name: "bot\xff.py", text: "1"}}, false, "not UTF-8"},
		{"control character", []entry{{name: "bot\x1b[31m", text: "1"}}, false, "control characters"},
		{"right to left", []entry{{name: "bot\u202egpj.py", text: "1"}}, false, "control characters"},
		{"too deep", []entry{{name: strings.Repeat("d/", 40) + "f", text: "1"}}, false, "deep"},
		{"long name", []entry{{name: strings.Repeat("n", 300), text: "1"}}, false, "300 bytes"},
		{"device", []entry{{name: "null", kind: tar.TypeChar, mode: fs.ModeDevice}}, false, "device"},
		{"pipe", []entry{{name: "pipe", kind: tar.TypeFifo, mode: fs.ModeNamedPipe}}, false, "pipe"},
		{"hard link", []entry{{name: "a", text: "x"}, {name: "b", text: "a", kind: tar.TypeLink}}, true, "hard link"},
	} {
		archives := map[string][]byte{"a.tar": tarOf(t, test.entries...)}
		if !test.tarOnly {
			archives["a.zip"] = zipOf(t, test.entries...)
		}
		for name, text := range archives {
			_, err := unpack(t, name, text, small)
			var refusal *Refusal
			if !errors.As(err, &refusal) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s in %s: %v, want a refusal with %q", test.why, name, err, test.want)
			}
		}
	}
}

func TestBombs(t *testing.T) {
	limits := Limits{Bytes: 64 << 20, Files: 1000, Ratio: 100}
	bomb := entry{name: "zeros", text: strings.Repeat("\x00", 8<<20)}
	for name, text := range map[string][]byte{"a.zip": zipOf(t, bomb), "a.tgz": gzipOf(t, tarOf(t, bomb))} {
		if _, err := unpack(t, name, text, limits); err == nil || !strings.Contains(err.Error(), "100 times its size") {
			t.Errorf("%s of %d bytes: %v", name, len(text), err)
		}
	}
	// Padding that belongs to no file: what is passed over is bounded, too.
	skipped := tarOf(t, entry{name: "f", text: "x"})
	skipped = append(skipped[:1024:1024], tarOf(t, entry{name: ".DS_Store", text: strings.Repeat("\x00", 300<<20)})...)
	if _, err := unpack(t, "pad.tgz", gzipOf(t, skipped), limits); err == nil || !strings.Contains(err.Error(), "longer than all") {
		t.Errorf("padding: %v", err)
	}
	if _, err := unpack(t, "long.zip", make([]byte, 3000), Limits{Bytes: 2048, Files: 9, Ratio: 9}); err == nil || !strings.Contains(err.Error(), "archive has 3000 bytes") {
		t.Errorf("a long archive: %v", err)
	}
}

func TestDamaged(t *testing.T) {
	good := zipOf(t, entry{name: "bot.py", text: strings.Repeat("words and more words ", 500)})
	wrong := bytes.Clone(good)
	wrong[60] ^= 0xff
	locked := bytes.Clone(good)
	for at := range locked[:len(locked)-4] { // the flag stands in both headers
		if bytes.Equal(locked[at:at+4], []byte("PK\x03\x04")) {
			locked[at+6] |= encrypted
		}
		if bytes.Equal(locked[at:at+4], []byte("PK\x01\x02")) {
			locked[at+8] |= encrypted
		}
	}
	method := bytes.Clone(good)
	method[bytes.Index(method, []byte("PK\x01\x02"))+10] = 99
	packed := gzipOf(t, tarOf(t, entry{name: "bot.py", text: strings.Repeat("abc", 5000)}))
	for _, test := range []struct {
		name string
		text []byte
		want string
	}{
		{"a.zip", good[:len(good)/2], "no ZIP archive"},
		{"a.zip", []byte("no archive"), "no ZIP archive"},
		{"a.zip", nil, "no ZIP archive"},
		{"a.zip", wrong, "cannot be read"},
		{"a.zip", locked, "encrypted"},
		{"a.zip", method, "method 99"},
		{"a.tgz", []byte("no archive"), "not compressed by gzip"},
		{"a.tgz", packed[:len(packed)/2], "cut off"},
		{"a.tar", packed, "cut off"},
		{"a.tar", bytes.Repeat([]byte("no archive "), 100), "no tar archive"},
		{"a.rar", good, "no archive that can be unpacked"},
	} {
		_, err := unpack(t, test.name, test.text, Usual)
		var refusal *Refusal
		if !errors.As(err, &refusal) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want a refusal with %q", test.name, err, test.want)
		}
	}
}

func TestFolder(t *testing.T) {
	source, target := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(source, name)), 0o777), os.WriteFile(filepath.Join(source, name), []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	write("src/bot.py", "x")
	if err := os.Symlink("bot.py", filepath.Join(source, "src/link")); err != nil {
		t.Skip(err)
	}
	if err := Unpack(t.Context(), source, target, Usual); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(target, "src/link")); err != nil || string(text) != "x" {
		t.Errorf("%q, %v", text, err)
	}
	before, err := Digest(t.Context(), source, Usual)
	if err != nil {
		t.Fatal(err)
	}
	if after, _ := Digest(t.Context(), source, Usual); after != before {
		t.Error("the digest of the same folder differs")
	}
	last := before
	for _, change := range []func() error{
		func() error { return os.WriteFile(filepath.Join(source, "src/bot.py"), []byte("y"), 0o666) },
		func() error { return os.Chmod(filepath.Join(source, "src/bot.py"), 0o777) },
		func() error { return os.Rename(filepath.Join(source, "src"), filepath.Join(source, "lib")) },
		func() error { return os.Remove(filepath.Join(source, "lib/link")) },
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		now, err := Digest(t.Context(), source, Usual)
		if err != nil || now == last {
			t.Errorf("the digest is the same after a change: %v", err)
		}
		last = now
	}
	if err := os.Symlink("/etc", filepath.Join(source, "etc")); err != nil {
		t.Fatal(err)
	}
	if err := Unpack(t.Context(), source, t.TempDir(), Usual); err == nil || !strings.Contains(err.Error(), "stay inside") {
		t.Errorf("a link to /etc: %v", err)
	}
}

func TestMachine(t *testing.T) {
	if err := Unpack(t.Context(), filepath.Join(t.TempDir(), "missing"), t.TempDir(), Usual); !errors.Is(err, fs.ErrNotExist) || errors.As(err, new(*Refusal)) {
		t.Errorf("a submission that is not there: %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	file := filepath.Join(t.TempDir(), "a.zip")
	os.WriteFile(file, zipOf(t, entry{name: "a", text: "x"}), 0o666)
	if err := Unpack(ctx, file, t.TempDir(), Usual); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// FuzzUnpack: whatever is handed in, nothing is written outside, nothing is larger than allowed, and nothing
// but regular files, folders and links inside is left.
func FuzzUnpack(f *testing.F) {
	f.Add(byte(0), zipOf(f, entry{name: "a/b", text: "x"}, entry{name: "l", text: "a", mode: fs.ModeSymlink}))
	f.Add(byte(1), tarOf(f, entry{name: "a/b", text: "x"}, entry{name: "l", text: "a", kind: tar.TypeSymlink}))
	f.Add(byte(2), gzipOf(f, tarOf(f, entry{name: "../b", text: "x"})))
	names := []string{"a.zip", "a.tar", "a.tgz"}
	limits := Limits{Bytes: 1 << 16, Files: 20, Ratio: 10}
	f.Fuzz(func(t *testing.T, kind byte, text []byte) {
		target, err := unpack(t, names[int(kind)%len(names)], text, limits)
		if err != nil && !errors.As(err, new(*Refusal)) {
			t.Fatalf("not a refusal: %v", err)
		}
		var bytes int64
		files := -1
		filepath.WalkDir(target, func(path string, d fs.DirEntry, _ error) error {
			files++
			info, _ := d.Info()
			switch {
			case d.Type().IsRegular():
				bytes += info.Size()
			case !d.IsDir() && d.Type() != fs.ModeSymlink:
				t.Errorf("%s is %v", path, d.Type())
			}
			return nil
		})
		if bytes > limits.Bytes || files > limits.Files {
			t.Errorf("%d bytes in %d files", bytes, files)
		}
	})
}
