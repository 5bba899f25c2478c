// Package console provides the protocol of programs that were written to play GasTank chess with a person:
// each takes the referee for the person at the keyboard. The referee answers
// their questions, types the opponent's moves, and finds their moves in what they print.
//
// [Protocol] is the entry. How one program asks, prints and reads is said by an [Adapter]: a small TOML file,
// or one that is built in; adapters/hatchback.toml explains every key, and [Trial] says what an adapter finds
// in captured output. The rules are those of package gastank, which judges; nothing here reads or writes.
package console

import (
	"slices"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/gastank"
)

// Protocol is the conversation as an adapter describes it; the zero value has the default adapter.
type Protocol struct {
	game.ProtocolDefaults
	adapter *Adapter // nil: the default
}

var _ game.Adaptable = Protocol{}

func (Protocol) Name() string { return "console" }

func (Protocol) Summary() string {
	return "for programs written to play a person: the referee answers their questions and types the opponent's moves"
}

func (Protocol) Kind() game.Kind { return game.Console }

// Frame is the other side's: the program prints the board for the person below, and sits above itself.
func (Protocol) Frame(side game.Side) game.Side { return side.Other() }

func (p Protocol) Terminal() bool { return p.spoken().pty }

func (p Protocol) spoken() *Adapter {
	if p.adapter == nil {
		return builtIn[0]()
	}
	return p.adapter
}

func (Protocol) Adapters() []string { return slices.Clone(names) }

func (Protocol) Adapter(name string) (game.Protocol, error)     { return adapted(BuiltIn(name)) }
func (Protocol) ReadAdapter(text []byte) (game.Protocol, error) { return adapted(ReadAdapter(text)) }

func adapted(a *Adapter, err error) (game.Protocol, error) {
	if err != nil {
		return nil, err
	}
	return Protocol{adapter: a}, nil
}

func (p Protocol) RefereeEnd(side game.Side, _ game.Limits) game.RefereeEnd {
	return p.spoken().referee(side)
}

func (a *Adapter) referee(side game.Side) *refereeEnd {
	return &refereeEnd{
		adapter: a, side: side, view: gastank.NewView(side),
		asked: make(map[*question]int),
	}
}

// PlayerEnd begins a conversation with a person, or with a referee that plays one.
func (Protocol) PlayerEnd(_ game.Rules, _ game.Side, limit time.Duration) game.PlayerEnd {
	if limit <= 0 {
		limit = gastank.Game{}.Limits().Move
	}
	return &playerEnd{limit: limit, speech: greeting}
}

func (p Protocol) Recognised(output []byte) []string {
	found := Trial(output, p.spoken())
	lines := make([]string, len(found))
	for i, f := range found {
		lines[i] = f.String()
	}
	return lines
}
