package record

import (
	"os"

	"golang.org/x/sys/unix"
)

// writable finds out whether files can be made in a folder, by one without a name, so that nothing is left of it if this
// process is killed meanwhile.
func writable(dir string) error {
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_WRONLY|unix.O_CLOEXEC, 0o600)
	switch err {
	case nil:
		return unix.Close(fd)
	case unix.EOPNOTSUPP, unix.EISDIR, unix.ENOENT: // the file system or the kernel has no such files
		return writableByName(dir)
	}
	return &os.PathError{Op: "create a file in", Path: dir, Err: err}
}
