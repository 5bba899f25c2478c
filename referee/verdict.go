package referee

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"luzhanqi/game"
)

// end checks the recorded ending against the position reached.
func (j *judge) end(line Line) {
	e := line.End
	if e == nil {
		j.disagree("an end without its ending")
		return
	}
	j.Ending = e
	plies := 0
	if j.pos != nil {
		plies = j.pos.Ply()
	}
	if e.Plies != plies && e.Code != Void {
		j.disagree("the game has %d plies, not %d", plies, e.Plies)
	}
	meant := j.lastAnswers(e)
	if wrong := j.contradicts(e, meant); wrong != "" {
		result := "nobody won"
		if e.Winner != nil {
			result = fmt.Sprintf("player %v won", *e.Winner)
		}
		j.disagree("the record says %s, %s; but %s", e.Code, result, wrong)
	}
	for side, m := range meant {
		if m == Unreadable { // which it is told, whoever is at fault in the end
			j.tellOne(game.Side(side), game.Event{Kind: game.EventIllegal, Side: game.Side(side), Err: errors.New("unreadable")})
		}
	}
	last := game.Event{Kind: game.EventEnd, Draw: e.Winner == nil}
	if !last.Draw {
		last.Winner = *e.Winner
	}
	j.tell(last)
}

// contradicts says what in the game speaks against an ending; "" if nothing does.
func (j *judge) contradicts(e *Ending, meant [2]Code) string {
	var outcome game.Outcome
	over := false
	if j.pos != nil {
		outcome, over = j.conditions.Outcome(j.pos)
	}
	if !slices.Contains(Codes, e.Code) {
		return "there is no such code"
	}
	if over != (e.Code == Won || e.Code == Drawn) {
		if over {
			return "the game was over by its rules: " + outcome.Reason
		}
		return "the game was not over by its rules"
	}
	switch e.Code {
	case Void:
		if e.Winner != nil || e.Fault != nil {
			return "a void game has no winner and nobody at fault"
		}
		return ""
	case Won, Drawn:
		if e.Fault != nil {
			return "nobody is at fault in a game that the rules ended"
		}
		if outcome.Draw != (e.Code == Drawn) || outcome.Draw != (e.Winner == nil) || !outcome.Draw && *e.Winner != outcome.Winner {
			if outcome.Draw {
				return "by the rules it is a draw: " + outcome.Reason
			}
			return fmt.Sprintf("by the rules player %v won: %s", outcome.Winner, outcome.Reason)
		}
		if !strings.Contains(e.Reason, outcome.Reason) {
			return "by the rules the reason is: " + outcome.Reason
		}
		return ""
	}
	if e.Fault == nil || e.Winner == nil || *e.Winner != e.Fault.Other() {
		return "it names no player at fault whose opponent wins"
	}
	side := *e.Fault
	if j.pos != nil && side != j.pos.Mover() {
		return fmt.Sprintf("it was the turn of player %v", j.pos.Mover())
	}
	illegalSetUp := j.given[side] && j.game.CheckSetUp(j.SetUps[side]) != nil
	illegalMoves := j.outOfRetries()
	switch {
	case illegalSetUp != (e.Code == IllegalSetUp):
		return fmt.Sprintf("that the set-up of player %v is illegal is %v", side, illegalSetUp)
	case illegalMoves != (e.Code == IllegalMove):
		return fmt.Sprintf("%s of the %d that lose were refused in this turn", counted(j.refused), j.Header.Retries+1)
	case illegalSetUp, illegalMoves:
		return ""
	}
	return j.explained(side, e.Code, meant[side])
}

func counted(moves int) string {
	if moves == 1 {
		return "1 illegal move"
	}
	return fmt.Sprintf("%d illegal moves", moves)
}

// lastAnswers are what the last answers of those that were asked at the end mean for the game, by side: a
// code; answered, an answer that ends nothing; or "", nothing whole, and why is not in the messages. Of who
// was not asked, or has no conversation, it is "", too.
func (j *judge) lastAnswers(e *Ending) (meant [2]Code) {
	for side := range game.Side(2) {
		switch {
		case j.ends[side] == nil:
		case j.pos == nil && !j.given[side]:
			meant[side] = j.lastAnswer(side, game.AnswerSetUp)
		case j.pos != nil && e.Fault != nil && side == *e.Fault && !j.outOfRetries():
			meant[side] = j.lastAnswer(side, game.AnswerMove)
		}
	}
	return meant
}

// outOfRetries says whether the last answer was an illegal move too many.
func (j *judge) outOfRetries() bool { return j.illegal && j.refused > j.Header.Retries }

// answered is an answer of the kind that was asked for.
const answered Code = "answered"

func (j *judge) lastAnswer(side game.Side, wanted game.AnswerKind) Code {
	a, found, err := j.speech[side].answer()
	switch {
	case errors.Is(err, game.ErrTooLong):
		return Flooded
	case err == nil && !found:
		return ""
	case err == nil && a.Kind == game.AnswerResign:
		return Resigned
	case err == nil && (a.Kind == wanted || a.Kind == game.AnswerAny && wanted == game.AnswerMove):
		return answered
	}
	return Unreadable
}

// explained checks that an ending follows from what the last answer of the player at fault means.
func (j *judge) explained(side game.Side, code, meant Code) string {
	mute := code == TimedOut || code == Crashed || code == Closed || code == Flooded
	_, anew := j.ends[side].(game.OneShotEnd)
	switch {
	case j.ends[side] == nil || meant == code || meant == "" && mute:
		return ""
	case anew && (meant == Unreadable || meant == "") && (code == Unreadable || code == Crashed || code == Closed):
		return "" // how the process ended is not in the messages
	case meant == answered && j.pos == nil:
		return "the program had sent a set-up"
	case meant == answered:
		return "the program had sent a move"
	}
	return fmt.Sprintf("what the program had sent means %q", meant)
}
