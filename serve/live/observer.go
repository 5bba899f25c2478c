package live

import (
	"time"

	"luzhanqi/game"
	"luzhanqi/referee"
	"luzhanqi/serve/film"
	"luzhanqi/text"
)

// Game is an observer: what it is told, it hands over.
var _ referee.Observer = (*Game)(nil)

// Message, SetUp and Refused are not shown: a program's words may tell what is hidden.
func (*Game) Message(referee.Message) {}

func (*Game) SetUp(game.Side, game.SetUp, time.Duration, time.Duration) {}

func (*Game) Refused(game.Position, game.Move, error) {}

// Moved shows a move to who watches. What a player says of it is shown to those only who may see its pieces.
func (l *Game) Moved(before, after game.Position, p referee.Played) {
	mover := before.Mover()
	l.took[mover].Store(int64(p.Took))
	l.hand(func() {
		ply := film.Ply{Took: text.Milliseconds(p.Took), Drawn: p.Drawn}
		told := ply
		told.Said = film.Said(p.Comment, p.Why)
		if !l.whole.Begun() {
			l.whole.Begin(before)
			l.see(before)
			l.open[Watchers].begin(func(f *film.Film) { f.Begin(before) })
		}
		l.whole.Move(mover, p.Move, after, told)
		l.see(after)
		if !l.secret() {
			ply = told
		}
		l.open[Watchers].move(func(f *film.Film) { f.Move(mover, p.Move, after, ply) })
	})
}

// secret says whether watchers see only what both sides see.
func (l *Game) secret() bool {
	eyes := l.open[Watchers].film.Eyes
	return len(eyes) == 1 && eyes[0] == film.Open
}

// Ended shows the end, and what was hidden until then.
func (l *Game) Ended(pos game.Position, e *referee.Ending) {
	l.hand(func() {
		if pos != nil && !l.whole.Begun() { // over before the first move
			l.whole.Begin(pos)
		}
		l.whole.End = film.EndOf(e)
		for _, s := range l.open {
			if s == nil {
				continue
			}
			s.film.End = l.whole.End
			if s.play != nil {
				s.play.Turn, s.play.Legal = false, []film.Choice{}
			}
			ev := event{End: l.whole.End, Play: s.play, Next: l.Next}
			if len(s.film.Eyes) < len(l.whole.Eyes) || !s.film.Begun() {
				*s.film = *l.whole
				ev.Film = s.film
			}
			s.add(ev)
		}
	})
}
