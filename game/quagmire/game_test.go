package quagmire

import (
	"testing"
	"time"
)

func TestLimits(t *testing.T) {
	g := Game{}
	if l := g.Limits(); l.Move != time.Second || l.Grace != 200*time.Millisecond || l.MaxPlies != 400 {
		t.Errorf("limits %+v", l)
	}
}
