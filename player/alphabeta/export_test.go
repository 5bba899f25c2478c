package alphabeta

import "luzhanqi/game"

// TestGame is a game that the tests of the search are about.
type TestGame struct {
	game.Game
	Search Game
}

// TestGames are set by the external part of the tests, which may import the games' own players.
var TestGames []TestGame
