package strict

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func parse(t *testing.T, text string) *Document {
	t.Helper()
	d, err := Parse("f.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Places are right in every way of writing a key, and columns count characters.
func TestPlaces(t *testing.T) {
	d := parse(t, `a = 1
  "b ü" = { c = 1, "ö" = { e = 1 } }
f.g.h = 1
[i]
j = 1
	[i.k.l] # tab
m = [ 1, { n = 1 },
  { o = 1 } ]
[[p]]
q = 1
[[p.r]]
s = 1
[[p.r]]
s = 2
[[p]]
[p.t]
u = 1
[[p.r]]
v.w = 1
`)
	for path, want := range map[string]string{
		"a": "1:1", "b ü": "2:3", "b ü.c": "2:13", "b ü.ö": "2:20", "b ü.ö.e": "2:28",
		"f": "3:1", "f.g": "3:3", "f.g.h": "3:5", "i": "4:2", "i.j": "5:1", "i.k": "6:5", "i.k.l": "6:7", "i.k.l.m": "7:1",
		"i.k.l.m.2.n": "7:12", "i.k.l.m.3.o": "8:5", "i.k.l.m.1": "7:1", // elements have no place of their own
		"p": "9:3", "p.1": "9:3", "p.1.q": "10:1", "p.1.r": "11:5", "p.1.r.1.s": "12:1", "p.1.r.2": "13:5", "p.1.r.2.s": "14:1",
		"p.2": "15:3", "p.2.t": "16:4", "p.2.t.u": "17:1", "p.2.r.1.v": "19:1", "p.2.r.1.v.w": "19:3",
		"p.2.nothing": "15:3", "nothing": "",
	} {
		err := d.At(errors.New("!"), strings.Split(path, ".")...)
		place := strings.TrimSuffix(strings.TrimPrefix(err.Error(), "f.toml"), " "+path+": !")
		if got := strings.Trim(place, ":"); got != want {
			t.Errorf("%s is at %q, want %q", path, got, want)
		}
	}
}

// What is there comes out, what is missing is the default, and nothing is said.
func TestValues(t *testing.T) {
	root := parse(t, `text = "a"
word = "b"
flag = true
whole = -3
number = 3
fraction = 0.5
time = "1m30s"
size = "64 MiB"
none = 0
words = ["x", "y"]
names = { A = "1", "b c" = "" }
[table]
[[tables]]
a = "first"
[[tables]]
a = "second"
`).Root()
	got := []any{
		root.Text("text", ""), root.Word("word", "c", "b", "c"), root.Flag("flag", false), root.Whole("whole", 0, -3, 3),
		root.Number("number", 0, 0, 3), root.Number("fraction", 0, 0, 3), root.Duration("time", 0, 0, time.Hour),
		root.Size("size", 1, 1, math.MaxInt64), root.Size("none", 1, 1, 2), root.Words("words"), root.Names("names"),
		len(root.Tables("tables")), root.Tables("tables")[1].Text("a", ""), root.Tables("tables")[0].Text("a", ""),
	}
	want := []any{
		"a", "b", true, int64(-3), 3.0, 0.5, 90 * time.Second, int64(64 << 20), int64(0),
		[]string{"x", "y"},
		map[string]string{"A": "1", "b c": ""},
		2, "second", "first",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, table := range []*Table{root.Table("table"), root.Table("missing"), root.Table("missing").Table("too")} {
		defaults := []any{
			table.Text("text", "a"), table.Word("word", "c", "b"), table.Flag("flag", true), table.Whole("whole", 9, 1, 2),
			table.Number("number", 9, 1, 2), table.Duration("time", 9, 1, 2), table.Size("size", 9, 1, 2),
			len(table.Words("words")), len(table.Names("names")), len(table.Tables("tables")), table.Has("text"),
		}
		if diff := cmp.Diff([]any{"a", "c", true, int64(9), 9.0, time.Duration(9), int64(9), 0, 0, 0, false}, defaults); diff != "" {
			t.Error(diff)
		}
	}
	if err := root.document.Err(); err != nil {
		t.Error(err)
	}
}

// A value of the wrong kind is one error, whatever was asked for.
func TestWrongKinds(t *testing.T) {
	for _, value := range []string{`"text"`, "3", "3.5", "true", "[1]", "{ a = 1 }", "2026-11-21", "nan", "[]"} {
		for name, take := range map[string]func(*Table) bool{ // says whether it got the default
			"text":     func(t *Table) bool { return t.Text("k", "default") == "default" },
			"word":     func(t *Table) bool { return t.Word("k", "default", "w") == "default" },
			"flag":     func(t *Table) bool { return !t.Flag("k", false) },
			"whole":    func(t *Table) bool { return t.Whole("k", 77, -5, 100) == 77 },
			"number":   func(t *Table) bool { return t.Number("k", 77, -5, 100) == 77 },
			"duration": func(t *Table) bool { return t.Duration("k", 77, 0, time.Hour) == 77 },
			"size":     func(t *Table) bool { return t.Size("k", 77, 1, 100) == 77 },
			"words":    func(t *Table) bool { return strings.Join(t.Words("k"), "") == "" },
			"names":    func(t *Table) bool { return len(t.Names("k")) == 0 },
			"table":    func(t *Table) bool { return !t.Table("k").Has("a") },
		} {
			d := parse(t, "k = "+value+"\n")
			byDefault, err := take(d.Root()), d.Err()
			right := name == "text" && value == `"text"` || (name == "whole" || name == "number") && value == "3" ||
				name == "number" && value == "3.5" || name == "flag" && value == "true" || name == "words" && value == "[]" ||
				name == "table" && strings.HasPrefix(value, "{") // its key is unknown then
			if name != "table" && (err == nil) != right || !right && !byDefault {
				t.Errorf("%s of %s: default %t, error %v", name, value, byDefault, err)
			}
			if err != nil && strings.Count(err.Error(), "\n") > 0 {
				t.Errorf("%s of %s: more than one error: %v", name, value, err)
			}
			if err != nil && name != "table" && !strings.Contains(err.Error(), "found ") {
				t.Errorf("%s of %s: %v", name, value, err)
			}
		}
	}
}

// A file full of errors does not fill the screen.
func TestErrorsAreBounded(t *testing.T) {
	d := parse(t, strings.Repeat("[[a]]\n", 1000)+"b = '"+strings.Repeat("x", 10_000)+"'\n")
	for _, a := range d.Root().Tables("a") {
		a.Require("c")
		a.Whole("b", 0, 0, 0)
	}
	err := d.Err().Error()
	if lines := strings.Count(err, "\n") + 1; lines != maxErrors+1 || !strings.HasSuffix(err, "f.toml: and 981 errors more") || len(err) > 2000 {
		t.Errorf("%d lines, %d bytes: %s", lines, len(err), err)
	}
}

// Neither depth nor width makes reading expensive: each of these texts would take gigabytes or minutes if every
// path were kept, or a table had any number of keys.
func TestReadingIsBounded(t *testing.T) {
	deep := strings.Repeat("x.", 100_000) + "y = 1\n[a]\n"
	for range 20 {
		deep += "[[b]]\nc = " + strings.Repeat("{a = ", 9_000) + "1" + strings.Repeat("}", 9_000) + "\n"
	}
	d := parse(t, deep)
	kept := 0
	for path := range d.at {
		kept += len(path)
	}
	if kept > len(deep)/4 {
		t.Errorf("paths of %d bytes of a text of %d", kept, len(deep))
	}
	if err := d.Err(); err == nil || len(err.Error()) > 100*maxErrors {
		t.Errorf("error %v", err)
	}
	each := func(format string) string {
		var all strings.Builder
		for i := range 100_000 {
			fmt.Fprintf(&all, format, i)
		}
		return all.String()
	}
	keys, inline, tables := "[a]\n"+each("%x = 1\n"), "a = {"+each("%x = 1, "), each("[%x]\n")
	for want, text := range map[string]string{
		"f.toml:1002:1: more than the 1000 keys":   keys,
		"f.toml:1:8734: more than the 1000 keys":   inline + "z = 1}",
		"f.toml:20001:2: more than the 1000 keys":  tables,
		"f.toml:1003:1: more than the 1000 keys":   "[[a.b]]\n" + keys,
		"f.toml:1002:1: more than the 1000 keys i": keys + "= =",
	} {
		if _, err := Parse("f.toml", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A key that could make one path name two tables is refused at its place.
func TestKeysThatNameNothing(t *testing.T) {
	for text, want := range map[string]string{
		"a = 1\n\"\" = {a = 1}":            `f.toml:2:1: found the key "";`,
		"[b]\nc = {d = 1, '' = 1}":         `f.toml:2:13: found the key "";`,
		"[b.'']":                           `f.toml:1:4: found the key "";`,
		"a = 1\nb.\"c\\u0000d\" = 1":       `f.toml:2:3: found the key "c\x00d";`,
		"a = [1, {\"\\n\" = 1, \"\" = 1}]": `f.toml:1:10: found the key "\n";`,
	} {
		if _, err := Parse("f.toml", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "is a directory, not a TOML file") {
		t.Errorf("%v", err)
	}
	if _, err := Load(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	big := filepath.Join(dir, "big")
	if err := os.WriteFile(big, []byte("#"+strings.Repeat(" ", maxBytes)), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(big); err == nil || !strings.Contains(err.Error(), "longer than the 2097152 bytes that are allowed") {
		t.Errorf("%v", err)
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "1B": 1, "1kB": 1000, "3KiB": 3072, "64 MiB": 64 << 20, "8191PiB": -1, "8388607TiB": 8388607 << 40, "8388608TiB": -1, "": -1, "B": -1, "-1B": -1, "1.5GiB": -1, "1mib": -1, "512": -1, "+1B": -1, "1_0B": -1} {
		got, err := ParseSize(text)
		if (err != nil) != (want < 0) || err == nil && got != want {
			t.Errorf("%q: %d, %v", text, got, err)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Min(0).Draw(t, "bytes")
		if got, err := ParseSize(FormatSize(n)); got != n || err != nil {
			t.Fatalf("%d is written %s and read %d, %v", n, FormatSize(n), got, err)
		}
	})
}

// Whatever go-toml accepts, every key has a place, and asking for it in any way does not panic.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"a = 1", "[a]\n[a.b]\n[[a.c]]\nd.e = [[{f = 1}], {}]", "a.b = 1\na.c = 2\n[[d]]\n[d.e]\n[[d]]\n[[d.e]]", "\"\\u0000\" = {\"a\\u0000b\" = 1}",
		"a = [[[]]]\n[b]\n\"\" = ''", "\"\" = {a = 1}", "x = \"\"\"\nä\n\"\"\"\ny = 1979-05-27T07:32:00Z",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse("f", []byte(text))
		if err != nil {
			return
		}
		everything(t, d.Root())
		for range 2 {
			if err := d.Err(); err != nil && err.Error() == "" {
				t.Fatal("an error without words")
			}
		}
	})
}

func everything(t *testing.T, table *Table) {
	for key := range table.values {
		path := join(table.path, key)
		if _, ok := table.document.at[path]; !ok && len(path) <= maxPath {
			t.Fatalf("no place of %q in %q", key, table.path)
		}
		table.Text(key, "")
		table.Word(key, "", "a")
		table.Flag(key, false)
		table.Whole(key, 0, 0, 1)
		table.Number(key, 0, 0, 1)
		table.Duration(key, 0, 0, 1)
		table.Size(key, 0, 0, 1)
		table.Words(key)
		table.Names(key)
		everything(t, table.Table(key))
		for _, element := range table.Tables(key) {
			everything(t, element)
		}
	}
}
