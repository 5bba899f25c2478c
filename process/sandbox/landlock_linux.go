package sandbox

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// landlockRules are what a thread may still do after [landlock]. Whatever is below a path that is not listed
// cannot be opened, executed or changed.
type landlockRules struct {
	readOnly  []string // read and executed; a folder with all below it, a link with what it leads to
	readWrite []string // the same, and written, made, renamed and removed
	// siblings are read and executed as readOnly, but a path that has become a link since it was listed is
	// left out, and so is one that cannot be opened: what allBut returns, where a program of an earlier game
	// may have been at work.
	siblings []string

	denyTCP bool // no TCP port is bound, none connected to (from ABI 4 on), other than by MPTCP: a filter refuses that
	scoped  bool // no signal and no abstract Unix socket leads out (from ABI 6 on)
}

// landlockABI is the newest version of Landlock that these rules know. What came after it is not used.
const landlockABI = 7

// landlockFileRights are the rights that a rule on a file, rather than on a folder, can give.
const landlockFileRights = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
	unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV

const landlockReadRights = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR

// landlockRights are all rights in files that a version of Landlock can refuse. Nobody gets the right to make
// devices.
func landlockRights(abi int) (all, write uint64) {
	all = unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1
	if abi >= 2 {
		all |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if abi >= 3 {
		all |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if abi >= 5 {
		all |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	return all, all &^ (unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK)
}

// landlock restricts the calling thread, and all that it starts, and returns the version of Landlock that it
// did this with; 0: the system has none, and nothing is restricted. The thread needs no_new_privs, see
// [dropCapabilities], and its goroutine must be locked to it. After it, the thread can mount nothing.
//
// The module go-landlock is made for a whole process: it restricts all threads, and so would the supervisor be,
// which has to mount, to clean up and to write records.
func landlock(rules landlockRules) (abi int, err error) {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno == unix.ENOSYS || errno == unix.EOPNOTSUPP { // not built in, or switched off at boot
		return 0, nil
	}
	if errno != 0 {
		return 0, fmt.Errorf("asking for the version of Landlock: %w", errno)
	}
	abi = min(int(version), landlockABI)
	all, write := landlockRights(abi)
	// A longer structure than the kernel knows is accepted as long as what is new in it is zero.
	attr := unix.LandlockRulesetAttr{Handled_access_fs: all}
	if rules.denyTCP && abi >= 4 {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if rules.scoped && abi >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	ruleset, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return 0, fmt.Errorf("making a set of Landlock rules (version %d): %w", abi, errno)
	}
	defer unix.Close(int(ruleset))
	for _, list := range []struct {
		paths  []string
		rights uint64
		flags  int
	}{
		{rules.readOnly, landlockReadRights, 0},
		{rules.readWrite, write, 0},
		{rules.siblings, landlockReadRights, unix.O_NOFOLLOW},
	} {
		for _, path := range list.paths {
			if err := landlockAllow(int(ruleset), path, list.rights&all, list.flags); err != nil && list.flags == 0 {
				return 0, err
			}
		}
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, ruleset, 0, 0); errno != 0 {
		return 0, fmt.Errorf("putting Landlock rules in force: %w", errno)
	}
	return abi, nil
}

// landlockAllow adds a rule. A path that is not there, or that this thread cannot reach, needs none.
func landlockAllow(ruleset int, path string, rights uint64, flags int) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC|flags, 0)
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.EACCES) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("opening %s for a Landlock rule: %w", path, err)
	}
	defer unix.Close(fd)
	attr := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	errno := landlockAdd(ruleset, &attr)
	if errno == unix.EINVAL { // not a folder; asking would wait for a file system that does not answer
		attr.Allowed_access &= landlockFileRights
		errno = landlockAdd(ruleset, &attr)
	}
	if errno != 0 {
		return fmt.Errorf("adding a Landlock rule for %s: %w", path, errno)
	}
	return nil
}

func landlockAdd(ruleset int, attr *unix.LandlockPathBeneathAttr) unix.Errno {
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE,
		uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(attr)), 0, 0, 0)
	return errno
}
