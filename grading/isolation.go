package grading

import (
	"fmt"
	"os"
	"path/filepath"

	"luzhanqi/process"
	"luzhanqi/process/sandbox"
)

// shutIn is what builds and programs may see and change. Sealed, they see their own tree and what the course declares;
// guarded, all that is not in the folder of results or of submissions, and there their trees only.
func (r *run) shutIn(tree string) sandbox.Policy {
	p := sandbox.Policy{Profile: r.o.Sandbox, Read: r.course.Read}
	if p.Profile != sandbox.Guarded {
		return p
	}
	if r.course.Submissions != "" {
		p.Hidden = append(p.Hidden, r.course.Submissions)
	}
	for dir := tree; dir != r.o.Out && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		beside, _ := os.ReadDir(filepath.Dir(dir))
		for _, e := range beside {
			if e.Name() != filepath.Base(dir) {
				p.Hidden = append(p.Hidden, filepath.Join(filepath.Dir(dir), e.Name()))
			}
		}
	}
	return p
}

// shut says in words how far builds and programs are shut in, for the pages of marks.
func (r *run) shut() string {
	if r.frozen {
		return "" // it is not known any more
	}
	if p := (sandbox.Policy{Profile: r.o.Sandbox}); !p.On() {
		return "Builds and programs were not shut in: each could change what the others did."
	}
	said := fmt.Sprintf("Builds and programs were %s (level %s).", r.o.Sandbox, process.Isolation().Reached())
	if r.course.Confine.Total != 0 {
		how, _ := process.TotalMemory(r.course.Confine)
		said += " Their memory in all was " + how + "."
	}
	return said
}

// sealedBuild lets a build write into a layer of limited size over dir. What it has built is copied into kept, which takes
// the place of dir once everything of the build is dead.
func (w *submissionRun) sealedBuild(p *sandbox.Policy) (kept string, err error) {
	kept = w.tree() + builtSuffix
	if err := remove(kept); err != nil {
		return "", err
	}
	p.Keep, p.Whole, p.Disk = kept, true, w.course.Build.Tree.Bytes
	return kept, os.Mkdir(kept, 0o777)
}

// builtSuffix names the copy of a tree that a sealed build has changed, until it takes the tree's place.
const builtSuffix = "~built"

// replace puts what was built in the place of the folder in which it was built.
func replace(dir, kept string) error {
	if err := remove(dir); err != nil {
		return err
	}
	return os.Rename(kept, dir)
}
