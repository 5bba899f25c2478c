package main

import (
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// crash ends as a Go program does that panics: with a trace on standard error, and status 2.
func crash(*player, int) reply {
	var nobody *player
	nobody.turn++
	return answered
}

func dyingBy(s syscall.Signal) act {
	return func(*player, int) reply {
		dieBy(s)
		return answered
	}
}

func exiting(status int, lastWords string) act {
	return func(p *player, _ int) reply {
		_, _ = fmt.Fprint(p.stderr, lastWords)
		os.Exit(status)
		return answered
	}
}

// crashMidAnswer leaves the referee inside an expression.
var crashMidAnswer = func() act {
	half := reworded(func(honest string) string { return honest[:len(honest)/2] })
	return func(p *player, n int) reply {
		half(p, n)
		os.Exit(1)
		return answered
	}
}()

func ignoreTerm(p *player, _ int) {
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	p.leave = stay
}

func stopped(*player, int) reply {
	stopSelf()
	return besides
}

// killSupervisor spares process 1: a program whose parent is dead already has been handed to it. A process for one question
// sees it die before it answers: an answer counts, whatever its process does then.
func killSupervisor(p *player, _ int) reply {
	parent := os.Getppid()
	if parent <= 1 {
		fmt.Fprintln(p.stderr, "hostile: no parent to kill")
		return besides
	}
	victim, err := os.FindProcess(parent)
	if err == nil {
		err = victim.Kill()
	}
	if err != nil {
		fmt.Fprintf(p.stderr, "hostile: kill parent %d: %v\n", parent, err)
		return besides
	}
	if p.talk != nil && p.talk.once {
		for end := time.Now().Add(20 * time.Second); os.Getppid() == parent && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
	}
	return besides
}

func resign(p *player, _ int) reply {
	p.say("(resign)")
	return answered
}

func resignAndLeave(p *player, n int) reply {
	resign(p, n)
	os.Exit(0)
	return answered
}

// lastWords is long enough to be a useful tail and short enough to be quoted whole.
var lastWords = "hostile: " + strings.Repeat("I give up. ", 3) + "\n"
