package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// scratch is where the scratch space is mounted until the view is built.
const scratch = "/tmp"

// builder builds a view.
type builder struct {
	*View
	inside *Inside
	taken  []tree
	owners map[[2]uint32]*os.File // user namespaces that map a user and a group to the program's
}

func (b *builder) close() {
	for _, ns := range b.owners {
		ns.Close()
	}
	for _, t := range b.taken {
		unix.Close(t.fd)
	}
}

// seclude separates the mounts from the machine's, and mounts the list of the processes in this namespace.
func (b *builder) seclude() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return unavailable("separate the mounts", err)
	}
	if b.threaded {
		return nil // see ownProcesses
	}
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return unavailable("mount a list of the program's own processes at /proc", err)
	}
	return nil
}

// build mounts all pieces. What is to be shown is taken along first, then the scratch space covers some of it.
func (b *builder) build(pieces []piece) error {
	trees := make([]tree, len(pieces))
	for i := range pieces {
		var err error
		if trees[i], err = b.takePiece(&pieces[i]); err != nil {
			return err
		}
	}
	if b.Profile == Guarded {
		all := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID}
		if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &all); err != nil {
			return unavailable("make the file system read-only", err)
		}
	}
	if err := b.makeScratch(); err != nil {
		return err
	}
	inside, enter, err := b.root()
	if err != nil {
		return err
	}
	for i, p := range pieces {
		if err := b.mount(p, trees[i], inside); err != nil {
			return err
		}
	}
	return enter()
}

// takePiece takes along what a piece shows.
func (b *builder) takePiece(p *piece) (tree, error) {
	if p.kind != shown && p.kind != layered {
		return tree{fd: -1}, nil
	}
	t, err := b.take(p.path, p.writable)
	if errors.Is(err, fs.ErrNotExist) && p.optional {
		p.kind = absent
		return t, nil
	}
	if err != nil || !p.owned || p.name == workingLayer && b.Copy {
		return t, err
	}
	used := t
	used.writable = p.writable || p.kind == layered && p.optional // a cache that cannot be written is worse than none
	if err := b.mapOwner(used); err != nil {
		switch {
		case p.kind == layered && p.optional:
			p.kind, p.mode = private, 0o755
		case !p.optional || p.writable:
			return t, err
		}
	}
	return t, nil
}

// root begins the file system of the program: where its paths are until enter makes it the root. A guarded program's
// is what is there. The scratch space stands at /tmp until everything in it is in its place.
func (b *builder) root() (inside func(path string) string, enter func() error, err error) {
	if b.Profile == Sealed {
		root := filepath.Join(scratch, "root")
		if err := os.Mkdir(root, 0o755); err != nil {
			return nil, nil, err
		}
		if err := bind(root, root); err != nil { // so that it can be made read-only, and the root
			return nil, nil, err
		}
		return func(path string) string { return filepath.Join(root, path) }, func() error { return pivot(root) }, nil
	}
	tmp, err := b.own("tmp", fs.ModeSticky|0o777)
	return func(path string) string {
		if within(path, scratch) {
			return filepath.Join(tmp, strings.TrimPrefix(path, scratch))
		}
		return path
	}, func() error { return b.unveil(tmp) }, err
}

// mount puts a piece in its place.
func (b *builder) mount(p piece, t tree, inside func(string) string) error {
	at := inside(p.path)
	switch p.kind {
	case shown:
		return b.put(t, at)
	case layered:
		if p.name == workingLayer && b.Copy {
			return b.copyHere(t, at)
		}
		return b.layer(p.name, t, at)
	case private:
		if p.path == scratch && b.Profile == Guarded {
			return nil // see root
		}
		path, err := b.own(p.name, p.mode)
		if err != nil {
			return err
		}
		if err := mountPoint(at, true); err != nil {
			return err
		}
		return bind(path, at)
	case linked:
		return os.Symlink(p.to, at)
	case processes:
		if b.Profile == Sealed {
			if err := os.Mkdir(at, 0o755); err != nil {
				return err
			}
		}
		switch {
		case b.threaded:
			return b.ownProcesses(at)
		case b.Profile == Guarded:
			return nil // see seclude; build makes it read-only with all else
		}
		if err := bind(p.path, at); err != nil {
			return err
		}
		return readOnly(at)
	case devices:
		if err := mountPoint(at, true); err != nil {
			return err
		}
		return b.dev(at)
	case empty:
		return os.Mkdir(at, 0o755)
	case hidden:
		return b.hide(p.path, at)
	}
	return nil
}

// copyHere makes an empty directory where the working directory is to be, of which it will be a copy.
func (b *builder) copyHere(t tree, at string) error {
	path, err := b.own(workingLayer, 0o755)
	if err != nil {
		return err
	}
	if err := mountPoint(at, true); err != nil {
		return err
	}
	if err := bind(path, at); err != nil {
		return err
	}
	original, err := unix.Openat(t.fd, ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return os.NewSyscallError("openat", err)
	}
	b.inside.Original = os.NewFile(uintptr(original), t.path)
	return b.inside.openCopy(at)
}

// openCopy opens what is a copy of the working directory, or will be.
func (i *Inside) openCopy(at string) (err error) {
	if i.Whole, err = os.Open(at); err == nil {
		i.Layer, err = os.Open(at)
	}
	return err
}

// pivot makes a directory the root, read-only.
func pivot(root string) error {
	if err := readOnly(root); err != nil {
		return err
	}
	if err := os.Chdir(root); err != nil {
		return err
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return unavailable("change the root", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return unavailable("leave the old root", err)
	}
	return os.Chdir("/")
}

// dev makes the devices that every program may have.
func (b *builder) dev(at string) error {
	dev, err := b.own("dev", 0o755)
	if err != nil {
		return err
	}
	for _, name := range deviceNames {
		path := filepath.Join(dev, name)
		if err := mountPoint(path, false); err != nil {
			return err
		}
		if err := bind(filepath.Join("/dev", name), path); err != nil {
			return unavailable("show /dev/"+name, err)
		}
	}
	for link, to := range map[string]string{"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2", "ptmx": "pts/ptmx"} {
		if err := os.Symlink(to, filepath.Join(dev, link)); err != nil {
			return err
		}
	}
	for _, name := range []string{"pts", "shm"} {
		if err := os.Mkdir(filepath.Join(dev, name), 0o755); err != nil {
			return err
		}
	}
	if err := unix.Mount("devpts", filepath.Join(dev, "pts"), "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,mode=0600,ptmxmode=0666"); err != nil {
		return unavailable("make terminals of its own", err)
	}
	shm, err := b.own("shm", fs.ModeSticky|0o777)
	if err != nil {
		return err
	}
	if err := bind(shm, filepath.Join(dev, "shm")); err != nil {
		return err
	}
	return unix.Mount(dev, at, "", unix.MS_BIND|unix.MS_REC, "")
}

// hide covers a path that the program must not see, if it is there.
func (b *builder) hide(path, at string) error {
	info, err := os.Stat(at)
	if err != nil {
		return nil // it is not there, or not in this view
	}
	from := filepath.Join(scratch, "hidden")
	if !info.IsDir() {
		from += "-file"
	}
	if err := mountPoint(from, info.IsDir()); err != nil {
		return err
	}
	if err := bind(from, at); err != nil {
		return fmt.Errorf("hide %s: %w", path, err)
	}
	return readOnly(at)
}
