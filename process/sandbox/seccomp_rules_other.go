//go:build linux && !amd64 && !arm64

package sandbox

// auditArch is 0 where nobody has looked at the numbers of system calls.
const auditArch = 0

func (filterSpec) rules() []rule { return nil }
