package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/adler32"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"luzhanqi/protocol-tests/protocoltest"
)

func TestMain(m *testing.M) {
	testscript.Main(builder{m}, map[string]func(){"role": role})
}

// hostile is the path of the program that roles are played by.
var hostile string

// builder makes the two programs under test before any script runs.
type builder struct{ tests *testing.M }

func (b builder) Run() int {
	dir, err := os.MkdirTemp("", "conformance-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if err := noteSources("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for _, source := range []string{"luzhanqi/cmd/luzhanqi", "luzhanqi/protocol-tests/hostile"} {
		if _, err := protocoltest.Program(dir, source); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	hostile = filepath.Join(dir, "hostile")
	os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return b.tests.Run()
}

// noteSources looks at every source file, so that `go test` repeats a test whose result it has
// cached when one changes. It cannot know what the builds above read.
func noteSources(module string) error {
	return filepath.WalkDir(module, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := entry.Name(); entry.IsDir() && strings.HasPrefix(name, ".") && name != "." && name != ".." {
			return filepath.SkipDir
		}
		if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			_, err = os.Stat(path)
		}
		return err
	})
}

func TestConversation(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"play":    play,
			"ending":  ending,
			"sent":    sent,
			"exits":   exits,
			"setups":  setUps,
			"ordered": ordered,
		},
	})
}

// play [FLAG…] PLAYER PLAYER plays one game and records it. A player that is the name of a file is
// a role. All roles must have heard exactly what their cues say, and `luzhanqi replay` must agree
// with the record. The grace is far above what any machine needs, so that no script depends on time.
func play(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: play [FLAG…] PLAYER PLAYER")
	}
	flags, players := args[:len(args)-2], slices.Clone(args[len(args)-2:])
	var roles []string
	for i, name := range players {
		if _, err := os.Stat(ts.MkAbs(name)); err == nil {
			ts.Check(os.WriteFile(ts.MkAbs(name+".cues"), []byte(cues(ts, name)), 0o666))
			for _, kind := range []string{".status", ".starts", ".arguments", ".complaint"} {
				ts.Check(os.RemoveAll(ts.MkAbs(name + kind)))
			}
			roles = append(roles, name)
			players[i] = "role " + name + " " + hostile
		}
	}
	ts.Check(os.RemoveAll(ts.MkAbs("records")))
	command := append([]string{"match", "--json", "--record", "records", "--grace", "10s"}, flags...)
	err := ts.Exec("luzhanqi", slices.Concat(command, shutIn(ts, flags), players)...)
	bringOut(ts)
	for _, name := range roles {
		status, readErr := os.ReadFile(ts.MkAbs(name + ".status"))
		if readErr != nil || string(status) != "0\n" && !strings.Contains(ts.ReadFile(name+".cues"), "! ") {
			complaint, _ := os.ReadFile(ts.MkAbs(name + ".complaint"))
			ts.Logf("%s: status %s\n%s", name, strings.TrimSpace(string(status)), complaint)
			err = errors.Join(err, fmt.Errorf("%s did not hear what it should", name))
		}
		if found, want := count(ts.MkAbs(name+".starts")), len(parts(ts.ReadFile(name+".cues"))); found != want {
			err = errors.Join(err, fmt.Errorf("%s was started %d times, want %d", name, found, want))
		}
	}
	ts.Check(err)
	records, _ := filepath.Glob(ts.MkAbs("records/*.jsonl"))
	if len(records) != 1 {
		ts.Fatalf("found %d records, want 1", len(records))
	}
	game := ts.ReadFile("stdout")
	ts.Check(os.Rename(records[0], ts.MkAbs("record")))
	ts.Check(os.WriteFile(ts.MkAbs("events"), []byte(game), 0o666))
	ts.Check(ts.Exec("luzhanqi", "replay", "record"))
}

// kept is where sealed roles leave their files.
const kept = "kept"

// shutIn seals roles in, where the machine can: by night in all scripts, by day in each fourth, since starts in there take
// most of the time. One that is started for each question counts its starts in its directory, which a layer forgets.
func shutIn(ts *testscript.TestScript, flags []string) []string {
	ts.Check(os.RemoveAll(ts.MkAbs(kept)))
	byDay := os.Getenv("LUZHANQI_NIGHTLY") == "" && adler32.Checksum([]byte(ts.Name()))%4 != 0
	if byDay || !canSeal() || slices.Contains(flags, "chess1d") {
		return []string{"--sandbox", "off"}
	}
	return []string{"--sandbox", "sealed", "--keep", kept}
}

var canSeal = sync.OnceValue(func() bool {
	out, err := exec.Command("luzhanqi", "version").Output()
	return err == nil && strings.Contains(string(out), "isolation: isolated")
})

// bringOut moves what roles have written to where they would have written it.
func bringOut(ts *testscript.TestScript) {
	files, _ := filepath.Glob(ts.MkAbs(kept + "/game-1-1-player-*/*"))
	for _, file := range files {
		ts.Check(os.Rename(file, ts.MkAbs(filepath.Base(file))))
	}
}

// cues expands what a file of cues may contain beyond hostile's instructions: SETUP is the set-up
// drawn in NAME.board, in canonical form; \r and \t are the bytes, \s is a blank, where an editor would
// eat it; the lines from "repeat N" to "end" come N times.
func cues(ts *testscript.TestScript, name string) string {
	text := ts.ReadFile(name)
	if strings.Contains(text, "SETUP") {
		text = strings.ReplaceAll(text, "SETUP", setUp(ts, ts.ReadFile(name+".board")))
	}
	text = strings.NewReplacer(`\r`, "\r", `\t`, "\t", `\s`, " ", `\e`, "\x1b").Replace(text)
	loop := regexp.MustCompile(`(?ms)^repeat (\d+)\n(.*?)^end\n`)
	return loop.ReplaceAllStringFunc(text, func(found string) string {
		parts := loop.FindStringSubmatch(found)
		n, err := strconv.Atoi(parts[1])
		ts.Check(err)
		return strings.Repeat(parts[2], n)
	})
}

// setUp writes a board of six rows, the front row first and camps as dots, as the S-expression of
// the set-up: by columns, upwards.
func setUp(ts *testscript.TestScript, board string) string {
	rows := strings.Split(strings.TrimSpace(board), "\n")
	if len(rows) != 6 {
		ts.Fatalf("a board of %d rows, want 6", len(rows))
	}
	var placements []string
	for column := range 5 {
		for row := 1; row <= 6; row++ {
			pieces := strings.Fields(rows[6-row])
			if len(pieces) != 5 {
				ts.Fatalf("row %d of a board has %d columns, want 5", row, len(pieces))
			}
			if piece := pieces[column]; piece != "." {
				placements = append(placements, fmt.Sprintf("(%c%d %s)", 'A'+column, row, piece))
			}
		}
	}
	return "(" + strings.Join(placements, " ") + ")"
}

// setups writes NAME.setup for every NAME.board given, for commands other than play.
func setUps(ts *testscript.TestScript, _ bool, names []string) {
	for _, name := range names {
		ts.Check(os.WriteFile(ts.MkAbs(name+".setup"), []byte(setUp(ts, ts.ReadFile(name+".board"))+"\n"), 0o666))
	}
}

// ending CODE WINNER FAULT PLIES compares the verdict on the game just played; "-" stands for
// nobody.
func ending(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: ending CODE WINNER FAULT PLIES")
	}
	var event struct {
		Ending struct {
			Code          string
			Winner, Fault *int
			Plies         int
		}
	}
	for line := range strings.Lines(ts.ReadFile("events")) {
		if strings.Contains(line, `"event":"game"`) {
			ts.Check(json.Unmarshal([]byte(line), &event))
		}
	}
	who := func(side *int) string {
		if side == nil {
			return "-"
		}
		return strconv.Itoa(*side)
	}
	e := event.Ending
	found := []string{e.Code, who(e.Winner), who(e.Fault), strconv.Itoa(e.Plies)}
	if !slices.Equal(found, args) {
		ts.Fatalf("ending: found %s, want %s", strings.Join(found, " "), strings.Join(args, " "))
	}
}

// sent FILE compares everything that the referee said in the game just played, in its order, as
// lines "1 (go 1)". The order between two programs is seen in no pipe, only in the record.
func sent(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: sent FILE")
	}
	var found strings.Builder
	for text := range strings.Lines(ts.ReadFile("record")) {
		var line struct {
			Event, Text string
			Side        int
		}
		ts.Check(json.Unmarshal([]byte(text), &line))
		if line.Event == "sent" {
			fmt.Fprintf(&found, "%d %s", line.Side, line.Text)
		}
	}
	if want := ts.ReadFile(args[0]); found.String() != want {
		ts.Fatalf("the referee said\n%sand not\n%s", found.String(), want)
	}
}

// exits STATUS PROGRAM [ARGUMENT…] runs a program that must exit with this status.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS PROGRAM [ARGUMENT…]")
	}
	status := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		status = exit.ExitCode()
	}
	if strconv.Itoa(status) != args[0] {
		ts.Fatalf("exit status %d, want %s", status, args[0])
	}
}

// ordered FILE sorts the lines of a file in place, for answers whose order is the player's choice.
func ordered(ts *testscript.TestScript, _ bool, args []string) {
	all := slices.Sorted(strings.Lines(ts.ReadFile(args[0])))
	ts.Check(os.WriteFile(ts.MkAbs("ordered"), []byte(strings.Join(all, "")), 0o666))
}
