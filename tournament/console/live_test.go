package console

import (
	"strings"
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	for _, line := range []struct {
		done, left int
		took       time.Duration
		want       string
	}{
		{0, 10, time.Second, ""},
		{10, 0, 5 * time.Second, ", 2.0 a second"},
		{10, 20, 5 * time.Second, ", 2.0 a second, done in 10s ("},
		{1, 1, 2 * time.Minute, ", 0.5 a minute, done in 2m0s ("},
	} {
		if got := Pace(line.done, line.left, line.took); !strings.HasPrefix(got, line.want) || line.left == 0 && got != line.want {
			t.Errorf("%+v: %q", line, got)
		}
	}
}
