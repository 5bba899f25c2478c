package games

import "testing"

// TestFormerNames guards that command lines, plans and records may name a protocol as it was once called.
func TestFormerNames(t *testing.T) {
	for _, c := range []struct{ game, former, name string }{{"chess1d", "anew", "oneshot"}, {"gastank", "terminal", "console"}} {
		g, err := Find(c.game)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{c.former, c.name} {
			if p, err := FindProtocol(g, name); err != nil || p.Name() != c.name || FormerName(p.Name()) != c.former {
				t.Errorf("%s: dialect %q is %v, %v, want %s", c.game, name, p, err, c.name)
			}
		}
	}
	if p, err := FindProtocol(All[0], "anew"); err == nil {
		t.Errorf("luzhanqi has a dialect anew: %v", p)
	}
}
