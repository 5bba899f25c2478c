// Package tablebase solves 1-D chess exactly.
//
// The letters of a game never change, so every choice of letters of both sides is a table of its own,
// solved backwards from its ends. From all tables [SolveMatrix] makes the value of every
// pair of set-ups, and [Payoff.Solve] the equilibrium of the game in which both sides set up unseen.
//
// For players: [FindOpening] has the committed equilibrium, and a [Solver] finds the value and the best
// move of any position on demand, with a small book ([BookMove]) for what would take it too long.
//
// README.md in this folder says what was found, how long it takes and how it was checked. The package
// reads and writes the files of a solve in the directory that it is given, and no others.
package tablebase
