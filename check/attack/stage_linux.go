package attack

import (
	"crypto/rand"
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

	"luzhanqi/process"
)

// Stage is a scene and what it takes to lay it.
type Stage struct {
	Scene
	Top    string // the folder of all that is attacked
	secret []byte // in this process's memory
	own    string // listing of the attacker's directory as it was
	others string // of the opponent's
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
const disk = 4 << 20

// SetUp makes everything that is attacked, in a folder in dir and in the kernel. The files may be given to whoever is to
// be the attacked user.
func SetUp(dir string) (s *Stage, err error) {
	mark := strings.ToLower(rand.Text()[:8])
	s = &Stage{secret: []byte(Secret(mark)), Scene: Scene{Mark: mark}}
	defer func() {
		if err != nil {
			s.Clear()
		}
	}()
	if dir, err = filepath.Abs(dir); err != nil {
		return s, fmt.Errorf("make the files that are attacked: %w", err)
	}
	end, err := startSweeper(dir, mark) // before there is anything to sweep: this process may be killed at any moment
	s.later(end)
	if err != nil {
		return s, fmt.Errorf("start what removes the files that are attacked: %w", err)
	}
	if err := s.folders(dir); err != nil {
		return s, fmt.Errorf("make the files that are attacked: %w", err)
	}
	s.temporaryFiles()
	if err := s.servers(); err != nil {
		return s, fmt.Errorf("make the servers that are attacked: %w", err)
	}
	s.kernelObjects()
	return s, nil
}

// inProcess has this process attacked: its memory, its terminal, a file that it left open.
func (s *Stage) inProcess() error {
	s.Disk, s.Outlive = disk, s.Mark
	s.Memory, s.Length = uintptr(unsafe.Pointer(&s.secret[0])), len(s.secret)
	for pid, e := range process.Processes() {
		if pid == os.Getpid() {
			s.Referee = Someone{Name: "the referee", PID: pid, Started: e.Started}
		}
	}
	if s.Referee.PID == 0 {
		return errors.New("this process is not in the list of processes at /proc")
	}
	s.self = filepath.Join(s.Top, "program", "luzhanqi")
	if err := errors.Join(os.Mkdir(filepath.Dir(s.self), 0o755), copyFile(s.self, "/proc/self/exe")); err != nil {
		return err
	}
	s.terminal()
	s.leak()
	s.own, s.others, s.modes = listing(s.Own), listing(s.Other), attributes(s.Other)
	return nil
}

func (s *Stage) later(undo func()) { s.undo = append(s.undo, undo) }

// Clear removes everything.
func (s *Stage) Clear() {
	for _, undo := range slices.Backward(s.undo) {
		undo()
	}
}

// folders of the players and of the referee. Everybody may go in and read: it is for the sandbox to keep them out.
func (s *Stage) folders(dir string) error {
	top := topOf(dir, s.Mark)
	if err := os.Mkdir(top, 0o755); err != nil {
		return err
	}
	s.Top, s.Own, s.Other = top, filepath.Join(top, "own"), filepath.Join(top, "opponent")
	hidden, elsewhere := filepath.Join(top, "hidden"), filepath.Join(top, "elsewhere")
	s.Hidden, s.Elsewhere = []string{hidden}, filepath.Join(elsewhere, "file")
	for _, path := range []string{top, s.Own, s.Other, hidden, elsewhere} {
		if err := errors.Join(ignoreExists(os.Mkdir(path, 0o755)), os.Chmod(path, 0o755)); err != nil {
			return err
		}
	}
	for _, path := range []string{filepath.Join(s.Other, othersFile), filepath.Join(s.Other, attributesFile), filepath.Join(hidden, "record"), s.Elsewhere} {
		if err := os.WriteFile(path, s.secret, 0o644); err != nil {
			return err
		}
	}
	for name, to := range map[string]string{"file": filepath.Join(hidden, "record"), "folder": hidden, "relative": "../hidden/record"} {
		link := filepath.Join(s.Own, "link-to-"+name)
		if err := os.Symlink(to, link); err != nil {
			return err
		}
		s.Links = append(s.Links, link)
	}
	if os.Geteuid() != 0 || !forEverybody(top) { // what nobody else can reach is played as root, without its powers
		return nil
	}
	s.Roots = filepath.Join(elsewhere, "roots")
	if err := os.WriteFile(s.Roots, s.secret, 0o600); err != nil {
		return err
	}
	if id, err := exec.LookPath("id"); err == nil {
		name := filepath.Join(elsewhere, "set-uid")
		if copyFile(name, id) == nil && os.Chmod(name, 0o755|os.ModeSetuid) == nil {
			s.SetUID = name
		}
	}
	return nil
}

// forEverybody says whether everybody can go to a folder.
func forEverybody(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.Mode()&1 != 0 && (dir == "/" || forEverybody(filepath.Dir(dir)))
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
func (s *Stage) temporaryFiles() {
	for _, place := range temporaryPlaces {
		switch name := temporaryOf(place, s.Mark); {
		case os.WriteFile(name, s.secret, 0o644) != nil:
		case place == "/dev/shm":
			s.Shared = name
		default:
			s.Temporary = append(s.Temporary, name)
		}
	}
}

// terminal stands for the one at which somebody has started the referee.
func (s *Stage) terminal() {
	master, line, err := pty.Open()
	if err != nil {
		return
	}
	s.later(func() { master.Close(); line.Close() })
	s.Terminal = line.Name()
}

// servers say the secret to whoever asks.
func (s *Stage) servers() error {
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
		path := socketOf(dir, s.Mark)
		l, err := net.Listen("unix", path)
		if err != nil {
			return ""
		}
		s.serve(l)
		os.Chmod(path, 0o777)
		return path
	}
	for _, dir := range socketPlaces {
		if path := socket(dir); path != "" {
			s.Sockets = append(s.Sockets, path)
		}
	}
	s.PathSocket = socket(filepath.Dir(s.Elsewhere))
	return nil
}

func (s *Stage) serve(l net.Listener) {
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
func (s *Stage) leak() {
	if fd, err := unix.Open(filepath.Join(s.Hidden[0], "record"), unix.O_RDONLY, 0); err == nil {
		s.later(func() { unix.Close(fd) })
	}
}

// kernelObjects are what a stranger must not find in the kernel. Each has a number after it, or a name, for what an attack leaves.
func (s *Stage) kernelObjects() {
	const create = unix.IPC_CREAT | 0o666
	s.Key = keyOf(s.Mark)
	unix.SysvShmGet(s.Key, 4096, create)
	unix.Syscall(unix.SYS_SEMGET, uintptr(s.Key), 1, create)
	unix.Syscall(unix.SYS_MSGGET, uintptr(s.Key), create, 0)
	if fd, err := openQueue(queueOf(s.Mark), unix.O_CREAT|unix.O_RDWR); err == nil {
		s.Queue = queueOf(s.Mark)
		unix.Fchmod(fd, 0o666)
		unix.Close(fd)
	}
}

func removeSystemV(key int) (found bool) {
	if id, err := unix.SysvShmGet(key, 0, 0); err == nil {
		_, err = unix.SysvShmCtl(id, unix.IPC_RMID, nil)
		found = err == nil
	}
	if id, _, errno := unix.Syscall(unix.SYS_SEMGET, uintptr(key), 0, 0); errno == 0 {
		found = call(unix.SYS_SEMCTL, id, 0, unix.IPC_RMID) == nil || found
	}
	if id, _, errno := unix.Syscall(unix.SYS_MSGGET, uintptr(key), 0, 0); errno == 0 {
		found = call(unix.SYS_MSGCTL, id, unix.IPC_RMID, 0) == nil || found
	}
	return found
}

// Left is what attacks have left in the kernel, by their names. It is removed.
func (s *Stage) Left() map[string]string {
	left := map[string]string{}
	if removeSystemV(s.Key + 1) {
		left["shared-memory"] = "left objects of System V"
	}
	if fd, err := openQueue(queueLeft(s.Mark), unix.O_RDONLY); err == nil {
		unix.Close(fd)
		removeQueue(queueLeft(s.Mark))
		left["message-queue"] = "left a message queue"
	}
	if os.Remove(sharedLeft(s.Mark)) == nil {
		left["shared-files"] = "left a file in /dev/shm"
	}
	return left
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
