package protocoltests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"luzhanqi/game/games"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
)

// goodRecords are of games that end in different ways.
func goodRecords(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for mode, want := range map[string]verdict{
		"honest":             byRule.capped(allPlies),
		"late 0":             byRule.capped(30),
		"resign move5":       resigned,
		"move-mine move5":    illegalMove,
		"nul move5":          unreadable,
		"setup-two-flags":    illegalSetUp,
		"crash-mid-answer":   died(1),
		"-retry move-mine":   byRule.retrying(1).capped(20),
		"silent move1":       lateMove,
		"big-setup":          flooded,
		"close-stdout move5": closed,
	} {
		dir := t.TempDir()
		tr := trial{mode: mode, want: want}
		s := tr.match(dir, filepath.Join(t.TempDir(), "pids"))
		s.Ended = func(r referee.Result, _ referee.Score) { all[mode], _ = os.ReadFile(replayed(t, r)) }
		if _, err := s.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func replayed(t *testing.T, r referee.Result) string {
	replays(t, r)
	return r.Record
}

func read(text []byte) (*record.Replay, error) {
	return record.Read(bytes.NewReader(text), games.Find)
}

// TestTornRecords cuts good records at every line and at many other bytes: all that is whole is
// read, and what is missing is no disagreement.
func TestTornRecords(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for mode, text := range goodRecords(t) {
		t.Run(mode, func(t *testing.T) {
			header := bytes.IndexByte(text, '\n') + 1
			cuts := []int{}
			for at, c := range text[:len(text)-1] {
				if c == '\n' {
					cuts = append(cuts, at+1, at)
				}
			}
			for range 200 {
				cuts = append(cuts, random.IntN(len(text)))
			}
			for _, cut := range cuts {
				whole := text[:cut]
				replay, err := read(whole)
				if cut < header {
					if err == nil {
						t.Errorf("cut at byte %d, inside the header, and read without an error", cut)
					}
					continue
				}
				if err != nil {
					t.Fatalf("cut at byte %d: %v", cut, err)
				}
				if !replay.Torn || replay.Ending != nil {
					t.Errorf("cut at byte %d: torn %v, ending %v", cut, replay.Torn, replay.Ending)
				}
				if len(replay.Disagreements) > 0 {
					t.Errorf("cut at byte %d: %q", cut, replay.Disagreements)
				}
				lines := whole[:bytes.LastIndexByte(whole, '\n')+1]
				if found, want := len(replay.Moves), bytes.Count(lines, []byte(`{"event":"move"`)); found != want {
					t.Errorf("cut at byte %d: %d moves read, %d are whole", cut, found, want)
				}
			}
		})
	}
}

// A change falsifies one line of a record; false: it has nothing to falsify there.
type change struct {
	name string
	of   func(line map[string]any, random *rand.Rand) bool
}

// onEvent changes one member of the lines of one event.
func onEvent(event, member string, value func(old any, random *rand.Rand) any) change {
	return change{event + "." + member, func(line map[string]any, random *rand.Rand) bool {
		old, has := line[member]
		if line["event"] != event || !has {
			return false
		}
		line[member] = value(old, random)
		return fmt.Sprint(line[member]) != fmt.Sprint(old)
	}}
}

// onEnd changes one member of the ending.
func onEnd(member string, value func(old any, random *rand.Rand) any) change {
	return change{"end." + member, func(line map[string]any, random *rand.Rand) bool {
		end, _ := line["end"].(map[string]any)
		if end == nil {
			return false
		}
		old := end[member]
		end[member] = value(old, random)
		if end[member] == nil {
			delete(end, member)
		}
		return fmt.Sprint(end[member]) != fmt.Sprint(old)
	}}
}

func oneOf(values ...any) func(any, *rand.Rand) any {
	return func(_ any, random *rand.Rand) any { return values[random.IntN(len(values))] }
}

func more(old any, _ *rand.Rand) any { n, _ := old.(float64); return n + 1 }

// letters exchanges one character of a text for another that can stand there.
func letters(old any, random *rand.Rand) any {
	text := []byte(old.(string))
	for range 100 {
		at := random.IntN(len(text))
		switch c := text[at]; {
		case c >= 'A' && c <= 'E':
			text[at] = "ABCDE"[random.IntN(5)]
		case c >= '0' && c <= '9':
			text[at] = "123456"[random.IntN(6)]
		case strings.IndexByte("<>=", c) >= 0:
			text[at] = "<>="[random.IntN(3)]
		}
		if string(text) != old {
			break
		}
	}
	return string(text)
}

var changes = []change{
	onEvent("sent", "text", letters),
	onEvent("sent", "text", oneOf("(go 1)\n", "(end 0)\n", "(outcome (A6 A7))\n", "", "(init 1 time/move 1.0)\n")),
	{"sent.side", func(line map[string]any, _ *rand.Rand) bool {
		// (end …) may have reached one side only.
		text, _ := line["text"].(string)
		if line["event"] != "sent" || strings.HasPrefix(text, "(end ") {
			return false
		}
		line["side"] = 3 - line["side"].(float64)
		return true
	}},
	onEvent("setup", "setup", letters),
	onEvent("setup", "side", func(old any, _ *rand.Rand) any { return 3 - old.(float64) }),
	onEvent("move", "move", letters),
	onEvent("move", "side", func(old any, _ *rand.Rand) any { return 3 - old.(float64) }),
	onEvent("move", "ply", more),
	onEvent("illegal", "move", letters),
	onEvent("move", "event", oneOf("illegal")),
	onEvent("illegal", "event", oneOf("move")),
	onEnd("plies", more),
	onEnd("winner", oneOf(1.0, 2.0, nil)),
	onEnd("fault", oneOf(1.0, 2.0, nil)),
}

// TestFalsifiedRecords: no move, ending or message of the referee can be changed without the rules
// disagreeing.
func TestFalsifiedRecords(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for mode, text := range goodRecords(t) {
		for _, c := range changes {
			t.Run(mode+"/"+c.name, func(t *testing.T) {
				falsified := 0
				for number := range bytes.Count(text, []byte("\n")) {
					false, done := falsify(t, text, number, c, random)
					if !done {
						continue
					}
					if falsified++; falsified > 60 {
						break
					}
					if replay, err := read(false); err == nil && len(replay.Disagreements) == 0 {
						t.Errorf("nobody sees that line %d was changed:\n%s\n%s", number+1, short(line(text, number)), short(line(false, number)))
					}
				}
			})
		}
	}
}

func line(text []byte, number int) []byte { return bytes.SplitAfter(text, []byte("\n"))[number] }

func falsify(t *testing.T, text []byte, number int, c change, random *rand.Rand) (changed []byte, done bool) {
	t.Helper()
	lines := bytes.SplitAfter(text, []byte("\n"))
	var members map[string]any
	if err := json.Unmarshal(lines[number], &members); err != nil {
		t.Fatal(err)
	}
	if !c.of(members, random) {
		return nil, false
	}
	out, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	lines[number] = append(out, '\n')
	return bytes.Join(lines, nil), true
}

// TestFalsifiedEndings gives each ending every other code, with and without the winner. Of codes
// that say how a program was silent, the messages cannot tell one from another.
func TestFalsifiedEndings(t *testing.T) {
	mute := map[referee.Code]bool{referee.TimedOut: true, referee.Crashed: true, referee.Closed: true, referee.Flooded: true}
	for mode, text := range goodRecords(t) {
		replay, err := read(text)
		if err != nil {
			t.Fatal(err)
		}
		last := bytes.Count(text, []byte("\n")) - 1
		var pass []referee.Code
		for _, code := range append([]referee.Code{"nonsense", ""}, referee.Codes...) {
			if code == replay.Ending.Code || mute[code] && mute[replay.Ending.Code] {
				continue
			}
			false, _ := falsify(t, text, last, onEnd("code", oneOf(string(code))), rand.New(rand.NewPCG(0, 0)))
			if judged, err := read(false); err == nil && len(judged.Disagreements) == 0 {
				pass = append(pass, code)
			}
		}
		if pass != nil {
			t.Errorf("%s: the ending %s passes as %q too", mode, replay.Ending.Code, pass)
		}
	}
}

// TestMissingLines: a record without one of its moves, or without a message that others followed,
// disagrees. The last messages to a program may be missing: it may no longer have read.
func TestMissingLines(t *testing.T) {
	for mode, text := range goodRecords(t) {
		lines := bytes.SplitAfter(text, []byte("\n"))
		more := map[string]int{} // messages that follow, by side
		for number := len(lines) - 3; number > 0; number-- {
			var l record.Line
			if err := json.Unmarshal(lines[number], &l); err != nil {
				t.Fatal(err)
			}
			to := fmt.Sprint(l.Event, l.Side)
			if needed := l.Event == "move" || l.Event == "illegal" || l.Event == "sent" && more[to] > 1; needed {
				without := bytes.Join(append(append([][]byte{}, lines[:number]...), lines[number+1:]...), nil)
				if replay, err := read(without); err == nil && len(replay.Disagreements) == 0 {
					t.Errorf("%s: nobody misses line %d: %s", mode, number+1, short(lines[number]))
				}
			}
			more[to]++
		}
	}
}

func short(line []byte) []byte { return line[:min(len(line), 200)] }
