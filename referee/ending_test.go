package referee

import (
	"testing"
	"time"
)

// Who was woken late waits for the news again, at most stopTries times; who was woken in time does not.
func TestNewsOfAStopIsWaitedForAgain(t *testing.T) {
	type wait struct {
		came bool
		took time.Duration
	}
	inTime, late, news := wait{false, stopNews}, wait{false, stopNews + stopLate}, wait{true, 2 * stopNews}
	always := make([]wait, stopTries+1)
	for i := range always {
		always[i] = late
	}
	for _, c := range []struct {
		name  string
		waits []wait
		came  bool
		tries int
	}{
		{"at once", []wait{news}, true, 1},
		{"in time without news", []wait{inTime, news}, false, 1},
		{"late, then with news", []wait{late, late, news}, true, 3},
		{"late, then in time without news", []wait{late, inTime, news}, false, 2},
		{"always late", always, false, stopTries},
		{"with news in the last try", append(always[:stopTries-1:stopTries-1], news), true, stopTries},
	} {
		t.Run(c.name, func(t *testing.T) {
			tries := 0
			came := comes(func() (bool, time.Duration) {
				w := c.waits[tries]
				tries++
				return w.came, w.took
			})
			if came != c.came || tries != c.tries {
				t.Errorf("news %v after waiting %d times, must be %v after %d", came, tries, c.came, c.tries)
			}
		})
	}
}
