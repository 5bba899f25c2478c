package assault

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// vandalise writes, renames, links, removes and marks whatever can be named, all of it the test's; whether any of it
// has come about, the test sees.
func vandalise(s *Scene) (string, error) {
	paths := []string{
		s.near("secret"), s.near("victim"), s.near("victim", "file"), s.near("players", "victim"), s.near("players", "hostile"),
		s.near("home", "file"), s.near("tmp"), s.Dir,
	}
	for _, pattern := range []string{
		s.near("records", "*"), s.near("store", "*"), s.near("*.toml"), s.near("out", "*"), s.near("out", "*", "*"), s.near("out", "work", "*", "*"),
		s.near("out", "work", "honest", "tree", "*"), s.near("submissions", "honest"), s.near("submissions", "honest", "*"),
	} {
		more, _ := filepath.Glob(pattern)
		paths = append(paths, more...)
	}
	for _, path := range paths {
		if file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|unix.O_NONBLOCK, 0); err == nil {
			file.WriteString("hostile was here\n")
			file.Close()
		}
		unix.Setxattr(path, "user.hostile", []byte("here"), 0)
		// An access list that lets everybody in: version 2, owner rwx, group rwx, others rwx.
		list := []byte{2, 0, 0, 0, 1, 0, 7, 0, 255, 255, 255, 255, 4, 0, 7, 0, 255, 255, 255, 255, 32, 0, 7, 0, 255, 255, 255, 255}
		unix.Setxattr(path, "system.posix_acl_access", list, 0)
		os.Chtimes(path, time.Unix(1, 0), time.Unix(1, 0))
		os.Chmod(path, 0o4777)
		os.Lchown(path, os.Getuid(), os.Getgid())
		os.Link(path, filepath.Join(".", "hostile-link-"+filepath.Base(path)))
		os.Link(path, s.near("hostile-link-"+filepath.Base(path)))
		os.WriteFile(filepath.Join(path, "hostile-file"), nil, 0o666)
		unix.Mkfifo(filepath.Join(path, "hostile-fifo"), 0o666)
		unix.Fallocate(-1, 0, 0, 0)
	}
	for _, path := range paths {
		if path != s.Dir && path != s.near("tmp") && path != s.near("victim") {
			os.Rename(path, path+".hostile")
			os.Symlink("/etc/passwd", path)
		}
	}
	return "", errors.New("the test sees what was changed")
}

// litter leaves in every directory that can be written whatever makes it hard to remove.
func litter(s *Scene) (string, error) {
	for _, dir := range s.writable() {
		top := filepath.Join(dir, "hostile-litter-"+s.Mark)
		if os.Mkdir(top, 0o700) != nil {
			continue
		}
		for i := range 50 {
			os.WriteFile(filepath.Join(top, fmt.Sprintf("%s-%d", strings.Repeat("n", 200), i)), nil, 0)
		}
		os.WriteFile(filepath.Join(top, "\n\x1b[31m\xff"), []byte("x"), 0o666)
		os.Symlink("/", filepath.Join(top, "root"))
		os.Symlink(s.near("victim"), filepath.Join(top, "victim"))
		unix.Mkfifo(filepath.Join(top, "fifo"), 0o666)
		if text, err := os.ReadFile("/proc/self/exe"); err == nil && len(text) < 16<<20 {
			os.WriteFile(filepath.Join(top, "set-uid"), text[:64], 0o755)
			unix.Chmod(filepath.Join(top, "set-uid"), 0o6755)
		}
		deep(top, 40) // of 200 letters: a path has 4096 at most
		os.Chmod(top, 0)
	}
	return "", errors.New("the test sees what is left")
}

// deep makes directories too deep for any path.
func deep(top string, levels int) {
	here, err := os.Getwd()
	if err != nil || os.Chdir(top) != nil {
		return
	}
	defer os.Chdir(here)
	name := strings.Repeat("deeper--", 25)
	for range levels {
		if os.Mkdir(name, 0o755) != nil || os.Chdir(name) != nil {
			return
		}
	}
	unix.Chmod(".", 0)
}

// writable are the directories that a program usually may write.
func (s *Scene) writable() (dirs []string) {
	for _, dir := range []string{".", "/tmp", "/var/tmp", "/dev/shm", "/run", "/dev/mqueue", os.Getenv("HOME"), os.Getenv("TMPDIR")} {
		if dir != "" && unix.Access(dir, unix.W_OK) == nil {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// notes leaves a message for whoever plays next, and looks for one: the other player, or the same in another game.
func notes(s *Scene) (string, error) {
	name := "hostile-note-" + s.Mark
	own := fmt.Sprintf("%d in %s", os.Getpid(), namespace())
	found := ""
	for _, dir := range append(s.writable(), s.near("victim"), s.near("home"), s.near("tmp")) {
		path := filepath.Join(dir, name)
		if text, err := os.ReadFile(path); err == nil && string(text) != own {
			found = fmt.Sprintf("found in %s a note of process %s", dir, text)
		}
		os.WriteFile(path, []byte(own), 0o666)
	}
	if found == "" {
		return "", errors.New("no note")
	}
	return found, nil
}

func namespace() string {
	link, _ := os.Readlink("/proc/self/ns/pid")
	return link
}

// meet waits for the other player where both could reach, and passes its standard output over to whoever waits there.
func meet(s *Scene) (string, error) {
	dirs := append(s.writable(), s.near("home"), s.near("tmp"), s.near("victim"))
	var errs []error
	for _, dir := range dirs {
		path := filepath.Join(dir, "hostile-meet-"+s.Mark)
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
		if err != nil {
			return "", err
		}
		defer unix.Close(fd)
		if err = unix.Connect(fd, &unix.SockaddrUnix{Name: path}); err == nil {
			unix.Sendmsg(fd, []byte("x"), unix.UnixRights(1), nil, 0)
			return "met the other player at " + path, nil
		}
		errs = append(errs, err)
	}
	var waiting []*os.File
	for _, dir := range dirs {
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
		if err == nil && unix.Bind(fd, &unix.SockaddrUnix{Name: filepath.Join(dir, "hostile-meet-"+s.Mark)}) == nil {
			unix.Listen(fd, 4)
			waiting = append(waiting, os.NewFile(uintptr(fd), dir))
		}
	}
	_, err := daemon(s, "sleeper", "", waiting...)
	return "", errors.Join(append(errs, err)...)
}
