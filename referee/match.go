package referee

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"luzhanqi/game"
	"luzhanqi/player"
)

// Match is one game between two seats.
type Match struct {
	Game     game.Game
	Rules    game.Rules // of the game
	Retries  int        // how many illegal moves in one turn may be taken back; the clock runs on
	Limits   game.Limits
	Own      [2]*game.Limits // of one side, instead of Limits but for the cap of plies; nil: none
	Names    [2]string
	Seats    [2]Seat
	Draws    *rand.Rand // of the moves that players leave to the referee; not nil
	Observer Observer   // may be nil

	Reports [2]Report // what both seats have left behind, once Play has returned
}

// limits are those of a side.
func (m *Match) limits(side game.Side) game.Limits {
	if own := m.Own[side]; own != nil {
		return *own
	}
	return m.Limits
}

// Played is a legal move and how it came about.
type Played struct {
	Move    game.Move
	Took    time.Duration // on the mover's clock
	Drawn   bool          // any move was answered, and the referee drew this one
	Comment string        // what the mover added for people who watch
	Why     *player.Explanation
}

// explainer is a seat that can say why it played its latest move; nil: it was not asked to.
type explainer interface{ explain() *player.Explanation }

// Observer is told what happens. Message may be called by two goroutines at once.
type Observer interface {
	Message(Message)
	SetUp(side game.Side, s game.SetUp, took time.Duration)
	Moved(before, after game.Position, p Played)
	Refused(pos game.Position, m game.Move, why error)
	Ended(pos game.Position, e *Ending) // pos is nil if the game never had a position
}

// Play plays the game to its end and closes the seats. It always returns an ending.
func (m *Match) Play(ctx context.Context) *Ending {
	pos, end := m.begin(ctx)
	for end == nil {
		if outcome, over := m.outcome(pos); over {
			end = m.byRule(outcome)
			break
		}
		var played Played
		if played, end = m.ask(ctx, pos); end == nil {
			before := pos
			pos = before.Play(played.Move)
			if m.Observer != nil {
				m.Observer.Moved(before, pos, played)
			}
			m.tell(game.Event{Kind: game.EventMoved, Side: before.Mover(), Move: played.Move}, pos)
		}
	}
	return m.finish(pos, end)
}

// outcome adds the cap of plies to the rules of the game.
func (m *Match) outcome(pos game.Position) (game.Outcome, bool) {
	outcome, over := pos.Outcome()
	if !over && m.Limits.MaxPlies > 0 && pos.Ply() >= m.Limits.MaxPlies {
		return game.Drawn(capReached(m.Limits.MaxPlies)), true
	}
	return outcome, over
}

func capReached(plies int) string { return fmt.Sprintf("cap of %d plies reached", plies) }

// begin greets both sides and asks them for their set-ups at the same time. When both are at fault,
// player 1 is judged first and loses.
func (m *Match) begin(ctx context.Context) (game.Position, *Ending) {
	m.tell(game.Event{Kind: game.EventBegin}, nil)
	var setUps [2]game.SetUp
	if m.Game.HasSetUp() {
		var endings [2]*Ending
		var wait sync.WaitGroup
		for side := range m.Seats {
			wait.Go(func() { setUps[side], endings[side] = m.askSetUp(ctx, game.Side(side)) })
		}
		wait.Wait()
		for _, end := range endings {
			if end != nil {
				return nil, end
			}
		}
	}
	pos, err := m.Game.New(m.Rules, setUps)
	if err != nil { // both set-ups were checked, so this is ours
		return nil, m.void(fmt.Sprintf("the initial position cannot be made: %v", err))
	}
	return pos, nil
}

func (m *Match) askSetUp(ctx context.Context, side game.Side) (game.SetUp, *Ending) {
	start, limits := time.Now(), m.limits(side)
	answer, foul := m.Seats[side].Ask(ctx, Question{
		Kind: game.AnswerSetUp, Start: start, Limit: limits.SetUp, Deadline: start.Add(limits.SetUp + limits.Grace),
	})
	took := time.Since(start)
	switch {
	case foul != nil:
		return "", m.foul(side, foul, nil)
	case answer.Kind == game.AnswerResign:
		return "", m.loss(side, Resigned, "resigned")
	case answer.Kind != game.AnswerSetUp:
		return "", m.foul(side, fouled(Unreadable, "sent %v where a set-up was asked for", answer.Kind), nil)
	}
	if m.Observer != nil {
		m.Observer.SetUp(side, answer.SetUp, took)
	}
	if err := m.Game.CheckSetUp(answer.SetUp); err != nil {
		m.Seats[side].Tell(game.Event{Kind: game.EventIllegal, Side: side, Err: err}, nil)
		return "", m.loss(side, IllegalSetUp, "gave an "+err.Error())
	}
	return answer.SetUp, nil
}

// ask announces the turn and waits for the mover until it has answered with a legal move.
func (m *Match) ask(ctx context.Context, pos game.Position) (Played, *Ending) {
	mover := pos.Mover()
	var start time.Time
	for side, seat := range m.Seats {
		seat.Tell(game.Event{Kind: game.EventTurn, Side: mover}, pos.View(game.Side(side)))
		if game.Side(side) == mover {
			start = time.Now()
		}
	}
	if ctx.Err() != nil { // the mover is not at fault, whatever it would have answered
		return Played{}, m.foul(mover, interrupted(ctx), pos)
	}
	limits := m.limits(mover)
	limit := limits.ForMove(pos.Ply())
	q := Question{Kind: game.AnswerMove, Start: start, Limit: limit, Deadline: start.Add(limit + limits.Grace)}
	for refused := 0; ; refused++ {
		q.View = pos.View(mover)
		answer, foul := m.Seats[mover].Ask(ctx, q)
		p := Played{Move: answer.Move, Took: time.Since(start), Comment: remark(answer.Comment)}
		switch {
		case foul != nil:
			return p, m.foul(mover, foul, pos)
		case answer.Kind == game.AnswerResign:
			return p, m.loss(mover, Resigned, "resigned")
		case answer.Kind == game.AnswerSetUp:
			return p, m.foul(mover, fouled(Unreadable, "sent %v where a move was asked for", answer.Kind), pos)
		case answer.Kind == game.AnswerAny:
			p.Move, p.Drawn = drawMove(m.Draws, pos), true
			return p, nil
		}
		err := pos.Check(answer.Move)
		if err == nil {
			if e, ok := m.Seats[mover].(explainer); ok {
				p.Why = e.explain()
			}
			return p, nil
		}
		if m.Observer != nil {
			m.Observer.Refused(pos, answer.Move, err)
		}
		m.Seats[mover].Tell(game.Event{Kind: game.EventIllegal, Side: mover, Move: answer.Move, HasMove: true, Err: err}, q.View)
		if refused >= m.Retries {
			return p, m.loss(mover, IllegalMove, "played an illegal move: "+seenBy(facing(m.Seats[mover], mover), err))
		}
	}
}

// drawMove draws one of the legal moves, of which there is at least one.
func drawMove(r *rand.Rand, pos game.Position) game.Move {
	moves := pos.Moves(nil)
	return moves[r.IntN(len(moves))]
}

// remark is a comment as it is shown and recorded.
func remark(comment string) string { return strings.ToValidUTF8(cut(comment, mostReason), "\uFFFD") }

// facing is in whose frame a seat names its squares: in its own, unless its conversation has another.
func facing(s Seat, side game.Side) game.Side {
	if f, ok := s.(interface{ faces() game.Side }); ok {
		return f.faces()
	}
	return side
}

// seenBy says what is wrong with the squares as the offender knows them.
func seenBy(side game.Side, err error) string {
	if framed, ok := err.(game.FramedError); ok {
		err = framed.In(side)
	}
	return err.Error()
}

func (m *Match) tell(e game.Event, pos game.Position) {
	for side, seat := range m.Seats {
		var v game.View
		if pos != nil {
			v = pos.View(game.Side(side))
		}
		seat.Tell(e, v)
	}
}

func (m *Match) byRule(o game.Outcome) *Ending {
	if o.Draw {
		return &Ending{Code: Drawn, Reason: "draw: " + o.Reason}
	}
	return &Ending{Code: Won, Winner: &o.Winner, Reason: fmt.Sprintf("%s won: %s", m.who(o.Winner), o.Reason)}
}

// foul tells the offender what it may be told, and makes the ending.
func (m *Match) foul(side game.Side, f *Foul, pos game.Position) *Ending {
	if f.Code == Void {
		e := m.void(f.Text)
		e.StderrTail = f.Log
		return e
	}
	if f.Code == Unreadable {
		e := game.Event{Kind: game.EventIllegal, Side: side, Err: fmt.Errorf("%s", f.Text)}
		if pos != nil {
			m.Seats[side].Tell(e, pos.View(side))
		} else {
			m.Seats[side].Tell(e, nil)
		}
	}
	return m.loss(side, f.Code, f.Text)
}

func (m *Match) loss(side game.Side, code Code, text string) *Ending {
	winner := side.Other()
	return &Ending{Code: code, Winner: &winner, Fault: &side, Reason: cut(m.who(side)+" "+text, mostReason)}
}

func (m *Match) void(reason string) *Ending {
	return &Ending{Code: Void, Reason: cut(reason, mostReason)}
}

func (m *Match) who(side game.Side) string { return fmt.Sprintf("player %v (%s)", side, m.Names[side]) }

// finish announces the end, closes both seats at once, and adds to the ending what is then known
// of the program at fault.
func (m *Match) finish(pos game.Position, end *Ending) *Ending {
	e := game.Event{Kind: game.EventEnd, Draw: end.Winner == nil}
	if !e.Draw {
		e.Winner = *end.Winner
	}
	m.tell(e, pos)
	var wait sync.WaitGroup
	for side, seat := range m.Seats {
		wait.Go(func() { m.Reports[side] = seat.Close(m.limits(game.Side(side)).Grace) })
	}
	wait.Wait()
	if pos != nil {
		end.Plies = pos.Ply()
	}
	if end.Fault != nil {
		end.describe(m.Reports[*end.Fault])
	}
	for side, r := range m.Reports {
		if r.Err != nil { // the game was judged, but the machine is no longer clean
			end.Reason += fmt.Sprintf("; %s: %v", m.who(game.Side(side)), r.Err)
		}
	}
	if m.Observer != nil {
		m.Observer.Ended(pos, end)
	}
	return end
}

func (e *Ending) describe(r Report) {
	if !r.Program {
		return
	}
	e.LastLines, e.StderrTail, e.StderrBytes = r.LastLines, r.Stderr, r.StderrBytes
	e.Exit, e.Signal = r.Exit.String(), int(r.Exit.Signal)
	if r.Exit.Signal == 0 && !r.Exit.Killed {
		e.ExitCode = &r.Exit.Code
	}
}
