package seat

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"luzhanqi/process"
	"luzhanqi/text"
)

// Program is what a bridge passes lines to and from.
type Program interface {
	io.ReadWriter
	// Close ends the program, if it lives, and says how it ended.
	Close() string
}

// Bridge passes on what is said between a program and a server, until either ends; then both have ended. It returns nil if the
// game came to its end, whoever won.
func Bridge(ctx context.Context, l *Link, p Program) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	said := make(chan error, 1)
	go func() { said <- fromProgram(l, p) }()
	heard := make(chan error, 1)
	go func() { heard <- toProgram(ctx, l, p) }()
	select {
	case err := <-said: // the program has closed its output, as it may when its game is over
		how := p.Close()
		l.End(how)
		l.Told(ctx) // what it said last may wait for a connection
		stop()
		<-heard
		if ended := l.State(); ended.Ended {
			return told(ended.Reason)
		}
		if err != nil {
			return fmt.Errorf("the program ended before the game (%s): %w", how, err)
		}
		return fmt.Errorf("the program ended before the game: %s", how)
	case err := <-heard:
		p.Close()
		l.End("")
		<-said
		if err == nil {
			err = told(l.State().Reason)
		}
		return err
	}
}

// Lost is what a server says of a program that has lost by a fault of its own, or for which there is no game.
type Lost struct{ Why string }

func (l *Lost) Error() string { return "the server says: " + l.Why }

func told(reason string) error {
	if reason == "" {
		return nil
	}
	return &Lost{text.Printable(text.Cut(reason, 300))}
}

// fromProgram passes on what the program says, until it has closed its output.
func fromProgram(l *Link, p Program) error {
	chunk := make([]byte, 32<<10)
	for {
		n, err := p.Read(chunk)
		if n > 0 {
			if _, err := l.Write(chunk[:n]); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// toProgram passes on what the server says, until it has ended the stream. A program that does not read any more may still answer.
func toProgram(ctx context.Context, l *Link, p Program) error {
	chunk := make([]byte, 32<<10)
	for {
		n, err := l.Read(ctx, chunk, time.Now().Add(time.Hour))
		if n > 0 {
			p.Write(chunk[:n])
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
	}
}

// local is a program of this machine.
type local struct {
	process *process.Process
	grace   time.Duration
}

// Start starts a program; grace is what it has to exit by itself when its game is over.
func Start(c process.Command, grace time.Duration) (Program, error) {
	p, err := process.Start(c)
	if err != nil {
		return nil, err
	}
	return &local{p, grace}, nil
}

// far is a deadline that does not come.
func far() time.Time { return time.Now().Add(24 * time.Hour) }

func (p *local) Read(b []byte) (int, error)  { return p.process.Read(b, far()) }
func (p *local) Write(b []byte) (int, error) { return p.process.Write(b, far()) }

func (p *local) Close() string {
	exit, err := p.process.StopOwn(p.grace)
	if err != nil {
		return fmt.Sprintf("%v (%v)", exit, err)
	}
	return exit.String()
}
