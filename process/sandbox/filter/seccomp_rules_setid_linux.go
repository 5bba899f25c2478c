//go:build amd64 || arm64

package filter

import "golang.org/x/sys/unix"

const (
	setID  = unix.S_ISUID | unix.S_ISGID
	create = unix.O_CREAT | unix.O_TMPFILE&^unix.O_DIRECTORY
)

// refusedWhereLasting would make a program that runs as the owner or the group of its file: of a directory of root's, in which
// owners are mapped, as root, for any user of the machine who starts it. Sandboxed it would not, but it stays there.
var refusedWhereLasting = []rule{
	{number: unix.SYS_FCHMOD, name: "fchmod", look: mode(1), when: []test{has(1, setID)}},
	{number: unix.SYS_FCHMODAT, name: "fchmodat", look: mode(2), when: []test{has(2, setID)}},
	{number: unix.SYS_FCHMODAT2, name: "fchmodat2", look: mode(2), when: []test{has(2, setID)}},
	{number: unix.SYS_OPENAT, name: "openat", look: mode(3), when: []test{has(2, create).also(has(3, setID))}},
	{number: unix.SYS_MKNODAT, name: "mknodat", look: mode(2), when: []test{has(2, setID)}},
	// Its mode is in a structure. Libraries that know it use openat where it is not there.
	{number: unix.SYS_OPENAT2, name: "openat2", errno: unix.ENOSYS, mute: true},
}

func mode(argument int) func(*call) finding { return format("mode %#o", argument) }
