package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"luzhanqi/check"
	"luzhanqi/check/attack"
	"luzhanqi/game/games"
	"luzhanqi/process"
	"luzhanqi/process/load"
)

// The command line is specified by the scripts in testdata; each begins by saying why it exists.
// What is played is their business only as far as it shows in flags, output and exit codes: the
// conversation is specified in protocol-tests/conformance.
//
// Besides luzhanqi they have "idle", a program that never answers and ends with its input; once it
// runs, there is a file idle-is-running beside it.
func TestMain(m *testing.M) {
	process.Reexec(check.Probe, attack.Attacker)           // its supervisors and probes are the test's binary
	if err := flag.Set("test.parallel", "4"); err != nil { // half of the time a script waits
		panic(err)
	}
	called := os.Args[0] // of which testscript keeps the last part; it calls commands by their whole paths, which no script knows
	if filepath.IsAbs(called) {
		called = filepath.Base(called)
	}
	testscript.Main(m, map[string]func(){
		"luzhanqi": func() {
			begin, os.Args[0] = beginAs, called
			main()
		},
		"idle":       idle,
		"placer":     placer,
		"complainer": complainer,
		"lossy":      lossy,
	})
}

// beginAs begins a run on a quiet machine with processors enough, or with those of LOUD=PROCESSORS,SHARE.
func beginAs(concurrency int) load.Run {
	run := load.Run{Concurrency: concurrency, Processors: 1000, Started: time.Now(), Before: load.Unknown}
	if loud := os.Getenv("LOUD"); loud != "" {
		if _, err := fmt.Sscanf(loud, "%d,%g", &run.Processors, &run.Before); err != nil {
			panic(err)
		}
		run.Loud = true
	}
	return run
}

func TestCommandLine(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition:           condition,
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, "state"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":     exits,
			"refused":   refused,
			"signalled": signalled,
			"events":    events,
			"record":    recordOf,
			"pick":      pick,
			"samegames": sameGames,

			"solvedbut":   solvedBut,
			"interrupted": interrupted,
		},
	})
}

// condition knows [game:NAME]: there is a game of that name.
func condition(text string) (bool, error) {
	name, ok := strings.CutPrefix(text, "game:")
	if !ok {
		return false, fmt.Errorf("condition %q: allowed is game:NAME", text)
	}
	_, err := games.Find(name)
	return err == nil, nil
}

const running = "idle-is-running"

// complainer only reads, and says so on standard error.
func complainer() {
	fmt.Fprintln(os.Stderr, "about to think")
	io.Copy(io.Discard, os.Stdin)
}

func idle() {
	if err := os.WriteFile(running, nil, 0o666); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	io.Copy(io.Discard, os.Stdin)
}

// lossy prints the first line of what each read returns, and loses the others.
func lossy() {
	message := make([]byte, 1<<16)
	for {
		n, err := os.Stdin.Read(message)
		if err != nil {
			return
		}
		line, _, _ := bytes.Cut(message[:n], []byte("\n"))
		fmt.Printf("%s\n", line)
	}
}

// exits STATUS PROGRAM [ARGUMENT…] runs a program that must exit with this status.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS PROGRAM [ARGUMENT…]")
	}
	if found := status(ts, ts.Exec(args[1], args[2:]...)); strconv.Itoa(found) != args[0] {
		ts.Fatalf("exit status %d, want %s", found, args[0])
	}
}

func status(ts *testscript.TestScript, err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	ts.Fatalf("%v", err)
	return 0
}

// refused [ARGUMENT…] runs luzhanqi with arguments that it must refuse: status 2, nothing on
// standard output, and on standard error "luzhanqi: error: …" in lower case without a final stop.
func refused(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: refused [ARGUMENT…]")
	}
	if found := status(ts, ts.Exec("luzhanqi", args...)); found != exitUsage {
		ts.Fatalf("exit status %d, want %d", found, exitUsage)
	}
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("standard output is not empty: %.200q", out)
	}
	first, _, _ := strings.Cut(ts.ReadFile("stderr"), "\n")
	text, ok := strings.CutPrefix(first, "luzhanqi: error: ")
	if !ok || text == "" || strings.HasSuffix(text, ".") || text[0] >= 'A' && text[0] <= 'Z' {
		ts.Fatalf("found %q, want luzhanqi: error: and a message in lower case without a final stop", first)
	}
}

// signalled SIGNAL STATUS [ARGUMENT…] runs luzhanqi, sends it the signal when it has started idle,
// and compares its exit status. What it wrote is then in the files out and err.
func signalled(ts *testscript.TestScript, neg bool, args []string) {
	signals := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM}
	if neg || len(args) < 3 || signals[args[0]] == nil {
		ts.Fatalf("usage: signalled INT|TERM STATUS [ARGUMENT…]")
	}
	program := exec.Command("luzhanqi", args[2:]...)
	program.Dir = ts.MkAbs(".")
	var err strings.Builder
	program.Stderr = &err
	pipe, pipeErr := program.StdoutPipe()
	ts.Check(pipeErr)
	ts.Check(os.RemoveAll(ts.MkAbs(running)))
	ts.Check(program.Start())
	for patience := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(ts.MkAbs(running)); err == nil {
			break
		}
		if time.Now().After(patience) {
			program.Process.Kill()
			ts.Fatalf("there is no file %s after a minute: no program runs, or in a sandbox\n%s", running, err.String())
		}
	}
	ts.Check(program.Process.Signal(signals[args[0]]))
	out, _ := io.ReadAll(pipe)
	found := status(ts, program.Wait())
	ts.Check(os.WriteFile(ts.MkAbs("out"), out, 0o666))
	ts.Check(os.WriteFile(ts.MkAbs("err"), []byte(err.String()), 0o666))
	if strconv.Itoa(found) != args[1] {
		ts.Fatalf("exit status %d, want %s\n%s%s", found, args[1], out, err.String())
	}
}

// events FILE checks JSON Lines of `match --json`: the match first, the summary last with what is
// promised of it, and the games between them, which add up to the summary.
func events(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: events FILE")
	}
	var all []map[string]any
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		var event map[string]any
		if err := json.Unmarshal([]byte(line), &event); err != nil || !strings.HasSuffix(line, "}\n") {
			ts.Fatalf("not a line of JSON: %v: %q", err, line)
		}
		all = append(all, event)
	}
	if len(all) < 2 || all[0]["event"] != "match" {
		ts.Fatalf("the first of %d events is not the match", len(all))
	}
	endings := map[string]int{}
	for _, e := range all[1 : len(all)-1] {
		if e["event"] != "game" {
			ts.Fatalf("event %v between match and summary", e["event"])
		}
		endings[e["ending"].(map[string]any)["code"].(string)]++
	}
	text, err := json.Marshal(all[len(all)-1])
	ts.Check(err)
	var summary struct {
		Event   string
		Games   int
		Players []map[string]any
		Voids   int
		Endings map[string]int
	}
	ts.Check(json.Unmarshal(text, &summary))
	if summary.Event != "summary" || len(summary.Players) != 2 || !maps.Equal(summary.Endings, endings) ||
		summary.Voids != endings["void"] || summary.Games+summary.Voids != len(all)-2 {
		ts.Fatalf("the summary is %s, the endings of the games before it are %v", text, endings)
	}
	var wins, losses, draws [2]int
	for i, p := range summary.Players {
		if keys := slices.Sorted(maps.Keys(p)); !slices.Equal(keys, []string{"draws", "losses", "name", "wins"}) {
			ts.Fatalf("player %d of the summary has the fields %v", i+1, keys)
		}
		wins[i], losses[i], draws[i] = int(p["wins"].(float64)), int(p["losses"].(float64)), int(p["draws"].(float64))
		if wins[i]+losses[i]+draws[i] != summary.Games {
			ts.Fatalf("the results of player %d do not add up to %d games", i+1, summary.Games)
		}
	}
	if wins[0] != losses[1] || wins[1] != losses[0] || draws[0] != draws[1] {
		ts.Fatalf("the players' results contradict each other: %s", text)
	}
}

// recordOf DIR NUMBER FILE copies the record of the first attempt at one game.
func recordOf(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: record DIR NUMBER FILE")
	}
	found, _ := filepath.Glob(ts.MkAbs(fmt.Sprintf("%s/*-game-%05s.jsonl", args[0], args[1])))
	if len(found) != 1 {
		ts.Fatalf("found %d records of game %s, want 1", len(found), args[1])
	}
	text, err := os.ReadFile(found[0])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), text, 0o666))
}

// pick RECORD EVENT KEY… writes the values of some keys of all lines of one kind to the file
// picked, sorted: the two set-ups come in any order.
func pick(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: pick RECORD EVENT KEY…")
	}
	var all []string
	for text := range strings.Lines(ts.ReadFile(args[0])) {
		var line map[string]any
		ts.Check(json.Unmarshal([]byte(text), &line))
		if line["event"] != args[1] {
			continue
		}
		var values []string
		for _, key := range args[2:] {
			values = append(values, fmt.Sprint(line[key]))
		}
		all = append(all, strings.Join(values, " ")+"\n")
	}
	slices.Sort(all)
	ts.Check(os.WriteFile(ts.MkAbs("picked"), []byte(strings.Join(all, "")), 0o666))
}

// samegames DIR DIR compares two folders of records but for times and for how many were played at once.
func sameGames(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: [!] samegames DIR DIR")
	}
	first, second := gameLines(ts, args[0]), gameLines(ts, args[1])
	if same := slices.Equal(first, second); same == neg {
		ts.Fatalf("the same games: %v, in %d and %d lines", same, len(first), len(second))
	}
}

func gameLines(ts *testscript.TestScript, dir string) (all []string) {
	files, err := filepath.Glob(ts.MkAbs(dir + "/*.jsonl"))
	ts.Check(err)
	if len(files) == 0 {
		ts.Fatalf("no records in %s", dir)
	}
	for number, file := range files { // sorted by name, which ends in the number of the game
		text, err := os.ReadFile(file)
		ts.Check(err)
		for line := range strings.Lines(string(text)) {
			var object map[string]any
			ts.Check(json.Unmarshal([]byte(line), &object))
			for _, key := range []string{"t_ms", "took_ms", "started", "concurrency"} {
				delete(object, key)
			}
			stripped, err := json.Marshal(object)
			ts.Check(err)
			all = append(all, fmt.Sprintf("%d %s", number, stripped))
		}
	}
	slices.Sort(all)
	return all
}
