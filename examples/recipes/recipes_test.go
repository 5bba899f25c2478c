package recipes

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"luzhanqi/examples/starters"
	"luzhanqi/process/processtest"
	"luzhanqi/protocol-tests/protocoltest"
)

// luzhanqi builds the command, and place copies files of a recipe.
func luzhanqi(t *testing.T, file string) {
	t.Helper()
	build := exec.Command("go", "build", "-o", file, "luzhanqi/cmd/luzhanqi")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func place(t *testing.T, to string, files ...string) {
	t.Helper()
	if err := os.MkdirAll(to, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text = []byte(strings.ReplaceAll(string(text), `"1s"`, `"20s"`)) // other tests have the machine, too
		text = conformance.ReplaceAll(text, nil)                         // which is tested elsewhere, and takes long
		if err := os.WriteFile(filepath.Join(to, filepath.Base(file)), text, 0o777); err != nil {
			t.Fatal(err)
		}
	}
}

var conformance = regexp.MustCompile(`(?s)\[\[item\]\]\nkind = "conformance".*?points = 30\n`)

// bot is what a student hands in.
func bot(t *testing.T, folder string) {
	t.Helper()
	python, _ := starters.Find("python")
	text, err := python.Source("jungle")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "bot.py"), text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// run runs a script with additions to the environment.
func run(script string, env ...string) (string, error) {
	c := exec.Command("sh", script)
	c.Env = append(os.Environ(), env...)
	out, err := c.CombinedOutput()
	return string(out), err
}

// TestRecipes: in a folder like Gradescope's /autograder, run_autograder leaves results with all points but those that a random
// player takes; where the machine lacks something it leaves none, and fails. In a repository like GitHub Classroom's, the step's output is what
// its reporter reads, and the tests in it add up to the points.
func TestRecipes(t *testing.T) {
	if !protocoltest.Nightly() {
		t.Skip("it grades a course three times; LUZHANQI_NIGHTLY=1 does")
	}
	processtest.Need(t, "python3")
	if runtime.GOOS == "windows" {
		t.Skip("both systems are Linux")
	}
	dir := t.TempDir()
	at := filepath.Join(dir, "autograder")
	place(t, filepath.Join(at, "source"), "gradescope/run_autograder", "gradescope/course.toml")
	luzhanqi(t, filepath.Join(at, "source", "luzhanqi"))
	bot(t, filepath.Join(at, "submission"))
	script := filepath.Join(at, "source", "run_autograder")
	if out, err := run(script, "AUTOGRADER="+at); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var results struct {
		Score float64
		Tests []struct {
			Score float64
			Max   float64 `json:"max_score"`
		}
	}
	read(t, filepath.Join(at, "results", "results.json"), &results)
	if results.Score < 25 || len(results.Tests) != 2 || results.Tests[0].Score != 10 || results.Tests[1].Max != 60 {
		t.Errorf("the results are %+v", results)
	}
	lacking := filepath.Join(at, "source", "course.toml")
	text, err := os.ReadFile(lacking)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(lacking, append(text, "[[language]]\ndetect = \"*.py\"\nrun = \"no-such-python {file}\"\n"...), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := run(script, "AUTOGRADER="+at); err == nil || !strings.Contains(out, "no-such-python") {
		t.Errorf("without a tool: %v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(at, "results", "results.json")); err == nil {
		t.Error("without a tool there are results")
	}

	repository := filepath.Join(dir, "repository")
	bot(t, repository)
	place(t, filepath.Join(repository, ".github", "classroom"), "classroom/grade.sh", "classroom/course.toml")
	output, summary := filepath.Join(dir, "output"), filepath.Join(dir, "summary")
	if out, err := run(filepath.Join(repository, ".github", "classroom", "grade.sh"), "LUZHANQI="+filepath.Join(at, "source", "luzhanqi"), "SANDBOX=guarded",
		"RUNNER_TEMP="+dir, "GITHUB_OUTPUT="+output, "GITHUB_STEP_SUMMARY="+summary); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	said, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(strings.TrimSpace(string(said)), "result="))
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	var reported struct {
		Version  int
		Status   string
		MaxScore float64 `json:"max_score"`
		Tests    []struct{ Score float64 }
	}
	if err := json.Unmarshal(decoded, &reported); err != nil {
		t.Fatal(err)
	}
	var marks struct{ Score float64 }
	read(t, filepath.Join(dir, "marks", "submission", "marks.json"), &marks)
	sum := 0.0
	for _, test := range reported.Tests {
		sum += test.Score
	}
	if reported.Version != 1 || reported.MaxScore != 70 || sum != marks.Score || marks.Score < 25 {
		t.Errorf("reported is %+v, of %v", reported, marks.Score)
	}
	if text, _ := os.ReadFile(summary); !strings.Contains(string(text), "submission,") {
		t.Errorf("the summary is %q", text)
	}
}

func read(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}
