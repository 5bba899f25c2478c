package sandbox

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"unsafe"

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
	if !manyUsers() {
		return 0
	}
	return firstUser + rand.IntN(users)
}

// manyUsers says whether those ids exist here. A process stays in the user namespace that it is in.
var manyUsers = sync.OnceValue(func() bool { return mapped("uid_map") && mapped("gid_map") })

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
	if int(stat.Uid) == b.User {
		return nil
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
	// A namespace needs a process: this one stops, and goes no further.
	parent := uintptr(os.Getpid())
	pid, err := fork(func() (uintptr, syscall.Errno) { return forkNamespace(parent) })
	if err != nil {
		return nil, err
	}
	if status, err := wait(pid, syscall.WUNTRACED); err != nil || !status.Stopped() {
		return nil, errors.Join(err, fmt.Errorf("process %d of a user namespace: status %#x, not stopped", pid, status))
	}
	defer func() {
		syscall.Kill(pid, syscall.SIGKILL)
		wait(pid, 0)
	}()
	for name, owner := range map[string]int{"uid_map": uid, "gid_map": gid} {
		if err := writeAtOnce(fmt.Sprintf("/proc/%d/%s", pid, name), mapTo(owner, user)); err != nil {
			return nil, err
		}
	}
	return os.Open(fmt.Sprintf("/proc/%d/ns/user", pid))
}

// writeAtOnce writes a file of the kernel's, which wants all in one write.
func writeAtOnce(path, text string) error {
	fd, err := unix.Open(path, unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	if _, err := unix.Write(fd, []byte(text)); err != nil {
		return &os.PathError{Op: "write", Path: path, Err: err}
	}
	return nil
}

// mapTo is the map of a namespace in which the owner's id is the user's, and all others below are themselves.
func mapTo(owner, user int) string {
	text := fmt.Sprintf("%d %d 1\n%d %d %d\n", owner, user, owner+1, owner+1, firstUser-owner-1)
	if owner > 0 {
		text += fmt.Sprintf("0 0 %d\n", owner)
	}
	return text
}

// forkNamespace makes a process in a user namespace of its own that stops, and ends with the calling thread. This process cannot be
// read; to read the names of its namespaces would take a capability that root need not have in a container. See [forkFirst].
//
//go:nosplit
//go:norace
//go:noinline
func forkNamespace(parent uintptr) (pid uintptr, errno syscall.Errno) {
	var variable byte
	if pid, errno = clone(syscall.CLONE_NEWUSER, unsafe.Pointer(&variable)); errno != 0 || pid != 0 {
		return pid, errno
	}
	syscall.RawSyscall(syscall.SYS_PRCTL, unix.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0)
	if now, _, _ := syscall.RawSyscall(syscall.SYS_GETPPID, 0, 0, 0); now != parent {
		syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 1, 0, 0)
	}
	syscall.RawSyscall(unix.SYS_CLOSE_RANGE, 0, 1<<31-1, 0)
	syscall.RawSyscall(syscall.SYS_PRCTL, unix.PR_SET_DUMPABLE, 1, 0)
	for self, _, _ := syscall.RawSyscall(syscall.SYS_GETPID, 0, 0, 0); ; {
		syscall.RawSyscall(syscall.SYS_KILL, self, uintptr(syscall.SIGSTOP), 0)
	}
}
