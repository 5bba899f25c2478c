package referee

import (
	"context"
	"errors"
	"fmt"

	"luzhanqi/clock"
	"luzhanqi/game"
	"luzhanqi/player"
	"luzhanqi/referee/textui"
	"luzhanqi/text"
)

// PeopleRetries is how many illegal moves people may try in one turn: more than anyone will.
const PeopleRetries = 1_000_000

// Interactive is where and how people play, against each other or a player of ours.
type Interactive struct {
	Terminal *textui.Terminal
	SetUps   [2]string // of people, as they would type them; empty: they are asked
	Style    game.DrawStyle
	Program  string                  // how people call it, for commands they are told
	Save     func(file string) error // writes the record so far to a file that people name
	Begun    Begun                   // the game goes on after this

	// What helps people: each may be nil.
	Coach  func(side game.Side) player.Coach // what the board does not show to one of them
	Hint   func(v game.View) game.Move       // a good move
	Offers func(side game.Side) []game.SetUp // good set-ups to choose from
}

var errNoPeople = errors.New("nobody at the terminal plays")

// Play plays the game to its end, which it prints. watch, which may be nil, makes what watches it: once, and again whenever
// a move was taken back, since the game then begins anew and goes on from there. Each entrant is a person or a player of ours.
func (i *Interactive) Play(ctx context.Context, g *Game, watch func() (Observer, error)) (*Ending, error) {
	if !g.Entrants[0].Person && !g.Entrants[1].Person {
		return nil, errNoPeople
	}
	defer clock.Watch()()
	defer i.Terminal.Leave()
	begun := i.Begun
	for {
		var watching Observer = NoObserver{}
		if watch != nil {
			var err error
			if watching, err = watch(); err != nil {
				return nil, err
			}
		}
		sitting := &sitting{Interactive: i, from: begun}
		end := sitting.play(ctx, g, watching)
		if sitting.back == nil {
			return end, nil
		}
		begun = *sitting.back
	}
}

// sitting is a game until its end, or until a move is taken back.
type sitting struct {
	*Interactive
	from    Begun
	history history
	back    *Begun // where the next sitting goes on; nil: there is none
}

func (s *sitting) play(ctx context.Context, g *Game, watch Observer) *Ending {
	var names [2]string
	var people [2]bool
	for side, e := range g.Entrants {
		names[side], people[side] = e.Name, e.Person
	}
	viewer := game.Second
	if people[game.First] {
		viewer = game.First
	}
	var coach player.Coach
	if s.Coach != nil && people != [2]bool{true, true} { // whose board is seen by both is told what both may know
		coach = s.Coach(viewer)
	}
	end := textui.New(g.Game, people, names, s.Style, coach, s.Terminal.Screen)
	printer := &endPrinter{at: s, game: g.Game, end: end, viewer: viewer}
	l := g.loop(Observers{&s.history, unlessBack{watch, s}, printer})
	for seat, e := range g.Entrants {
		side := game.Side(seat)
		if e.Level != nil {
			l.seats[side] = newBuiltin(g, side)
			continue
		}
		l.seats[side] = &person{
			sitting: s, game: g.Game, side: side, end: end, setUp: s.SetUps[side], coach: coach,
			random: setUpsOf(g, side), // that of a built-in player
			mute:   side != printer.viewer,
		}
	}
	if people == [2]bool{true, true} { // both would be asked at once for their set-ups
		asked := make(chan struct{})
		l.seats[game.First].(*person).done = asked
		l.seats[game.Second].(*person).after = asked
		if s.from.SetUps[game.First] != "" {
			close(asked) // nobody is asked
			l.seats[game.First].(*person).done = nil
		}
	}
	s.from.over(&l.seats)
	return l.play(ctx)
}

// replaying says whether what happens was played before.
func (s *sitting) replaying() bool { return len(s.history.begun.Moves) < len(s.from.Moves) }

// takeBack ends the sitting so that the side makes its latest move again.
func (s *sitting) takeBack(g game.Game, side game.Side) error {
	if s.history.hides(g) {
		return errors.New("in this game moves cannot be taken back: you would keep what they have told you")
	}
	back, ok := s.history.before(side)
	if !ok {
		return errors.New("you have made no move yet that could be taken back")
	}
	s.back = &back
	return nil
}

// unlessBack keeps the end of a sitting from who watches if the game goes on.
type unlessBack struct {
	Observer
	sitting *sitting
}

func (u unlessBack) Ended(pos game.Position, e *Ending) {
	if u.sitting.back == nil {
		u.Observer.Ended(pos, e)
	}
}

// endPrinter prints the end of a game for the people who played.
type endPrinter struct {
	NoObserver // all but the end is printed by the seats
	at         *sitting
	game       game.Game
	end        game.PersonEnd
	viewer     game.Side
}

func (p *endPrinter) Ended(pos game.Position, e *Ending) {
	if p.at.back != nil {
		return
	}
	var v game.View
	if pos != nil {
		v = pos.View(p.viewer)
	}
	p.at.Terminal.Leave()
	out := p.at.Terminal.Out
	if e.Code == Void || v == nil {
		fmt.Fprintf(out, "%s\n", text.Sentence(e.Reason))
		return
	}
	o := game.Outcome{Draw: e.Draw(), Reason: e.Reason}
	if !o.Draw {
		o.Winner = *e.Winner
	}
	fmt.Fprint(out, p.end.End(o, v))
	if _, own := p.game.(game.PersonGame); own {
		return
	}
	if whole := pos.Draw(p.at.Style); whole != v.Draw(p.at.Style) {
		fmt.Fprintf(out, "The whole board, player 1 below:\n%s\n", whole)
	}
}
