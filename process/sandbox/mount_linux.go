package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// tree is a part of the file system that was taken along before anything was covered.
type tree struct {
	path string // where it was, and is to be again
	fd   int
	dir  bool

	writable bool
}

// take takes a part of the file system along. What is not there is left out.
func (b *builder) take(path string, writable bool) (tree, error) {
	info, err := os.Stat(path)
	if err != nil {
		return tree{fd: -1}, err
	}
	fd, err := unix.OpenTree(unix.AT_FDCWD, path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
	if err != nil {
		return tree{fd: -1}, fmt.Errorf("take along %s: %w", path, err)
	}
	t := tree{path: path, fd: fd, dir: info.IsDir(), writable: writable}
	b.taken = append(b.taken, t)
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_NOSUID, Propagation: unix.MS_PRIVATE}
	if !writable {
		attr.Attr_set |= unix.MOUNT_ATTR_RDONLY
	}
	if err := unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, &attr); err != nil {
		return t, unavailable("make "+path+" read-only", err)
	}
	return t, nil
}

// put mounts what was taken at a path, which is made if it is not there.
func (b *builder) put(t tree, at string) error {
	if err := mountPoint(at, t.dir); err != nil {
		return fmt.Errorf("make a place for %s: %w", t.path, err)
	}
	if err := unix.MoveMount(t.fd, "", unix.AT_FDCWD, at, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
		return fmt.Errorf("show %s: %w", t.path, err)
	}
	return nil
}

// readOnly makes what is mounted at a path read-only there.
func readOnly(at string) error {
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	if err := unix.MountSetattr(unix.AT_FDCWD, at, 0, &attr); err != nil {
		return unavailable("make "+at+" read-only", err)
	}
	return nil
}

// mountPoint makes something on which a directory or a file can be mounted.
func mountPoint(at string, dir bool) error {
	if !dir && unix.Mknod(at, unix.S_IFREG|0o444, 0) == nil { // most are new, in a directory that is there
		return nil
	}
	if info, err := os.Stat(at); err == nil && info.IsDir() == dir {
		return nil
	}
	if dir {
		return os.MkdirAll(at, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(at, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o444)
	if err != nil {
		return err
	}
	return f.Close()
}

// makeScratch mounts the space into which all goes that the program writes and nobody keeps.
func (b *builder) makeScratch() error {
	size := b.Bytes()
	options := fmt.Sprintf("mode=0755,size=%d,nr_inodes=%d", size, maxInodes(size))
	if err := unix.Mount("luzhanqi", scratch, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		return unavailable("mount a private disk", err)
	}
	return nil
}

// maxInodes is how many files fit on a private disk.
func maxInodes(size int64) int64 { return max(size>>13, 4096) }

// own makes a directory of the program's own in the scratch space.
func (b *builder) own(name string, mode fs.FileMode) (string, error) {
	path := filepath.Join(scratch, name)
	if err := os.Mkdir(path, 0o700); err != nil {
		return "", err
	}
	if err := os.Chmod(path, mode); err != nil { // whatever the umask
		return "", err
	}
	if b.User != 0 {
		return path, os.Lchown(path, b.User, b.User)
	}
	return path, nil
}

// bind mounts a directory or a file of the scratch space somewhere.
func bind(from, to string) error {
	if err := unix.Mount(from, to, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("mount %s: %w", to, err)
	}
	return nil
}

// workingLayer is the name of the layer over the working directory.
const workingLayer = "dir"

// layer covers lower, which is mounted at its place in the scratch space, with a layer of the program's own, and
// mounts it at a path.
func (b *builder) layer(name string, t tree, at string) error {
	lower := filepath.Join(scratch, "lower-"+name)
	if err := b.put(t, lower); err != nil {
		return err
	}
	upper, err := b.own("upper-"+name, 0o755)
	if err != nil {
		return err
	}
	work, err := b.own("work-"+name, 0o755)
	if err != nil {
		return err
	}
	if err := mountPoint(at, true); err != nil {
		return err
	}
	options := fmt.Sprintf("lowerdir=%s,upperdir=%s,workdir=%s", lower, upper, work)
	if os.Geteuid() != 0 || b.User == 0 || b.By == ByUserNamespace {
		options += ",userxattr"
	}
	err = unix.Mount("luzhanqi", at, "overlay", unix.MS_NOSUID|unix.MS_NODEV, options)
	if errors.Is(err, unix.EINVAL) {
		// The file systems that somebody has mounted inside belong to what is covered, and only root may take them apart.
		if name == workingLayer {
			return fmt.Errorf("cover %s with a layer: %w; if file systems are mounted inside it, let programs run in a directory of their own", t.path, err)
		}
		err = unix.Mount(lower, at, "", unix.MS_BIND|unix.MS_REC, "") // it can be read
	}
	if err != nil {
		return fmt.Errorf("cover %s with a layer: %w", t.path, err)
	}
	if name != workingLayer {
		return nil
	}
	if b.inside.Layer, err = os.Open(upper); err != nil {
		return err
	}
	b.inside.Whole, err = os.Open(at)
	return err
}

// unveil makes the program's directory for temporary files the one at /tmp, with all that is mounted in it.
func (b *builder) unveil(tmp string) error {
	if err := unix.Mount(tmp, scratch, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("mount %s: %w", scratch, err)
	}
	return nil
}
