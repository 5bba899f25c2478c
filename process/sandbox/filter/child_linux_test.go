package filter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// What is restricted in these tests is a process of its own: this binary again, told by a variable which of
// the children to be. A TestMain would be one for the whole package.
const childVariable = "SANDBOX_TEST_CHILD"

// children are what such a process does, locked to its first thread; their results are printed as JSON.
var children = map[string]func(args []string) (any, error){}

// child adds to children; its value is for a package variable, which is set before init runs.
func child(name string, run func(args []string) (any, error)) string {
	children[name] = run
	return name
}

func init() {
	name := os.Getenv(childVariable)
	if name == "" {
		return
	}
	os.Unsetenv(childVariable)
	runtime.LockOSThread()
	result, err := children[name](os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	json.NewEncoder(os.Stdout).Encode(result)
	os.Exit(0)
}

// nobody is an ordinary user's id.
const nobody = 65534

// asUsers runs a test as this user and, if that is root, as an ordinary one.
func asUsers(t *testing.T, test func(t *testing.T, uid int)) {
	t.Run("this user", func(t *testing.T) { test(t, os.Getuid()) })
	if os.Getuid() == 0 {
		t.Run("ordinary user", func(t *testing.T) { test(t, nobody) })
	}
}

// command is a child as a user. The binary is reached by a path that any user can go.
func command(t *testing.T, uid int, name string, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command("/proc/self/exe", args...)
	c.Env = append(os.Environ(), childVariable+"="+name)
	if uid != os.Getuid() {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
	}
	return c
}

// inChild runs a child as a user and reads its result.
func inChild[T any](t *testing.T, uid int, name string, args ...string) (result T) {
	t.Helper()
	c := command(t, uid, name, args...)
	var stderr strings.Builder
	c.Stderr = &stderr
	output, err := c.Output()
	if err != nil {
		t.Fatalf("%s as user %d: %v\n%s", name, uid, err, stderr.String())
	}
	if err := json.NewDecoder(bytes.NewReader(output)).Decode(&result); err != nil {
		t.Fatalf("%s as user %d printed %q: %v\n%s", name, uid, output, err, stderr.String())
	}
	return result
}
