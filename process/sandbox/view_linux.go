package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// View is what a program sees of the file system, and as whom: made by the referee, built by the supervisor.
type View struct {
	Policy
	Level Level  `json:"level"`
	Dir   string `json:"dir"`            // working directory, without symbolic links
	Home  string `json:"home,omitempty"` // of the user; empty: none that could be shown
	// Shown are directories that lie where the program has places of its own, and that it needs to start.
	Shown []string `json:"shown,omitempty"`
	// Private is a directory of the program's own that was made for it, where there are no namespaces; empty: none.
	Private string `json:"-"`
	// User is the id of user and group that the program gets, if the referee is root; 0: it keeps the referee's.
	User int `json:"user,omitempty"`
}

// Unavailable is the error of Enter and Apply where this machine refuses what the level needs, whatever the policy.
type Unavailable struct{ Why string }

func (u Unavailable) Error() string { return "isolation is not available: " + u.Why }

func unavailable(what string, err error) error {
	return Unavailable{fmt.Sprintf("%s: %v", what, err)}
}

// The places of a program's own, in its scratch space.
const scratch = "/tmp" // where the scratch space is mounted until the view is built

// privatePlaces are covered by empty places of the program's own.
var privatePlaces = []string{"/tmp", "/var/tmp", "/run", "/dev/shm"}

// systemPlaces are what a sealed program sees of the system.
var systemPlaces = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix", "/gnu", "/snap"}

// devices are what it gets of /dev.
var devices = []string{"null", "zero", "full", "random", "urandom", "tty"}

// Inside is what the supervisor keeps of a view that it has built.
type Inside struct {
	Layer *os.File // what the program has written into its working directory; nil: it has no layer
	Whole *os.File // the directory as the program sees it
	Keep  *os.File // the directory that gets a copy of one of them at the end; nil: none
}

// Enter makes the view the file system of the calling process, which is process 1 of fresh namespaces. Nothing of it
// reaches the rest of the machine, and all of it is gone with the last process inside.
func (v *View) Enter() (*Inside, error) {
	b := &builder{View: v, inside: &Inside{}, owners: map[[2]uint32]*os.File{}}
	defer b.close()
	if err := b.seclude(); err != nil {
		return nil, err
	}
	if v.Keep != "" {
		keep, err := b.take(v.Keep, true)
		if err != nil {
			return nil, err
		}
		b.taken = b.taken[:len(b.taken)-1]
		b.inside.Keep = os.NewFile(uintptr(keep.fd), v.Keep)
	}
	build := b.guarded
	if v.Profile == Sealed {
		build = b.sealed
	}
	if err := build(); err != nil {
		return nil, err
	}
	return b.inside, nil
}

// builder builds a view.
type builder struct {
	*View
	inside *Inside
	taken  []tree
	owners map[[2]uint32]*os.File // user namespaces that map a user and a group to the program's
}

// tree is a part of the file system that was taken along before anything was covered.
type tree struct {
	path string // where it was, and is to be again
	fd   int
	dir  bool

	writable bool
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
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return unavailable("mount a list of the program's own processes at /proc", err)
	}
	return nil
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

// mountPoint makes something on which a directory or a file can be mounted.
func mountPoint(at string, dir bool) error {
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
	options := fmt.Sprintf("mode=0755,size=%d,nr_inodes=%d", size, max(size>>13, 4096))
	if err := unix.Mount("luzhanqi", scratch, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		return unavailable("mount a private disk", err)
	}
	return nil
}

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
	if os.Geteuid() != 0 || b.User == 0 {
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

// guarded builds the view of a program that reads what its user reads.
func (b *builder) guarded() error {
	var dir, home tree
	var err error
	if b.Dir != "/" {
		if dir, err = b.take(b.Dir, b.Own); err != nil {
			return err
		}
		if err := b.mapOwner(dir); err != nil {
			return err
		}
	}
	if b.Home != "" {
		if home, err = b.take(b.Home, false); err != nil {
			return err
		}
	}
	var cache tree
	if b.Home != "" && b.User != 0 {
		if cache, err = b.take(filepath.Join(b.Home, ".cache"), false); err == nil && b.mapOwner(cache) != nil {
			cache.fd = -1 // then it is empty
		}
	}
	shown, err := b.takeAll(b.Shown, false)
	if err != nil {
		return err
	}
	written, err := b.takeAll(b.Write, true)
	if err != nil {
		return err
	}
	all := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &all); err != nil {
		return unavailable("make the file system read-only", err)
	}
	if err := b.makeScratch(); err != nil {
		return err
	}
	if err := b.dev("/dev"); err != nil {
		return err
	}
	for _, place := range []struct{ name, at string }{{"run", "/run"}, {"var-tmp", "/var/tmp"}} {
		mode := fs.FileMode(0o755)
		if place.at == "/var/tmp" {
			mode = fs.ModeSticky | 0o777
		}
		path, err := b.own(place.name, mode)
		if err != nil {
			return err
		}
		if _, err := os.Stat(place.at); err != nil {
			continue
		}
		if err := bind(path, place.at); err != nil {
			return err
		}
	}
	// The scratch space stands at /tmp until everything in it is in its place.
	tmp, err := b.own("tmp", fs.ModeSticky|0o777)
	if err != nil {
		return err
	}
	inside := func(path string) string { // where it is to be made while /tmp is the scratch space
		if within(path, "/tmp") {
			return filepath.Join(tmp, strings.TrimPrefix(path, "/tmp"))
		}
		return path
	}
	if b.Home != "" {
		if err := b.layer("home", home, inside(b.Home)); err != nil {
			return err
		}
		switch {
		case cache.path == "":
		case cache.fd < 0:
			empty, err := b.own("cache", 0o755)
			if err != nil {
				return err
			}
			if err := bind(empty, inside(cache.path)); err != nil {
				return err
			}
		default:
			if err := b.layer("cache", cache, inside(cache.path)); err != nil {
				return err
			}
		}
	}
	for _, t := range shown {
		if err := b.put(t, inside(t.path)); err != nil {
			return err
		}
	}
	if b.Dir != "/" {
		if b.Own {
			err = b.put(dir, inside(b.Dir))
		} else {
			err = b.layer(workingLayer, dir, inside(b.Dir))
		}
		if err != nil {
			return err
		}
	}
	for _, t := range written {
		if err := b.put(t, inside(t.path)); err != nil {
			return err
		}
	}
	if err := b.hide(inside); err != nil {
		return err
	}
	return b.unveil(tmp)
}

// unveil makes the program's directory for temporary files the one at /tmp, with all that is mounted in it.
func (b *builder) unveil(tmp string) error {
	if err := unix.Mount(tmp, scratch, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("mount %s: %w", scratch, err)
	}
	return nil
}

func (b *builder) takeAll(paths []string, writable bool) (all []tree, err error) {
	for _, path := range paths {
		t, err := b.take(path, writable)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := b.mapOwner(t); err != nil && writable {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// dev makes the devices that every program may have.
func (b *builder) dev(at string) error {
	dev, err := b.own("dev", 0o755)
	if err != nil {
		return err
	}
	for _, name := range devices {
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

// hide covers what the program must not see.
func (b *builder) hide(inside func(string) string) error {
	if len(b.Hidden) == 0 {
		return nil
	}
	emptyDir := filepath.Join(scratch, "hidden")
	if err := os.Mkdir(emptyDir, 0o555); err != nil {
		return err
	}
	emptyFile := filepath.Join(scratch, "hidden-file")
	if err := mountPoint(emptyFile, false); err != nil {
		return err
	}
	for _, path := range b.Hidden {
		at := inside(path)
		info, err := os.Stat(at)
		if err != nil {
			continue // it is not there, or not in this view
		}
		from := emptyFile
		if info.IsDir() {
			from = emptyDir
		}
		if err := bind(from, at); err != nil {
			return fmt.Errorf("hide %s: %w", path, err)
		}
		cover := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
		if err := unix.MountSetattr(unix.AT_FDCWD, at, 0, &cover); err != nil {
			return fmt.Errorf("hide %s: %w", path, err)
		}
	}
	return nil
}

// sealed builds the view of a program that sees the system and its own directory only.
func (b *builder) sealed() error {
	type link struct{ at, to string }
	var links []link
	var system []tree
	for _, place := range systemPlaces {
		if to, err := os.Readlink(place); err == nil { // /bin is usr/bin
			links = append(links, link{place, to})
			continue
		}
		t, err := b.take(place, false)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		system = append(system, t)
	}
	dir, err := b.take(b.Dir, false)
	if err != nil {
		return err
	}
	if err := b.mapOwner(dir); err != nil {
		return err
	}
	read, err := b.takeAll(slices.Concat(b.Read, b.Shown), false)
	if err != nil {
		return err
	}
	written, err := b.takeAll(b.Write, true)
	if err != nil {
		return err
	}
	if err := b.makeScratch(); err != nil {
		return err
	}
	root := filepath.Join(scratch, "root")
	if err := os.Mkdir(root, 0o755); err != nil {
		return err
	}
	if err := bind(root, root); err != nil { // so that it can be made read-only, and the root
		return err
	}
	inside := func(path string) string { return filepath.Join(root, path) }
	for _, t := range system {
		if err := b.put(t, inside(t.path)); err != nil {
			return err
		}
	}
	for _, l := range links {
		if err := os.Symlink(l.to, inside(l.at)); err != nil {
			return err
		}
	}
	for _, place := range []string{"/proc", "/dev", "/var", "/sys", "/run"} {
		if err := os.Mkdir(inside(place), 0o755); err != nil {
			return err
		}
	}
	if err := bind("/proc", inside("/proc")); err != nil {
		return err
	}
	if err := b.dev(inside("/dev")); err != nil {
		return err
	}
	for _, place := range []struct{ name, at string }{{"tmp", "/tmp"}, {"var-tmp", "/var/tmp"}, {"home", SealedHome}} {
		path, err := b.own(place.name, fs.ModeSticky|0o777)
		if err != nil {
			return err
		}
		if err := mountPoint(inside(place.at), true); err != nil {
			return err
		}
		if err := bind(path, inside(place.at)); err != nil {
			return err
		}
	}
	for _, t := range read {
		if err := b.put(t, inside(t.path)); err != nil {
			return err
		}
	}
	if err := b.layer(workingLayer, dir, inside(b.Dir)); err != nil {
		return err
	}
	for _, t := range written {
		if err := b.put(t, inside(t.path)); err != nil {
			return err
		}
	}
	if err := b.hide(inside); err != nil {
		return err
	}
	readOnly := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	if err := unix.MountSetattr(unix.AT_FDCWD, root, 0, &readOnly); err != nil {
		return unavailable("make the root read-only", err)
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

// SealedHome is HOME of a sealed program.
const SealedHome = "/home/player"
