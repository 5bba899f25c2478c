package grading

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"luzhanqi/grading/archive"
	"luzhanqi/grading/course"
	"luzhanqi/grading/marks"
	"luzhanqi/grading/tree"
	"luzhanqi/process"
	"luzhanqi/process/sandbox"
	"luzhanqi/referee"
	"luzhanqi/text"
	"luzhanqi/tournament/plan"
)

// submissionRun is a submission on its way through the stages.
type submissionRun struct {
	*run
	submission
	dir      string // of its state and its games, which nothing of it can reach
	state    *state
	evidence *marks.Evidence
	content  string          // digest of what was handed in
	unpacked string          // digest of all that the unpacking depends on
	language course.Language // by which what was handed in is recognised
	built    string          // digest of all that the built program depends on
	fresh    string          // digest of what was unpacked in this run; empty: nothing was
	recorded bool            // its records are written
	err      error           // why it could not be graded
}

// tree is where the submission is unpacked and built: all that its builds and programs see of the folder of results.
func (w *submissionRun) tree() string {
	return filepath.Join(w.o.Out, workFolder, treesFolder, w.folder)
}

// note tells what a teacher must know of the submission.
func (w *submissionRun) note(e Event) {
	e.Submission = w.name
	w.run.note(e)
}

// bursts says whether the grader has ended while it unpacked the submission.
func (w *submissionRun) bursts() bool {
	return slices.ContainsFunc(w.state.Ends, func(e begun) bool { return e.Stage == "unpack" })
}

// receive reads and unpacks what was handed in. Nothing is executed.
func (w *submissionRun) receive(ctx context.Context) (err error) {
	w.evidence = &marks.Evidence{Name: w.name, Folder: w.folder, Matches: map[int]*marks.LevelGames{}}
	if w.content, err = archive.Digest(ctx, w.path, w.course.Unpack); err != nil {
		return fmt.Errorf("read the submission: %w", err)
	}
	w.unpacked = digest("unpack", schema, w.content, filepath.Ext(w.path), w.course.Unpack)
	if known := recalled[marks.Unpack](w.state, "unpack", w.unpacked); known != nil {
		w.built = w.building(known)
	}
	if !w.frozen {
		if err := w.tampered(ctx); err != nil {
			return err
		}
	}
	var fresh bool
	w.evidence.Unpack, fresh, err = stage(ctx, w.state, "unpack", w.unpacked, func() (*marks.Unpack, error) { return w.unpack(ctx) })
	if err != nil {
		return fmt.Errorf("unpack: %w", err)
	}
	w.built = w.building(w.evidence.Unpack)
	if fresh {
		w.state.forget("build")
		w.say("unpack", w.evidence.Unpack.Refused, "unpacked")
	}
	return nil
}

// do takes all stages that are missing.
func (w *submissionRun) do(ctx context.Context) error {
	defer func() { w.evidence.Took = w.state.took() }()
	if w.evidence.Unpack.Refused != "" {
		return nil
	}
	var fresh bool
	var err error
	w.evidence.Build, fresh, err = stage(ctx, w.state, "build", w.built, func() (*marks.Build, error) { return w.build(ctx) })
	if err != nil {
		return fmt.Errorf("build: %w", err)
	}
	w.evidence.Build.Language = w.language.Name
	if fresh {
		w.say("build", w.evidence.Build.Failed, "it builds and starts")
	}
	if !w.evidence.Built() {
		return nil
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

// tampered compares what was built with its digest, and has it built again if it differs.
func (w *submissionRun) tampered(ctx context.Context) error {
	b := recalled[marks.Build](w.state, "build", w.built)
	switch {
	case b == nil:
		if u := recalled[marks.Unpack](w.state, "unpack", w.unpacked); u == nil || u.Refused == "" || w.wanted(u.Ended) {
			w.state.forget("unpack") // a build may have begun in what was unpacked
		}
		return nil
	case w.wanted(b.Ended):
		w.state.forget("unpack")
		w.state.forget("build")
		return nil
	case b.Failed != "":
		return nil
	}
	found, err := w.look(ctx)
	if err == nil && found.Digest == b.Tree {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	w.tell(Event{Event: "again", Submission: w.name, Text: "what was built has changed since, or is gone; it is built again"})
	w.state.forget("unpack")
	w.state.forget("build")
	return nil
}

// wanted says whether somebody wants a stage tried again that was given up because it ended the grader.
func (w *submissionRun) wanted(ended bool) bool { return ended && slices.Contains(w.o.Only, w.name) }

// look looks at the tree by the rules for what is built.
func (w *submissionRun) look(ctx context.Context) (tree.Found, error) {
	never := []string{w.o.Out}
	if w.course.Submissions != "" {
		never = append(never, w.course.Submissions)
	}
	return tree.Look(ctx, w.tree(), tree.Rules{
		Limits: w.course.Build.Tree,
		Links:  tree.Links{Into: slices.Concat(tree.System, w.course.Read), Never: never},
	})
}

// settled compares what was built with its digest again, after others have run.
func (w *submissionRun) settled(ctx context.Context) error {
	if w.evidence == nil || !w.evidence.Built() {
		return nil
	}
	found, err := w.look(ctx)
	if err == nil && found.Digest == w.evidence.Build.Tree || ctx.Err() != nil {
		return ctx.Err()
	}
	w.state.Stages = map[string]stageResult{}
	return errors.Join(errSpoilt, w.state.save(), w.forgetGames())
}

// errSpoilt is that something else has changed what was built.
var errSpoilt = errors.New("what was built has been changed while programs ran, so that its games may not be its own; it is built and played again in the next run")

// forgetGames removes the games of all stages.
func (w *submissionRun) forgetGames() error {
	err := remove(w.checkFolder())
	for n := range w.course.Items {
		err = errors.Join(err, remove(w.store(n)))
	}
	return err
}

func (w *submissionRun) unpack(ctx context.Context) (*marks.Unpack, error) {
	if err := remove(w.tree()); err != nil {
		return nil, err
	}
	if n := w.state.held("unpack", w.unpacked); n >= heldEnds {
		return &marks.Unpack{Refused: tooOften("unpacking it", n), Ended: true}, nil
	}
	if err := os.MkdirAll(w.tree(), 0o777); err != nil {
		return nil, err
	}
	err := archive.Unpack(ctx, w.path, w.tree(), w.course.Unpack)
	var refusal *archive.Refusal
	if errors.As(err, &refusal) {
		return &marks.Unpack{Refused: text.PrintableLines(refusal.Error())}, remove(w.tree())
	}
	if err != nil {
		return nil, err
	}
	found, err := w.look(ctx)
	if err != nil {
		return nil, err
	}
	w.fresh = found.Digest
	dir, err := w.top()
	if err != nil {
		return nil, err
	}
	names, err := topNames(dir)
	return &marks.Unpack{Top: names}, err
}

// untouched makes sure that what is built is what was unpacked, whatever others have built meanwhile.
func (w *submissionRun) untouched(ctx context.Context) error {
	if found, err := w.look(ctx); err == nil && found.Digest == w.fresh {
		return nil
	}
	w.note(Event{Event: "again", Text: "what was unpacked has been changed while programs of others ran; it is unpacked again"})
	before := w.fresh
	if _, err := w.unpack(ctx); err != nil {
		return err
	}
	if w.fresh != before {
		return errors.New("what was handed in and what was unpacked have both been changed while programs of others ran")
	}
	return nil
}

// top is the folder in the tree that holds the program.
func (w *submissionRun) top() (string, error) { return topOf(w.tree()) }

// topOf is where a submission that lies in a folder begins: there, or in the only folder in it.
func topOf(at string) (string, error) {
	for {
		entries, err := os.ReadDir(at)
		entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool {
			return strings.HasPrefix(e.Name(), ".") || slices.Contains(besides, e.Name())
		})
		if err != nil || len(entries) != 1 || !entries[0].IsDir() {
			return at, err
		}
		at = filepath.Join(at, entries[0].Name())
	}
}

// besides are what macOS and Windows put beside a folder when they pack it.
var besides = []string{"__MACOSX", "Thumbs.db", "desktop.ini"}

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
		Sandbox: w.shutIn(w.tree()),
	}
	return e, nil
}

// playing is what the games of a submission depend on, besides the program and its opponents.
func (w *submissionRun) playing() string {
	c := w.course
	of := []any{"play", w.built, c.Game.Name(), c.Rules.String(), c.Retries, c.Seed, c.Limits, c.Protocol.Name(), c.Adapter, c.OneByOne}
	if w.o.OwnSeeds {
		of = append(of, "own seeds")
	}
	return digest(of...)
}

// seed is that of games of the submission that depend on inputs.
func (w *submissionRun) seed(inputs string) uint64 {
	if w.o.OwnSeeds {
		return seedOf(inputs)
	}
	return w.course.Seed
}

// planned is a player of a tournament.
func (w *submissionRun) planned() (plan.Player, error) {
	e, err := w.entrant()
	return plan.Player{Entrant: e, Dir: "."}, err
}

// own leaves of what a program changed the files that were there before: it may write others into its copy, and interpreters
// keep what they have compiled.
func (w *submissionRun) own(t sandbox.Traces) (sandbox.Traces, error) {
	top, err := w.top()
	if err != nil {
		return t, err
	}
	t.Changed = slices.DeleteFunc(slices.Clone(t.Changed), func(name string) bool {
		path := strings.TrimSuffix(name, " (removed)")
		_, err := os.Lstat(filepath.Join(top, path))
		return err != nil || strings.Contains(path, "__pycache__")
	})
	return t, nil
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
