package grading

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"luzhanqi/grading/report"
	"luzhanqi/text"
)

// schema is the version of the state on disk, and of what the stages do: another one begins anew.
const schema = 1

// state is what the stages of a submission have found, as it is on disk.
type state struct {
	Schema int                    `json:"schema"`
	Name   string                 `json:"name"`
	Stages map[string]stageResult `json:"stages"`
	file   string
}

// stageResult is what one stage has found.
type stageResult struct {
	Inputs string          `json:"inputs"` // digest of all that it depends on
	Found  json.RawMessage `json:"found"`
	Took   float64         `json:"took_ms"`
}

// load reads the state of a submission. One that is not there, cannot be read or is of another version
// is as good as none.
func load(dir, name string) (*state, error) {
	s := &state{file: filepath.Join(dir, "state.json")}
	text, err := os.ReadFile(s.file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err != nil || json.Unmarshal(text, s) != nil || s.Schema != schema || s.Name != name || s.Stages == nil {
		*s = state{Schema: schema, Name: name, Stages: map[string]stageResult{}, file: s.file}
	}
	return s, nil
}

// stage gives what a stage has found: from the state if its inputs are the same, else by doing it, in
// which case the state is on the disk when it returns.
func stage[T any](s *state, name, inputs string, do func() (*T, error)) (found *T, fresh bool, err error) {
	if found = recalled[T](s, name, inputs); found != nil {
		return found, false, nil
	}
	start := time.Now()
	if found, err = do(); err != nil {
		return nil, false, err
	}
	encoded, err := json.Marshal(found)
	if err != nil {
		return nil, false, err
	}
	s.Stages[name] = stageResult{inputs, encoded, text.Milliseconds(time.Since(start))}
	return found, true, s.save()
}

// recalled is what a stage has found with the same inputs; nil: it is to be done.
func recalled[T any](s *state, name, inputs string) *T {
	k, ok := s.Stages[name]
	found := new(T)
	if !ok || k.Inputs != inputs || json.Unmarshal(k.Found, found) != nil {
		return nil
	}
	return found
}

// forget makes a stage be done again.
func (s *state) forget(name string) { delete(s.Stages, name) }

func (s *state) save() error {
	text, err := report.Indented(s)
	if err != nil {
		return err
	}
	return report.WriteFile(s.file, text)
}

// took is how long all stages took together.
func (s *state) took() (total time.Duration) {
	for _, k := range s.Stages {
		total += text.Duration(k.Took)
	}
	return total
}

// digest is a hash of values that a stage depends on.
func digest(values ...any) string {
	text, err := json.Marshal(values)
	if err != nil {
		panic(fmt.Sprintf("digest of %v: %v", values, err)) // texts, numbers, flags and lists of them
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
