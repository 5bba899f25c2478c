package course

import (
	"path/filepath"
	"strings"
	"time"

	"luzhanqi/check"
	"luzhanqi/game"
	"luzhanqi/grading/archive"
	"luzhanqi/grading/tree"
	"luzhanqi/process"
	"luzhanqi/referee"
	"luzhanqi/text"
	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/plan/strict"
)

// Load reads the course in a file.
func Load(file string) (*Course, error) {
	d, err := strict.Load(file)
	if err != nil {
		return nil, err
	}
	c, err := read(d, filepath.Dir(file))
	if err == nil {
		c.file = file
	}
	return c, err
}

// reading is a course half read.
type reading struct {
	*Course
	folder string
	root   *strict.Table
}

func read(d *strict.Document, folder string) (*Course, error) {
	r := reading{Course: &Course{document: d, folder: folder}, folder: folder, root: d.Root()}
	g := plan.ReadGame(r.root)
	if g == nil {
		return nil, d.Reported() // nothing else makes sense without it
	}
	r.Conditions = plan.ReadConditions(r.root, g)
	r.Title = r.root.Text("title", "")
	r.root.Require("title")
	r.SeedDrawn = !r.root.Has("seed")
	r.Seed = plan.ReadSeed(r.root)
	r.programs()
	r.building()
	r.submissions()
	r.sandbox()
	r.class()
	r.items()
	r.handing()
	r.corrections()
	r.checking()
	r.outputs()
	if err := d.Err(); err != nil {
		return nil, err
	}
	return r.Course, nil
}

// What programs and builds may use if the file does not say.
var (
	usualProgram = process.Confinement{Memory: 1 << 30, Total: process.SealedTotal, Processes: 64, Threads: 256, CPU: 10 * time.Minute, FileSize: 64 << 20, Files: 256, Private: true}
	usualBuild   = process.Confinement{Memory: 4 << 30, Total: 6 << 30, Processes: 256, Threads: 2048, CPU: 10 * time.Minute, FileSize: 256 << 20, Files: 1024}
)

// usualTree is what a folder may hold when it is built, and as much as is ever copied for a program to play in.
var usualTree = tree.Limits{Bytes: 1 << 30, Files: 100_000}

// supported leaves of the usual limits what this system can hold programs to.
func supported(c process.Confinement) process.Confinement {
	if c.Check() != nil {
		c = process.Confinement{Private: c.Private}
	}
	return c
}

// programs reads what concerns every submission while it plays.
func (r *reading) programs() {
	confine := r.root.Table("confine")
	r.Confine = plan.ReadConfinement(confine, supported(usualProgram))
	if !r.Confine.Private {
		confine.Errorf("private", "found false; a submission always runs in a copy of its own folder")
	}
	confine.Error("", r.Confine.Check())
	r.Env = plan.ReadEnvironment(r.root, "env")
	var e referee.Entrant
	if err := e.FindDialect(r.Game, r.root.Text("dialect", "")); err != nil {
		r.root.Error("dialect", err)
		return
	}
	if name := r.root.Text("adapter", ""); strings.Contains(name, ".") {
		r.adapterFile = plan.Resolve(r.folder, name)
	}
	r.root.Error("adapter", e.FindAdapter(r.Game, r.root.Text("adapter", ""), r.folder))
	if r.root.Flag("one_by_one", false) {
		r.root.Error("one_by_one", e.WriteOneByOne())
	}
	r.Protocol, r.Adapter, r.OneByOne = e.Protocol, e.Adapter, e.OneByOne
	if t := r.root.Table("limits"); t.Has("start") && r.Protocol.Kind() != game.OneShot {
		t.Errorf("start", "it has no effect: no program is started anew for each question")
	}
}

func (r *reading) building() {
	u := r.root.Table("unpack")
	r.Unpack = archive.Limits{
		Bytes: u.Size("bytes", archive.Usual.Bytes, 1<<10, 1<<30),
		Files: int(u.Whole("files", int64(archive.Usual.Files), 1, 50_000)),
		Ratio: u.Whole("ratio", archive.Usual.Ratio, 1, 1_000_000),
	}
	if r.Unpack.Bytes == 0 {
		u.Errorf("bytes", "found 0; something must be allowed")
	}
	b := r.root.Table("build")
	r.Build.Time = b.Duration("time", 2*time.Minute, time.Second, 24*time.Hour)
	r.Build.Env = plan.ReadEnvironment(b, "env")
	r.Build.Tree = tree.Limits{
		Bytes: b.Size("bytes", usualTree.Bytes, 1<<10, usualTree.Bytes),
		Files: int(b.Whole("files", int64(usualTree.Files), 1, int64(usualTree.Files))),
	}
	if r.Build.Tree.Bytes < r.Unpack.Bytes {
		b.Errorf("bytes", "found %v, less than the %v that may be unpacked; what is unpacked counts", text.Bytes(r.Build.Tree.Bytes), text.Bytes(r.Unpack.Bytes))
	}
	if r.Build.Tree.Files < r.Unpack.Files {
		b.Errorf("files", "found %d, less than the %d that may be unpacked; what is unpacked counts", r.Build.Tree.Files, r.Unpack.Files)
	}
	confine := b.Table("confine")
	r.Build.Confine = plan.ReadConfinement(confine, supported(usualBuild))
	if r.Build.Confine.Private {
		confine.Errorf("private", "found true; what is built in a copy is gone with the copy")
	}
	confine.Error("", r.Build.Confine.Check())
	r.languages()
}

// sandbox reads what strangers may see besides their own folder and the system's.
func (r *reading) sandbox() {
	t := r.root.Table("sandbox")
	for _, folder := range t.Words("read") {
		folder = plan.Resolve(r.folder, folder)
		var apart []string
		if r.Submissions != "" {
			apart = append(apart, r.Submissions)
		}
		t.Error("read", tree.CheckRead(folder, apart...))
		r.Read = append(r.Read, folder)
	}
}

// checking comes after the rubric: a check that nothing asks for is not played, since it is most of the work of a course.
func (r *reading) checking() {
	if !r.root.Has("check") && r.first(Conformance) < 0 {
		return
	}
	t := r.root.Table("check")
	r.CheckGames = int(t.Whole("games", 8, 4, 10_000))
	if r.CheckGames%4 != 0 {
		t.Errorf("games", "found %d; allowed are multiples of 4, for two opponents and two seats", r.CheckGames)
	}
}

// stepNames are the steps that an item may name.
func stepNames() (names []string) {
	for _, s := range check.Steps() {
		names = append(names, s.Name)
	}
	return names
}

func (r *reading) outputs() {
	r.Records = int(r.root.Whole("records", 10, 0, 1000))
	r.Boards = int(r.root.Whole("boards", 40, 0, 1000))
	t := r.root.Table("gradescope")
	seen := []string{"hidden", "after_due_date", "after_published", "visible"}
	r.Gradescope = Gradescope{
		Visibility:       t.Word("visibility", "visible", seen...),
		StdoutVisibility: t.Word("stdout_visibility", "hidden", seen...),
		Leaderboard:      t.Flag("leaderboard", false),
	}
}
