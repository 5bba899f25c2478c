// Package debug plays one game again with one program and shows, message by message, where it answers differently from a record,
// late, or not at all.
//
// The entry point is [Session.Play]. The opponent is a player of ours or a [Script]: what it played in the record. The referee is
// that of matches, so the program hears what it heard there; but no clock runs, unless [Session.Clocks] is set, since somebody may
// look at the program with a debugger.
package debug

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"luzhanqi/game"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
	"luzhanqi/text"
)

// A Session is one game that is played again.
type Session struct {
	Game   *referee.Game // with both entrants; that of Side is the program
	Side   game.Side
	Record *record.Replay // what the answers are compared with; nil: nothing
	Script *Script        // of the opponent; nil: it has none
	GoOn   bool           // after a different answer, with what Script goes on with
	Clocks bool           // judge the program's time as in a match
	From   int            // show messages from the turn of this ply on
	Color  bool
	Out    io.Writer
	Notice io.Writer // gets what is said while nothing happens

	mu        sync.Mutex
	pos       game.Position // nil before the first
	opened    int           // plies of the opening, which nobody has chosen
	asked     time.Time     // when the program was last told something
	answered  bool          // something came since
	blank     bool          // it was nothing but an empty line
	notice    *time.Timer
	stop      context.CancelCauseFunc
	different bool
	over      bool // the record ends where the opponent would have to move
	late      int
	ending    *referee.Ending
}

// maxLines is how many lines of a message are shown; some dialects list all legal moves.
const maxLines = 6

// exitGrace is how long a program without a clock is given to exit.
const exitGrace = 2 * time.Second

// errDifferent ends a game whose further course is not in the record.
var errDifferent = fmt.Errorf("the answer is not that of the record")

// Play plays the game. It returns whether the program answered as in the record and committed no fault; an error means that there was
// no game, or that the context has ended.
func (s *Session) Play(ctx context.Context) (fine bool, err error) {
	e := &s.Game.Entrants[s.Side]
	e.Unhurried = !s.Clocks
	limits := s.Game.LimitsOf(e)
	if !s.Clocks {
		limits.Grace = max(limits.Grace, exitGrace)
		e.Limits = &limits
	}
	playing, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s.stop = stop
	s.notice = time.AfterFunc(time.Hour, s.unanswered)
	defer s.notice.Stop()
	if _, err := s.Game.Play(playing, s); err != nil {
		return false, err
	}
	if ctx.Err() != nil {
		s.board("no answer yet", nil)
		return false, context.Cause(ctx)
	}
	s.conclude()
	return !s.different && !(s.ending.Foul() && *s.ending.Fault == s.Side), nil
}

func (s *Session) say(format string, args ...any) { fmt.Fprintf(s.Out, format+"\n", args...) }

// shown says whether the game has come as far as messages are to be shown.
func (s *Session) shown() bool {
	return s.pos == nil && s.From == 0 || s.pos != nil && s.pos.Ply()+1 >= s.From
}

// Message shows what is said, by the side of who says it: > to the program, < by it.
func (s *Session) Message(m referee.Message) {
	if m.Side != s.Side {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.answered = !m.Sent; m.Sent {
		s.asked = m.At
		limits := s.Game.LimitsOf(&s.Game.Entrants[s.Side])
		wait := limits.SetUp
		switch {
		case s.pos != nil:
			wait = limits.ForMove(s.pos.Ply() - s.opened)
		case wait == 0: // a game without set-ups begins with a move
			wait = limits.ForMove(0)
		}
		s.notice.Reset(wait + limits.Start + s.Game.Limits.Grace)
	}
	if !s.shown() {
		return
	}
	sign := "<"
	if m.Sent {
		sign = ">"
	}
	if len(m.Arguments) > 0 {
		s.say("> (arguments) %s", text.Printable(strings.Join(m.Arguments, " ")))
	}
	s.blank = !m.Sent && len(bytes.TrimSpace(m.Text)) == 0 // what an answer before has left behind, or an answer that cannot be read
	if s.blank {
		return
	}
	trim := bytes.TrimRight
	if !m.Sent {
		trim = bytes.Trim // a program's newline comes with its next answer, if at all
	}
	lines := strings.Split(string(trim(m.Text, "\r\n")), "\n")
	for i, line := range lines {
		if left := len(lines) - maxLines; left > 0 && i >= maxLines-1 && i < len(lines)-1 {
			if i == maxLines-1 {
				s.say("%s … %s …", sign, text.Count(left, "line"))
			}
			continue
		}
		s.say("%s %s", sign, text.Printable(strings.TrimSuffix(line, "\r")))
	}
}

// unanswered is called when the program's limit has passed.
func (s *Session) unanswered() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.answered || s.Clocks || s.pos != nil && s.pos.Mover() != s.Side {
		return
	}
	fmt.Fprintf(s.Notice, "luzhanqi: no answer for %v: in a match it would have lost on time. No clock runs here; Ctrl-C ends the game\n",
		time.Since(s.asked).Round(100*time.Millisecond))
}

// SetUp compares a set-up.
func (s *Session) SetUp(side game.Side, setUp game.SetUp, took, _ time.Duration) {
	if side != s.Side {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	was := "its set-up"
	if s.Record != nil && s.Record.SetUps[side] != "" {
		if s.Record.SetUps[side] == setUp {
			was = "its set-up, as in the record"
		} else {
			s.say("≠ its set-up is not that of the record, which is %s", s.Record.SetUps[side])
			s.deviate()
		}
	}
	if limits := s.Game.LimitsOf(&s.Game.Entrants[side]); s.shown() || took > limits.SetUp {
		s.say("  %s, %s", was, s.time(took, limits.SetUp))
	}
}

// time says how long an answer took, and counts it if it is late.
func (s *Session) time(took, limit time.Duration) string {
	shown := text.Duration(text.Milliseconds(took)).Round(10 * time.Microsecond)
	if took <= limit+s.Game.Limits.Grace {
		return fmt.Sprint(shown)
	}
	s.late++
	return fmt.Sprintf("late: %v, allowed are %v + %v grace", shown, limit, s.Game.Limits.Grace)
}

// deviate ends the game where the record no longer says what the opponent would do.
func (s *Session) deviate() {
	s.different = true
	if s.Script == nil {
		return
	}
	s.Script.left.Store(true)
	if !s.GoOn {
		s.stop(errDifferent)
	}
}

// Moved compares a move.
func (s *Session) Moved(before, after game.Position, p referee.Played) {
	s.mu.Lock()
	defer s.mu.Unlock()
	show := s.shown()
	s.pos = after
	ply := before.Ply()
	if p.Opening {
		s.opened++
		if show {
			s.say("  ply %d: %s, of the opening", ply+1, s.move(p.Move))
		}
		return
	}
	if before.Mover() != s.Side {
		if s.Record != nil && !s.different && ply >= len(s.Record.Moves) {
			s.over = true
			s.stop(errDifferent)
		}
		return
	}
	limit := s.Game.LimitsOf(&s.Game.Entrants[s.Side]).ForMove(ply - s.opened)
	late := s.late
	line := fmt.Sprintf("ply %d: %s, %s", ply+1, s.move(p.Move), s.time(p.Took, limit))
	if s.Record == nil || s.different {
		if show || s.late > late {
			s.say("  %s", line)
		}
		return
	}
	if ply < len(s.Record.Moves) {
		if was, err := s.Game.Game.ParseMove(s.Record.Moves[ply].Move); err == nil && was != p.Move {
			s.say("≠ %s; in the record it played %s", line, s.move(was))
			s.drawn(after, "its answer", &p.Move)
			s.deviate()
		} else if show || s.late > late {
			s.say("  %s, as in the record", line)
		}
		return
	}
	s.say("≠ %s: a legal move; the record ends here: %s", line, s.recorded())
	s.drawn(after, "its answer", &p.Move)
	s.deviate()
}

// recorded is how the record ends.
func (s *Session) recorded() string {
	if s.Record.Ending == nil {
		return "it breaks off"
	}
	return s.Record.Ending.Reason
}

// move is a move as the program names it.
func (s *Session) move(m game.Move) string {
	return s.Game.Game.FormatMove(game.InFrame(s.Game.Game, m, s.Side))
}

// Refused shows an illegal move, with its squares marked.
func (s *Session) Refused(pos game.Position, m game.Move, why error) {
	if pos.Mover() != s.Side {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.say("! ply %d: %s is illegal: %v", pos.Ply()+1, s.move(m), game.ErrorInFrame(why, s.Side))
	s.drawn(pos, "marked: "+s.move(m), &m)
}

// Ended keeps the ending.
func (s *Session) Ended(pos game.Position, e *referee.Ending) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ending = e
	if pos != nil {
		s.pos = pos
	}
}

// board draws the latest position.
func (s *Session) board(title string, last *game.Move) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pos != nil {
		s.drawn(s.pos, title, last)
	}
}

// drawn draws a position as the program's side sees it.
func (s *Session) drawn(pos game.Position, title string, last *game.Move) {
	view := pos.View(s.Side)
	s.say("\nafter %s, as player %v sees it; %s\n%s\n", text.Count(pos.Ply(), "ply"), s.Side, title,
		strings.TrimRight(view.Draw(game.DrawStyle{Color: s.Color, Last: last}), "\n"))
}

// conclude says how it ended.
func (s *Session) conclude() {
	e := s.ending
	if s.different && s.Script != nil && !s.GoOn {
		s.say("It ends here, since the record does not say what the opponent would do now: with --go-on %s goes on for it.", s.Script.Then.Name)
		s.say("A program that chooses by chance answers the same only if its seed is the same.")
		return
	}
	if s.over {
		s.say("All answers are those of the record, which ends here: %s", s.recorded())
		return
	}
	if s.blank && e.Code == referee.Unreadable && *e.Fault == s.Side {
		s.say("< (an empty line)")
	}
	s.say("%s after %s", e.Reason, text.Count(e.Plies, "ply"))
	if e.Foul() && *e.Fault == s.Side {
		if e.Exit != "" {
			s.say("the program %s", text.Printable(e.Exit))
		}
		if e.Code != referee.IllegalMove { // which was drawn
			s.board(string(e.Code), nil)
		}
	}
	if s.late > 0 && !s.Clocks {
		s.say("%s late: in a match the first of them would have lost", text.Count(s.late, "answer"))
	}
	if s.Record != nil && s.Record.Ending != nil && !s.different {
		if s.Record.Ending.Code == e.Code {
			s.say("as in the record")
		} else {
			s.say("≠ in the record: %s", s.Record.Ending.Reason)
			s.different = true
		}
	}
}
