package sandbox

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// The ids that programs of root get, each its own: far above those that systems give to people, services and the
// ranges of containers (/etc/subuid begins at 100,000 and seldom exceeds a few million).
const (
	firstUser = 0x70000000
	users     = 1 << 20
)

// newUser is an id that no other program has, very likely; 0 where root is only one of few users of a namespace, as in
// containers without root's own powers.
func newUser() int {
	if !mapped("uid_map") || !mapped("gid_map") {
		return 0
	}
	return firstUser + rand.IntN(users)
}

// mapped says whether the ids exist here.
func mapped(name string) bool {
	return slices.ContainsFunc(ownIDs(name), func(m syscall.SysProcIDMap) bool {
		return m.ContainerID <= firstUser && firstUser+users <= m.ContainerID+m.Size
	})
}

// ownIDs are the ids that exist here, as the map of a namespace that has the same.
func ownIDs(name string) (all []syscall.SysProcIDMap) {
	text, _ := os.ReadFile("/proc/self/" + name)
	for line := range strings.Lines(string(text)) {
		var inside, outside, size int
		if n, _ := fmt.Sscan(line, &inside, &outside, &size); n == 3 {
			all = append(all, syscall.SysProcIDMap{ContainerID: inside, HostID: inside, Size: size})
		}
	}
	return all
}

// mayMapIDs says whether this process may give a user namespace more than its own id.
func mayMapIDs() bool {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	const both = 1<<unix.CAP_SETUID | 1<<unix.CAP_SETGID
	return os.Geteuid() == 0 && unix.Capget(&header, &sets[0]) == nil && sets[0].Effective&both == both
}

// mapOwner lets a program of root's own user id use a tree as its owner can: within the view, what belongs to the
// owner of the tree belongs to the program.
func (b *builder) mapOwner(t tree) error {
	if b.User == 0 || t.path == "" {
		return nil
	}
	var stat unix.Stat_t
	if err := unix.Fstat(t.fd, &stat); err != nil {
		return err
	}
	if b.By != ByNamespaces { // whose root is the machine's
		return t.foreign(stat, unix.EPERM)
	}
	owner := [2]uint32{stat.Uid, stat.Gid}
	ns := b.owners[owner]
	if ns == nil {
		var err error
		if ns, err = userNamespace(int(stat.Uid), int(stat.Gid), b.User); err != nil {
			return unavailable("map the owner of "+t.path, err)
		}
		b.owners[owner] = ns
	}
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_IDMAP, Userns_fd: uint64(ns.Fd())}
	err := unix.MountSetattr(t.fd, "", unix.AT_EMPTY_PATH, &attr)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.EPERM) || errors.Is(err, unix.EOPNOTSUPP) {
		return t.foreign(stat, err)
	}
	if err != nil {
		return fmt.Errorf("map the owner of %s: %w", t.path, err)
	}
	return nil
}

// foreign says whether a tree can be used by everybody: on file systems that cannot map owners, such as the overlay of a
// container's root, network file systems and Linux before 5.12, programs of root use it as any other user does.
func (t tree) foreign(stat unix.Stat_t, why error) error {
	need, to := uint32(0o4), "read"
	if t.dir {
		need |= 0o1
	}
	if t.writable {
		need, to = need|0o2, "write into"
	}
	if stat.Mode&need == need {
		return nil
	}
	return fmt.Errorf("let programs %s %s, which is user %d's: its file system cannot map owners (%w); allow it to all users (chmod), "+
		"use another file system, or run as an ordinary user", to, t.path, stat.Uid, why)
}

// userNamespace is a user namespace in which the owner's ids are the user's, and all others below are themselves.
func userNamespace(uid, gid, user int) (*os.File, error) {
	maps := func(owner int) []syscall.SysProcIDMap {
		all := []syscall.SysProcIDMap{{ContainerID: owner, HostID: user, Size: 1}}
		if owner > 0 {
			all = append(all, syscall.SysProcIDMap{ContainerID: 0, HostID: 0, Size: owner})
		}
		return append(all, syscall.SysProcIDMap{ContainerID: owner + 1, HostID: owner + 1, Size: firstUser - owner - 1})
	}
	runtime.LockOSThread() // a tracer is a thread
	defer runtime.UnlockOSThread()
	// A namespace needs a process: this one stops before its first instruction, and never executes it.
	pid, err := syscall.ForkExec("/proc/self/exe", []string{"namespace"}, &syscall.ProcAttr{Sys: &syscall.SysProcAttr{
		Ptrace: true, Pdeathsig: syscall.SIGKILL,
		Cloneflags: syscall.CLONE_NEWUSER, UidMappings: maps(uid), GidMappings: maps(gid), GidMappingsEnableSetgroups: true,
	}})
	if err != nil {
		return nil, err
	}
	defer func() {
		syscall.Kill(pid, syscall.SIGKILL)
		for {
			var status syscall.WaitStatus
			if _, err := syscall.Wait4(pid, &status, 0, nil); err != syscall.EINTR && (err != nil || status.Exited() || status.Signaled()) {
				return
			}
		}
	}()
	if _, err := syscall.Wait4(pid, nil, 0, nil); err != nil { // it has stopped
		return nil, err
	}
	return os.Open(fmt.Sprintf("/proc/%d/ns/user", pid))
}
