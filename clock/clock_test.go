package clock

import (
	"sync/atomic"
	"testing"
	"time"
)

// TestPause: a pause makes every deadline later by its length, and the clock shows nothing of it.
func TestPause(t *testing.T) {
	const pause, limit = 300 * time.Millisecond, 200 * time.Millisecond
	begun, deadline := time.Now(), Now().Add(limit)
	Pause()
	first := Now()
	time.Sleep(pause)
	if at := Now(); at != first {
		t.Errorf("the clock went on for %v in a pause", at.Sub(first))
	}
	Resume()
	if left := Until(deadline); left < limit/2 || left > limit {
		t.Errorf("%v are left of %v", left, limit)
	}
	if d := time.Until(System(deadline)) - Until(deadline); d.Abs() > 50*time.Millisecond {
		t.Errorf("the deadlines of both clocks differ by %v", d)
	}
	if Wait(nil, Until(deadline)) || time.Since(begun) < pause+limit {
		t.Errorf("waited for %v only", time.Since(begun))
	}
}

// TestWaitIsPaused: a pause also makes that later which is waited for already.
func TestWaitIsPaused(t *testing.T) {
	const pause, limit = 300 * time.Millisecond, 200 * time.Millisecond
	begun := time.Now()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		Wait(nil, limit)
	}()
	time.Sleep(limit / 4)
	Pause()
	time.Sleep(pause)
	Resume()
	<-ended
	if took := time.Since(begun); took < pause+limit {
		t.Errorf("waited for %v", took)
	}
	done := make(chan struct{})
	close(done)
	if !Wait(done, 0) {
		t.Error("what is done was not seen when the time is over")
	}
}

// TestNowNeverGoesBack, also when others pause the clock.
func TestNowNeverGoesBack(t *testing.T) {
	var done atomic.Bool
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for last := Now(); !done.Load(); {
			now := Now()
			if now.Before(last) {
				t.Errorf("from %v to %v", last, now)
			}
			last = now
		}
	}()
	for range 1000 {
		Pause()
		Resume()
	}
	done.Store(true)
	<-ended
}

// TestPausesAreNotStops: what was paused on purpose was not stopped by others.
func TestPausesAreNotStops(t *testing.T) {
	defer Watch()()
	span, start := Begin(), Now()
	Pause()
	time.Sleep(4 * Noticed)
	Resume()
	time.Sleep(4 * period)
	if stopped := span.Stopped(start, Now()); stopped != 0 {
		t.Errorf("stopped for %v", stopped)
	}
}

// TestBusyIsNotStopped: goroutines that never give up a processor do not look like a stop, not even where one asks.
func TestBusyIsNotStopped(t *testing.T) {
	defer Watch()()
	span, start := Begin(), Now()
	var done atomic.Bool
	for range 64 {
		go func() {
			for !done.Load() {
			}
		}()
	}
	defer done.Store(true)
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); {
		if stopped := span.Stopped(start, Now()); stopped != 0 {
			t.Fatalf("stopped for %v", stopped)
		}
	}
}

// BenchmarkSpan is what a ply pays for knowing that it was not stopped: of a quick answer, and of one that took long.
func BenchmarkSpan(b *testing.B) {
	defer Watch()()
	for name, took := range map[string]time.Duration{"quick": time.Millisecond, "slow": time.Second} {
		b.Run(name, func(b *testing.B) {
			now := Now()
			for b.Loop() {
				Begin().Stopped(now.Add(-took), now)
			}
		})
	}
}

// BenchmarkNow is what every look at the clock costs.
func BenchmarkNow(b *testing.B) {
	b.Run("system", func(b *testing.B) {
		for b.Loop() {
			time.Now()
		}
	})
	b.Run("clock", func(b *testing.B) {
		for b.Loop() {
			Now()
		}
	})
}
