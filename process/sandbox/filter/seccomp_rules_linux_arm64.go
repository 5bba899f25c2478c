package filter

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_AARCH64

// refusedOnThisArch are calls that amd64 does not have, countedOnThisArch and lastingOnThisArch would belong to refusedWhereCounted and
// refusedWhereLasting: none.
var refusedOnThisArch, countedOnThisArch, lastingOnThisArch []rule
