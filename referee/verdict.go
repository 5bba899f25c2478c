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
	if wrong := j.contradicts(e); wrong != "" {
		result := "nobody won"
		if e.Winner != nil {
			result = fmt.Sprintf("player %v won", *e.Winner)
		}
		j.disagree("the record says %s, %s; but %s", e.Code, result, wrong)
	}
	last := game.Event{Kind: game.EventEnd, Draw: e.Winner == nil}
	if !last.Draw {
		last.Winner = *e.Winner
	}
	j.tell(last)
}

// contradicts says what in the game speaks against an ending; "" if nothing does.
func (j *judge) contradicts(e *Ending) string {
	var outcome game.Outcome
	over := false
	if j.pos != nil {
		if outcome, over = j.pos.Outcome(); !over && j.capped() {
			outcome, over = game.Drawn(capReached(j.Header.Limits.MaxPlies)), true
		}
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
	illegalMoves := j.illegal && j.refused > j.Header.Retries
	switch {
	case illegalSetUp != (e.Code == IllegalSetUp):
		return fmt.Sprintf("that the set-up of player %v is illegal is %v", side, illegalSetUp)
	case illegalMoves != (e.Code == IllegalMove):
		return fmt.Sprintf("%s of the %d that lose were refused in this turn", counted(j.refused), j.Header.Retries+1)
	case illegalSetUp, illegalMoves:
		return ""
	}
	return j.lastAnswer(side, e.Code)
}

func counted(moves int) string {
	if moves == 1 {
		return "1 illegal move"
	}
	return fmt.Sprintf("%d illegal moves", moves)
}

// lastAnswer checks what the program had sent at the end.
func (j *judge) lastAnswer(side game.Side, code Code) string {
	if j.ends[side] == nil {
		return ""
	}
	a, found, err := j.speech[side].answer()
	wanted := game.AnswerMove
	if j.pos == nil {
		wanted = game.AnswerSetUp
	}
	sent := Unreadable
	switch {
	case errors.Is(err, game.ErrTooLong):
		sent = Flooded
	case err == nil && !found:
		sent = "" // nothing whole, and why is not in the messages
	case err == nil && a.Kind == game.AnswerResign:
		sent = Resigned
	case err == nil && (a.Kind == wanted || a.Kind == game.AnswerAny && wanted == game.AnswerMove):
		return fmt.Sprintf("the program had sent %v", a.Kind)
	}
	mute := code == TimedOut || code == Crashed || code == Closed || code == Flooded
	if _, anew := j.ends[side].(game.Anew); anew && (sent == Unreadable || sent == "") && (code == Unreadable || code == Crashed || code == Closed) {
		sent = code // how the process ended is not in the messages
	}
	if sent != code && !(sent == "" && mute) {
		return fmt.Sprintf("what the program had sent means %q", sent)
	}
	if code == Unreadable {
		j.tellOne(side, game.Event{Kind: game.EventIllegal, Side: side, Err: errors.New("unreadable")})
	}
	return ""
}
