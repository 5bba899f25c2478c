package process

import (
	"errors"
	"os"
	"slices"
)

// Role is something else that a program's own binary can be started as: by the name of the role as its first
// argument. Run gets the arguments behind it, and returns the exit code.
type Role struct {
	Name string
	Run  func(args []string) int
}

// roles are what Reexec was called with; nil: it was not.
var roles []Role

// Reexec must be the first call in main, and in the TestMain of every test, of a program that uses [Start] or
// [Run]. They start this same binary again, so that there is nothing to install: as the supervisor of a
// program, and as what limits itself before it becomes the program. In such a process, Reexec plays the role
// and does not return; so it does for the further roles that the program has.
func Reexec(further ...Role) {
	if own := ownRole(os.Args[0]); own != nil {
		own(os.Args[1:])
	}
	if len(os.Args) > 1 {
		if own := ownRole(os.Args[1]); own != nil { // whoever starts it cannot choose the argument before
			own(os.Args[2:])
		}
		if i := slices.IndexFunc(further, func(r Role) bool { return r.Name == os.Args[1] }); i >= 0 {
			os.Exit(further[i].Run(os.Args[2:]))
		}
	}
	roles = append([]Role{}, further...)
}

// ErrNoReexec is the error of Start and Run in a program that has not called Reexec: it would start itself
// without end.
var ErrNoReexec = errors.New("no program can be started before a call of process.Reexec, which belongs at the start of main, or of TestMain")

// CanPlay says whether this binary plays a role when it is started with its name as first argument. If not, the
// error says what is missing.
func CanPlay(role Role) error {
	if !slices.ContainsFunc(roles, func(r Role) bool { return r.Name == role.Name }) {
		return errors.New("this program cannot be started as " + role.Name + ": its main, or TestMain, must begin with a call of process.Reexec that names this role")
	}
	return nil
}
