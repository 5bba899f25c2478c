//go:build unix && !(linux || darwin || netbsd || openbsd)

package process

import "os/exec"

// hasStage says that no program can be limited before it starts; Check has refused the limits.
const hasStage = false

func (c Confinement) startStaged(cmd *exec.Cmd) error { return cmd.Start() }

// ownRole is nil: this binary is never started under another name.
func ownRole(string) func(limits, path string, args []string) { return nil }
