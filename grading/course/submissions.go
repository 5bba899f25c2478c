package course

import "luzhanqi/tournament/plan"

// submissions reads where they are.
func (r *reading) submissions() {
	folder := r.root.Text("submissions", "")
	if r.root.Has("submissions") {
		r.Submissions = plan.Resolve(r.folder, folder)
	}
	names := map[string]bool{}
	for _, t := range r.root.Tables("submission") {
		n := Named{Name: t.Text("name", ""), Path: t.Text("path", ""), Built: t.Has("build"), place: t}
		n.Build, n.Run = r.words(t, "build"), r.words(t, "run")
		if t.Require("name"); n.Name == "" {
			t.Errorf("name", "the name is empty")
			continue
		}
		if names[n.Name] {
			t.Errorf("name", "there are two submissions called %q", n.Name)
		}
		names[n.Name] = true
		switch {
		case n.Path != "":
			n.Path = plan.Resolve(r.folder, n.Path)
		case r.Submissions == "":
			t.Errorf("", "path is missing: no folder of submissions is given")
		}
		r.Named = append(r.Named, n)
	}
	if r.Submissions == "" && len(r.Named) == 0 {
		r.root.Errorf("", "submissions is missing: the folder that they are in, or [[submission]] for each")
	}
}
