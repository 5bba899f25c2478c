package record

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"luzhanqi/game"
	"luzhanqi/referee"
	"luzhanqi/referee/adjudication"
	"luzhanqi/referee/opening"
	"luzhanqi/referee/totalclock"
	"luzhanqi/text"
)

// maxUnexplained is how many messages may have been sent before the line that gives the reason. Those of one event are few.
const maxUnexplained = 1000

// verifier plays a record through the rules, and through both programs' conversations: whatever the
// referee sent must be what it had to send.
type verifier struct {
	*Replay
	referee.Conditions
	draws   *rand.Rand // the same as the referee's
	opening game.Opening
	opened  []game.Move // that nobody has chosen
	line    int         // of the record, from 1
	pos     game.Position
	ends    [2]game.RefereeEnd // nil: a player of ours or a person, without a conversation
	kinds   [2]game.Kind       // of the conversations of ends
	said    [2]transcript      // by the programs of ends
	due     [2][]message       // what had to be sent, and was not yet found
	sent    [2][]message       // what was sent, and is not yet explained
	illegal bool               // the last answer was an illegal move
	refused int                // in this turn
	streak  adjudication.Streak
	totals  [2]*totalclock.Clock
}

func (v *verifier) disagree(format string, args ...any) {
	v.Disagreements = append(v.Disagreements, fmt.Sprintf("line %d: ", v.line)+fmt.Sprintf(format, args...))
}

func (v *verifier) start() {
	pos, err := v.opening.Start(v.Game, v.Rules, v.SetUps)
	if err != nil {
		return // a set-up is illegal, which the ending must say
	}
	v.pos = pos
	v.Positions = append(v.Positions, pos)
	v.opened = append(slices.Clip(v.opening.Moves), opening.Draw(opening.Random(v.Header.Seed, v.Header.Number), pos, v.opening.Random, v.Outcome)...)
	v.turn()
}

// opens says whether the next move is one that nobody has chosen.
func (v *verifier) opens() bool { return v.pos != nil && v.pos.Ply() < len(v.opened) }

func (v *verifier) turn() {
	if v.opens() {
		return
	}
	if _, over := v.Outcome(v.pos); over {
		return
	}
	v.refused = 0
	v.tell(game.Event{Kind: game.EventTurn, Side: v.pos.Mover()})
	v.ask(v.pos.Mover(), game.AnswerMove)
}

// limits are those of a side.
func (v *verifier) limits(side game.Side) game.Limits {
	if own := v.Header.Players[side].Limits; own != nil {
		return own.limits()
	}
	return v.Limits
}

func (v *verifier) take(line Line) {
	if v.Ending != nil {
		v.disagree("a %q line after the end", line.Event)
		return
	}
	if line.Event == "end" {
		v.end(line)
		return
	}
	if line.Side != 1 && line.Side != 2 {
		v.disagree("a %q line of side %d", line.Event, line.Side)
		return
	}
	side := game.Side(line.Side - 1)
	switch line.Event {
	case "sent":
		v.sent[side] = append(v.sent[side], message{v.line, line.text(), line.Args})
		v.compare(side)
		if len(v.sent[side]) > maxUnexplained {
			v.disagree("player %v was sent %d messages for which there is no reason", side, len(v.sent[side]))
		}
	case "received":
		v.received(side, line)
	case "setup":
		v.setUp(side, line)
	case "move":
		v.move(side, line)
	case "illegal":
		v.refuse(side, line)
	default:
		v.disagree("unknown event %q", line.Event)
	}
}

func (l Line) text() []byte {
	if l.Bytes != nil {
		return l.Bytes
	}
	return []byte(l.Text)
}

func (v *verifier) setUp(side game.Side, line Line) {
	if v.Given[side] != nil || v.opening.Position != "" {
		v.disagree("player %v gives a second set-up, or one beside a position", side)
		return
	}
	given := v.opening.SetUps[side]
	switch a, ok := v.setUpAnswer(side); {
	case !ok && given != "" && given.Normal() != game.SetUp(line.SetUp).Normal():
		v.disagree("the opening gives player %v another set-up: %s", side, given)
	case ok && a.Kind != game.AnswerSetUp:
		v.disagree("player %v had sent %v", side, a.Kind)
	case ok && a.SetUp != game.SetUp(line.SetUp):
		v.disagree("player %v had sent another set-up: %s", side, a.SetUp)
	}
	v.timely(side, "set-up", v.limits(side).SetUp, line)
	v.Given[side], v.SetUps[side] = &line, game.SetUp(line.SetUp)
	if err := v.Game.CheckSetUp(v.SetUps[side]); err != nil {
		v.tellOne(side, game.Event{Kind: game.EventIllegal, Side: side, Err: err})
	}
	if v.Given[0] != nil && v.Given[1] != nil {
		v.start()
	}
}

// setUpAnswer is the answer of a program that was asked for its set-up.
func (v *verifier) setUpAnswer(side game.Side) (game.Answer, bool) {
	if !v.asked(side) {
		return game.Answer{}, false
	}
	return v.answer(side)
}

// played reads the move of a line, and checks that it is the mover's and what the program had sent.
func (v *verifier) played(side game.Side, line Line) (m game.Move, ok bool) {
	m, err := v.Game.ParseMove(line.Move)
	switch {
	case v.pos == nil:
		v.disagree("a move before both set-ups")
		return m, false
	case err != nil:
		v.disagree("%v", err)
		return m, false
	case side != v.pos.Mover():
		v.disagree("player %v moves out of turn", side)
		return m, false
	case v.opens() != line.Opening:
		v.disagree("that the move belongs to the opening is %v", v.opens())
		return m, false
	case line.Opening && m != v.opened[v.pos.Ply()]:
		v.disagree("the opening has another move: %s", v.Game.FormatMove(v.opened[v.pos.Ply()]))
		return m, false
	case line.Opening:
		return m, true
	}
	a, ok := v.answer(side)
	drawn := ok && a.Kind == game.AnswerAny || v.Header.Imported && line.Drawn
	switch {
	case line.Drawn != drawn:
		v.disagree("that the referee drew the move of player %v is %v", side, drawn)
	case drawn && len(v.pos.Moves(nil)) == 0:
		v.disagree("there was no move to draw")
	case drawn:
		if a.Move = referee.DrawMove(v.draws, v.pos); a.Move != m {
			v.disagree("by the seed the referee drew another move: %s", v.Game.FormatMove(a.Move))
		}
	case ok && a.Kind != game.AnswerMove:
		v.disagree("player %v had sent %v", side, a.Kind)
	case ok && a.Move != m:
		v.disagree("player %v had sent another move: %s", side, v.Game.FormatMove(a.Move))
	}
	if comment := referee.Remark(a.Comment); line.Event == "move" && line.Comment != comment && !v.Header.Imported {
		v.disagree("player %v had added the comment %q, not %q", side, comment, line.Comment)
	}
	return m, true
}

func (v *verifier) move(side game.Side, line Line) {
	m, ok := v.played(side, line)
	if !ok {
		return
	}
	if err := v.pos.Check(m); err != nil {
		v.disagree("the move is illegal: %v", err)
		return
	}
	if v.adjudicated(line.Value).Over {
		v.disagree("a move after the game was adjudicated")
		return
	}
	if !line.Opening {
		v.clocked(side, line)
		v.timely(side, "move", v.limits(side).ForMove(v.pos.Ply()-len(v.opened)), line)
	}
	if v.Limits.MaxPlies > 0 && v.pos.Ply() >= v.Limits.MaxPlies {
		v.disagree("a move after the cap of %d plies", v.Limits.MaxPlies)
		return
	}
	v.illegal = false
	v.pos = v.pos.Play(m)
	v.course.Add(m)
	if line.Ply != v.pos.Ply() {
		v.disagree("the ply is %d, not %d", v.pos.Ply(), line.Ply)
	}
	v.Positions = append(v.Positions, v.pos)
	v.Moves = append(v.Moves, line)
	v.tell(game.Event{Kind: game.EventMoved, Side: side, Move: m})
	v.turn()
}

// clocked checks what is left on a total clock. It runs for a player from the first move on, or never: of a level that does not depend on
// time the record has none.
func (v *verifier) clocked(side game.Side, line Line) {
	limits, c := v.limits(side), v.totals[side]
	first := !slices.ContainsFunc(v.Moves, func(m Line) bool { return m.Side == line.Side && !m.Opening })
	if first && line.Left != nil && limits.Total > 0 {
		c = totalclock.New(limits.Total, limits.Increment)
		v.totals[side] = c
	}
	switch took := text.Duration(line.Took); {
	case c == nil && line.Left == nil:
	case c == nil:
		v.disagree("time that is left, where no total clock runs")
	case line.Left == nil:
		v.disagree("what is left on the total clock is missing")
	case took > c.Left()+limits.Grace+referee.ReadLate:
		v.disagree("the move took %v ms, and %v were left besides the grace", line.Took, c.Left())
	default:
		if c.Moved(took); math.Abs(text.Milliseconds(c.Left())-*line.Left) > 0.0011 { // half a microsecond for each rounding
			v.disagree("%v ms are left on the total clock, not %v", text.Milliseconds(c.Left()), *line.Left)
		}
	}
}

// timely checks that a set-up or a move was accepted in time, less what others took. No clock runs for a person, nor for most built-in
// players; whether another was in time while this process was stopped, no record says. What an imported record lacks, such as
// how long a console was silent, may have been part of the time.
func (v *verifier) timely(side game.Side, answer string, limit time.Duration, line Line) {
	took, starved := line.Took, line.Starved
	if p := v.Header.Players[side]; (p.Person || p.Level != "" || v.Header.Imported) && took >= 0 {
		return
	}
	most := referee.MostGiven(limit)
	limit += v.limits(side).Grace + v.allowance(side)
	switch {
	case !(starved >= 0 && starved <= took):
		v.disagree("of the %v ms that the %s took others took %v ms", took, answer, starved)
	case took < 0 || took-starved > text.Milliseconds(limit+referee.ReadLate):
		v.disagree("the %s took %v ms of %v ms, grace included and %v ms of others taken off, and was accepted", answer, took, text.Milliseconds(limit), starved)
	case took > text.Milliseconds(limit+most+referee.ReadLate):
		v.disagree("the %s took %v ms of %v ms, grace included, and was accepted: no turn is given more than %v ms", answer, took, text.Milliseconds(limit),
			text.Milliseconds(most))
	}
}

func (v *verifier) refuse(side game.Side, line Line) {
	m, ok := v.played(side, line)
	if !ok {
		return
	}
	err := v.pos.Check(m)
	if err == nil {
		v.disagree("%s was refused and is legal", line.Move)
		return
	}
	v.illegal = true
	v.refused++
	v.Refused = append(v.Refused, line)
	v.tellOne(side, game.Event{Kind: game.EventIllegal, Side: side, Move: m, HasMove: true, Err: err})
	if v.refused <= v.Retries {
		v.ask(side, game.AnswerMove)
	}
}
