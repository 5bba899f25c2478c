package sandbox

import (
	"fmt"
	"os"
)

// View is what a program sees of the file system, and as whom: made by the referee, built by the supervisor.
type View struct {
	Policy
	By   Way    `json:"by"`
	Dir  string `json:"dir"`            // working directory, without symbolic links
	Home string `json:"home,omitempty"` // of the user; empty: none that could be shown
	// Shown are directories that lie where the program has places of its own, and that it needs to start.
	Shown []string `json:"shown,omitempty"`
	// Private is a directory of the program's own that was made for it, where there are no namespaces; empty: none.
	Private string `json:"-"`
	// User is the id of user and group that the program gets, if the referee is root; 0: it keeps the referee's.
	User int `json:"user,omitempty"`
	// Copy makes a copy of the working directory where it would be covered by a layer, and none can be had.
	Copy bool `json:"copy,omitempty"`
	// Copied is how many bytes that takes.
	Copied int64 `json:"copied,omitempty"`
	// Env is the environment of the program; nil: the supervisor's.
	Env []string `json:"env,omitempty"`

	threaded bool     // a thread is to see it, and what it forks, not a process 1
	first    *First   // then
	self     *os.File // this binary
}

// Isolated says whether there are namespaces.
func (v *View) Isolated() bool { return v.By.Level() == Isolated }

// Unavailable is the error of Enter and Apply where this machine refuses what the level needs, whatever the policy.
type Unavailable struct{ Why string }

func (u Unavailable) Error() string { return "isolation is not available: " + u.Why }

func unavailable(what string, err error) error {
	return Unavailable{fmt.Sprintf("%s: %v", what, err)}
}

// Inside is what the supervisor keeps of a view that it has built.
type Inside struct {
	Layer *os.File // what the program has written into its working directory; nil: it has no layer
	Whole *os.File // the directory as the program sees it
	// Original is the directory of which Whole is to be made a copy before the program starts; nil: there is a layer.
	Original *os.File
	// Places are on private disks whose files nobody but the supervisor counts.
	Places []*os.File
	Keep   *os.File // the directory that gets a copy of one of them at the end; nil: none

	copied map[string]mark // what the copy was when the program started; nil: there is none
}

// Enter makes the view the file system of the calling process, which is process 1 of fresh namespaces. Nothing of it
// reaches the rest of the machine, and all of it is gone with the last process inside.
func (v *View) Enter() (*Inside, error) {
	if v.By == ByBubblewrap {
		return v.unwrap()
	}
	b := &builder{View: v, inside: &Inside{}, owners: map[[2]uint32]*os.File{}}
	defer b.close()
	if err := b.seclude(); err != nil {
		return nil, err
	}
	if v.Keep != "" {
		keep, err := b.take(v.Keep, true)
		if err != nil {
			return nil, err
		}
		b.taken = b.taken[:len(b.taken)-1]
		b.inside.Keep = os.NewFile(uintptr(keep.fd), v.Keep)
	}
	if err := b.build(v.pieces()); err != nil {
		return nil, err
	}
	return b.inside, nil
}
