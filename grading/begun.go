package grading

import (
	"cmp"
	"fmt"
	"slices"

	"luzhanqi/text"
)

// begun is a stage that was going on: if the grader ended meanwhile, it may have been ended by what ran in that stage.
type begun struct {
	Stage  string `json:"stage"`
	Inputs string `json:"inputs"`
	Run    string `json:"run"` // other submissions' stages of the same run were going on with it
	// Stopped: the grader ended in good order, as by Ctrl-C, or by a signal that only looks like it.
	Stopped bool `json:"stopped,omitempty"`
}

const (
	maxEnds  = 10 // that are remembered of a submission
	heldEnds = 2  // after so many ends with nothing else going on, the others wait for it no longer, and it is not built again
)

// acquit forgets that a stage ended the grader: now it has ended itself.
func (s *state) acquit(stage string) {
	s.Ends = slices.DeleteFunc(s.Ends, func(e begun) bool { return e.Stage == stage })
}

// blame counts, for each submission, the ends of the grader with which nothing else was going on, or nothing that has not
// ended by itself since. The others wait for those who often have such ends; only those by force are held against a build.
func blame(states []*state) {
	names := map[string]map[string]bool{}
	for _, s := range states {
		for _, e := range s.Ends {
			if names[e.Run] == nil {
				names[e.Run] = map[string]bool{}
			}
			names[e.Run][s.Name] = true
		}
	}
	for _, s := range states {
		s.alone, s.forced = map[string]int{}, map[string]int{}
		for _, e := range s.Ends {
			if len(names[e.Run]) > 1 {
				continue
			}
			s.alone[e.Stage+" "+e.Inputs]++
			if !e.Stopped {
				s.forced[e.Stage+" "+e.Inputs]++
			}
		}
	}
}

// held is how often the grader has ended by force in the middle of this very stage, with nothing else going on.
func (s *state) held(stage, inputs string) int { return s.forced[stage+" "+inputs] }

// most is the largest number of ends, in whatever way, in the middle of one stage with nothing else going on.
func (s *state) most() (n int) {
	for _, ends := range s.alone {
		n = max(n, ends)
	}
	return n
}

// suspects splits off those in the middle of whose stages the grader has ended, the most often last, and names them.
func (r *run) suspects(works []*submissionRun) (first, last []*submissionRun) {
	for _, w := range works {
		if len(w.state.Ends) == 0 {
			first = append(first, w)
			continue
		}
		last = append(last, w)
		e := w.state.Ends[len(w.state.Ends)-1]
		said := fmt.Sprintf("the grader ended in the middle of its stage %s", e.Stage)
		if n := w.state.alone[e.Stage+" "+e.Inputs]; n > 0 {
			said += fmt.Sprintf(", %s with nothing else going on", text.Count(n, "time"))
		} else {
			said += ", with others"
		}
		w.note(Event{Event: "ended", Stage: e.Stage, Text: said + "; the others come first"})
	}
	slices.SortStableFunc(last, func(a, b *submissionRun) int {
		return cmp.Or(a.state.most()-b.state.most(), len(a.state.Ends)-len(b.state.Ends))
	})
	return first, last
}

// tooOften is why a stage is not tried again.
func tooOften(doing string, n int) string {
	return fmt.Sprintf("%s ended the grader each of the last %d times, with nothing else going on; it is not tried again, unless grade is told --only with this name", doing, n)
}

// stubborn says whether the others wait no longer for a submission in the middle of whose stages the grader ends. If that
// is its check or a game, its marks are not touched: whoever stops the grader by force in a long stage would take them away.
func (w *submissionRun) stubborn() bool { return w.state.most() >= heldEnds }
