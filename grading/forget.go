package grading

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"luzhanqi/grading/course"
	"luzhanqi/grading/report"
	"luzhanqi/process/load"
	"luzhanqi/tournament/store"
)

// ErrBusy is that somebody grades there.
var ErrBusy = errors.New("the results are in use")

// Hold keeps graders away from results until it is released.
func Hold(out string) (release func() error, err error) {
	if release, err = hold(out); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBusy, err)
	}
	return release, nil
}

// hold locks results, and removes files that whoever held them before was killed in writing: they may name students.
func hold(out string) (release func() error, err error) {
	lock, err := store.Lock(filepath.Join(out, workFolder), grades)
	if err != nil {
		return nil, err
	}
	if err := report.RemoveUnfinished(out, filepath.Join(out, workFolder, treesFolder)); err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	return lock.Unlock, nil
}

// Forgotten is what was removed of a submission, and what still names it.
type Forgotten struct {
	Removed []string // paths
	Remains []string // places that only people may change
}

// Forget removes submissions with all that is known of them: what was handed in, results, records, programs. The class
// tournament keeps the games that others played against them, without names, so that places stay; tables and pages of the class
// are written again from what is known of the others, of whom nothing is graded. dry: nothing is done.
func Forget(ctx context.Context, c *course.Course, o Options, names []string, dry bool) (f Forgotten, err error) {
	all, err := find(c)
	if err != nil {
		return f, err
	}
	if o.Out, err = filepath.Abs(o.Out); err != nil {
		return f, err
	}
	gone, err := forgettable(all, names, o.Out)
	if err != nil {
		return f, err
	}
	for _, s := range gone {
		for _, path := range []string{
			filepath.Join(o.Out, s.folder), filepath.Join(o.Out, workFolder, stateFolder, s.folder),
			filepath.Join(o.Out, workFolder, treesFolder, s.folder), filepath.Join(o.Out, workFolder, treesFolder, s.folder+builtSuffix), s.path,
		} {
			if _, err := os.Lstat(path); path != "" && !errors.Is(err, fs.ErrNotExist) {
				f.Removed = append(f.Removed, path)
			}
		}
	}
	f.Remains = remains(c, gone)
	if dry {
		return f, nil
	}
	release, err := Hold(o.Out)
	if err != nil {
		return f, err
	}
	defer release()
	if err := o.unlearn(gone); err != nil {
		return f, err
	}
	for _, path := range f.Removed {
		if err := remove(path); err != nil {
			return f, err
		}
	}
	if len(gone) == len(all) {
		return f, remove(filepath.Join(o.Out, classFolder))
	}
	return f, errors.Join(remove(filepath.Join(o.Out, classFolder)), rewrite(ctx, c, o))
}

// forgettable are the submissions of these names, and what is known under these names of those that were taken away before.
func forgettable(all []submission, names []string, out string) (gone []submission, err error) {
	for _, name := range names {
		found := false
		for _, s := range all {
			if s.name == name || s.base == name {
				gone, found = append(gone, s), true
			}
		}
		folder := folderOf(name)
		if _, err := os.Stat(filepath.Join(out, folder)); !found && err == nil {
			gone, found = append(gone, submission{name: name, folder: folder}), true
		}
		if !found {
			return nil, fmt.Errorf("%w: there is neither a submission %q nor are there results of one", ErrInput, name)
		}
	}
	return gone, nil
}

// remains are the places in files of the teacher that name a submission.
func remains(c *course.Course, gone []submission) (places []string) {
	for _, s := range gone {
		for i, k := range c.Corrections {
			if k.Submission == s.name || k.Submission == s.base {
				places = append(places, fmt.Sprintf("%s: [[correction]] %d, of %q", c.File(), i+1, k.Submission))
			}
		}
		for _, who := range c.Roster {
			if who.Submission == s.name || who.Submission == s.base {
				places = append(places, fmt.Sprintf("%s: the line of id %s", c.RosterFile, who.ID))
			}
		}
		if s.named != nil {
			places = append(places, fmt.Sprintf("%s: [[submission]] %q", c.File(), s.name))
		}
	}
	return slices.Compact(places)
}

// unlearn takes names out of what is known of all together.
func (o Options) unlearn(gone []submission) error {
	folder := filepath.Join(o.Out, workFolder, stateFolder)
	if _, err := os.Stat(folder); err != nil {
		return nil // nothing was ever graded, or it was removed
	}
	seal, err := openSeal(folder)
	if err != nil {
		return err
	}
	file := filepath.Join(folder, "sources.json")
	var known sources
	if err := seal.read(file, sourcesName, &known, new([]byte)); err == nil && known.Of != nil {
		for _, s := range gone {
			delete(known.Of, s.name)
		}
		if _, err := seal.write(file, sourcesName, known); err != nil {
			return err
		}
	}
	played, err := readState(filepath.Join(folder, classWork), classWork, seal, "")
	if err != nil {
		return err
	}
	found := recalled[classFound](played, "class", played.Stages["class"].Inputs)
	if found == nil {
		return nil
	}
	for i := range found.Players {
		if slices.ContainsFunc(gone, func(s submission) bool { return s.name == found.Players[i].Name }) {
			found.Players[i].Name, found.Players[i].Built = "", ""
			found.Players[i].Traces.Refused, found.Players[i].Traces.Changed = nil, nil
		}
	}
	if err := played.replace("class", found); err != nil {
		return err
	}
	return remove(filepath.Join(folder, classWork, "games")) // where the names are, too; its results are in the state
}

// rewrite writes all results again from what is known.
func rewrite(ctx context.Context, c *course.Course, o Options) error {
	all, err := find(c)
	if err != nil {
		return err
	}
	o.Only, o.Events, o.Load = nil, nil, load.Run{Started: time.Now(), Concurrency: 1, Processors: runtime.GOMAXPROCS(0), Before: load.Unknown}
	r := &run{course: c, o: o, all: all, frozen: true}
	works, err := r.open(all)
	if err != nil {
		return err
	}
	r.each(ctx, works, 1, (*submissionRun).receive)
	r.each(ctx, works, 1, (*submissionRun).do)
	class, err := r.placed(works)
	if err != nil {
		return err
	}
	_, err = r.finish(ctx, works, nil, class)
	return err
}
