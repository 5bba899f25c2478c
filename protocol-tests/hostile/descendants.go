package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"time"
)

const (
	descendantLife = 120 * time.Second // a safety net: the referee should end them
	respawnEvery   = 10 * time.Millisecond
)

// The kinds of descendant. Each is started as `hostile -descendant KIND`.
const (
	kindOrphanage = "orphanage" // starts a sleeper that holds its pipes, and ends
	kindSleeper   = "sleeper"
	kindBranch    = "branch" // starts sleepers, and sleeps
	kindPhoenix   = "phoenix"
	kindComputer  = "computer" // computes for as long as each line of its input says, and answers with a byte
	kindErrand    = "errand"   // computes for an errand's time, and ends
)

const errand = 2 * time.Millisecond

const (
	branches = 4 // and as many sleepers on each: 20 in all
	sleepers = 4
)

// spawn starts a descendant in its own session, with our standard streams or with none.
func spawn(kind, pids string, holding bool) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", kind, err)
	}
	c := exec.Command(self, "-pids", pids, "-descendant", kind)
	c.SysProcAttr = ownSession()
	if holding {
		c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	}
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", kind, err)
	}
	return c, nil
}

// phoenixUntil is the environment variable that holds the end of the chain, as RFC 3339: a chain outlives every process.
const phoenixUntil = "HOSTILE_UNTIL"

// descend is the life of a descendant.
func descend(kind, pids string) int {
	time.AfterFunc(descendantLife, func() { os.Exit(exitOutlived) })
	switch kind {
	case kindErrand:
		compute(errand)
		return 0
	case kindComputer:
		for lines := bufio.NewScanner(os.Stdin); lines.Scan(); fmt.Print(".") {
			d, err := time.ParseDuration(lines.Text())
			if err != nil {
				return exitUsage
			}
			compute(d)
		}
		return 0
	case kindOrphanage:
		return start(kindSleeper, pids, 1, true)
	case kindBranch:
		if status := start(kindSleeper, pids, sleepers, false); status != 0 {
			return status
		}
	case kindPhoenix:
		until, err := time.Parse(time.RFC3339Nano, os.Getenv(phoenixUntil))
		if err != nil || time.Now().After(until) {
			return 0
		}
		time.Sleep(respawnEvery)
		return start(kindPhoenix, pids, 1, false)
	case kindSleeper:
	default:
		fmt.Fprintf(os.Stderr, "hostile: unknown kind of descendant %q\n", kind)
		return exitUsage
	}
	time.Sleep(2 * descendantLife)
	return 0
}

// start leaves the descendants to themselves.
func start(kind, pids string, count int, holding bool) int {
	for range count {
		if _, err := spawn(kind, pids, holding); err != nil {
			fmt.Fprintf(os.Stderr, "hostile: %v\n", err)
			return exitSystem
		}
	}
	return 0
}

// orphan plays on when the orphan exists and has lost its parent.
func orphan(p *player, _ int) reply {
	c, err := spawn(kindOrphanage, p.pids, true)
	if err == nil {
		err = c.Wait()
	}
	if err != nil {
		fmt.Fprintf(p.stderr, "hostile: orphan: %v\n", err)
	}
	return besides
}

func orphanExit(p *player, n int) reply {
	orphan(p, n)
	os.Exit(0)
	return answered
}

func orphanTree(p *player, _ int) reply {
	start(kindBranch, p.pids, branches, false)
	return besides
}

// respawn starts a chain in which every process starts the next one and ends: at most two are alive at any time,
// and none after a minute.
func respawn(p *player, seconds int) reply {
	_ = os.Setenv(phoenixUntil, time.Now().Add(time.Duration(min(seconds, 60))*time.Second).Format(time.RFC3339Nano))
	c, err := spawn(kindPhoenix, p.pids, false)
	if err != nil {
		fmt.Fprintf(p.stderr, "hostile: %v\n", err)
		return besides
	}
	go func() { _ = c.Wait() }() // the first of the chain must not stay a zombie
	return besides
}
