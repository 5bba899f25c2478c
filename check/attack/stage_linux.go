package attack

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// stage is a scene and what it takes to lay it.
type stage struct {
	scene
	secret []byte // in this process's memory, and in all that is attacked
	others string // listing of the opponent's directory as it was
	modes  string // and of attributesFile
	self   string // a copy of this program: programs see the directory that they lie in
	undo   []func()
}

// Files in the opponent's directory.
const (
	othersFile     = "program"
	attributesFile = "notes"
)

// disk is what an attacker may write: enough for what it may do, little enough to be exceeded at once.
const disk = 16 << 20

// setUp makes everything that is attacked, in a folder in dir.
func setUp(dir string) (s *stage, err error) {
	s = &stage{secret: []byte(rand.Text()), scene: scene{Disk: disk, Segment: -1}}
	defer func() {
		if err != nil {
			s.clear()
		}
	}()
	sum := sha256.Sum256(s.secret)
	s.Mark, s.Sum = strings.ToLower(rand.Text()[:8]), hex.EncodeToString(sum[:])
	s.Memory, s.Length = uintptr(unsafe.Pointer(&s.secret[0])), len(s.secret)
	self, ok := entry(os.Getpid())
	if !ok {
		return s, errors.New("this process is not in the list of processes at /proc")
	}
	s.Referee = someone{Name: "the referee", PID: os.Getpid(), Started: self.Started}
	if err := s.folders(dir); err != nil {
		return s, fmt.Errorf("make the files that are attacked: %w", err)
	}
	s.temporaryFiles()
	s.terminal()
	if err := s.servers(); err != nil {
		return s, fmt.Errorf("make the servers that are attacked: %w", err)
	}
	s.leak()
	s.others, s.modes = listing(s.Other), attributes(s.Other)
	s.sharedMemory()
	if name := "/luzhanqi-" + s.Mark; s.Queue == "" {
		if fd, err := openQueue(name[1:], unix.O_CREAT|unix.O_RDWR); err == nil {
			s.Queue = name[1:]
			s.later(func() { removeQueue(s.Queue); unix.Close(fd) })
		}
	}
	return s, nil
}

func (s *stage) later(undo func()) { s.undo = append(s.undo, undo) }

// clear removes everything.
func (s *stage) clear() {
	for _, undo := range slices.Backward(s.undo) {
		undo()
	}
}

// folders of the players and of the referee. Everybody may go in and read: it is for the sandbox to keep them out.
func (s *stage) folders(dir string) error {
	top, err := os.MkdirTemp(dir, "luzhanqi-attacks-")
	if err != nil {
		return err
	}
	s.later(func() { os.RemoveAll(top) })
	if top, err = filepath.Abs(top); err != nil {
		return err
	}
	s.Own, s.Other = filepath.Join(top, "own"), filepath.Join(top, "opponent")
	s.self = filepath.Join(top, "program", "luzhanqi")
	s.Hidden, s.Elsewhere = filepath.Join(top, "hidden", "record"), filepath.Join(top, "elsewhere", "file")
	for _, path := range []string{top, s.Own, s.Other, filepath.Dir(s.self), filepath.Dir(s.Hidden), filepath.Dir(s.Elsewhere)} {
		if err := errors.Join(ignoreExists(os.Mkdir(path, 0o755)), os.Chmod(path, 0o755)); err != nil {
			return err
		}
	}
	for _, path := range []string{filepath.Join(s.Other, othersFile), filepath.Join(s.Other, attributesFile), s.Hidden, s.Elsewhere} {
		if err := os.WriteFile(path, s.secret, 0o644); err != nil {
			return err
		}
	}
	if err := copyFile(s.self, "/proc/self/exe"); err != nil {
		return err
	}
	if id, err := exec.LookPath("id"); err == nil && os.Geteuid() == 0 {
		name := filepath.Join(top, "elsewhere", "set-uid")
		if copyFile(name, id) == nil && os.Chmod(name, 0o755|os.ModeSetuid) == nil {
			s.SetUID = name
		}
	}
	return nil
}

func ignoreExists(err error) error {
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	return err
}

func copyFile(to, from string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o755)
}

// temporaryFiles are where programs get places of their own.
func (s *stage) temporaryFiles() {
	write := func(dir string) string {
		name := filepath.Join(dir, "luzhanqi-attacks-file-"+s.Mark)
		if os.WriteFile(name, s.secret, 0o644) != nil {
			return ""
		}
		s.later(func() { os.Remove(name) })
		return name
	}
	for _, dir := range []string{"/tmp", "/var/tmp"} {
		if name := write(dir); name != "" {
			s.Temporary = append(s.Temporary, name)
		}
	}
	s.Shared = write("/dev/shm")
}

// terminal stands for the one at which somebody has started the referee.
func (s *stage) terminal() {
	master, line, err := pty.Open()
	if err != nil {
		return
	}
	s.later(func() { master.Close(); line.Close() })
	s.Terminal = line.Name()
}

// servers say the secret to whoever asks.
func (s *stage) servers() error {
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.serve(tcp)
	s.TCP = tcp.Addr().String()
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.UDP = udp.LocalAddr().String()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for question := make([]byte, 16); ; {
			_, from, err := udp.ReadFrom(question)
			if err != nil {
				return
			}
			udp.WriteTo(s.secret, from)
		}
	}()
	s.later(func() { udp.Close(); <-ended })
	s.Abstract = "luzhanqi-attacks-" + s.Mark
	abstract, err := net.Listen("unix", "@"+s.Abstract)
	if err != nil {
		return err
	}
	s.serve(abstract)
	socket := func(dir string) string {
		path := filepath.Join(dir, "luzhanqi-"+s.Mark)
		l, err := net.Listen("unix", path)
		if err != nil {
			return ""
		}
		s.serve(l)
		os.Chmod(path, 0o777)
		return path
	}
	for _, dir := range []string{"/tmp", "/var/tmp", "/run"} {
		if path := socket(dir); path != "" {
			s.Sockets = append(s.Sockets, path)
		}
	}
	s.PathSocket = socket(filepath.Dir(s.Elsewhere))
	return nil
}

func (s *stage) serve(l net.Listener) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.SetDeadline(time.Now().Add(time.Second))
			io.ReadFull(c, make([]byte, 1))
			c.Write(s.secret)
			c.Close()
		}
	}()
	s.later(func() { l.Close(); <-ended })
}

// leak leaves a file open as a careless program does that starts the referee.
func (s *stage) leak() {
	if fd, err := unix.Open(s.Hidden, unix.O_RDONLY, 0); err == nil {
		s.later(func() { unix.Close(fd) })
	}
}

func (s *stage) sharedMemory() {
	id, err := unix.SysvShmGet(unix.IPC_PRIVATE, s.Length, unix.IPC_CREAT|0o666)
	if err != nil {
		return
	}
	if text, err := unix.SysvShmAttach(id, 0, 0); err == nil {
		copy(text, s.secret)
		unix.SysvShmDetach(text)
		s.Segment = id
	}
	s.later(func() { unix.SysvShmCtl(id, unix.IPC_RMID, nil) })
}

// listing is the names and contents of a directory, as far as a change would change it.
func listing(dir string) string {
	var all []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err.Error()
	}
	for _, e := range entries {
		var stat unix.Stat_t
		unix.Lstat(filepath.Join(dir, e.Name()), &stat)
		all = append(all, fmt.Sprintf("%s (%d bytes, %d links)", e.Name(), stat.Size, stat.Nlink))
	}
	return strings.Join(all, ", ")
}

// attributes are those of a file in dir that nobody needs to open to change them.
func attributes(dir string) string {
	file := filepath.Join(dir, attributesFile)
	var stat unix.Stat_t
	unix.Lstat(file, &stat)
	size, _ := unix.Getxattr(file, "user.attacked", nil)
	return fmt.Sprintf("mode %o, %d s, %v marked", stat.Mode, stat.Mtim.Sec, size > 0)
}
