package check

import "luzhanqi/game"

// phase says how far a game has come.
type phase uint8

const (
	atSetUp phase = iota // the set-up is asked for; games without set-ups have no such phase
	atFirst              // the program's first move
	atLater              // all others
)

func (p phase) String() string {
	return [...]string{"at its set-up", "at its first move", "after its first move"}[p]
}

// scenario is one game that is played to see something. Several steps look at the same one.
type scenario struct {
	name    string
	seat    game.Side // the program's
	against opponent
	framing framing
	mute    bool  // the end is not told
	plies   int   // cap instead of the game's; zero: the game's
	half    bool  // with half the time for moves
	opened  bool  // begins with an opening, if the program says that it can be told one
	depth   phase // how far the program has to come
}

// fewPlies ends a game in which a scenario has shown all that it is there for.
const fewPlies = 12

// The games of the steps, but for the full games.
var (
	wholeGames = [2]scenario{
		{name: "whole-1", seat: game.First, depth: atLater},
		{name: "whole-2", seat: game.Second, depth: atLater},
	}
	shortGames = [2]scenario{
		{name: "short-1", seat: game.First, plies: 4, depth: atFirst},
		{name: "short-2", seat: game.Second, plies: 4, depth: atFirst},
	}
	listening = map[framing]scenario{
		joined:     {name: "joined", seat: game.Second, framing: joined, plies: fewPlies, depth: atLater},
		byteByByte: {name: "single", seat: game.First, framing: byteByByte, plies: fewPlies, depth: atLater},
		crlf:       {name: "crlf", seat: game.Second, framing: crlf, plies: fewPlies, depth: atLater},
		blanked:    {name: "blanked", seat: game.First, framing: blanked, plies: fewPlies, depth: atLater},
	}
	slowOpponent = scenario{
		name: "slow", seat: game.First, plies: 6, depth: atFirst,
		against: opponent{turn: 2, deviation: thinksLong, sleep: longThought},
	}
	opponentCheats = scenario{
		name: "cheat", seat: game.Second, depth: atFirst,
		against: opponent{turn: 2, deviation: playsIllegal},
	}
	opponentLate = scenario{
		name: "late", seat: game.First, depth: atFirst,
		against: opponent{turn: 1, deviation: exceedsTime, sleep: 10 * tinyLimits.Move},
	}
	opponentResigns = scenario{
		name: "resign", seat: game.First, depth: atFirst,
		against: opponent{probe: &behaviour{Does: resigns, Turn: 2}},
	}
	opponentCrashes = scenario{
		name: "crash", seat: game.Second, depth: atFirst,
		against: opponent{probe: &behaviour{Does: crashes, Turn: 2}},
	}
	overAtOnce = scenario{ // the opponent gives the program time to start: its exit has no more than the grace
		name: "at-once", seat: game.Second, plies: 1, depth: atSetUp,
		against: opponent{turn: 1, deviation: thinksLong, sleep: longThought},
	}
	overByOwnMove = scenario{
		name: "own-move", seat: game.First, plies: 1, depth: atFirst,
	}
	brokenOff = scenario{
		name: "broken-off", seat: game.Second, depth: atFirst,
		against: opponent{turn: 2, deviation: breaksOff},
	}
	inputEnds = scenario{
		name: "input-ends", seat: game.First, mute: true, depth: atFirst,
		against: opponent{turn: 2, deviation: playsIllegal},
	}
)
