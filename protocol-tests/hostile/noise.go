package main

import (
	"bytes"
	"fmt"
	"io"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// outliveWriters lets the process survive the end of its pipes: only the referee's kill ends it.
func outliveWriters() {
	signal.Ignore(syscall.SIGPIPE)
	outlive()
}

// pour writes the chunk for ever.
func pour(w io.Writer, chunk string, pause time.Duration) {
	outliveWriters()
	for {
		if _, err := io.WriteString(w, chunk); err != nil {
			stay()
		}
		time.Sleep(pause)
	}
}

// babbling sends the opening once and then one chunk a millisecond: often enough to re-arm every idle timer.
func babbling(opening, chunk string) act {
	return func(p *player, _ int) reply {
		p.raw(opening)
		pour(p.stdout, chunk, time.Millisecond)
		return answered
	}
}

func floodStdout(p *player, _ int) reply {
	pour(p.stdout, strings.Repeat("flood ", 64<<10/6), 0)
	return answered
}

func floodStderr(p *player, _ int) reply {
	pour(p.stderr, strings.Repeat("noise on standard error\n", 64<<10/24), 0)
	return answered
}

// floodStderrPlays plays honestly meanwhile, and leaves when all the noise is written: never, if nobody reads it.
func floodStderrPlays(p *player, mebibytes int) reply {
	written := make(chan struct{})
	p.leave = func() {
		outlive()
		<-written
	}
	go func() {
		defer close(written)
		line := 0
		for left := mebibytes << 20; left > 0; {
			var chunk bytes.Buffer
			for chunk.Len() < min(left, 64<<10) {
				line++
				fmt.Fprintf(&chunk, "noise on standard error, line %d\n", line)
			}
			if _, err := p.stderr.Write(chunk.Bytes()); err != nil {
				return
			}
			left -= chunk.Len()
		}
	}()
	return besides
}

// bigSetUp repeats the entries of a legal set-up until they fill the mebibytes.
func bigSetUp(p *player, mebibytes int) reply {
	one := strings.TrimSuffix(p.setUp(), ")") + " "
	list := strings.TrimPrefix(one, "(")
	p.raw(one + strings.Repeat(list, (mebibytes<<20)/len(list)) + ")\n")
	return answered
}

// nested is a program against parsers that recurse.
func nested(closed bool) act {
	return func(p *player, depth int) reply {
		text := strings.Repeat("(", depth)
		if closed {
			text += strings.Repeat(")", depth) + "\n"
		}
		p.raw(text)
		return answered
	}
}

// spoiled puts bytes behind the first column letter of the honest answer: in the middle of an atom.
func spoiled(rubbish string) act {
	return reworded(func(honest string) string {
		i := strings.IndexByte(honest, 'A')
		if i < 0 {
			i = 1
		}
		return honest[:i+1] + rubbish + honest[i+1:] + "\n"
	})
}

// everyHighByte holds 0x80 to 0xff once each.
var everyHighByte = func() string {
	var b []byte
	for c := 0x80; c <= 0xff; c++ {
		b = append(b, byte(c))
	}
	return string(b)
}()

// reworded sends, in one write, something made of the honest answer.
func reworded(change func(honest string) string) act {
	return func(p *player, _ int) reply {
		switch {
		case p.talk != nil:
			p.raw(change(p.talk.honest(p)))
		case p.turn == 0:
			p.raw(change(p.setUp()))
		default:
			s, ok := p.choose()
			if !ok {
				return later
			}
			p.raw(change(s.String()))
		}
		return answered
	}
}
