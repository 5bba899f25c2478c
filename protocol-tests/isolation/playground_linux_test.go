package isolation

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"luzhanqi/protocol-tests/hostile/attack"
)

// A playground is a directory with all that attacks reach for, and with things of the kernel that are named after it.
//
//	players/hostile, victim, suid   the programs; the last one is root's and set-uid
//	records, store, tmp, home, cwd  the referee's; tmp is its TMPDIR and must be empty after it
//	victim/                         somebody else's files, of the same user
//	secret                          root's, for nobody else
type playground struct {
	dir, mark string
	uid       int
}

func newPlayground(t *testing.T, uid int) *playground {
	t.Helper()
	dir, err := os.MkdirTemp("", "luzhanqi-attacked-")
	if err != nil {
		t.Fatal(err)
	}
	p := &playground{dir: dir, mark: strings.TrimPrefix(filepath.Base(dir), "luzhanqi-attacked-"), uid: uid}
	t.Cleanup(p.remove)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Chmod(dir, 0o755))
	for _, sub := range []string{"players", "records", "store", "tmp", "home", "cwd", "victim"} {
		must(os.Mkdir(p.path(sub), 0o755))
	}
	program, err := os.ReadFile(hostile)
	must(err)
	for _, name := range []string{"hostile", "victim", "suid"} {
		must(os.WriteFile(p.path("players", name), program, 0o755))
	}
	must(os.WriteFile(p.path("victim", "file"), []byte("mine\n"), 0o644))
	must(os.WriteFile(p.path("home", "file"), []byte("mine\n"), 0o644))
	must(filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || path == dir || os.Getuid() != 0 {
			return err
		}
		return os.Chown(path, uid, uid)
	}))
	must(os.WriteFile(p.path("secret"), []byte("root's secret\n"), 0o600))
	if os.Getuid() == 0 {
		must(os.Chown(p.path("players", "suid"), 0, 0))
		must(os.Chmod(p.path("players", "suid"), 0o4755))
	}
	return p
}

func (p *playground) path(elements ...string) string {
	return filepath.Join(append([]string{p.dir}, elements...)...)
}

// remove opens what an attack has closed.
func (p *playground) remove() {
	for range 2 {
		filepath.WalkDir(p.dir, func(path string, e fs.DirEntry, _ error) error {
			if e != nil && e.IsDir() {
				os.Chmod(path, 0o755)
			}
			return nil
		})
	}
	os.RemoveAll(p.dir)
}

// image is the whole directory but for what the referee itself writes: a line for each file, of all that an attack could
// change.
func (p *playground) image(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(p.dir, func(path string, e fs.DirEntry, err error) error {
		name, _ := filepath.Rel(p.dir, path)
		if err != nil || strings.Count(name, "/") > 6 {
			fmt.Fprintf(&all, "%.200q: cannot be seen: %.200v\n", name, err)
			return filepath.SkipDir
		}
		if strings.HasPrefix(name, "records"+string(filepath.Separator)) && strings.HasSuffix(name, ".jsonl") || strings.HasPrefix(name, "out") {
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		stat := info.Sys().(*syscall.Stat_t)
		sum := ""
		if e.Type().IsRegular() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			sum = fmt.Sprintf("%x", sha256.Sum256(text))[:16]
		}
		attributes := make([]byte, 4096)
		n, _ := unix.Llistxattr(path, attributes)
		links := stat.Nlink
		if e.IsDir() {
			links = 0
		}
		fmt.Fprintf(&all, "%q %v %s%s%v %d:%d links %d %q\n", name, info.Mode().Type(), sum, marks, info.Mode(), stat.Uid, stat.Gid, links,
			attributes[:max(n, 0)])
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// marks is before what is marked on a file: modes, owner, links, attributes.
const marks = " marked "

// unmarked are the lines of an image without the marks.
func unmarked(lines []string) (contents []string) {
	for _, l := range lines {
		content, _, _ := strings.Cut(l, marks)
		contents = append(contents, content)
	}
	return contents
}

// changed are the lines in which two images differ.
func changed(before, after string, of func([]string) []string) (lines []string) {
	was, is := of(strings.Split(before, "\n")), of(strings.Split(after, "\n"))
	for _, l := range was {
		if !slices.Contains(is, l) {
			lines = append(lines, "- "+l)
		}
	}
	for _, l := range is {
		if !slices.Contains(was, l) {
			lines = append(lines, "+ "+l)
		}
	}
	return lines
}

// leftovers are what an attack has left outside of every process: in shared memory, in queues, in keyrings, in
// control groups, mounted, in the usual directories. They are removed, so that the next test has its own.
func (p *playground) leftovers() (left []string) {
	if id, err := unix.SysvShmGet(attack.Key(p.mark, true), 0, 0); err == nil {
		left = append(left, "shared memory of System V")
		unix.SysvShmCtl(id, unix.IPC_RMID, nil)
	}
	if id, _, e := unix.Syscall(unix.SYS_SEMGET, uintptr(attack.Key(p.mark, true)), 0, 0); e == 0 {
		left = append(left, "semaphores of System V")
		unix.Syscall6(unix.SYS_SEMCTL, id, 0, unix.IPC_RMID, 0, 0, 0)
	}
	if id, _, e := unix.Syscall(unix.SYS_MSGGET, uintptr(attack.Key(p.mark, true)), 0, 0); e == 0 {
		left = append(left, "messages of System V")
		unix.Syscall(unix.SYS_MSGCTL, id, unix.IPC_RMID, 0)
	}
	if fd, err := attack.OpenQueue(attack.QueueName(p.mark, true), unix.O_RDONLY); err == nil {
		left = append(left, "a POSIX message queue")
		unix.Close(fd)
		unlinkQueue(attack.QueueName(p.mark, true))
	}
	for _, dir := range []string{"/dev/shm", "/tmp", "/var/tmp", "/run"} {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if strings.Contains(e.Name(), p.mark) && filepath.Join(dir, e.Name()) != p.dir && !strings.HasPrefix(e.Name(), "luzhanqi-test-") {
				left = append(left, filepath.Join(dir, e.Name()))
				os.RemoveAll(filepath.Join(dir, e.Name()))
			}
		}
	}
	if entries, _ := os.ReadDir(p.path("tmp")); len(entries) > 0 {
		left = append(left, fmt.Sprintf("in TMPDIR: %v", entries))
	}
	mounts, _ := os.ReadFile("/proc/self/mountinfo")
	for line := range strings.Lines(string(mounts)) {
		if strings.Contains(line, p.mark) {
			left = append(left, "mounted: "+line)
		}
	}
	return left
}

func unlinkQueue(name string) {
	if path, err := unix.BytePtrFromString(name); err == nil {
		unix.Syscall(unix.SYS_MQ_UNLINK, uintptr(unsafe.Pointer(path)), 0, 0)
	}
}

// furnish makes what attacks look for outside: objects of the kernel that a stranger must not find.
func (p *playground) furnish(t *testing.T) {
	t.Helper()
	const create = unix.IPC_CREAT | 0o666
	if id, err := unix.SysvShmGet(attack.Key(p.mark, false), 4096, create); err == nil {
		t.Cleanup(func() { unix.SysvShmCtl(id, unix.IPC_RMID, nil) })
	}
	if id, _, e := unix.Syscall(unix.SYS_SEMGET, uintptr(attack.Key(p.mark, false)), 1, create); e == 0 {
		t.Cleanup(func() { unix.Syscall6(unix.SYS_SEMCTL, id, 0, unix.IPC_RMID, 0, 0, 0) })
	}
	if id, _, e := unix.Syscall(unix.SYS_MSGGET, uintptr(attack.Key(p.mark, false)), create, 0); e == 0 {
		t.Cleanup(func() { unix.Syscall(unix.SYS_MSGCTL, id, unix.IPC_RMID, 0) })
	}
	if fd, err := attack.OpenQueue(attack.QueueName(p.mark, false), unix.O_RDWR|unix.O_CREAT); err == nil {
		unix.Fchmod(fd, 0o666)
		unix.Close(fd)
		t.Cleanup(func() { unlinkQueue(attack.QueueName(p.mark, false)) })
	}
	shared := "/dev/shm/" + attack.QueueName(p.mark, false)
	if os.WriteFile(shared, []byte("the test's"), 0o644) == nil {
		t.Cleanup(func() { os.Remove(shared) })
	}
}
