package filter

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

// refusedOnThisArch are calls that arm64 does not have.
var refusedOnThisArch = []rule{
	{number: unix.SYS_IOPL, name: "iopl"},
	{number: unix.SYS_IOPERM, name: "ioperm"},
	{number: unix.SYS_MODIFY_LDT, name: "modify_ldt"},
}
