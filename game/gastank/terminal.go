package gastank

import (
	"time"

	"luzhanqi/game"
)

// Terminal is the conversation with a program that takes itself for the computer and the referee for
// a person at a keyboard, as its adapter describes it.
type Terminal struct {
	game.ProtocolDefaults
	adapter *Adapter
}

var _ game.Adaptable = Terminal{}

// NewTerminal is the conversation as an adapter describes it.
func NewTerminal(a *Adapter) Terminal { return Terminal{adapter: a} }

// Name is the word that selects the protocol.
func (Terminal) Name() string { return "console" }

// Summary says in a line what it is.
func (Terminal) Summary() string {
	return "for programs written to play a person: the referee answers their questions and types the opponent's moves"
}

// Kind says that the referee types.
func (Terminal) Kind() game.Kind { return game.Console }

// Frame is the other side's: the program prints the board for the person below, and sits above itself.
func (Terminal) Frame(side game.Side) game.Side { return side.Other() }

// Terminal says whether the program needs one.
func (t Terminal) Terminal() bool { return t.adapter.pty }

// Adapters are the names of the built-in adapters, the default first.
func (Terminal) Adapters() []string { return AdapterNames() }

// Adapter returns the protocol as the built-in adapter of that name speaks it.
func (Terminal) Adapter(name string) (game.Protocol, error) {
	a, err := BuiltIn(name)
	if err != nil {
		return nil, err
	}
	return Terminal{adapter: a}, nil
}

// ReadAdapter returns the protocol as the adapter in a TOML file speaks it.
func (Terminal) ReadAdapter(text []byte) (game.Protocol, error) {
	a, err := ReadAdapter(text)
	if err != nil {
		return nil, err
	}
	return Terminal{adapter: a}, nil
}

// RefereeEnd begins a conversation with the program that plays side; it is a game.ConsoleEnd.
func (t Terminal) RefereeEnd(side game.Side, _ game.Limits) game.RefereeEnd {
	return t.adapter.referee(side)
}

func (a *Adapter) referee(side game.Side) *terminalReferee {
	return &terminalReferee{
		adapter: a, side: side, view: View{position: NewPosition(), side: side},
		asked: make(map[*question]int),
	}
}

// PlayerEnd begins a conversation with a person, or with a referee that plays one.
func (Terminal) PlayerEnd(_ game.Rules, _ game.Side, limit time.Duration) game.PlayerEnd {
	if limit <= 0 {
		limit = Game{}.Limits().Move
	}
	return &terminalPlayer{limit: limit, speech: greeting}
}

// Recognised lists what the adapter finds in a program's output; see [Trial].
func (t Terminal) Recognised(output []byte) []string {
	found := Trial(output, t.adapter)
	lines := make([]string, len(found))
	for i, f := range found {
		lines[i] = f.String()
	}
	return lines
}
