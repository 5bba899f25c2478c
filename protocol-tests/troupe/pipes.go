package main

import (
	"os"
)

// closeStdin answers once more after closing: the referee's next write, not its read, meets the closed pipe.
func closeStdin(p *player, _ int) reply {
	_ = os.Stdin.Close()
	switch p.cue {
	case atSetup:
		p.say(p.setUp())
	case atMove1, atMove5:
		p.answer()
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
