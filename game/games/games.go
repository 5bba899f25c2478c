// Package games is the list of games. A new game is a folder beside this one and a line here.
package games

import (
	"fmt"
	"strings"

	"luzhanqi/game"
	"luzhanqi/game/chess1d"
	"luzhanqi/game/gastank"
	"luzhanqi/game/jungle"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/game/quagmire"
)

// All are the games, in the order in which they are shown; the first is the default.
var All = []game.Game{
	luzhanqi.Game{},
	jungle.Game{},
	gastank.Game{},
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

// FindProtocol returns the protocol of that name; the empty name is the game's default.
func FindProtocol(g game.Game, name string) (game.Protocol, error) {
	var names []string
	for _, p := range g.Protocols() {
		if p.Name() == name || name == "" {
			return p, nil
		}
		names = append(names, p.Name())
	}
	return nil, fmt.Errorf("dialect %q of %s: allowed are %s", name, g.Name(), strings.Join(names, ", "))
}
