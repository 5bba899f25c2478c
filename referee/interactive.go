package referee

import (
	"context"
	"fmt"

	"luzhanqi/clock"
	"luzhanqi/game"
)

// PeopleRetries is how many illegal moves people may try in one turn: more than anyone will.
const PeopleRetries = 1_000_000

// Interactive is where and how people play, against each other or a player of ours.
type Interactive struct {
	Terminal *Terminal
	SetUps   [2]string // of people, as they would type them; empty: they are asked
	Style    game.DrawStyle
	Save     func(file string) error // writes the record so far to a file that people name
}

// Play plays the game to its end, which it prints; watch may be nil. Each of its entrants is a person or a player of ours.
func (i *Interactive) Play(ctx context.Context, g *Game, watch Observer) (*Ending, error) {
	var names [2]string
	var people [2]bool
	for side, e := range g.Entrants {
		names[side], people[side] = e.Name, e.Person
	}
	if people == [2]bool{} {
		return nil, errNoPeople
	}
	end := newTextUI(g.Game, people, names, i.Style)
	printer := &endPrinter{at: i, game: g.Game, end: end, viewer: game.Second}
	if people[game.First] {
		printer.viewer = game.First
	}
	defer clock.Watch()()
	l := g.loop(printer)
	l.people = true
	if watch != nil {
		l.observer = Observers{watch, printer}
	}
	for seat, e := range g.Entrants {
		side := game.Side(seat)
		if e.Level != nil {
			l.seats[side] = newBuiltin(g, side)
			continue
		}
		l.seats[side] = &person{
			terminal: i.Terminal, game: g.Game, side: side, end: end, setUp: i.SetUps[side],
			random: setUpsOf(g, side), // that of a built-in player
			mute:   side != printer.viewer,
			save:   i.Save,
		}
	}
	if people == [2]bool{true, true} { // both would be asked at once for their set-ups
		asked := make(chan struct{})
		l.seats[game.First].(*person).done = asked
		l.seats[game.Second].(*person).after = asked
	}
	return l.play(ctx), nil
}

// endPrinter prints the end of a game for the people who played.
type endPrinter struct {
	NoObserver // all but the end is printed by the seats
	at         *Interactive
	game       game.Game
	end        game.PersonEnd
	viewer     game.Side
}

func (p *endPrinter) Ended(pos game.Position, e *Ending) {
	var v game.View
	if pos != nil {
		v = pos.View(p.viewer)
	}
	out := p.at.Terminal.Out
	if e.Code == Void || v == nil {
		fmt.Fprintf(out, "%s\n", sentence(e.Reason))
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
