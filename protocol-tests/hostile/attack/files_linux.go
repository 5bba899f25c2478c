package attack

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// readRecords looks for a record that is being written, wherever the test may have it put: below its own directory,
// below that for temporary files, and behind links.
func readRecords(s *Scene) (string, error) {
	roots := []string{s.Dir, "."}
	for _, t := range s.targets() {
		roots = append(roots, t.proc("cwd"), t.proc("root")+s.Dir)
	}
	entries, _ := os.ReadDir(s.Dir)
	for _, e := range entries {
		if e.Type()&fs.ModeSymlink != 0 {
			roots = append(roots, s.near(e.Name())+"/.")
		}
	}
	temporary, _ := filepath.Glob("/tmp/*" + s.Mark + "*")
	found := ""
	for _, root := range append(roots, temporary...) {
		filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || found != "" || !strings.Contains(path, "jsonl") {
				return nil
			}
			text, err := os.ReadFile(path)
			if at := bytes.Index(text, []byte(`"event":"setup"`)); err == nil && at >= 0 {
				found = fmt.Sprintf("read the record %s: %.60q", path, text[at:])
			}
			return nil
		})
	}
	if found == "" {
		return "", errors.New("no record is to be seen")
	}
	return found, nil
}

// secrets looks for what the test has marked as nobody's business: tokens, plans, stores.
func secrets(s *Scene) (string, error) {
	word := []byte("LUZHANQI-SECRET-" + s.Mark)
	found := ""
	for _, root := range []string{s.Dir, ".", os.Getenv("HOME")} {
		filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() || found != "" {
				return nil
			}
			if info, err := e.Info(); err != nil || info.Size() > 4<<20 {
				return nil
			}
			text, err := os.ReadFile(path)
			if err == nil && (bytes.Contains(text, word) || strings.HasSuffix(path, ".token") && len(text) > 0) {
				found = "a secret stands in " + path
			}
			return nil
		})
	}
	for _, pid := range processes() {
		environment, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if bytes.Contains(append(environment, command(pid)...), word) {
			found = fmt.Sprintf("a secret stands with process %d", pid)
		}
	}
	if found == "" {
		return "", errors.New("no secret found")
	}
	return found, nil
}

// watchFiles asks to be told of what happens to records.
func watchFiles(s *Scene) (string, error) {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return "", err
	}
	defer unix.Close(fd)
	files, _ := filepath.Glob(s.near("records", "*"))
	if len(files) == 0 {
		return "", errors.New("no record is to be seen")
	}
	_, err = unix.InotifyAddWatch(fd, files[0], unix.IN_MODIFY)
	return got(err, "watches %s", files[0])
}

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

// fill writes more than any program needs, 1.5 GiB, and takes it away again.
func fill(s *Scene) (string, error) {
	const most = 1536 << 20
	block := bytes.Repeat([]byte("full"), 1<<18)
	return every(fillOne(".", block, most), fillOne("/tmp", block, most), fillOne("/dev/shm", block, most))
}

func fillOne(dir string, block []byte, most int) func() (string, error) {
	return func() (string, error) {
		path := filepath.Join(dir, fmt.Sprintf("hostile-fill-%d", os.Getpid()))
		file, err := os.Create(path)
		if err != nil {
			return "", err
		}
		defer os.Remove(path)
		defer file.Close()
		for written := 0; written < most; written += len(block) {
			if _, err := file.Write(block); err != nil {
				return "", fmt.Errorf("after %d MiB in %s: %w", written>>20, dir, err)
			}
		}
		return fmt.Sprintf("wrote %d MiB in %s", most>>20, dir), nil
	}
}

// core dies with 64 MiB of memory and asks for a core file.
func core(*Scene) (string, error) {
	unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{Cur: unix.RLIM_INFINITY, Max: unix.RLIM_INFINITY})
	var limit unix.Rlimit
	unix.Getrlimit(unix.RLIMIT_CORE, &limit)
	unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{Cur: limit.Max, Max: limit.Max})
	if limit.Max == 0 {
		return "", errors.New("core files are not written")
	}
	if forked() {
		action := [4]uint64{} // the default
		unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(unix.SIGQUIT), action0(&action), 0, 8, 0, 0)
		self, _, _ := unix.RawSyscall(unix.SYS_GETPID, 0, 0, 0)
		unix.RawSyscall(unix.SYS_KILL, self, uintptr(unix.SIGQUIT), 0)
		unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
	}
	var status unix.WaitStatus
	_, err := unix.Wait4(-1, &status, 0, nil)
	if err == nil && status.CoreDump() {
		return "", errors.New("the kernel wrote a core file, maybe where the test sees it")
	}
	return "", fmt.Errorf("ended with status %v: %w", status, err)
}
