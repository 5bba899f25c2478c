// Package attack tries on this machine what a program that plays might try: against the referee, against its opponent
// and against the machine.
//
// Entry point: [Run] starts this same binary as an attacker, inside the profile asked for, and says of each attack
// whether it was stopped; a [Report] prints itself as a table. So a binary that attacks begins its main, and its
// TestMain, with process.Reexec([Attacker]).
//
// The attacks do no harm where they succeed: they signal by the signals 0 and SIGURG, write back what stands there,
// and change only what was made for them. Where nothing is promised, an attack that succeeds is no fault: which is which, see
// [Cell]. It says nothing of attacks that nobody has thought of. [Try] tries them elsewhere: protocol-tests do so within games,
// courses and tournaments, and add what would harm the referee.
package attack

import (
	"errors"

	"luzhanqi/process/sandbox"
)

// Outcome is what became of an attack.
type Outcome string

// The outcomes. The list is closed.
const (
	Stopped Outcome = "stopped"
	Open    Outcome = "open"    // it succeeded
	Untried Outcome = "untried" // this machine or this user has not what it takes
)

// Report is what became of all attacks under several profiles.
type Report struct {
	Isolation sandbox.Report `json:"isolation"`
	User      int            `json:"user"` // who attacked: the user of the referee
	Columns   []Column       `json:"columns"`
}

// Column is what became of the attacks under one profile.
type Column struct {
	Profile sandbox.Profile `json:"profile"`
	// Unavailable is why this machine does not have the profile; then there are no cells.
	Unavailable string `json:"unavailable,omitempty"`
	Cells       []Cell `json:"cells"`
	// Reported are how many of the system calls that were refused the referee was told of, as a grader tells teachers.
	Reported int `json:"reported"`
}

// Cell is what became of one attack under one profile.
type Cell struct {
	Attack   string  `json:"attack"`
	Gets     string  `json:"gets"` // what somebody gets who succeeds
	Outcome  Outcome `json:"outcome"`
	Promised bool    `json:"promised"`      // that it is stopped
	Why      string  `json:"why,omitempty"` // what was got, or why nothing was
	// Because is why an attack that succeeds is no fault.
	Because string `json:"because,omitempty"`
}

// Failed says whether an attack succeeded that is promised to be stopped.
func (c Cell) Failed() bool { return c.Promised && c.Outcome == Open }

// Failed counts the attacks that succeeded although they are promised to be stopped.
func (r Report) Failed() (n int) {
	for _, column := range r.Columns {
		for _, cell := range column.Cells {
			if cell.Failed() {
				n++
			}
		}
	}
	return n
}

// ErrNothing: on this system there is nothing to try.
var ErrNothing = errors.New("there is nothing to try")

// Options say what to try.
type Options struct {
	Profiles []sandbox.Profile
	// Dir is an existing directory of this user, in which a folder is made, and removed, also when this process is killed, that holds
	// what is attacked. Empty: the working directory, or where temporary files are if nothing can be made there.
	Dir string
}

// Said is what an attack says of itself.
type Said struct {
	Attack   string
	Evidence string `json:",omitempty"` // what was got; empty: nothing
	Err      string `json:",omitempty"`
	Untried  bool   `json:",omitempty"`
}
