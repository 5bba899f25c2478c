package grading

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"luzhanqi/grading/archive"
	"luzhanqi/grading/course"
	"luzhanqi/grading/marks"
	"luzhanqi/process"
	"luzhanqi/referee"
	"luzhanqi/text"
	"luzhanqi/tournament/plan"
)

// submissionRun is a submission on its way through the stages.
type submissionRun struct {
	*run
	submission
	dir      string // of its state, its tree and its games
	state    *state
	evidence *marks.Evidence
	built    string // digest of all that the built program depends on
	err      error  // why it could not be graded
}

// tree is where the submission is unpacked and built.
func (w *submissionRun) tree() string { return filepath.Join(w.dir, "tree") }

// do takes all stages that are missing.
func (w *submissionRun) do(ctx context.Context) (err error) {
	if err := os.MkdirAll(w.dir, 0o777); err != nil {
		return err
	}
	if w.state, err = load(w.dir, w.name); err != nil {
		return err
	}
	w.evidence = &marks.Evidence{Name: w.name, Folder: w.folder, Matches: map[int]*marks.LevelGames{}}
	defer func() { w.evidence.Took = w.state.took() }()
	if err := w.prepare(ctx); err != nil || !w.evidence.Built() {
		return err
	}
	if err := w.check(ctx); err != nil {
		return fmt.Errorf("check: %w", err)
	}
	for n, item := range w.course.Items {
		if item.Kind != course.Level {
			continue
		}
		if err := w.level(ctx, n, item); err != nil {
			return fmt.Errorf("games against %s: %w", item.Name, err)
		}
	}
	return nil
}

// prepare unpacks and builds.
func (w *submissionRun) prepare(ctx context.Context) error {
	content, err := archive.Digest(ctx, w.path, w.course.Unpack)
	if err != nil {
		return fmt.Errorf("read the submission: %w", err)
	}
	unpacked := digest("unpack", schema, content, filepath.Ext(w.path), w.course.Unpack)
	w.built = digest("build", unpacked, w.course.Languages, w.named != nil, w.named, w.course.Build, w.course.Env, w.course.Confine)
	if err := w.tampered(ctx, unpacked); err != nil {
		return err
	}
	var fresh bool
	w.evidence.Unpack, fresh, err = stage(w.state, "unpack", unpacked, func() (*marks.Unpack, error) { return w.unpack(ctx) })
	if err != nil {
		return fmt.Errorf("unpack: %w", err)
	}
	if fresh {
		w.state.forget("build")
		w.say("unpack", w.evidence.Unpack.Refused, "unpacked")
	}
	if w.evidence.Unpack.Refused != "" {
		return nil
	}
	w.evidence.Build, fresh, err = stage(w.state, "build", w.built, func() (*marks.Build, error) { return w.build(ctx) })
	if err != nil {
		return fmt.Errorf("build: %w", err)
	}
	if fresh {
		w.say("build", w.evidence.Build.Failed, "it builds and starts")
	}
	return nil
}

// tampered compares what was built with its digest, and has it built again if it differs: nothing keeps a program
// of the same user from changing it yet.
func (w *submissionRun) tampered(ctx context.Context, unpacked string) error {
	b := recalled[marks.Build](w.state, "build", w.built)
	if b == nil {
		if u := recalled[marks.Unpack](w.state, "unpack", unpacked); u == nil || u.Refused == "" {
			w.state.forget("unpack") // a build may have begun in what was unpacked
		}
		return nil
	}
	if b.Failed != "" {
		return nil
	}
	now, err := archive.Digest(ctx, w.tree(), treeLimits)
	if err == nil && now == b.Tree {
		return nil
	}
	w.tell(Event{Event: "again", Submission: w.name, Text: "what was built has changed since, or is gone; it is built again"})
	w.state.forget("unpack")
	w.state.forget("build")
	return nil
}

// treeLimits bound what is looked at of a folder in which something was built.
var treeLimits = archive.Limits{Bytes: 1 << 30, Files: 200_000}

func (w *submissionRun) unpack(ctx context.Context) (*marks.Unpack, error) {
	if err := remove(w.tree()); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(w.tree(), 0o777); err != nil {
		return nil, err
	}
	err := archive.Unpack(ctx, w.path, w.tree(), w.course.Unpack)
	var refusal *archive.Refusal
	if errors.As(err, &refusal) {
		return &marks.Unpack{Refused: text.PrintableLines(refusal.Error())}, nil
	}
	return &marks.Unpack{}, err
}

// top is the folder in the tree that holds the program: the tree itself, or the only folder in it.
func (w *submissionRun) top() (string, error) {
	at := w.tree()
	for {
		entries, err := os.ReadDir(at)
		if err != nil || len(entries) != 1 || !entries[0].IsDir() {
			return at, err
		}
		at = filepath.Join(at, entries[0].Name())
	}
}

// say tells what a stage has found.
func (w *submissionRun) say(stage, trouble, fine string) {
	const maxLine = 300 // characters
	w.tell(Event{Event: "stage", Submission: w.name, Stage: stage, Text: text.OneLine(cmp.Or(trouble, fine), maxLine)})
}

// entrant is the submission as a player, confined and in a copy of its folder.
func (w *submissionRun) entrant() (referee.Entrant, error) {
	e := w.course.Entrant(w.name)
	dir, err := w.top()
	if err != nil {
		return e, err
	}
	e.Command = process.Command{
		Args: slices.Clone(w.evidence.Build.Run), Dir: dir, Env: slices.Clone(w.course.Env), Confine: w.course.Confine,
	}
	return e, nil
}

// playing is what the games of a submission depend on, besides the program and its opponents.
func (w *submissionRun) playing() string {
	c := w.course
	return digest("play", w.built, c.Game.Name(), c.Rules.String(), c.Retries, c.Seed, c.Limits, c.Protocol.Name(), c.Adapter)
}

// planned is a player of a tournament.
func (w *submissionRun) planned() (plan.Player, error) {
	e, err := w.entrant()
	return plan.Player{Entrant: e, Dir: "."}, err
}

// remove removes a folder, also one whose folders may not be entered.
func remove(dir string) error {
	err := os.RemoveAll(dir)
	if err == nil {
		return nil
	}
	filepath.WalkDir(dir, func(path string, d os.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}
