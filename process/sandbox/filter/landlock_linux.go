package filter

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Rules are what a thread may still do after [Landlock]. Whatever is below a path that is not listed
// cannot be opened, executed or changed.
type Rules struct {
	ReadOnly  []string // read and executed; a folder with all below it, a link with what it leads to
	ReadWrite []string // the same, and written, made, renamed and removed
	// Siblings are read and executed as ReadOnly, but a path that has become a link since it was listed is
	// left out, and so is one that cannot be opened: what AllBut returns, where a program of an earlier game
	// may have been at work.
	Siblings []string

	Open []int // files that are read and executed, by their numbers: those that have no path here

	DenyTCP bool // no TCP port is bound, none connected to (from ABI 4 on), other than by MPTCP: a filter refuses that
	Scoped  bool // no signal and no abstract Unix socket leads out (from ABI 6 on)
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

// Landlock restricts the calling thread, and all that it starts, and returns the version of Landlock that it
// did this with; 0: the system has none, and nothing is restricted. The thread needs no_new_privs, see
// [DropCapabilities], and its goroutine must be locked to it. After it, the thread can mount nothing.
//
// The module go-landlock is made for a whole process: it restricts all threads, and so would the supervisor be,
// which has to mount, to clean up and to write records.
func Landlock(rules Rules) (abi int, err error) {
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
	if rules.DenyTCP && abi >= 4 {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if rules.Scoped && abi >= 6 {
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
		{rules.ReadOnly, landlockReadRights, 0},
		{rules.ReadWrite, write, 0},
		{rules.Siblings, landlockReadRights, unix.O_NOFOLLOW},
	} {
		for _, path := range list.paths {
			if err := landlockAllow(int(ruleset), path, list.rights&all, list.flags); err != nil && list.flags == 0 {
				return 0, err
			}
		}
	}
	for _, fd := range rules.Open {
		if err := landlockAllowOpen(int(ruleset), fd, landlockReadRights&all); err != nil {
			return 0, fmt.Errorf("adding a Landlock rule for an open file: %w", err)
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
	if err := landlockAllowOpen(ruleset, fd, rights); err != nil {
		return fmt.Errorf("adding a Landlock rule for %s: %w", path, err)
	}
	return nil
}

func landlockAllowOpen(ruleset, fd int, rights uint64) error {
	attr := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	errno := landlockAdd(ruleset, &attr)
	if errno == unix.EINVAL { // not a folder; asking would wait for a file system that does not answer
		attr.Allowed_access &= landlockFileRights
		errno = landlockAdd(ruleset, &attr)
	}
	if errno != 0 {
		return errno
	}
	return nil
}

func landlockAdd(ruleset int, attr *unix.LandlockPathBeneathAttr) unix.Errno {
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE,
		uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(attr)), 0, 0, 0)
	return errno
}

// MaxSiblings bounds what AllBut lists, and with it what each start costs: a rule takes about 2 µs.
const MaxSiblings = 10000

// AllBut lists all below / that is neither a hidden path, nor below one, nor above one: what a program may read on
// a machine without namespaces, where nothing can be laid over the hidden paths. Landlock knows only what is
// allowed. Links are not listed: what they lead to is listed where it is.
//
// Folders above a hidden path can themselves be neither listed nor read, and what is made in them later cannot be
// reached. A hidden path need not exist; if it is a link, the link is harmless and what it leads to is hidden.
func AllBut(hidden []string) (readOnly []string, err error) {
	real := make([]string, len(hidden))
	for i, path := range hidden {
		if real[i], err = realPath(path); err != nil {
			return nil, fmt.Errorf("finding what %s leads to, to hide it: %w", path, err)
		}
	}
	return Besides(nil, "/", real, MaxSiblings)
}

// Besides adds to list, up to max in all, what is below the folder dir and not hidden.
func Besides(list []string, dir string, hidden []string, max int) ([]string, error) {
	if slices.Contains(hidden, dir) {
		return list, nil
	}
	// A folder that cannot be read is one in which nothing can be allowed.
	entries, err := readSome(dir, max-len(list))
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		within := path + "/"
		above := func(h string) bool { return h == path || strings.HasPrefix(h, within) }
		switch {
		case entry.Type()&fs.ModeSymlink != 0:
		case !slices.ContainsFunc(hidden, above):
			list = append(list, path)
		case entry.IsDir():
			if list, err = Besides(list, path, hidden, max); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// readSome reads a folder of at most max entries.
func readSome(dir string, max int) ([]fs.DirEntry, error) {
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing what is beside a hidden path: %w", err)
	}
	defer f.Close()
	entries, err := f.ReadDir(max + 1)
	if len(entries) > max {
		return nil, fmt.Errorf("allowing all but what is hidden: %s has more than %d entries beside it; "+
			"move what is to be hidden into a folder of its own", dir, max)
	}
	if err != nil && len(entries) == 0 && err != io.EOF {
		return nil, fmt.Errorf("listing what is beside a hidden path: %w", err)
	}
	return entries, nil
}

// realPath follows the links of the part of a path that exists and that this process can reach.
func realPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	rest := ""
	for {
		real, err := filepath.EvalSymlinks(path)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			return "", err
		}
		path, rest = filepath.Dir(path), filepath.Join(filepath.Base(path), rest)
	}
}
