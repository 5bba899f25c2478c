package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"luzhanqi/game"
	"luzhanqi/referee"
)

// probeMove is a move of one probe.
type probeMove struct {
	side game.Side
	line logLine
}

// moves returns the moves of both probes, in the order of their times.
func (c *refereeGame) moves() (all []probeMove) {
	for side, log := range c.logs {
		for _, line := range log {
			if line.Event == logMove {
				all = append(all, probeMove{game.Side(side), line})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b probeMove) int { return int(a.line.At - b.line.At) })
	return all
}

// replayed is the game that the moves of both probes make by the rules.
type replayed struct {
	pos    game.Position // the last one; nil: none
	over   bool
	draw   bool
	won    game.Side
	reason string
	wrong  string    // the first move or view that does not fit; empty: none
	side   game.Side // whose it is
}

// replay plays the moves of both probes, and compares the view that each logged with the true one.
func (s *refereeSession) replay(c *refereeGame) (r replayed) {
	var setUps [2]game.SetUp
	for side, log := range c.logs {
		for _, line := range log {
			if line.Event == logSetUp {
				setUps[side] = game.SetUp(line.SetUp)
			}
		}
	}
	pos, err := s.subject.Game.New(s.subject.Rules, setUps)
	if err != nil {
		r.wrong = fmt.Sprintf("there is no initial position: %v", err)
		return r
	}
	r.pos = pos
	for i, m := range c.moves() {
		move, err := s.subject.Game.ParseMove(m.line.Move)
		if err == nil && s.oneShot() && m.side == game.Second {
			move = game.InFrame(s.subject.Game, move, game.Second) // such a probe takes itself for player 1
		}
		if err == nil {
			err = r.pos.Check(move)
		}
		if logged, actual := s.views(m, r.pos); logged != actual {
			r.wrong, r.side = fmt.Sprintf("before move %d player %v knew\n%s\nand it is\n%s", i+1, m.side, logged, actual), m.side
			return r
		}
		if err != nil {
			r.wrong, r.side = fmt.Sprintf("move %d: %v", i+1, err), m.side
			return r
		}
		r.pos = r.pos.Play(move)
	}
	o, over := s.subject.Outcome(r.pos)
	r.over, r.draw, r.won, r.reason = over, o.Draw, o.Winner, o.Reason
	return r
}

// views returns the view that a probe logged when it was asked, and the true one.
func (s *refereeSession) views(m probeMove, pos game.Position) (logged, actual string) {
	v := pos.View(m.side)
	if !s.oneShot() {
		return m.line.View, v.Draw(game.DrawStyle{})
	}
	var names []string
	for _, move := range v.Moves(nil) {
		move = game.InFrame(s.subject.Game, move, m.side) // as player 1, which such a probe takes itself for
		names = append(names, s.subject.Game.FormatMove(move))
	}
	return inOrder(m.line.Moves), inOrder(names)
}

func inOrder(names []string) string { return strings.Join(slices.Sorted(slices.Values(names)), " ") }

// end returns the last message that a program has to receive, without any blanks; empty: the dialect has no
// words for the end.
func (r *replayed) end(s *refereeSession, side game.Side) string {
	var v game.View
	if r.pos != nil {
		v = r.pos.View(side)
	}
	messages := s.subject.Program.Protocol.RefereeEnd(side, s.subject.Limits).Tell(game.Event{Kind: game.EventEnd, Draw: r.draw, Winner: r.won}, v)
	return squeeze(string(bytes.Join(messages, nil)))
}

// announced fails unless a program heard the result and its input ended; true: nothing failed.
func (s *refereeSession) announced(c *refereeGame, side game.Side, r replayed) (finding, bool) {
	var heard strings.Builder
	for _, line := range c.logs[side] {
		if line.Event == logHeard {
			heard.WriteString(line.Text)
		}
	}
	words := r.end(s, side)
	if words != "" && !strings.HasSuffix(squeeze(heard.String()), words) {
		result := "drawn"
		if !r.draw {
			result = fmt.Sprintf("won by player %v", r.won)
		}
		return failed(c.evidence(side), fmt.Sprintf("player %v hears that the game is %s: %s", side, result, words), "it did not; the referee %s", c.aftermath.Exit), false
	}
	if count(c.logs[side], logStart) > 0 && count(c.logs[side], logEnd) == 0 {
		return failed(c.evidence(side), fmt.Sprintf("the input of player %v comes to its end, or says that the game is over", side), "the program was killed before; the referee %s", c.aftermath.Exit), false
	}
	return finding{}, true
}

func squeeze(text string) string { return strings.Join(strings.Fields(text), "") }

// how says how the referee ended, for people.
func (c *refereeGame) how() string {
	if c.late {
		return fmt.Sprintf("still ran after %v", c.bound)
	}
	return c.aftermath.Exit
}

// evidence shows what one probe heard and said last, and what the referee printed. The record is both logs.
func (c *refereeGame) evidence(side game.Side) evidence {
	e := evidence{exit: "the referee: " + c.how(), stderr: lastLines(string(c.stderr)), stderrBytes: c.bytes}
	tail := referee.Tail{Max: maxLines, Lines: true}
	for _, line := range c.logs[side] {
		switch line.Event {
		case logHeard:
			for part := range strings.Lines(line.Text) {
				tail.Add(true, []byte(part))
			}
		case logMove, logSetUp, logResign, logMisbehaviour:
			tail.Add(false, []byte(strings.TrimSpace(line.Event+" "+line.SetUp+line.Move+line.Text)+"\n"))
		}
	}
	e.lines = tail.Texts()
	var record bytes.Buffer
	for probe, log := range c.logs {
		for _, line := range log {
			text, err := json.Marshal(struct {
				Player int `json:"player"`
				logLine
			}{probe + 1, line})
			if err == nil {
				record.Write(append(text, '\n'))
			}
		}
	}
	e.record = record.Bytes()
	return e
}
