// Package plan reads the TOML file that describes a tournament; testdata/example.toml shows and explains
// every key. [Load] reads and checks all that can be known without starting anything, with line and column
// of each error; [Plan.Check] looks whether the programs are there. [Plan.Canonical] and
// [Plan.Fingerprint] say what of it decides results, so that a tournament is only ever resumed with the
// plan it was begun with, and [Changes] says what differs.
package plan

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"luzhanqi/referee"
	"luzhanqi/referee/opening"
	"luzhanqi/tournament/plan/strict"
	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/schedule"
)

// Plan is a tournament that was read and checked.
type Plan struct {
	File string // empty: none
	Name string // empty: none
	referee.Conditions
	Players  []Player // in the order of the file, by which Schedule counts them
	Schedule schedule.Spec
	// SeedDrawn: the file names no seed, and that of Schedule stands for one that is drawn when the tournament begins.
	SeedDrawn bool
	Test      *rating.SPRT // ends a match early; nil: none
	Openings  opening.Book // with which games begin

	Concurrency int
	Pin         Pin
	Queue       Queue
	Records     bool  // each game is recorded
	RecordSpace int64 // bytes of records, compressed, that are kept: those of later games are not; 0: all
	StderrSpace int64 // bytes of standard error that a run keeps, if it keeps any
	Explain     bool  // records say why players of ours made their moves

	document *strict.Document
	idle     []error
}

// Idle reports limits that concern none of the players, or not the one that has them. They are no errors of the plan itself, but of a new
// tournament: one that was begun with them goes on.
func (p *Plan) Idle() error { return errors.Join(p.idle...) }

// Player is one who takes part.
type Player struct {
	// Entrant's Command.Dir is ready to be used.
	referee.Entrant
	Dir        string // as the file has it, with slashes; empty: the folder of the file
	Challenger bool   // of a gauntlet
}

// Pin says whether programs are bound to processors of their own.
type Pin string

// The ways of pinning.
const (
	PinAuto Pin = "auto" // where there are enough
	PinOff  Pin = "off"
	PinOn   Pin = "on" // and it is an error if there are too few
)

// Queue says where games wait for workers.
type Queue struct {
	URL       string // of a cluster that exists; empty: embedded in the process
	Listen    string // host:port on which the embedded queue takes workers from elsewhere; empty: none
	Token     string // by which workers are let in, or we into the cluster; empty: that of TokenFile
	TokenFile string // empty: none, or one that is made beside the results
	Replicas  int    // servers of the cluster that keep each message
}

// Check says what is missing on this machine: folders, programs, and limits that the system does not know.
// Workers elsewhere may have what is missing here.
func (p *Plan) Check() error {
	var errs []error
	for i, who := range p.Players {
		if who.Level != nil {
			continue
		}
		key := "command"
		err := checkFolder(who.Command.Dir)
		if err != nil {
			key = "dir"
		} else {
			err = who.Entrant.Check()
		}
		if err != nil {
			errs = append(errs, p.document.At(fmt.Errorf("%s: %w", who.Name, err), "player", strconv.Itoa(i+1), key))
		}
	}
	return errors.Join(errs...)
}

func checkFolder(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("folder %q: %w", filepath.ToSlash(dir), errors.Unwrap(err))
	}
	if !info.IsDir() {
		return fmt.Errorf("%q is a file, not a folder", filepath.ToSlash(dir))
	}
	return nil
}
