package protocoltests

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"luzhanqi/process/processtest"
	"luzhanqi/protocol-tests/protocoltest"
)

// A setting is whom the command is run as, and whether its programs are shut in.
type setting struct {
	uid      int
	confined bool
}

// settings are programs that nothing confines, and the usual ones of root and of an ordinary user.
func settings() []setting {
	uid := os.Getuid()
	if uid != 0 {
		return []setting{{uid, false}, {uid, true}}
	}
	return []setting{{uid, false}, {uid, true}, {processtest.Ordinary, true}}
}

// some are all settings at night, and else one of them, the next for the next number.
func some(n int) []setting {
	all := settings()
	if protocoltest.Nightly() {
		return all
	}
	return all[n%len(all):][:1]
}

func (s setting) String() string {
	if !s.confined {
		return "off"
	}
	return fmt.Sprint("user ", s.uid)
}

// command is the command of this user, with a folder of the user's own as its working directory and HOME.
func (s setting) command(t *testing.T, args ...string) (c *exec.Cmd, dir string) {
	t.Helper()
	dir = processtest.Folder(t, s.uid)
	if !s.confined {
		args = append(args, "--sandbox=off")
	}
	c = exec.Command(command, args...)
	c.Dir, c.Env = dir, append(os.Environ(), "HOME="+dir)
	if s.uid != os.Getuid() {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(s.uid), Gid: uint32(s.uid)}}
	}
	return c, dir
}
