package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"
)

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
