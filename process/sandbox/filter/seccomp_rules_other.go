//go:build linux && !amd64 && !arm64

package filter

// auditArch is 0 where nobody has looked at the numbers of system calls.
const auditArch = 0

func (Spec) rules() []rule { return nil }
