package filter

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

// refusedOnThisArch are calls that arm64 does not have.
var refusedOnThisArch = []rule{
	{number: unix.SYS_IOPL, name: "iopl"},
	{number: unix.SYS_IOPERM, name: "ioperm"},
	{number: unix.SYS_MODIFY_LDT, name: "modify_ldt"},
}

// countedOnThisArch belongs to refusedWhereCounted.
var countedOnThisArch = []rule{
	{number: unix.SYS_INOTIFY_INIT, name: "inotify_init", errno: unix.EMFILE, mute: true},
}

// lastingOnThisArch belongs to refusedWhereLasting.
var lastingOnThisArch = []rule{
	{number: unix.SYS_CHMOD, name: "chmod", look: mode(1), when: []test{has(1, setID)}},
	{number: unix.SYS_OPEN, name: "open", look: mode(2), when: []test{has(1, create).also(has(2, setID))}},
	{number: unix.SYS_CREAT, name: "creat", look: mode(1), when: []test{has(1, setID)}},
	{number: unix.SYS_MKNOD, name: "mknod", look: mode(1), when: []test{has(1, setID)}},
}
