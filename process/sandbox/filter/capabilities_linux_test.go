package filter

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// threadStatus is what /proc says of a thread, by the names there.
type threadStatus map[string]string

func statusOf(path string) (threadStatus, error) {
	text, err := os.ReadFile(path)
	return parseStatus(text), err
}

var statusLine = regexp.MustCompile(`(?m)^(Uid|Gid|Groups|Cap\w+|NoNewPrivs|Seccomp):(.*)$`)

func parseStatus(text []byte) threadStatus {
	status := threadStatus{}
	for _, m := range statusLine.FindAllSubmatch(text, -1) {
		status[string(m[1])] = strings.Join(strings.Fields(string(m[2])), " ")
	}
	return status
}

// restrictedThread is what a thread and what it started became, and another thread of its process.
type restrictedThread struct{ Here, Started, Elsewhere threadStatus }

var powerlessChild = child("powerless", func(args []string) (any, error) {
	if len(args) > 0 {
		if err := BecomeUser(12345, 12346); err != nil {
			return nil, err
		}
	}
	if err := DropCapabilities(); err != nil {
		return nil, err
	}
	var r restrictedThread
	var err error
	if r.Here, err = statusOf("/proc/thread-self/status"); err != nil {
		return nil, err
	}
	started, err := exec.Command("/bin/cat", "/proc/self/status").Output()
	if err != nil {
		return nil, err
	}
	r.Started = parseStatus(started)
	elsewhere := make(chan error)
	go func() {
		var err error
		r.Elsewhere, err = statusOf(fmt.Sprintf("/proc/self/task/%d/status", unix.Gettid()))
		elsewhere <- err
	}()
	return r, <-elsewhere
})

// No capability is left in any set, none can be got, and only the calling thread is concerned.
func TestDropCapabilities(t *testing.T) {
	asUsers(t, func(t *testing.T, uid int) {
		r := inChild[restrictedThread](t, uid, powerlessChild)
		for name, status := range map[string]threadStatus{"the thread": r.Here, "what it starts": r.Started} {
			for _, set := range []string{"CapInh", "CapPrm", "CapEff", "CapAmb"} {
				if status[set] != "0000000000000000" {
					t.Errorf("%s of %s: %s", set, name, status[set])
				}
			}
			if status["NoNewPrivs"] != "1" {
				t.Errorf("no_new_privs of %s: %s", name, status["NoNewPrivs"])
			}
			if uid == 0 && status["CapBnd"] != "0000000000000000" {
				t.Errorf("CapBnd of %s: %s", name, status["CapBnd"])
			}
		}
		if r.Elsewhere["NoNewPrivs"] != "0" || uid == 0 && r.Elsewhere["CapEff"] == "0000000000000000" {
			t.Errorf("another thread is restricted too: %v", r.Elsewhere)
		}
	})
}

// The thread and what it starts belong to another user and one group, and are as powerless as without that.
func TestBecomeUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can become another user")
	}
	r := inChild[restrictedThread](t, 0, powerlessChild, "becoming")
	for name, status := range map[string]threadStatus{"the thread": r.Here, "what it starts": r.Started} {
		if status["Uid"] != "12345 12345 12345 12345" || status["Gid"] != "12346 12346 12346 12346" || status["Groups"] != "" {
			t.Errorf("%s has uid %s, gid %s, groups %s", name, status["Uid"], status["Gid"], status["Groups"])
		}
		if status["CapPrm"] != "0000000000000000" || status["CapBnd"] != "0000000000000000" {
			t.Errorf("%s is permitted %s and bounded by %s", name, status["CapPrm"], status["CapBnd"])
		}
	}
	if r.Elsewhere["Uid"] != "0 0 0 0" {
		t.Errorf("another thread became another user too: uid %s", r.Elsewhere["Uid"])
	}
}
