package check

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestSteps guards that names, by which rubrics and people refer to steps, neither change nor vanish, and
// that a step needs only steps before it.
func TestSteps(t *testing.T) {
	for file, steps := range map[string][]Step{"testdata/steps": Steps(), "testdata/referee-steps": RefereeSteps()} {
		golden, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, s := range steps {
			if !regexp.MustCompile(`^[a-z0-9-]+$`).MatchString(s.Name) || s.Title == "" || s.run == nil {
				t.Errorf("step %+v", s)
			}
			for _, need := range s.Needs {
				if !slices.Contains(names, need) {
					t.Errorf("%s needs %s, which is not before it", s.Name, need)
				}
			}
			if slices.Contains(names, s.Name) {
				t.Errorf("there are two steps %s", s.Name)
			}
			names = append(names, s.Name)
		}
		if found := strings.Join(names, "\n") + "\n"; found != string(golden) {
			t.Errorf("%s: found\n%s", file, found)
		}
	}
}
