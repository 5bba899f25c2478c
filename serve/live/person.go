package live

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"luzhanqi/game"
	"luzhanqi/referee"
	"luzhanqi/serve/film"
	"luzhanqi/text"
)

// Away is how long a person may think about a move. After it the game is void: nobody is there.
const Away = time.Hour

// Person is the seat of a person whose page shows the game. It knows what its side is told, and nothing else.
type Person struct {
	live  *Game
	side  game.Side
	setUp game.SetUp
	asked chan asked // capacity 1: the question that waits
	said  chan game.Answer
	gone  chan struct{} // closed with the seat
	gives atomic.Bool   // up, as soon as it is asked
	begun bool
	ply   int // moves that were told
}

// asked is a question of the referee.
type asked struct {
	ply   int
	moves []game.Move
}

// NewPerson makes a seat in a game; an empty set-up, where the game has some, is drawn.
func NewPerson(l *Game, side game.Side, setUp game.SetUp, r *rand.Rand) *Person {
	if setUp == "" && l.Game.HasSetUp() {
		setUp = l.Game.RandomSetUp(r)
	}
	return &Person{live: l, side: side, setUp: setUp, asked: make(chan asked, 1), said: make(chan game.Answer), gone: make(chan struct{})}
}

// Tell shows what the side is told.
func (p *Person) Tell(e game.Event, v game.View) {
	if v == nil {
		return
	}
	begins := !p.begun
	p.begun = true
	if e.Kind == game.EventMoved {
		p.ply++
	}
	took := time.Duration(p.live.took[e.Side].Load())
	p.live.hand(func() {
		s := p.live.open[At(p.side)]
		if begins {
			s.begin(func(f *film.Film) { f.BeginSeen(v) })
		}
		if e.Kind == game.EventMoved {
			s.move(func(f *film.Film) { f.MoveSeen(e.Side, e.Move, v, film.Ply{Took: text.Milliseconds(took)}) })
		}
	})
}

// Ask waits until the person has answered.
func (p *Person) Ask(ctx context.Context, q referee.Question) (game.Answer, *referee.Foul) {
	if q.Kind == game.AnswerSetUp {
		return game.Answer{Kind: game.AnswerSetUp, SetUp: p.setUp}, nil
	}
	moves := q.View.Moves(nil)
	p.live.hand(func() {
		s := p.live.open[At(p.side)]
		s.play.Turn, s.play.Legal = true, s.film.Choices(moves)
		s.add(event{Play: s.play})
	})
	select { // a question that was not answered, if any
	case <-p.asked:
	default:
	}
	p.asked <- asked{p.ply, moves}
	if p.gives.Load() {
		select {
		case <-p.asked:
			return game.Answer{Kind: game.AnswerResign}, nil
		default: // Resign has it, and answers
		}
	}
	away := time.NewTimer(Away)
	defer away.Stop()
	select {
	case a := <-p.said:
		return a, nil
	case <-ctx.Done():
		return game.Answer{}, &referee.Foul{Code: referee.Void, By: referee.ByInterruption, Text: fmt.Sprintf("interrupted: %v", context.Cause(ctx))}
	case <-away.C:
		return game.Answer{}, &referee.Foul{Code: referee.Void, By: referee.ByPerson, Text: fmt.Sprintf("player %v has not moved for %v", p.side, Away)}
	}
}

// Close ends the seat.
func (p *Person) Close(time.Duration) referee.Postmortem {
	close(p.gone)
	return referee.Postmortem{}
}

// The errors of Move and Resign.
var (
	ErrNotYourTurn = errors.New("it is not your turn")
	ErrOver        = errors.New("the game is over")
	ErrGoneOn      = errors.New("the game has gone on since this move was chosen")
)

// Move plays a move that the person has sent, who has seen so many plies. Its error says why it cannot be played.
func (p *Person) Move(move string, ply int) error {
	m, err := p.live.Game.ParseMove(move)
	if err != nil {
		return err
	}
	return p.answer(func(q asked) (game.Answer, error) {
		switch {
		case ply != q.ply:
			return game.Answer{}, ErrGoneOn
		case !slices.Contains(q.moves, m):
			return game.Answer{}, fmt.Errorf("move %s is not allowed now; one of %s is %s", text.Quote(move, 20),
				text.Count(len(q.moves), "allowed move"), p.live.Game.FormatMove(q.moves[0]))
		}
		return game.Answer{Kind: game.AnswerMove, Move: m}, nil
	})
}

// Resign gives the game up: now, or when it is the person's turn.
func (p *Person) Resign() error {
	p.gives.Store(true)
	err := p.answer(func(asked) (game.Answer, error) { return game.Answer{Kind: game.AnswerResign}, nil })
	if errors.Is(err, ErrNotYourTurn) {
		return nil
	}
	return err
}

// answer answers the question that waits, if it can.
func (p *Person) answer(by func(asked) (game.Answer, error)) error {
	var q asked
	select {
	case q = <-p.asked:
	case <-p.gone:
		return ErrOver
	default:
		return ErrNotYourTurn
	}
	a, err := by(q)
	if err != nil {
		p.asked <- q // it still waits; nobody else can have put one there
		return err
	}
	p.live.mu.Lock() // no page may ask for this move again, once it was sent
	play := p.live.open[At(p.side)].play
	play.Turn, play.Legal = false, []film.Choice{}
	p.live.mu.Unlock()
	select {
	case p.said <- a:
		return nil
	case <-p.gone:
		return ErrOver
	}
}
