package referee

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"luzhanqi/clock"
	"luzhanqi/game"
	"luzhanqi/player"
	"luzhanqi/process/load"
	"luzhanqi/referee/adjudication"
	"luzhanqi/referee/course"
	"luzhanqi/referee/opening"
	"luzhanqi/referee/totalclock"
	"luzhanqi/text"
)

// loop is a game that is being played between two seats.
type loop struct {
	Conditions
	entrants [2]Entrant
	seats    [2]Seat
	draws    *rand.Rand // of the moves that players leave to the referee
	observer Observer   // not nil
	opening  game.Opening
	random   *rand.Rand // of the opening's plies that are drawn
	opened   int        // plies that nobody has chosen
	people   bool       // play, and nobody against them whom they do not trust: a stop costs no game

	bench *adjudication.Bench // nil: games are not adjudicated
	value *float64            // of the position at hand

	totals [2]*totalclock.Clock // nil: each move has its own limit, or no clock runs

	course      course.Course
	rivals      [2]rival // each side, as that of the other
	turns       [2]turns
	given       [2]load.Given // to each side
	postmortems [2]Postmortem // what is known of both seats once they are closed

	yielded time.Time // when Go's scheduler was last asked
}

func (l *loop) limits(side game.Side) game.Limits { return l.LimitsOf(&l.entrants[side]) }

// deadline is when an answer is no longer waited for.
func (l *loop) deadline(side game.Side, start time.Time, limit time.Duration) time.Time {
	if l.entrants[side].Unhurried {
		return start.Add(MaxLimit)
	}
	return start.Add(limit + l.limits(side).Grace)
}

// explainer is a seat that explains its latest move; nil: explanations were not asked for.
type explainer interface{ explain() *player.Explanation }

// connected is a seat whose program is at the other end of a connection: how long the latest round trip was, and for how long
// there was none in the latest turn.
type connected interface {
	Connection() (roundTrip, broken time.Duration)
}

// opened is a seat that is told how the game begins; start is the opening's position, nil if it has none.
type opened interface {
	open(o game.Opening, start game.Position)
}

// play plays the game to its end and closes the seats. It always returns an ending.
func (l *loop) play(ctx context.Context) *Ending {
	pos, end := l.begin(ctx)
	if end == nil && !l.opening.None() {
		pos, end = l.open(pos)
	}
	for end == nil {
		if outcome, over := l.Outcome(pos); over {
			end = l.byRule(outcome)
			break
		}
		if end = l.adjudicate(pos); end != nil {
			break
		}
		var played Played
		if played, end = l.ask(ctx, pos); end == nil {
			before := pos
			played.Value, l.value = l.value, nil
			played.Left = l.clocked(before.Mover(), played.Took)
			l.turns[before.Mover()].moves++
			l.turns[before.Mover()].moving += max(0, played.Took-played.Starved)
			pos = before.Play(played.Move)
			l.course.Add(played.Move)
			l.observer.Moved(before, pos, played)
			l.tell(game.Event{Kind: game.EventMoved, Side: before.Mover(), Move: played.Move}, pos)
		}
	}
	return l.finish(pos, end)
}

// begin greets both sides and asks them for their set-ups at the same time. When both are at fault,
// player 1 loses.
func (l *loop) begin(ctx context.Context) (game.Position, *Ending) {
	for side, seat := range l.seats {
		l.rivals[side].seat, _ = seat.(pausable)
		defer l.rivals[side].release()
		defer l.rivals[side].wait()
	}
	if !l.opening.None() {
		start, err := l.opening.Placed(l.Game, l.Rules)
		if err != nil { // it was checked, so this is ours
			return nil, l.void(ByMachine, fmt.Sprintf("the opening's position cannot be made: %v", err))
		}
		for _, seat := range l.seats {
			if s, ok := seat.(opened); ok {
				s.open(l.opening, start)
			}
		}
	}
	span := clock.Begin()
	var begun [2]time.Time
	for side := range l.seats {
		begun[side] = clock.Now() // before it is told, as in each turn
		l.tellOne(game.Side(side), game.Event{Kind: game.EventBegin}, nil)
	}
	var setUps [2]game.SetUp
	if l.opening.AsksSetUps(l.Game) {
		var endings [2]*Ending
		var wait sync.WaitGroup
		for side := range l.seats {
			wait.Go(func() {
				setUps[side], endings[side] = l.askSetUp(ctx, game.Side(side), span, begun[side])
				l.rivals[side].wait()
			})
		}
		wait.Wait()
		for _, end := range endings {
			if end != nil {
				return nil, end
			}
		}
	}
	pos, err := l.opening.Start(l.Game, l.Rules, setUps)
	if err != nil { // both set-ups were checked, so this is ours
		return nil, l.void(ByMachine, fmt.Sprintf("the initial position cannot be made: %v", err))
	}
	return pos, nil
}

// open plays the moves of the opening, of which the seats are told as of any other.
func (l *loop) open(pos game.Position) (game.Position, *Ending) {
	moves := append(slices.Clip(l.opening.Moves), opening.Draw(l.random, pos, l.opening.Random, l.Outcome)...)
	if len(moves) < l.opening.Plies() {
		return pos, l.void(ByMachine, fmt.Sprintf("no %d random plies could be drawn from where the set-ups lead", l.opening.Random))
	}
	for _, m := range moves {
		if _, over := l.Outcome(pos); over {
			break
		}
		if err := pos.Check(m); err != nil {
			return pos, l.void(ByMachine, fmt.Sprintf("%s of the opening cannot be played: %v", l.Game.FormatMove(m), err))
		}
		before := pos
		pos = before.Play(m)
		l.opened++
		l.course.Add(m)
		l.observer.Moved(before, pos, Played{Move: m, Opening: true})
		l.tell(game.Event{Kind: game.EventMoved, Side: before.Mover(), Move: m}, pos)
	}
	return pos, nil
}

// setUpGiven is the set-up that a side has to give; its seat is not asked if it would not be told.
func (l *loop) setUpGiven(side game.Side) (s game.SetUp, asked bool) {
	_, told := l.seats[side].(opened)
	return l.opening.SetUps[side], told
}

func (l *loop) askSetUp(ctx context.Context, side game.Side, span clock.Span, start time.Time) (game.SetUp, *Ending) {
	given, asked := l.setUpGiven(side)
	if given != "" && !asked {
		l.course.SetUps[side] = given
		l.observer.SetUp(side, given, 0, 0)
		return given, nil
	}
	limits := l.limits(side)
	answer, foul := l.seats[side].Ask(ctx, Question{
		Kind: game.AnswerSetUp, Start: start, Limit: limits.SetUp, Deadline: l.deadline(side, start, limits.SetUp), rival: &l.rivals[side.Other()],
	})
	starved := l.starved(side) // before the time is taken: what is given lies in it
	now := clock.Now()
	took := now.Sub(start)
	taken := l.count(side, took, limits.SetUp+limits.Grace, starved, foul)
	if cut := l.cut(side, span, start, now, l.deadline(side, start, limits.SetUp).Add(min(starved, MostGiven(limits.SetUp))), foul); cut != nil {
		if foul != nil {
			l.foul(side, foul, nil) // it is told so
		}
		foul = cut
	}
	switch {
	case foul != nil:
		return "", l.foul(side, foul, nil)
	case answer.Kind == game.AnswerResign:
		return "", l.loss(side, Resigned, "resigned")
	case answer.Kind != game.AnswerSetUp:
		return "", l.foul(side, fouled(Unreadable, "sent %v where a set-up was asked for", answer.Kind), nil)
	}
	l.turns[side].settingUp = took
	l.course.SetUps[side] = answer.SetUp
	l.observer.SetUp(side, answer.SetUp, took, taken)
	if err := l.Game.CheckSetUp(answer.SetUp); err != nil {
		l.seats[side].Tell(game.Event{Kind: game.EventIllegal, Side: side, Err: err}, nil)
		return "", l.loss(side, IllegalSetUp, "gave an "+err.Error())
	}
	if given != "" && given.Normal() != answer.SetUp.Normal() {
		return "", l.loss(side, IllegalSetUp, OtherSetUp)
	}
	return answer.SetUp, nil
}

// OtherSetUp is what is said of a program that gave a legal set-up, but not the one that it was told to give.
const OtherSetUp = "gave another set-up than the opening's, which it was told"

// ask announces the turn and waits for the mover until it has answered with a legal move.
func (l *loop) ask(ctx context.Context, pos game.Position) (Played, *Ending) {
	mover, span := pos.Mover(), clock.Begin()
	l.yield()
	turn := game.Event{Kind: game.EventTurn, Side: mover}
	start := clock.Now()        // before it is told: whoever is woken by that may compute before this process goes on
	l.tellOne(mover, turn, pos) // who has to answer hears it first
	l.tellOne(mover.Other(), turn, pos)
	if ctx.Err() != nil { // the mover is not at fault, whatever it would have answered
		return Played{}, l.foul(mover, interrupted(ctx), pos)
	}
	limits := l.limits(mover)
	limit := limits.ForMove(pos.Ply() - l.opened)
	rival := &l.rivals[mover.Other()]
	defer rival.release() // before it is told anything
	q := Question{Kind: game.AnswerMove, Start: start, Limit: limit, Deadline: l.deadline(mover, start, limit), rival: rival}
	total := l.totals[mover]
	if total != nil {
		q.Limit, q.Left, q.Deadline = total.Budget(), total.Left(), l.deadline(mover, start, total.Left())
	}
	for refused := 0; ; refused++ {
		q.View = pos.View(mover)
		answer, foul := l.seats[mover].Ask(ctx, q)
		starved := l.starved(mover) // before the time is taken: what is given lies in it
		now := clock.Now()
		p := Played{Move: answer.Move, Took: now.Sub(start), Comment: Remark(answer.Comment)}
		p.Starved = l.count(mover, p.Took, q.Deadline.Sub(start), starved, foul)
		if cut := l.cut(mover, span, start, now, q.Deadline.Add(min(starved, MostGiven(q.Limit))), foul); cut != nil {
			foul = cut
		}
		switch {
		case foul != nil:
			return p, l.foul(mover, foul, pos)
		case answer.Kind == game.AnswerResign:
			return p, l.loss(mover, Resigned, "resigned")
		case answer.Kind == game.AnswerSetUp:
			return p, l.foul(mover, fouled(Unreadable, "sent %v where a move was asked for", answer.Kind), pos)
		case answer.Kind == game.AnswerAny:
			p.Move, p.Drawn = DrawMove(l.draws, pos), true
			return p, nil
		}
		err := pos.Check(answer.Move)
		if err == nil {
			if e, ok := l.seats[mover].(explainer); ok {
				p.Why = e.explain()
			}
			if c, ok := l.seats[mover].(connected); ok {
				p.RoundTrip, p.Broken = c.Connection()
			}
			return p, nil
		}
		l.observer.Refused(pos, answer.Move, err)
		l.seats[mover].Tell(game.Event{Kind: game.EventIllegal, Side: mover, Move: answer.Move, HasMove: true, Err: err}, q.View)
		if refused >= l.Retries {
			return p, l.loss(mover, IllegalMove, "played an illegal move: "+game.ErrorInFrame(err, facing(l.seats[mover], mover)).Error())
		}
	}
}

// DrawMove draws one of the legal moves, of which there is at least one.
func DrawMove(r *rand.Rand, pos game.Position) game.Move {
	moves := pos.Moves(nil)
	return moves[r.IntN(len(moves))]
}

// Remark is a player's comment as it is shown and recorded.
func Remark(comment string) string {
	return strings.ToValidUTF8(text.Cut(comment, maxReason), "\uFFFD")
}

// facing returns the side in whose frame a seat names squares: its own, unless its conversation has another.
func facing(s Seat, side game.Side) game.Side {
	if f, ok := s.(interface{ Faces() game.Side }); ok {
		return f.Faces()
	}
	return side
}

// tell passes an event on to both; pos is nil before there is a position.
func (l *loop) tell(e game.Event, pos game.Position) {
	for side := range l.seats {
		l.tellOne(game.Side(side), e, pos)
	}
}

func (l *loop) tellOne(side game.Side, e game.Event, pos game.Position) {
	var v game.View
	if pos != nil {
		v = pos.View(side)
	}
	l.seats[side].Tell(e, v)
}

func (l *loop) byRule(o game.Outcome) *Ending {
	if o.Draw {
		return &Ending{Code: Drawn, Reason: "draw: " + o.Reason}
	}
	return &Ending{Code: Won, Winner: &o.Winner, Reason: fmt.Sprintf("%s won: %s", l.who(o.Winner), o.Reason)}
}

// foul tells the offender what it may be told, and makes the ending.
func (l *loop) foul(side game.Side, f *Foul, pos game.Position) *Ending {
	if f.Code == Void {
		e := l.void(f.By, f.Text)
		e.StderrTail = f.Log
		return e
	}
	if f.Code == Unreadable {
		l.tellOne(side, game.Event{Kind: game.EventIllegal, Side: side, Err: errors.New(f.Text)}, pos)
	}
	return l.loss(side, f.Code, f.Text)
}

func (l *loop) loss(side game.Side, code Code, what string) *Ending {
	winner := side.Other()
	return &Ending{Code: code, Winner: &winner, Fault: &side, Reason: text.Cut(l.who(side)+" "+what, maxReason)}
}

func (l *loop) void(by VoidBy, reason string) *Ending {
	return &Ending{Code: Void, VoidBy: by, Reason: text.Cut(reason, maxReason)}
}

func (l *loop) who(side game.Side) string {
	return fmt.Sprintf("player %v (%s)", side, l.entrants[side].Name)
}

// finish announces the end, closes both seats at once, and adds to the ending what is then known
// of the program at fault.
func (l *loop) finish(pos game.Position, end *Ending) *Ending {
	e := game.Event{Kind: game.EventEnd, Draw: end.Winner == nil}
	if !e.Draw {
		e.Winner = *end.Winner
	}
	l.tell(e, pos)
	var wait sync.WaitGroup
	for side, seat := range l.seats {
		wait.Go(func() { l.postmortems[side] = seat.Close(l.limits(game.Side(side)).Grace) })
	}
	wait.Wait()
	if pos != nil {
		end.Plies = pos.Ply()
	}
	end.Value = l.value
	if end.Fault != nil {
		end.describe(l.postmortems[*end.Fault])
	}
	for side, r := range l.postmortems {
		if r.Err != nil { // the result counts, but something of the program is left on this machine
			end.Reason += fmt.Sprintf("; %s: %v", l.who(game.Side(side)), r.Err)
		}
	}
	l.observer.Ended(pos, end)
	return end
}

// clocked takes the time of a move off a total clock, and returns what is left; nil: there is none.
func (l *loop) clocked(side game.Side, took time.Duration) *time.Duration {
	c := l.totals[side]
	if c == nil {
		return nil
	}
	c.Moved(took)
	left := c.Left()
	return &left
}
