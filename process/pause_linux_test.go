package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"luzhanqi/process/processtest"
	"luzhanqi/process/sandbox"
)

// TestHoldInWays: so it is for programs that are shut in, in every way, of root and of an ordinary user.
func TestHoldInWays(t *testing.T) {
	if os.Getenv(wayOf) != "" {
		if by := Isolation().By.String(); by != os.Getenv(wayOf) {
			t.Fatal("it is shut in by ", by)
		}
		profiles := []sandbox.Profile{sandbox.Guarded}
		if Isolation().Level == sandbox.Isolated {
			profiles = append(profiles, sandbox.Sealed)
		}
		for _, profile := range profiles {
			t.Run(string(profile), func(t *testing.T) { hold(t, sandbox.Policy{Profile: profile}) })
		}
		return
	}
	users := []int{os.Getuid()}
	if os.Getuid() == 0 {
		users = []int{0, nobody}
	}
	for way := sandbox.ByFilters; way <= Isolation().By; way++ {
		for _, uid := range users {
			if way == sandbox.ByUserNamespace && uid != 0 {
				continue // it is the usual way
			}
			t.Run(fmt.Sprint(way, "/user_", uid), func(t *testing.T) {
				t.Parallel()
				if way == sandbox.ByBubblewrap {
					processtest.Need(t, "bwrap")
				}
				dir := processtest.Folder(t, uid)
				c := exec.Command("/proc/self/exe", "-test.run", "^TestHoldInWays$", "-test.v")
				c.Dir, c.Env = dir, append(os.Environ(), wayOf+"="+way.String(), "HOME="+dir)
				c.SysProcAttr = &syscall.SysProcAttr{}
				if uid != os.Getuid() {
					c.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}
				}
				if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: TestHoldInWays") {
					t.Error(errors.Join(err, errors.New(string(out))))
				}
			})
		}
	}
}
