// Package referee lets two players play a board game, checks every answer against the rules and the clock, and says
// how the game ended. It never hangs and never takes a player's word: whatever a player does, or fails to do, leads
// to one of the endings.
//
// # A game and a match
//
// A [Game] is one game that is to be played: its [Conditions] (which game, its rules, how many illegal moves may
// be taken back, the time limits), two [Entrant] values, and the seed and number that decide every random choice.
// [Game.Play] plays it and returns a [Result]. A [Match] is a number of games between the same two entrants, who
// swap seats after each: [Match.Run] plays several at a time, plays void games again, and returns a [Score].
// [ParseEntrant] reads an entrant as people write one on a command line, and [Conditions.SetRules] the rules.
//
// # Seats
//
// A [Seat] is whoever answers for one side, and the loop that plays a game cannot tell them apart. There are
// five: a program that runs for the whole game and exchanges messages; a program that is started for each
// question, whose whole output is the answer; a program that believes that it talks to a person at a terminal; a
// player of ours in this process; and a person, by way of [Interactive]. The kind of a program's seat is that of its
// [luzhanqi/game.Protocol].
//
// # Clocks
//
// A clock starts when the last byte of a question was written, and stops with the last byte of the answer. The
// deadline is absolute: limit and grace after the start, whatever is written until then. For a process that is
// started for each question the time for starting is added; for a program that talks to a person the silence by
// which its questions are recognised. Telling a player something never waits: what a program does not read is
// written on its own clock, when it is asked. No clock runs for a person. A program may send at most 64 KiB
// without completing an answer, four times as much if it talks to a person.
//
// # Endings
//
// An [Ending] has a [Code] for machines, of a closed list that docs/endings.md explains, and a reason for people.
// A foul loses; what the program at fault said last, how it exited and the end of its standard error are kept.
// What is the fault of the machine or the referee is void, counts for nobody, and is played again as long as
// [GivenUp] allows. When both set-ups are at fault, player 1 loses.
//
// # Observers
//
// The methods of an [Observer] are called for every message, set-up, move and illegal move, and for the ending, by
// the goroutine that plays: what they do takes no player's time, but holds the game up. Package
// luzhanqi/referee/record has the one that writes records, and verifies them without the programs.
//
// # What it does not do
//
// It knows no game, no dialect and no strength: rules and conversations come from the game's own package. It
// starts and confines programs by package luzhanqi/process, whose main function and test main must call
// process.Reexec first. It rates nobody, and keeps nothing: tournaments do.
package referee
