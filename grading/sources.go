package grading

import (
	"context"
	"path/filepath"

	"luzhanqi/grading/archive"
)

// sources are the digests of what was handed in, as it was before anything of any submission was executed.
type sources struct {
	Ended bool              `json:"ended"` // the run has looked at them again at its end
	Of    map[string]source `json:"of"`
	file  string
}

// source is one of them.
type source struct {
	Content  string `json:"content"`
	Appeared string `json:"appeared,omitempty"` // what it was at the end of a run that began with something else
}

// sourcesName is no name of a submission, none of which is empty.
const sourcesName = ""

const (
	changedNow   = "what was handed in has changed while programs of strangers ran; graded is what was there at the beginning. If nobody has handed in anything meanwhile, put the old one back"
	changedSince = "what was handed in appeared while programs of strangers ran, in an earlier run. If nobody handed in anything then, put the old one back"
)

// received notes what was handed in, names what an earlier run has left changed, and has it on the disk before anything
// is executed.
func (r *run) received(works []*submissionRun) error {
	s := &r.sources
	s.file = filepath.Join(r.o.Out, workFolder, stateFolder, "sources.json")
	var before sources
	if err := r.seal.read(s.file, sourcesName, &before, new([]byte)); err != nil {
		before = sources{} // then the states have been changed, too, or none was; they say so
	}
	if s.Of = before.Of; s.Of == nil {
		s.Of = map[string]source{}
	}
	for _, w := range works {
		if w.content == "" {
			continue
		}
		o, now := s.Of[w.name], source{Content: w.content}
		if o.Appeared == w.content || o.Content != "" && o.Content != w.content && !before.Ended {
			now.Appeared = w.content
			w.note(Event{Event: "changed", Text: changedSince})
		}
		s.Of[w.name] = now
	}
	s.Ended = false
	_, err := r.seal.write(s.file, sourcesName, s)
	return err
}

// unchanged looks at what was handed in again, at the end, and names what has changed.
func (r *run) unchanged(ctx context.Context, works []*submissionRun) error {
	for _, w := range works {
		if w.content == "" {
			continue
		}
		now, err := archive.Digest(ctx, w.path, w.course.Unpack)
		if err != nil && ctx.Err() != nil {
			return err
		}
		if err != nil {
			now = "gone" // no digest is so short
		}
		if now != w.content {
			r.sources.Of[w.name] = source{Content: w.content, Appeared: now}
			w.note(Event{Event: "changed", Text: changedNow})
		}
	}
	r.sources.Ended = true
	_, err := r.seal.write(r.sources.file, sourcesName, r.sources)
	return err
}
