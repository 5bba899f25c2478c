package main

import (
	"io"
	"os"
	"time"
)

// outlive ends the process with a status of its own if nobody has ended it before.
func outlive() { time.AfterFunc(lifetime, func() { os.Exit(exitOutlived) }) }

// stay does nothing at all: it reads no more, and does not see end of file.
func stay() {
	time.Sleep(lifetime)
	os.Exit(exitOutlived)
}

// spin burns one processor.
func spin() {
	outlive()
	//lint:ignore SA5002 to spin is what this is for
	for {
	}
}

// burn keeps one processor busy for a while.
func burn(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
	}
}

func milliseconds(n int) time.Duration { return time.Duration(n) * time.Millisecond }

// silent keeps reading, so the referee can write to it for ever, and leaves at end of file.
func silent(p *player, _ int) reply {
	_, _ = io.Copy(io.Discard, p.in)
	os.Exit(0)
	return answered
}

func deaf(*player, int) reply {
	stay()
	return answered
}

// dribble re-arms an idle timer for ever while it never reaches a limit on size or depth in any sensible time.
func dribble(p *player, _ int) reply {
	outliveWriters()
	p.raw("(A6")
	for {
		time.Sleep(20 * time.Millisecond)
		p.raw(" ")
	}
}

// slowWhole spreads the answer evenly over four fifths of the time.
func slowWhole(p *player, n int) {
	p.style = func(w io.Writer, answer string) error {
		answer += "\n"
		began, whole := time.Now(), milliseconds(n)*4/5
		for i := range len(answer) {
			time.Sleep(time.Until(began.Add(whole * time.Duration(i) / time.Duration(len(answer)))))
			if _, err := io.WriteString(w, answer[i:i+1]); err != nil {
				return err
			}
		}
		return nil
	}
}

// deafPlays answers blindly: its one piece goes to and fro between two of its camps, which is legal against
// every opponent that does not come there.
func deafPlays(p *player) func() int {
	return func() int {
		outliveWriters()
		p.say(p.setUp())
		for i := 0; ; i++ {
			p.say(shuttle(i).String())
			time.Sleep(time.Millisecond)
		}
	}
}

// shuttle is the i-th move of a piece that every one of the set-ups has on A4.
func shuttle(i int) step {
	a4, b3, c4 := at(0, 4), at(1, 3), at(2, 4)
	switch {
	case i == 0:
		return step{a4, b3}
	case i%2 == 1:
		return step{b3, c4}
	}
	return step{c4, b3}
}

// ahead answers the set-up and n moves before it is asked for anything, in one write.
func ahead(p *player, n int) reply {
	text := p.setUp() + "\n"
	for i := range n {
		text += shuttle(i).String() + "\n"
	}
	p.raw(text)
	p.owed = n + 1
	return besides
}

// twoAnswers answers this turn and the next of its own; asked the next time, it answers again.
func twoAnswers(p *player, _ int) reply {
	for _, s := range p.board.steps() {
		if !p.board.enemy[s.to] && !headquarters[s.to] {
			p.raw(s.String() + "\n" + step{s.to, s.from}.String() + "\n")
			return answered
		}
	}
	return later
}
