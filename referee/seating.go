package referee

import (
	"context"

	"luzhanqi/game"
	"luzhanqi/process"
)

// newSeat seats a program in the way in which its protocol is spoken: one process that reads and
// answers messages, one that believes that it talks to a person, or one for each question.
func newSeat(ctx context.Context, c process.Command, p game.Protocol, side game.Side, limits game.Limits, watch func(Message)) (Seat, error) {
	c = commandFor(c, p).With(p.Arguments(side, limits)...)
	end := p.RefereeEnd(side, limits)
	if p.Kind() == game.OneShot {
		return &anew{side: side, command: c, end: end.(game.OneShotEnd), allowance: limits.Start, watch: watch}, nil
	}
	running, err := newProgram(ctx, c, end, side, watch)
	if err != nil {
		return nil, err // not running, which is nil and yet no nil Seat
	}
	running.frame = p.Frame(side)
	if p.Kind() == game.Console {
		running.lines.most = talkKept
		return &prompted{program: running, end: end.(game.ConsoleEnd)}, nil
	}
	return running, nil
}

// commandFor says how the program of a protocol is started.
func commandFor(c process.Command, p game.Protocol) process.Command {
	c.Terminal = c.Terminal || p.Terminal()
	return c
}
