package main

import (
	"os"
)

// closeStdin answers once more after closing: the referee's next write, not its read, meets the closed pipe.
func closeStdin(p *player, _ int) reply {
	_ = os.Stdin.Close()
	switch {
	case p.cue == atMove1, p.cue == atMove5, p.cue == atSetup && p.talk != nil:
		p.answer()
	case p.cue == atSetup:
		p.say(p.setUp())
	}
	stay()
	return answered
}

func closeStdout(p *player, n int) reply {
	_ = os.Stdout.Close()
	return silent(p, n)
}

func closeBoth(*player, int) reply {
	_ = os.Stdin.Close()
	_ = os.Stdout.Close()
	stay()
	return answered
}

func closeStdoutAndSpin(*player, int) reply {
	_ = os.Stdout.Close()
	spin()
	return answered
}
