// Package games is the list of games. A new game is a folder beside this one and a line here.
package games

import (
	"fmt"
	"strings"

	"luzhanqi/game"
	"luzhanqi/game/chess1d"
	"luzhanqi/game/gastank"
	"luzhanqi/game/gastank/console"
	"luzhanqi/game/jungle"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/game/quagmire"
)

// All are the games, in the order in which they are shown; the first is the default.
var All = []game.Game{
	luzhanqi.Game{},
	jungle.Game{},
	gastank.Game{Console: console.Protocol{}},
	quagmire.Game{},
	chess1d.Game{},
}

// Find returns the game of that name.
func Find(name string) (game.Game, error) {
	var names []string
	for _, g := range All {
		if g.Name() == name {
			return g, nil
		}
		names = append(names, g.Name())
	}
	return nil, fmt.Errorf("game %q: allowed are %s", name, strings.Join(names, ", "))
}

// formerNames are earlier names of protocols, by today's. Command lines, plans and records of any age
// may hold them.
var formerNames = map[string]string{"oneshot": "anew", "console": "terminal"}

// FormerName is the first name that the protocol of today's name had. Fingerprints of plans keep to it,
// so that a tournament that began under that name can be continued.
func FormerName(name string) string {
	if former, ok := formerNames[name]; ok {
		return former
	}
	return name
}

// FindProtocol returns the protocol of that name, or that had it once; the empty name is the game's
// default.
func FindProtocol(g game.Game, name string) (game.Protocol, error) {
	var names []string
	if dialect, extended := game.CutOpenings(name); extended && dialect != "" {
		p, err := FindProtocol(g, dialect)
		if err != nil {
			return nil, err
		}
		if p, ok := game.WithOpenings(p); ok {
			return p, nil
		}
		return nil, fmt.Errorf("dialect %q of %s: %s has no words for openings", name, g.Name(), dialect)
	}
	for _, p := range g.Protocols() {
		if name == "" || name == p.Name() || name == FormerName(p.Name()) {
			return p, nil
		}
		names = append(names, p.Name())
	}
	return nil, fmt.Errorf("dialect %q of %s: allowed are %s", name, g.Name(), strings.Join(names, ", "))
}
