package filter

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Capabilities, users and no_new_privs belong to a thread. The kernel's calls are made directly: those of
// package syscall change all threads of a Go process, and the supervisor must keep what it has.

// DropCapabilities takes every capability from the calling thread, and from what it starts the means to get
// any: no set-uid program, no file with capabilities and no uid 0 gives one back. The goroutine must be locked
// to its thread.
//
// The thread has then no more rights than the program, while its memory is the supervisor's. That the program
// cannot open /proc/PID/task/THREAD/mem is due to the whole process being no longer dumpable. What is started is
// dumpable again: the supervisor can read it.
func DropCapabilities() error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("making this process undumpable: %w", err)
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	if err := unix.Capget(&header, &sets[0]); err != nil {
		return fmt.Errorf("reading the thread's capabilities: %w", err)
	}
	if word, bit := unix.CAP_SETPCAP/32, uint32(1)<<(unix.CAP_SETPCAP%32); sets[word].Permitted&bit != 0 {
		sets[word].Effective |= bit // BecomeUser leaves it permitted only
		if err := unix.Capset(&header, &sets[0]); err != nil {
			return fmt.Errorf("taking CAP_SETPCAP into effect: %w", err)
		}
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil && err != unix.EINVAL { // Linux before 4.3
		return fmt.Errorf("clearing the ambient capabilities: %w", err)
	}
	for capability := uintptr(0); ; capability++ {
		err := unix.Prctl(unix.PR_CAPBSET_DROP, capability, 0, 0, 0)
		if err == unix.EINVAL || err == unix.EPERM { // there are no more, or it may not: then no_new_privs below is what holds
			break
		}
		if err != nil {
			return fmt.Errorf("dropping capability %d from the bounding set: %w", capability, err)
		}
	}
	sets = [2]unix.CapUserData{}
	if err := unix.Capset(&header, &sets[0]); err != nil {
		return fmt.Errorf("dropping all capabilities: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("setting no_new_privs: %w", err)
	}
	return nil
}

// BecomeUser makes the calling thread, and only it, one of another user with a single group. Call it before
// [DropCapabilities]: it needs CAP_SETUID and CAP_SETGID, and keeps all capabilities permitted so that the
// bounding set can be dropped after it.
func BecomeUser(uid, gid int) error {
	if uid < 0 || gid < 0 { // -1 means "as it is" to the kernel
		return fmt.Errorf("becoming user %d of group %d: ids are 0 or more", uid, gid)
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_SETGROUPS, 0, 0, 0); errno != 0 {
		return fmt.Errorf("leaving all further groups: %w", errno)
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_SETRESGID, uintptr(gid), uintptr(gid), uintptr(gid)); errno != 0 {
		return fmt.Errorf("becoming group %d: %w", gid, errno)
	}
	if err := unix.Prctl(unix.PR_SET_KEEPCAPS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("keeping the capabilities: %w", err)
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, uintptr(uid), uintptr(uid), uintptr(uid)); errno != 0 {
		return fmt.Errorf("becoming user %d: %w", uid, errno)
	}
	return nil
}
