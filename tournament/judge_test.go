package tournament

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"luzhanqi/game"
	"luzhanqi/referee"
	"luzhanqi/tournament/queue"
	"luzhanqi/tournament/schedule"
	"luzhanqi/tournament/store"
)

// brought is a job, and the result that an honest worker brings of it.
func brought(t testing.TB, gameName string, levelNames ...string) (*queue.Job, *store.Result) {
	t.Helper()
	tour := levels(t, schedule.Spec{Format: schedule.Match, Games: 2, Seed: 1}, gameName, levelNames...)
	for i := range tour.Players {
		tour.Players[i].Options.Nodes = 100
	}
	tour.Limits.Move, tour.Limits.First = time.Minute, time.Minute
	for g := range tour.Schedule.Games(nobody{}) {
		j, err := tour.job(t.Context(), nil, g, 1)
		if err != nil {
			t.Fatal(err)
		}
		w := &worker{version: "elsewhere", concurrency: 7}
		return j, w.result(t.Context(), &queue.Claim{Job: *j, Deliveries: 1})
	}
	panic("no game")
}

// nobody has a result yet.
type nobody struct{ schedule.Results }

// copied is a result that can be changed without changing the other.
func copied(t testing.TB, r *store.Result) *store.Result {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	other := new(store.Result)
	if err := json.Unmarshal(text, other); err != nil {
		t.Fatal(err)
	}
	other.Record = r.Record
	return other
}

// rewritten is a packed record whose text was changed.
func rewritten(t testing.TB, record []byte, change func(string) string) []byte {
	t.Helper()
	d, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	text, err := d.DecodeAll(record, nil)
	if err != nil {
		t.Fatal(err)
	}
	pack, err := packer()
	if err != nil {
		t.Fatal(err)
	}
	return pack.EncodeAll([]byte(change(string(text))), nil)
}

// A result counts only with a record of that very game from its first move to its last.
func TestJudge(t *testing.T) {
	j, honest := brought(t, "jungle", "greedy", "random")
	if err := judge(j, copied(t, honest)); err != nil {
		t.Fatalf("an honest result was refused: %v", err)
	}
	isolated := copied(t, honest)
	isolated.Record = rewritten(t, honest.Record, func(s string) string {
		return strings.Replace(s, `"seed":`, `"sandbox":{"profile":"guarded","level":"isolated"},"seed":`, 1)
	})
	if err := judge(j, isolated); err != nil {
		t.Errorf("the result of a worker that shuts its programs in was refused: %v", err)
	}
	other := func(s *game.Side) *game.Side { o := s.Other(); return &o }
	record := func(change func(string) string) func(*store.Result) {
		return func(r *store.Result) { r.Record = rewritten(t, r.Record, change) }
	}
	replaced := func(old, new string) func(*store.Result) {
		return record(func(text string) string {
			if !strings.Contains(text, old) {
				t.Fatalf("%s is not in the record", old)
			}
			return strings.Replace(text, old, new, 1)
		})
	}
	for name, c := range map[string]struct {
		lie  func(*store.Result)
		want string
	}{
		"another game":    {func(r *store.Result) { r.ID = "r01-p001-g2" }, "the job is game r01-p001-g1"},
		"other players":   {func(r *store.Result) { r.Players = [2]int{1, 0} }, "players [0 1]"},
		"another round":   {func(r *store.Result) { r.Round = 2 }, "it is of game"},
		"another attempt": {func(r *store.Result) { r.Attempt = 2 }, "attempt 1"},
		"no record":       {func(r *store.Result) { r.Record = nil }, "without a record"},
		"garbage":         {func(r *store.Result) { r.Record = []byte("garbage") }, "its record: "},
		"half a record":   {func(r *store.Result) { r.Record = r.Record[:len(r.Record)/2] }, "its record: "},
		"no end":          {record(func(s string) string { return s[:strings.LastIndex(strings.TrimSpace(s), "\n")+1] }), "breaks off"},
		"the other won":   {func(r *store.Result) { r.Ending.Winner = other(r.Ending.Winner) }, "ends otherwise"},
		"the other won too": {func(r *store.Result) {
			r.Ending.Winner = other(r.Ending.Winner)
			r.Record = rewritten(t, r.Record, func(s string) string {
				return strings.Replace(strings.Replace(strings.Replace(s, `"winner":1`, `"winner":3`, 1), `"winner":2`, `"winner":1`, 1), `"winner":3`, `"winner":2`, 1)
			})
		}, "is not a game by the rules"},
		"resigned": {func(r *store.Result) {
			r.Ending = &referee.Ending{Code: referee.Resigned, Winner: r.Ending.Winner, Fault: other(r.Ending.Winner), Plies: r.Ending.Plies}
		}, "ends otherwise"},
		"another seed":       {replaced(`"seed":`, `"seed":1`), "other conditions"},
		"another game of it": {replaced(`"number":1,`, `"number":2,`), "other conditions"},
		"another level":      {replaced(`"level":"greedy"`, `"level":"easy"`), "of other players"},
		"more time":          {replaced(`"move_ms":60000`, `"move_ms":90000`), "other conditions"},
		"a move left out": {record(func(s string) string {
			lines := strings.SplitAfter(s, "\n")
			return strings.Join(append(lines[:5:5], lines[6:]...), "")
		}), "is not a game by the rules"},
	} {
		r := copied(t, honest)
		c.lie(r)
		if err := judge(j, r); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: found %v, want %q", name, err, c.want)
		}
	}
}

// A game that does not count needs no record, and a bad one of it is not kept; what is said of it is bounded.
func TestJudgeOfVoidGames(t *testing.T) {
	j, r := brought(t, "jungle", "greedy", "random")
	r.Ending = &referee.Ending{Code: referee.Void, Reason: strings.Repeat("why? ", 1000)}
	if err := judge(j, r); err != nil || r.Record != nil || len(r.Ending.Reason) > 2*maxVoidReason {
		t.Errorf("%v; a record of %d bytes, a reason of %d", err, len(r.Record), len(r.Ending.Reason))
	}
}

// A small record that unpacks to a huge one costs no more than reading its first lines.
func TestJudgeOfARecordThatExplodes(t *testing.T) {
	j, r := brought(t, "jungle", "greedy", "random")
	for name, text := range map[string]string{
		"one line":        strings.Repeat("x", 100<<20),
		"many lines":      strings.Repeat("{}\n", 30<<20),
		"after the start": "",
	} {
		bomb := copied(t, r)
		bomb.Record = rewritten(t, r.Record, func(s string) string {
			if text == "" {
				head, rest, _ := strings.Cut(s, "\n")
				return head + "\n" + strings.Repeat(`{"event":"sent","side":1,"text":"x"}`+"\n", 3<<20) + rest
			}
			return text
		})
		began := time.Now()
		allocated := testing.AllocsPerRun(1, func() {
			if judge(j, bomb) == nil {
				t.Errorf("%s: it is taken", name)
			}
		})
		t.Logf("%s: %d bytes packed, %v, %.0f allocations", name, len(bomb.Record), time.Since(began), allocated)
		if allocated > 1e6 {
			t.Errorf("%s: %.0f allocations", name, allocated)
		}
	}
}

// A record that is read for too long is given up.
func TestJudgeHasNoTime(t *testing.T) {
	if _, err := (&hasty{strings.NewReader("text"), time.Now().Add(-time.Second)}).Read(make([]byte, 4)); err == nil {
		t.Error("it goes on for ever")
	}
	text := make([]byte, 4)
	if n, err := (&hasty{strings.NewReader("text"), time.Now().Add(time.Minute)}).Read(text); n != 4 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
}

func BenchmarkJudge(b *testing.B) {
	for _, c := range [][3]string{
		{"luzhanqi", "random", "random"},
		{"luzhanqi", "medium", "easy"},
		{"jungle", "greedy", "random"},
		{"gastank", "greedy", "random"},
		{"quagmire", "random", "random"},
		{"chess1d", "random", "random"},
	} {
		b.Run(filepath.Join(c[0], c[1]), func(b *testing.B) {
			j, r := brought(b, c[0], c[1:]...)
			b.ReportMetric(float64(r.Ending.Plies), "plies")
			for b.Loop() {
				if err := judge(j, copied(b, r)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
