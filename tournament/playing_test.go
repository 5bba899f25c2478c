package tournament

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"luzhanqi/tournament/schedule"
	"luzhanqi/tournament/store"
)

// Others can know which games are being played while somebody plays, and nothing is left afterwards.
func TestPlaying(t *testing.T) {
	dir := t.TempDir()
	lock, err := store.Lock(dir, doing)
	if err != nil {
		t.Fatal(err)
	}
	n := newNotice(dir)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		n.keep(ctx)
	}()
	for _, e := range []Event{{Kind: EventBegun, ID: "a", Worker: "w"}, {Kind: EventBegun, ID: "b"}, {Kind: EventVoid, ID: "b"}, {Kind: EventBegun, ID: "c"}, {Kind: EventResult, ID: "c"}} {
		n.take(e)
	}
	var all []Begun
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline) && (len(all) != 1 || all[0].ID != "a"); time.Sleep(5 * time.Millisecond) {
		pid := 0
		if all, pid, err = Playing(dir); err != nil || pid != os.Getpid() {
			t.Fatal(pid, err)
		}
	}
	if len(all) != 1 || all[0].Worker != "w" || time.Since(all[0].Since) > time.Minute {
		t.Errorf("played are %+v", all)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	if all, pid, err := Playing(dir); len(all) != 0 || pid != 0 || err != nil {
		t.Errorf("nobody plays, but %v %d %v", all, pid, err)
	}
	stop()
	<-ended
	if left, _ := filepath.Glob(filepath.Join(dir, PlayingName+"*")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// A tournament tells of its games as long as it is played.
func TestPlayingTold(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	tour := levels(t, schedule.Spec{Format: schedule.Match, Games: 2, Seed: 5}, "gastank", "random", "random")
	told, o := 0, options(t, dir)
	o.Events = func(e Event) {
		for deadline := time.Now().Add(10 * time.Second); e.Kind == EventResult && told == 0 && time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
			if _, err := os.Stat(filepath.Join(dir, PlayingName)); err == nil {
				told++
			}
		}
	}
	if _, err := Run(t.Context(), tour, o); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, PlayingName)); told == 0 || err == nil {
		t.Errorf("told %d times; afterwards the file is there: %v", told, err == nil)
	}
}
