package grading

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"luzhanqi/grading/report"
	"luzhanqi/text"
)

// schema is the version of the state on disk, and of what the stages do: another one begins anew.
const schema = 3

const stateFile = "state.json"

// state is what the stages of a submission have found, as it is on disk. All of it is read before anything of any
// submission is executed, and what a run goes by afterwards is in its memory.
type state struct {
	Schema int                    `json:"schema"`
	Name   string                 `json:"name"`
	Stages map[string]stageResult `json:"stages"`
	Begun  *begun                 `json:"begun,omitempty"` // the stage that is going on; on disk without a run: it ended the grader
	Ends   []begun                `json:"ends,omitempty"`  // stages that were going on when the grader was ended, and have not been ended since
	file   string
	seal   seal
	run    string          // the number of this run
	disk   []byte          // what was written last
	fresh  map[string]bool // of the stages whose results this run goes by: it has done them itself
	alone  map[string]int  // see blame
	forced map[string]int
}

// stageResult is what one stage has found.
type stageResult struct {
	Inputs string          `json:"inputs"` // digest of all that it depends on
	Found  json.RawMessage `json:"found"`
	Took   float64         `json:"took_ms"`
	Ended  time.Time       `json:"ended"`
}

// readState reads the state of a submission. One that is not there or is of another version is as good as none; so is one
// that the grader has not written, with an error that says so.
func readState(dir, name string, seal seal, run string) (*state, error) {
	s := &state{file: filepath.Join(dir, stateFile), seal: seal, run: run}
	err := seal.read(s.file, name, s, &s.disk)
	if err != nil && !errors.Is(err, errAltered) {
		return nil, err
	}
	if err != nil || s.Schema != schema || s.Name != name || s.Stages == nil {
		return &state{Schema: schema, Name: name, Stages: map[string]stageResult{}, file: s.file, seal: seal, run: run}, err
	}
	if s.Begun != nil {
		s.Ends = append(s.Ends, *s.Begun)
		s.Ends = s.Ends[max(0, len(s.Ends)-maxEnds):]
		s.Begun = nil
	}
	return s, nil
}

// stage gives what a stage has found: from the state if its inputs are the same, else by doing it. That it has begun is
// on the disk before anything is done, and what it has found when stage returns.
func stage[T any](ctx context.Context, s *state, name, inputs string, do func() (*T, error)) (found *T, fresh bool, err error) {
	if found = recalled[T](s, name, inputs); found != nil {
		s.goesBy(name, s.fresh[name])
		return found, false, nil
	}
	if s.run == "" {
		return nil, false, errUngraded
	}
	s.Begun = &begun{Stage: name, Inputs: inputs, Run: s.run}
	if err := s.save(); err != nil {
		return nil, false, err
	}
	start := time.Now()
	found, err = do()
	if s.Begun.Stopped = ctx.Err() != nil; !s.Begun.Stopped {
		s.Begun = nil
	}
	if err != nil {
		return nil, false, errors.Join(err, s.save())
	}
	s.Begun = nil
	encoded, err := json.Marshal(found)
	if err != nil {
		return nil, false, err
	}
	s.Stages[name] = stageResult{inputs, encoded, text.Milliseconds(time.Since(start)), time.Now().UTC().Truncate(time.Second)}
	s.acquit(name)
	s.goesBy(name, true)
	return found, true, s.save()
}

// errUngraded is that a stage would have to be done where nothing is graded.
var errUngraded = errors.New("it has not been graded, or something has changed since")

// replace writes another result of a stage, with the same inputs.
func (s *state) replace(name string, found any) error {
	encoded, err := json.Marshal(found)
	if err != nil {
		return err
	}
	k := s.Stages[name]
	k.Found = encoded
	s.Stages[name] = k
	return s.save()
}

// goesBy notes whose result of a stage this run goes by: its own, or that of an earlier one.
func (s *state) goesBy(name string, own bool) {
	if s.fresh == nil {
		s.fresh = map[string]bool{}
	}
	s.fresh[name] = own
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

func (s *state) save() (err error) {
	s.disk, err = s.seal.write(s.file, s.Name, s)
	return err
}

// restore writes what was written last again, if something else is there by now, and says whether that was so.
func (s *state) restore() (altered bool, err error) {
	if s.disk == nil {
		return false, nil
	}
	if file, err := os.ReadFile(s.file); err == nil && bytes.Equal(file, s.disk) {
		return false, nil
	}
	return true, report.WriteFile(s.file, s.disk)
}

// took is how long all stages took together.
func (s *state) took() (total time.Duration) {
	for _, k := range s.Stages {
		total += text.Duration(k.Took)
	}
	return total
}

// ended is when the last stage ended.
func (s *state) ended() (last time.Time) {
	for _, k := range s.Stages {
		if k.Ended.After(last) {
			last = k.Ended
		}
	}
	return last
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

// seedOf is the seed that follows from a text: whole in every language that reads records.
func seedOf(text string) uint64 {
	sum := sha256.Sum256([]byte("seed " + text))
	return binary.BigEndian.Uint64(sum[:]) >> 11
}
