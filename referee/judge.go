package referee

import (
	"fmt"
	"math/rand/v2"
	"time"

	"luzhanqi/game"
)

// starved is how much later than it came a move may have been read, and still be accepted: what has
// arrived when the referee notices that the time is over counts.
const starved = time.Second

// judge plays a record through the rules, and through both programs' conversations: whatever the
// referee sent must be what it had to send.
type judge struct {
	*Replay
	conditions Conditions
	game       game.Game
	draws      *rand.Rand // the same as the referee's
	line       int
	pos        game.Position
	given      [2]bool
	ends       [2]game.RefereeEnd // nil: who has no conversation, a player of ours or a person
	speech     [2]testimony       // what was heard of ends
	due        [2][]said          // what had to be sent, and was not yet found
	heard      [2][]said          // what was sent, and is not yet explained
	illegal    bool               // the last answer was an illegal move
	refused    int                // in this turn
}

func (j *judge) disagree(format string, args ...any) {
	j.Disagreements = append(j.Disagreements, fmt.Sprintf("line %d: ", j.line)+fmt.Sprintf(format, args...))
}

func (j *judge) start() {
	pos, err := j.game.New(j.conditions.Rules, j.SetUps)
	if err != nil {
		return // a set-up is illegal, which the ending must say
	}
	j.pos = pos
	j.Positions = append(j.Positions, pos)
	j.turn()
}

func (j *judge) turn() {
	if _, over := j.conditions.Outcome(j.pos); over {
		return
	}
	j.refused = 0
	j.tell(game.Event{Kind: game.EventTurn, Side: j.pos.Mover()})
	j.ask(j.pos.Mover(), game.AnswerMove)
}

func (j *judge) capped() bool {
	return j.Header.Limits.MaxPlies > 0 && j.pos.Ply() >= j.Header.Limits.MaxPlies
}

func (j *judge) take(line Line) {
	if j.Ending != nil {
		j.disagree("a %q line after the end", line.Event)
		return
	}
	if line.Event == "end" {
		j.end(line)
		return
	}
	if line.Side != 1 && line.Side != 2 {
		j.disagree("a %q line of side %d", line.Event, line.Side)
		return
	}
	side := game.Side(line.Side - 1)
	switch line.Event {
	case "sent":
		j.heard[side] = append(j.heard[side], said{j.line, line.text(), line.Args})
		j.compare(side)
	case "received":
		j.received(side, line)
	case "setup":
		j.setUp(side, line)
	case "move":
		j.move(side, line)
	case "illegal":
		j.refuse(side, line)
	default:
		j.disagree("unknown event %q", line.Event)
	}
}

func (l Line) text() []byte {
	if l.Bytes != nil {
		return l.Bytes
	}
	return []byte(l.Text)
}

func (j *judge) setUp(side game.Side, line Line) {
	if j.given[side] {
		j.disagree("player %v gives a second set-up", side)
		return
	}
	switch a, ok := j.answer(side); {
	case ok && a.Kind != game.AnswerSetUp:
		j.disagree("player %v had sent %v", side, a.Kind)
	case ok && a.SetUp != game.SetUp(line.SetUp):
		j.disagree("player %v had sent another set-up: %s", side, a.SetUp)
	}
	j.given[side], j.SetUps[side] = true, game.SetUp(line.SetUp)
	if err := j.game.CheckSetUp(j.SetUps[side]); err != nil {
		j.tellOne(side, game.Event{Kind: game.EventIllegal, Side: side, Err: err})
	}
	if j.given == [2]bool{true, true} {
		j.start()
	}
}

// played reads the move of a line, and checks that it is the mover's and what the program had sent.
func (j *judge) played(side game.Side, line Line) (m game.Move, ok bool) {
	m, err := j.game.ParseMove(line.Move)
	switch {
	case j.pos == nil:
		j.disagree("a move before both set-ups")
		return m, false
	case err != nil:
		j.disagree("%v", err)
		return m, false
	case side != j.pos.Mover():
		j.disagree("player %v moves out of turn", side)
		return m, false
	}
	a, ok := j.answer(side)
	drawn := ok && a.Kind == game.AnswerAny
	switch {
	case line.Drawn != drawn:
		j.disagree("that the referee drew the move of player %v is %v", side, drawn)
	case drawn && len(j.pos.Moves(nil)) == 0:
		j.disagree("there was no move to draw")
	case drawn:
		if a.Move = drawMove(j.draws, j.pos); a.Move != m {
			j.disagree("by the seed the referee drew another move: %s", j.game.FormatMove(a.Move))
		}
	case ok && a.Kind != game.AnswerMove:
		j.disagree("player %v had sent %v", side, a.Kind)
	case ok && a.Move != m:
		j.disagree("player %v had sent another move: %s", side, j.game.FormatMove(a.Move))
	}
	if comment := remark(a.Comment); line.Event == "move" && line.Comment != comment {
		j.disagree("player %v had added the comment %q, not %q", side, comment, line.Comment)
	}
	return m, true
}

func (j *judge) move(side game.Side, line Line) {
	m, ok := j.played(side, line)
	if !ok {
		return
	}
	if err := j.pos.Check(m); err != nil {
		j.disagree("the move is illegal: %v", err)
		return
	}
	j.timely(side, line.Took)
	if j.capped() {
		j.disagree("a move after the cap of %d plies", j.Header.Limits.MaxPlies)
		return
	}
	j.illegal = false
	j.pos = j.pos.Play(m)
	if line.Ply != j.pos.Ply() {
		j.disagree("the ply is %d, not %d", j.pos.Ply(), line.Ply)
	}
	j.Positions = append(j.Positions, j.pos)
	j.Moves = append(j.Moves, line)
	j.tell(game.Event{Kind: game.EventMoved, Side: side, Move: m})
	j.turn()
}

// timely checks that a move was accepted in time. No clock runs for a person.
func (j *judge) timely(side game.Side, took float64) {
	if j.Header.Players[side].Person && took >= 0 {
		return
	}
	limits := j.Header.limits(side)
	limit := limits.ForMove(j.pos.Ply()) + limits.Grace + allowance(j.ends[side], limits)
	if took < 0 || took > milliseconds(limit+starved) {
		j.disagree("the move took %v ms of %v ms, grace included, and was accepted", took, milliseconds(limit))
	}
}

func (j *judge) refuse(side game.Side, line Line) {
	m, ok := j.played(side, line)
	if !ok {
		return
	}
	err := j.pos.Check(m)
	if err == nil {
		j.disagree("%s was refused and is legal", line.Move)
		return
	}
	j.illegal = true
	j.refused++
	j.tellOne(side, game.Event{Kind: game.EventIllegal, Side: side, Move: m, HasMove: true, Err: err})
	if j.refused <= j.Header.Retries {
		j.ask(side, game.AnswerMove)
	}
}
