package filter

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_AARCH64

// refusedOnThisArch are calls that amd64 does not have: none.
var refusedOnThisArch []rule
