package check

import (
	"cmp"
	"fmt"

	"luzhanqi/game"
	"luzhanqi/text"
)

// RefereeSteps lists what is checked of a referee, in order.
func RefereeSteps() []Step { return (&refereeSession{}).steps() }

// offence is a game in which one of the probes misbehaves.
type offence struct {
	name, title string
	seat        game.Side
	does        behaviour
}

// The offences. Turn 0 is the set-up.
var offences = []offence{
	{"resignation", "a resignation", game.First, behaviour{resigns, 2}},
	{"illegal-move", "an illegal move", game.Second, behaviour{cheats, 2}},
	{"unreadable", "an answer that cannot be read", game.First, behaviour{garbles, 2}},
	{"silence", "a program that does not answer", game.Second, behaviour{falls, 2}},
	{"crash", "a program that crashes", game.First, behaviour{crashes, 2}},
	{"closed-output", "a program that closes its output and lives on", game.Second, behaviour{closes, 2}},
	{"flood", "a program that never stops writing", game.First, behaviour{floods, 2}},
	{"stderr-flood", "a program that never stops writing to standard error", game.Second, behaviour{floodsStderr, 2}},
	{"illegal-setup", "an illegal set-up", game.First, behaviour{misplaces, 0}},
	{"silent-setup", "a program that gives no set-up", game.Second, behaviour{falls, 0}},
	{"crash-at-setup", "a program that crashes instead of giving a set-up", game.First, behaviour{crashes, 0}},
}

func (s *refereeSession) steps() []Step {
	both := []string{"starts-both"}
	all := []Step{
		{Name: "found", Title: "the referee is found and may be executed", run: s.found},
		{Name: "starts-both", Title: "it starts both programs", Needs: []string{"found"}, run: s.startsBoth},
		{Name: "ends", Title: "it ends by itself after a game", Needs: both, run: s.ends},
		{Name: "readable", Title: "all that it says can be read", Needs: both, run: s.readable},
		{Name: "tells-sides", Title: "it tells each program its side", Needs: both, run: s.tellsSides},
		{Name: "asks-setups", Title: "it asks both for their set-ups", Needs: both, run: s.asksSetUps},
		{Name: "turn-order", Title: "it asks for moves in turns, first player 1", Needs: []string{"asks-setups"}, run: s.turnOrder},
		{Name: "same-moves", Title: "both hear all moves as they were made", Needs: []string{"turn-order"}, run: s.sameMoves},
		{Name: "by-the-rules", Title: "it ends a game when the rules do, not before", Needs: []string{"turn-order"}, run: s.byTheRules},
		{Name: "announces-result", Title: "both are told who has won", Needs: []string{"by-the-rules"}, run: s.announces},
		{Name: "no-leftovers", Title: "both programs are gone when it ends", Needs: both, run: s.leavesNone("honest", behaviour{})},
	}
	for _, m := range offences {
		all = append(all, Step{
			Name: m.name, Title: fmt.Sprintf("%s: the game is over, and the other program is told", m.title),
			Needs: []string{"asks-setups"}, run: func() finding { return s.endsBy(m) },
		})
	}
	return append(all, Step{Name: "ignored-end", Title: "a program that ignores the end of the game is killed", Needs: both, run: s.leavesNone("ignored-end", behaviour{Does: stays})})
}

func (s *refereeSession) found() finding {
	if err := s.subject.Program.Command.Check(); err != nil {
		return failed(evidence{}, "a program that is found and may be executed", "%v", err)
	}
	return passed("")
}

// honest is the game in which both probes play to the end.
func (s *refereeSession) honest() *refereeGame { return s.play("honest", [2]behaviour{}) }

// trouble returns the verdict on a game that could not be played or did not end; false: it ended.
func (c *refereeGame) trouble() (finding, bool) {
	switch {
	case c.err != nil:
		return skipped("the machine: %v", c.err), true
	case c.late:
		return failed(c.evidence(game.First), fmt.Sprintf("the referee ends by itself within %v", c.bound), "after %v it still ran and was killed", c.bound), true
	}
	return finding{}, false
}

func (s *refereeSession) startsBoth() finding {
	c := s.honest()
	if c.err != nil {
		return skipped("the machine: %v", c.err)
	}
	for side, log := range c.logs {
		if len(log) == 0 {
			return failed(c.evidence(game.Side(side)), "both programs are started", "the program in place of %s was not; the referee %s", places[side], c.how())
		}
	}
	return passed("")
}

func (s *refereeSession) ends() finding {
	c := s.honest()
	if f, ok := c.trouble(); ok {
		return f
	}
	return passed("it %s", c.aftermath.Exit)
}

func (s *refereeSession) readable() finding {
	c := s.honest()
	for side, log := range c.logs {
		for _, line := range log {
			if line.Event == logStrange {
				return failed(c.evidence(game.Side(side)), "what player "+game.Side(side).String()+" hears is in dialect "+s.subject.Program.Protocol.Name(), "%s", line.Text)
			}
		}
	}
	return passed("")
}

func (s *refereeSession) tellsSides() finding {
	if s.oneShot() {
		return absent("a program that is started for each question is not told its side")
	}
	c := s.honest()
	for side, log := range c.logs {
		for _, line := range log {
			if line.Side != 0 && line.Side != side+1 {
				return failed(c.evidence(game.Side(side)), fmt.Sprintf("the program in place of %s plays player %d", places[side], side+1), "it was told that it is player %d", line.Side)
			}
		}
	}
	return passed("")
}

func (s *refereeSession) asksSetUps() finding {
	if !s.subject.Game.HasSetUp() {
		return absent(noSetUp)
	}
	c := s.honest()
	for side, log := range c.logs {
		if n := count(log, logSetUp); n != 1 {
			return failed(c.evidence(game.Side(side)), "each program is asked once for its set-up", "player %d was asked %d times", side+1, n)
		}
	}
	return passed("")
}

func count(log []logLine, event string) (n int) {
	for _, line := range log {
		if line.Event == event {
			n++
		}
	}
	return n
}

func (s *refereeSession) turnOrder() finding {
	c := s.honest()
	if f, ok := c.trouble(); ok {
		return f
	}
	moves := c.moves()
	for i, m := range moves {
		if m.side != game.Side(i%2) {
			return failed(c.evidence(m.side), fmt.Sprintf("move %d is player %v's", i+1, game.Side(i%2)), "player %v was asked for it", m.side)
		}
	}
	if len(moves) == 0 {
		return failed(c.evidence(game.First), "player 1 is asked for a move", "nobody was; the referee %s", c.aftermath.Exit)
	}
	return passed("%d moves", len(moves))
}

func (s *refereeSession) sameMoves() finding {
	c := s.honest()
	r := s.replay(c)
	if r.wrong != "" {
		return failed(c.evidence(r.side), "each program sees the position that the moves of both lead to", "%s", r.wrong)
	}
	return passed("%d positions", len(c.moves()))
}

func (s *refereeSession) byTheRules() finding {
	c := s.honest()
	r := s.replay(c)
	switch {
	case r.wrong != "":
		return skipped("the moves cannot be followed: %s", r.wrong)
	case !r.over:
		return failed(c.evidence(game.First), "the game goes on to its end by the rules", "the referee ended it after %d moves; it %s", len(c.moves()), c.aftermath.Exit)
	}
	return passed("%s", r.reason)
}

func (s *refereeSession) announces() finding {
	c := s.honest()
	r := s.replay(c)
	for side := range game.Side(2) {
		if f, ok := s.announced(c, side, r); !ok {
			return f
		}
	}
	return passed("%s", cmp.Or(r.end(s, game.First), "the dialect has no words for it"))
}

// gone fails if a program of a game still runs.
func (c *refereeGame) gone(side game.Side) finding {
	if n := len(c.aftermath.Left); n > 0 {
		return failed(c.evidence(side), "no program runs when the referee has ended", "%s still ran", text.Count(n, "program"))
	}
	return passed("the referee %s", c.aftermath.Exit)
}

// leavesNone is a step that fails if a program outlives the referee of a game in which the second probe may stay.
func (s *refereeSession) leavesNone(name string, second behaviour) func() finding {
	return func() finding {
		c := s.play(name, [2]behaviour{{}, second})
		if f, ok := c.trouble(); ok {
			return f
		}
		if !seesProcesses {
			return absent("this system does not show which processes are left")
		}
		return c.gone(game.Second)
	}
}

func (s *refereeSession) oneShot() bool {
	return s.subject.Program.Protocol.Kind() == game.OneShot
}

// attempts at a game that lasts until an offence. In 1-D chess some end with their second move.
const attempts = 6

// commit plays a game with an offence, and others if the rules end it before.
func (s *refereeSession) commit(m offence) (c *refereeGame) {
	var does [2]behaviour
	does[m.seat] = m.does
	for n := range attempts {
		name := m.name
		if n > 0 {
			name = fmt.Sprintf("%s-%d", m.name, n+1)
		}
		c = s.play(name, does)
		if _, trouble := c.trouble(); trouble || count(c.logs[m.seat], logMisbehaviour) > 0 || !s.replay(c).over {
			break
		}
	}
	return c
}

// endsBy expects the game to end by an offence, and well.
func (s *refereeSession) endsBy(m offence) finding {
	if m.does.Turn == 0 && !s.subject.Game.HasSetUp() {
		return absent(noSetUp)
	}
	if s.hung >= maxLate {
		return skipped("the referee had to be ended in %d games; no more are played", s.hung)
	}
	c := s.commit(m)
	if f, ok := c.trouble(); ok {
		return f
	}
	if count(c.logs[m.seat], logMisbehaviour) == 0 {
		if s.replay(c).over {
			return skipped("the rules ended each of %d games before player %v could", attempts, m.seat)
		}
		return failed(c.evidence(m.seat), "player "+m.seat.String()+" is asked, and "+string(m.does.Does), "it was never asked; the referee %s", c.aftermath.Exit)
	}
	r := s.replay(c)
	r.won, r.draw = m.seat.Other(), false
	if f, ok := s.announced(c, r.won, r); !ok {
		return f
	}
	return c.gone(m.seat)
}
