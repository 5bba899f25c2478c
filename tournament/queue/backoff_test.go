package queue

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"
)

// What may be the end of a tournament is said when it lasts, unless the queue has said that it closes; everything else at
// once.
func TestBackoffTells(t *testing.T) {
	refused := fmt.Errorf("%w: this name is not of this run", ErrRefused)
	unauthorized := fmt.Errorf("%w: %w", errUnconnected, nats.ErrAuthorization)
	tests := []struct {
		name   string
		err    error
		closed bool
		after  time.Duration // it is told; negative: never
	}{
		{"lost", errLost, false, 2 * time.Second},
		{"lost to a queue that has closed", errLost, true, -1},
		{"no coordinator", ErrGone, false, 2 * time.Second},
		{"no tournament", ErrNone, false, 2 * time.Second},
		{"a write that nobody took", nats.ErrReconnectBufExceeded, false, 2 * time.Second},
		{"refused", refused, false, 0},
		{"refused by a queue that has closed", refused, true, 0},
		{"another version's job", ErrUnreadable, true, 0},
		{"a wrong token", ErrToken, true, 0},
		{"a password that is wrong", unauthorized, false, 0},
		{"a fault of the coordinator", errors.New("disk full"), true, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := Backoff{Quiet: time.Second, closed: func(context.Context) bool { return test.closed }}
				begin, told := time.Now(), time.Duration(-1)
				for range 8 { // 50 ms, 0.1 s, … 5 s
					if err := b.Wait(t.Context(), test.err, func(string) { told = time.Since(begin) }); err != nil {
						t.Fatal(err)
					}
				}
				if test.after == 0 && told != 0 || test.after < 0 && told >= 0 || test.after > 0 && (told < time.Second || told > test.after) {
					t.Errorf("told after %v; want about %v", told, test.after)
				}
			})
		})
	}
}
