package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// handOver gives the program the directory that is its own, with all in it, where it is root's and owners cannot be mapped.
func (v *View) handOver() error {
	if !v.Give || !v.Own || v.User == 0 || v.By == ByNamespaces {
		return nil
	}
	return eachOf(v.Dir, func(root *os.Root, name string, _ fs.FileInfo) error { return root.Lchown(name, v.User, v.User) })
}

// TakeBack makes a directory that was given to a program this user's again; see [Policy]. What the program alone could read or run,
// everybody can then, as other programs have to. Nothing that could change the directory may run any more.
func TakeBack(dir string) error {
	info, err := os.Stat(dir)
	if err != nil || !given(info) {
		return err
	}
	return eachOf(dir, func(root *os.Root, name string, info fs.FileInfo) error {
		if err := root.Lchown(name, os.Geteuid(), os.Getegid()); err != nil || info.Mode().Type()&^fs.ModeDir != 0 {
			return err
		}
		mode := info.Mode().Perm()
		return root.Chmod(name, mode|mode>>3&0o050|mode>>6&0o005)
	})
}

// given says whether a file belongs to a user that only programs have.
func given(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Uid >= firstUser && stat.Uid < firstUser+users
}

// eachOf does something with a directory and with all in it that has no other name, elsewhere perhaps.
func eachOf(dir string, do func(root *os.Root, name string, info fs.FileInfo) error) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := root.Lstat(name)
		if err != nil {
			return err
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Nlink > 1 && !info.IsDir() {
			return nil
		}
		return do(root, name, info)
	})
	if err != nil {
		return fmt.Errorf("change the owner of %s: %w", dir, err)
	}
	return nil
}
