package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
