package grading

import (
	"testing"

	"luzhanqi/grading/course"
)

// With seeds of its own a submission meets other set-ups when it is another one, and the same when it is not; without, everybody meets the same.
func TestOwnSeeds(t *testing.T) {
	c, err := course.Load(describeGames(t, "", "ann=first"))
	if err != nil {
		t.Fatal(err)
	}
	c.Seed, c.SeedDrawn = 5, false
	seed := func(own bool, built string) uint64 {
		w := &submissionRun{run: &run{course: c, o: Options{OwnSeeds: own}}, built: built}
		return w.seed(w.playing())
	}
	a, b, again := seed(true, "a"), seed(true, "b"), seed(true, "a")
	if a == b || a != again || a >= 1<<53 {
		t.Errorf("own seeds are %d, %d and %d", a, b, again)
	}
	if seed(false, "a") != 5 || seed(false, "b") != 5 {
		t.Errorf("seeds of all are %d and %d", seed(false, "a"), seed(false, "b"))
	}
}

// A course that names no seed has another one in each folder of results, and keeps it there.
func TestCourseSeedIsDrawn(t *testing.T) {
	c, err := course.Load(describeGames(t, "", "ann=first"))
	if err != nil {
		t.Fatal(err)
	}
	c.SeedDrawn = true
	seed := func(out string) uint64 {
		r := &run{course: c, o: Options{Out: out}}
		if _, err := r.open(nil); err != nil {
			t.Fatal(err)
		}
		return r.course.Seed
	}
	one, other := t.TempDir(), t.TempDir()
	if a, again, b := seed(one), seed(one), seed(other); a != again || a == b || a >= 1<<53 {
		t.Errorf("seeds are %d, again %d, and %d", a, again, b)
	}
	if c.SeedDrawn = false; seed(one) != c.Seed {
		t.Errorf("the seed that is named is %d, and not used", c.Seed)
	}
}
