package check

import (
	"cmp"
	"fmt"

	"luzhanqi/game"
)

// Steps lists what is checked of a program, in order.
func Steps() []Step { return (&session{}).steps() }

// steps are all steps. Their names never change: people and rubrics refer to them.
func (s *session) steps() []Step {
	move := []string{"first-move-legal"} // without which no game comes far enough
	end := []string{"first-move-legal", "exits-after-end"}
	usual := "the game's default level" // the names of its steps are older
	if s.subject.Game != nil {
		usual = cmp.Or(s.defaultLevel(), usual)
	}
	all := []Step{
		{Name: "found", Title: "the program is found and may be executed", run: s.found},
		{Name: "starts", Title: "it starts and does not end by itself", Needs: []string{"found"}, run: s.starts},

		{Name: "setup-in-time", Title: "its set-up arrives in time", Needs: []string{"starts"}, run: s.withSetUp(s.setUpInTime)},
		{Name: "setup-readable", Title: "its set-up can be read", Needs: []string{"setup-in-time"}, run: s.withSetUp(s.readable(atSetUp, "a set-up"))},
		{Name: "setup-legal", Title: "its set-up is legal", Needs: []string{"setup-readable"}, run: s.withSetUp(s.legal(atSetUp, "a set-up"))},
		{Name: "setup-varies", Title: "its set-ups differ (information)", Needs: []string{"setup-legal"}, run: s.withSetUp(s.setUpVaries)},

		{Name: "answers-as-1", Title: "as player 1 it answers in time", Needs: []string{"starts", "setup-legal"}, run: s.answers(game.First)},
		{Name: "answers-as-2", Title: "as player 2 it answers in time", Needs: []string{"starts", "setup-legal"}, run: s.answers(game.Second)},
		{Name: "first-move-readable", Title: "its first move can be read", Needs: []string{"answers-as-1", "answers-as-2"}, run: s.readable(atFirst, "a move")},
		{Name: "first-move-legal", Title: "its first move is legal", Needs: []string{"first-move-readable"}, run: s.legal(atFirst, "a move")},
		{Name: "moves-in-time", Title: "all later moves arrive in time", Needs: move, run: s.movesInTime},
		{Name: "moves-readable", Title: "all later moves can be read", Needs: []string{"moves-in-time"}, run: s.readable(atLater, "moves")},
		{Name: "moves-legal", Title: "all later moves are legal", Needs: []string{"moves-readable"}, run: s.movesLegal},
		{Name: "moves-without-grace", Title: "no move needs the grace (information)", Needs: []string{"moves-in-time"}, run: s.withoutGrace},

		{Name: "joined-messages", Title: "it reads messages that arrive together", Needs: move, run: s.withMessages(s.joinedMessages)},
		{Name: "split-messages", Title: "it reads messages that arrive byte by byte (information)", Needs: move, run: s.reframed(byteByByte)},
		{Name: "crlf-messages", Title: "it reads lines that end in CR LF (information)", Needs: move, run: s.reframed(crlf)},
		{Name: "blank-lines", Title: "it passes over empty lines (information)", Needs: move, run: s.reframed(blanked)},
		{Name: "slow-opponent", Title: fmt.Sprintf("it answers in time when the opponent has thought for %v", longThought), Needs: move, run: s.slowOpponent},

		{Name: "exits-after-end", Title: "after the end of the game it exits by itself", Needs: move, run: s.withEnd(s.exitsAfterEnd)},
		{Name: "exit-code", Title: "it exits with code 0", Needs: []string{"exits-after-end"}, run: s.withEnd(s.exitCode)},
		{Name: "opponent-resigns", Title: "it ends well when the opponent resigns", Needs: end, run: s.endsWell(opponentResigns)},
		{Name: "opponent-illegal", Title: "it ends well when the opponent plays an illegal move", Needs: end, run: s.endsWell(opponentCheats)},
		{Name: "opponent-late", Title: "it ends well when the opponent exceeds its time", Needs: end, run: s.endsWell(opponentLate)},
		{Name: "opponent-crashes", Title: "it ends well when the opponent crashes", Needs: end, run: s.endsWell(opponentCrashes)},
		{Name: "over-at-once", Title: "it ends well when the game is over before its first move", Needs: end, run: s.endsWell(overAtOnce)},
		{Name: "over-by-own-move", Title: "it ends well when its own move ends the game", Needs: end, run: s.endsWell(overByOwnMove)},
		{Name: "broken-off", Title: "it ends well when the game is broken off", Needs: end, run: s.endsWell(brokenOff)},
		{Name: "input-ends", Title: "it exits when its input ends in the middle of a game", Needs: move, run: s.withEnd(s.inputEnds)},
		{Name: "input-ends-code", Title: "it does not crash when its input ends in the middle of a game", Needs: []string{"input-ends"}, run: s.withEnd(s.inputEndsCode)},

		{Name: "games-random-1", Title: "full games as player 1 against random without a foul", Needs: move, run: func() finding { return s.fullGames(against(everyLevel, game.First)) }},
		{Name: "games-random-2", Title: "full games as player 2 against random without a foul", Needs: move, run: func() finding { return s.fullGames(against(everyLevel, game.Second)) }},
		{Name: "games-greedy-1", Title: "full games as player 1 against " + usual + " without a foul", Needs: move, run: func() finding { return s.againstDefault(game.First) }},
		{Name: "games-greedy-2", Title: "full games as player 2 against " + usual + " without a foul", Needs: move, run: func() finding { return s.againstDefault(game.Second) }},
		{Name: "games-half-time", Title: "as many full games with half the time without a foul", Needs: move, run: s.halfTime},

		{Name: "only-answers", Title: "nothing but answers on standard output, in all games", Needs: []string{"first-move-readable", "moves-readable"}, run: s.overAll(s.onlyAnswers)},
		{Name: "stderr-volume", Title: "a bearable amount of standard error", Needs: []string{"found"}, run: s.overAll(s.stderrVolume)},
		{Name: "no-leftovers", Title: "no process of it stands apart when a game is over", Needs: []string{"found"}, run: s.overAll(s.noLeftovers)},
		{Name: "memory", Title: "memory used", Needs: []string{"found"}, run: s.overAll(s.memory)},
		{Name: "processor-time", Title: "processor time used", Needs: []string{"found"}, run: s.overAll(s.processorTime)},
	}
	for i, step := range all {
		all[i].run = func() finding {
			s.step = step.Name
			return step.run()
		}
	}
	return all
}
