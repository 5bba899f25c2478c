package process

import (
	"errors"
	"os"
	"strconv"
	"sync"

	"luzhanqi/process/sandbox"
)

// Isolation is what this machine can enforce of a sandbox, tried once by starting something in it.
var Isolation = sync.OnceValue(func() sandbox.Report {
	for {
		way, why := sandbox.Current()
		r := sandbox.Report{Level: way.Level(), By: way, Why: why}
		if way == sandbox.Openly {
			return r
		}
		var err error
		if r.Landlock, err = probe(way); err == nil {
			return r
		}
		sandbox.Refused(way, err.Error())
	}
})

// bubblewrapWorks tries bubblewrap once. That it cannot start a program is later the program's fault.
var bubblewrapWorks = sync.OnceValue(func() error {
	_, err := probe(sandbox.ByBubblewrap)
	return err
})

// probe tries a way, and returns the version of Landlock that it enforces.
func probe(way sandbox.Way) (landlock int, err error) {
	if roles == nil {
		return 0, ErrNoReexec
	}
	env := []string{"PATH=/usr/bin:/bin"}
	// One that is there: one made for this would be left if the referee is killed now. And what has file systems mounted
	// inside, as a directory for temporary files may have, cannot be covered by an ordinary user.
	dir := "/etc"
	if _, err := os.Stat("/usr/bin"); err == nil {
		dir = "/usr/bin"
	}
	view, err := sandbox.Policy{Profile: sandbox.Sealed, Disk: 1 << 24}.View(way, dir, "", []string{"probe"}, env)
	if err != nil {
		return 0, err
	}
	s, err := startSupervisor(Command{Args: []string{"probe"}}, env, supervisorOrder{View: view, Probe: true}, [3]*os.File{})
	if err != nil {
		return 0, err
	}
	word, rest, err := s.within(killTimeout)
	s.kill()
	err = errors.Join(err, s.release())
	if word == "reached" {
		landlock, _ = strconv.Atoi(rest)
		return landlock, nil
	}
	if word == "" {
		return 0, s.unstarted()
	}
	return 0, errors.Join(errors.New(word+" "+rest), err)
}
