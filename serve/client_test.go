package serve

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"luzhanqi/game/games"
	"luzhanqi/referee/record"
)

// The client in Python plays a whole game through the API, to its end by the rules, of which the server keeps the record.
func TestPythonClient(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	s, server := started(t, nil)
	run := exec.CommandContext(t.Context(), python, "-B", "../examples/api/play.py", server, "gastank", "random", "2")
	run.Env = append(run.Environ(), "no_proxy=127.0.0.1")
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	last := regexp.MustCompile(`(?:^|\n)(\d+)\. .*\n(\S+) (?:won|drawn) \S.*\n$`).FindStringSubmatch(string(out))
	if last == nil {
		t.Fatalf("it ended with\n%s", out)
	}
	h := s.find(last[2])
	<-h.Done() // the end is told before the record is whole
	s.mu.Lock()
	name := h.kept
	s.mu.Unlock()
	file, err := s.records.open(s.records.kept, name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := record.Read(file, games.Find)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(len(r.Positions)-1) != last[1] || r.Header.Players[1].Name != "play.py" {
		t.Errorf("the client has seen ply %s, the record has %d; it was played by %q", last[1], len(r.Positions)-1, r.Header.Players[1].Name)
	}
}

// The client hands a submission in, and tells its states and marks.
func TestPythonSubmits(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	s, server, token := class(t, courseFile(t), nil)
	archive := filepath.Join(t.TempDir(), "bot.zip")
	if err := os.WriteFile(archive, bot(t, "exit 3\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s.gradeCourses()
	run := exec.CommandContext(t.Context(), python, "-B", "../examples/api/submit.py", server, "autumn", archive)
	run.Env = append(run.Environ(), "no_proxy=127.0.0.1", "LUZHANQI_TOKEN="+token["ada"])
	out, err := run.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "ada@") || !strings.HasSuffix(string(out), "\n10 of 30 points\n") {
		t.Errorf("%v\n%s", err, out)
	}
}
