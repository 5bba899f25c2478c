package record

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"luzhanqi/game"
	"luzhanqi/referee"
	"luzhanqi/referee/adjudication"
	"luzhanqi/text"
)

// end checks the recorded ending against the position reached.
func (v *verifier) end(line Line) {
	e := line.End
	if e == nil {
		v.disagree("an end without its ending")
		return
	}
	v.Ending = e
	plies := 0
	if v.pos != nil {
		plies = v.pos.Ply()
	}
	if e.Plies != plies && e.Code != referee.Void {
		v.disagree("the game has %d plies, not %d", plies, e.Plies)
	}
	meant := v.lastAnswers(e)
	if wrong := v.contradicts(e, meant); wrong != "" {
		result := "nobody won"
		if e.Winner != nil {
			result = fmt.Sprintf("player %v won", *e.Winner)
		}
		v.disagree("the record says %s, %s; but %s", e.Code, result, wrong)
	}
	for side, m := range meant {
		if m == referee.Unreadable { // the program was told so, whoever is at fault in the end
			v.tellOne(game.Side(side), game.Event{Kind: game.EventIllegal, Side: game.Side(side), Err: errors.New("unreadable")})
		}
	}
	last := game.Event{Kind: game.EventEnd, Draw: e.Winner == nil}
	if !last.Draw {
		last.Winner = *e.Winner
	}
	v.tell(last)
}

// contradicts says what in the game speaks against an ending; "" if nothing does.
func (v *verifier) contradicts(e *referee.Ending, meant [2]referee.Code) string {
	var outcome game.Outcome
	over := false
	if v.pos != nil {
		outcome, over = v.Outcome(v.pos)
	}
	if !slices.Contains(referee.Codes, e.Code) {
		return "there is no such code"
	}
	if e.VoidBy != "" && (e.Code != referee.Void || !slices.Contains(referee.VoidsBy, e.VoidBy)) {
		return fmt.Sprintf("no such game is void by %q", e.VoidBy)
	}
	if over != (e.Code == referee.Won || e.Code == referee.Drawn) {
		if over {
			return "the game was over by its rules: " + outcome.Reason
		}
		return "the game was not over by its rules"
	}
	verdict := v.adjudicated(e.Value)
	if code := adjudicatedAs(verdict); code != e.Code && (code != "" || e.Code == referee.AdjudicatedWin || e.Code == referee.AdjudicatedDraw) {
		if code == "" {
			return "the values on record do not adjudicate the game"
		}
		return fmt.Sprintf("the values on record end it by %s", code)
	}
	switch e.Code {
	case referee.AdjudicatedWin, referee.AdjudicatedDraw:
		if e.Fault != nil {
			return "nobody is at fault in a game that was adjudicated"
		}
		if verdict.Draw != (e.Winner == nil) || !verdict.Draw && *e.Winner != verdict.Winner {
			return "the values on record give it another winner"
		}
		return ""
	case referee.Void:
		if e.Winner != nil || e.Fault != nil {
			return "a void game has no winner and nobody at fault"
		}
		return ""
	case referee.Won, referee.Drawn:
		if e.Fault != nil {
			return "nobody is at fault in a game that the rules ended"
		}
		if outcome.Draw != (e.Code == referee.Drawn) || outcome.Draw != (e.Winner == nil) || !outcome.Draw && *e.Winner != outcome.Winner {
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
	if v.pos != nil && side != v.pos.Mover() {
		return fmt.Sprintf("it was the turn of player %v", v.pos.Mover())
	}
	illegalSetUp := v.Given[side] != nil && (v.Game.CheckSetUp(v.SetUps[side]) != nil ||
		v.opening.SetUps[side] != "" && v.opening.SetUps[side].Normal() != v.SetUps[side].Normal())
	illegalMoves := v.outOfRetries()
	switch {
	case illegalSetUp != (e.Code == referee.IllegalSetUp):
		return fmt.Sprintf("that the set-up of player %v is illegal is %v", side, illegalSetUp)
	case illegalMoves != (e.Code == referee.IllegalMove):
		return fmt.Sprintf("%s of the %d that lose were refused in this turn", text.Count(v.refused, "illegal move"), v.Retries+1)
	case illegalSetUp, illegalMoves:
		return ""
	}
	return v.explained(side, e.Code, meant[side])
}

// adjudicated takes in the value of the position at hand, and says whether it ends the game.
func (v *verifier) adjudicated(value *float64) (verdict adjudication.Verdict) {
	v.streak.Rule = v.Header.Adjudication
	switch {
	case value == nil:
	case v.streak.Rule == nil || v.pos == nil:
		v.disagree("a value in a game that is not adjudicated")
	default:
		verdict = v.streak.Add(v.pos.Mover(), v.pos.Ply(), *value)
	}
	return verdict
}

// adjudicatedAs is the code of a verdict; "": it goes on.
func adjudicatedAs(v adjudication.Verdict) referee.Code {
	switch {
	case !v.Over:
		return ""
	case v.Draw:
		return referee.AdjudicatedDraw
	}
	return referee.AdjudicatedWin
}

// lastAnswers returns, by side, the code to which the last answer leads: answered if it is valid, "" if there is no
// whole answer, or if the side was not asked or has no conversation.
func (v *verifier) lastAnswers(e *referee.Ending) (meant [2]referee.Code) {
	for side := range game.Side(2) {
		switch {
		case v.ends[side] == nil:
		case v.pos == nil && v.Given[side] == nil:
			meant[side] = v.lastAnswer(side, game.AnswerSetUp)
		case v.pos != nil && e.Fault != nil && side == *e.Fault && !v.outOfRetries():
			meant[side] = v.lastAnswer(side, game.AnswerMove)
		}
	}
	return meant
}

// outOfRetries says whether the last answer was an illegal move too many.
func (v *verifier) outOfRetries() bool { return v.illegal && v.refused > v.Retries }

// answered is an answer of the kind that was asked for.
const answered referee.Code = "answered"

func (v *verifier) lastAnswer(side game.Side, wanted game.AnswerKind) referee.Code {
	a, found, err := v.said[side].answer()
	switch {
	case errors.Is(err, game.ErrTooLong):
		return referee.Flooded
	case err == nil && !found:
		return ""
	case err == nil && a.Kind == game.AnswerResign:
		return referee.Resigned
	case err == nil && (a.Kind == wanted || a.Kind == game.AnswerAny && wanted == game.AnswerMove):
		return answered
	}
	return referee.Unreadable
}

// explained checks that an ending follows from what the last answer of the player at fault means.
func (v *verifier) explained(side game.Side, code, meant referee.Code) string {
	mute := code == referee.TimedOut || code == referee.Crashed || code == referee.Closed || code == referee.Flooded || code == referee.Disconnected
	switch {
	case code == referee.Disconnected && v.Header.Players[side].Remote == nil:
		return "the program was not at the other end of a connection"
	case v.ends[side] == nil || meant == code || meant == "" && mute:
		return ""
	case v.kinds[side] == game.OneShot && (meant == referee.Unreadable || meant == "") && (code == referee.Unreadable || code == referee.Crashed || code == referee.Closed):
		return "" // how the process ended is not in the messages
	case meant == answered && v.pos == nil:
		return "the program had sent a set-up"
	case meant == answered:
		return "the program had sent a move"
	}
	return fmt.Sprintf("what the program had sent means %q", meant)
}
