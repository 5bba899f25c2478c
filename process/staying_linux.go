package process

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"luzhanqi/clock"
	"luzhanqi/process/passing"
	"luzhanqi/process/sandbox"
	"luzhanqi/process/starvation"
)

// Programs that are isolated share one supervisor, which stays outside of their namespaces: to start this binary for each
// takes four times as long as all the rest. For each program it takes a thread, which enters fresh namespaces, starts their
// process 1, is restricted, starts the program, and ends with it. What the program leaves behind dies with process 1, which
// the kernel lets end after everything else in its namespace: that is the proof that nothing is left.
//
// Each program has a control of its own, as one with a supervisor of its own; the supervisor gets it by a socket.

// stayingName is argument zero of a supervisor that stays.
const stayingName = "luzhanqi-supervisors"

// host is a supervisor that stays, seen by the referee.
type host struct {
	cmd    *exec.Cmd
	socket *os.File
	way    sandbox.Way
}

// hosts has the one that is used.
var hosts struct {
	sync.Mutex
	current *host
}

// hostFor returns the one that is used, and starts it if there is none.
func hostFor(way sandbox.Way) (*host, error) {
	hosts.Lock()
	defer hosts.Unlock()
	if h := hosts.current; h != nil && h.way == way {
		return h, nil
	}
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, os.NewSyscallError("socketpair", err)
	}
	h := &host{way: way, socket: os.NewFile(uintptr(fds[0]), "programs")}
	theirs := os.NewFile(uintptr(fds[1]), "programs")
	defer theirs.Close()
	h.cmd = &exec.Cmd{
		Path: "/proc/self/exe", Args: []string{stayingName}, Dir: "/", Env: []string{}, // programs see its process 1
		Stderr: os.Stderr, ExtraFiles: []*os.File{theirs}, SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	way.StayAttributes(h.cmd.SysProcAttr)
	if err := children.start(h.cmd); err != nil {
		h.socket.Close()
		return nil, (&sandbox.View{By: way}).StartError(err)
	}
	hosts.current = h
	return h, nil
}

// discard lets nobody use it again. What it looks after it goes on looking after.
func (h *host) discard() {
	hosts.Lock()
	defer hosts.Unlock()
	if hosts.current == h {
		hosts.current = nil
		go children.wait(h.cmd)
	}
}

// stayed is the guard of a program below a supervisor that stays.
type stayed struct {
	told
	host     *host
	control  *os.File
	reader   *bufio.Reader
	confine  Confinement
	where    Family
	copies   bool // its directory is a copy
	killOnce sync.Once
}

// canStay says whether a program is started below a supervisor that stays. Those that the kernel limits the memory of start
// in a group, with a supervisor of their own.
func (o *supervisorOrder) canStay() bool {
	return o.View != nil && o.View.By >= sandbox.ByUserNamespace && o.Confine.Total == 0
}

// beforehand has everything made ready for a program that is started by begin.
func beforehand(c Command, env []string, order supervisorOrder) (*stayed, error) {
	order.View.Env, order.Args = env, c.Args
	text, err := json.Marshal(order)
	if err != nil {
		return nil, fmt.Errorf("write the order of a supervisor: %w", err)
	}
	for again := false; ; again = true {
		h, err := hostFor(order.View.By)
		if err != nil {
			return nil, err
		}
		control, theirs, err := passing.Pair()
		if err != nil {
			return nil, err
		}
		err = passing.Send(h.socket, []byte{1}, int(theirs.Fd()))
		theirs.Close()
		if err == nil {
			control.Write(append(text, '\n'))
			return &stayed{
				told: told{program: c.Args[0], disk: order.View.Bytes()}, host: h, control: control, reader: bufio.NewReader(control), confine: order.Confine, copies: order.View.Copy,
			}, nil
		}
		control.Close()
		h.discard()
		if again {
			return nil, fmt.Errorf("order a program from supervisor %d: %w", h.cmd.Process.Pid, err)
		}
	}
}

// goOrder is followed by what is known of a program when it starts, as a line of JSON; with it come its standard streams.
const goOrder = 'g'

type latest struct{ CPUs []int }

// begin starts the program of a command for which everything is ready, and has the same made ready for its next time.
func (c Command) begin(s *stayed, streams [3]*os.File) (guard, error) {
	g, err := s.begin(c.Confine.CPUs, streams)
	if err != nil {
		return nil, err
	}
	c.Ready.again(c, s)
	return g, nil
}

// begin starts the program.
func (s *stayed) begin(cpus []int, streams [3]*os.File) (guard, error) {
	text, _ := json.Marshal(latest{cpus})
	s.confine.CPUs = cpus
	sent := passing.Send(s.control, append(append([]byte{goOrder}, text...), '\n'), int(streams[0].Fd()), int(streams[1].Fd()), int(streams[2].Fd()))
	s.control.SetReadDeadline(time.Now().Add(copyTimeout))
	word, rest, err := s.line() // what could not be sent may have been refused already
	if word == "starting" {
		word, rest, err = s.line()
	}
	s.control.SetReadDeadline(time.Time{})
	if err != nil && sent != nil {
		err = sent
	}
	if err == nil && word == "started" {
		_, err := fmt.Sscan(rest, &s.where.Root, &s.where.Program)
		return s, err
	}
	s.kill()
	if remains := s.release(); word == "" {
		s.host.discard()
		return nil, errors.Join(fmt.Errorf("the supervisor of programs ended, or does not answer: %w", err), remains)
	} else {
		return nil, errors.Join(startError(word, rest), remains)
	}
}

func (s *stayed) line() (word, rest string, err error) { return readLine(s.reader) }

func (s *stayed) wait() Exit {
	word, rest, err := s.line()
	if err != nil { // the supervisor is dead, or the program cannot be
		return Exit{Code: -1, Signal: syscall.SIGKILL, Lost: !errors.Is(err, os.ErrDeadlineExceeded)}
	}
	return exitOf(word, rest, func(e Exit, l Limit) Exit { return e.confined(s.confine, l) })
}

func (s *stayed) kill() {
	s.killOnce.Do(func() {
		shutDown(s.control)
		s.control.SetReadDeadline(time.Now().Add(killTimeout))
	})
}

func (s *stayed) pause(yes bool) { s.control.Write([]byte{pauseOrderFor(yes)}) }

func (s *stayed) family() Family { return s.where }

func (s *stayed) starving() starvation.Program {
	return starvation.Program{Root: s.where.Root, First: s.where.Program, CPUs: len(s.confine.CPUs)}
}

func (s *stayed) release() error {
	defer s.control.Close()
	var remains error
	end := clock.Now().Add(killTimeout)
	for s.control.SetReadDeadline(time.Now().Add(killTimeout)); ; {
		word, rest, err := s.line()
		switch {
		case err == nil && word == "removing": // all are dead
			end = clock.Now().Add(removeTimeout)
			s.control.SetReadDeadline(time.Now().Add(removeTimeout))
		case err == nil && word == "gone":
			return remains
		case err == nil:
			remains = errors.Join(remains, s.trace(word, rest))
		case errors.Is(err, os.ErrDeadlineExceeded) && clock.Now().Before(end): // a pause stops that clock
			s.control.SetReadDeadline(time.Now().Add(wakeInterval))
		case errors.Is(err, os.ErrDeadlineExceeded):
			s.host.discard()
			return errors.Join(remains, fmt.Errorf("processes of %q are not dead %v after being killed; supervisor %d goes on waiting for them",
				s.program, killTimeout, s.host.cmd.Process.Pid))
		default: // it has died, and process 1 of each namespace with it
			s.host.discard()
			return remains
		}
	}
}

// staying is what a supervisor that stays has of one program.
type staying struct {
	thread thread // in its view
	first  *sandbox.First
	files  *passing.Receiver
	latest latest
	going  chan struct{} // closed when the program is to start
	before int           // id of the newest thread of the machine when nothing of the program was there; 0: not known
}

// superviseAll is the whole life of a supervisor that stays.
func superviseAll([]string) {
	unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) // nobody traces it, or reads its memory
	unix.CloseRange(controlFD, 1<<31-1, unix.CLOSE_RANGE_CLOEXEC)
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGPIPE)
	var all sync.WaitGroup
	for programs := (&passing.Receiver{From: os.NewFile(controlFD, "programs")}); ; {
		if _, err := programs.Read(make([]byte, 1)); err != nil { // the referee is gone
			all.Wait()
			os.Exit(0)
		}
		for _, fd := range programs.Take() {
			all.Go(func() { superviseOne(fd) })
		}
	}
}

// superviseOne is what a supervisor that stays does for one program, as [supervise] does.
func superviseOne(fd int) {
	unix.SetNonblock(fd, true)
	control := os.NewFile(uintptr(fd), "control")
	stays := &staying{files: &passing.Receiver{From: control}, going: make(chan struct{})}
	s := &supervisor{tried: newRefusals(), control: control, orders: bufio.NewReader(stays.files), cut: make(chan struct{}), stays: stays}
	defer s.conclude()
	line, err := s.orders.ReadBytes('\n')
	if err != nil || json.Unmarshal(line, &s.order) != nil || !s.order.canStay() {
		s.fail(syscall.EINVAL)
	}
	go s.awaitEnd()
	v := s.order.View
	if err := stays.thread.run(func() (err error) {
		s.inside, stays.first, err = v.Begin()
		return err
	}); err != nil {
		s.refuseView(err)
	}
	if s.order.Probe {
		s.probeInside()
	}
	if err := s.inside.CopyOriginal(v, s.cut); err != nil {
		s.refuse(err)
	}
	select {
	case <-stays.going:
	case <-s.cut:
		s.exit()
	}
	path := s.order.Path
	if s.order.Inside != "" {
		path = filepath.Join(v.Dir, s.order.Inside)
	}
	s.order.Confine.CPUs = stays.latest.CPUs
	stays.before = newestBefore()
	fmt.Fprintln(control, "starting")
	err = stays.thread.run(func() (err error) {
		s.program, err = s.start(path, s.order.Args, v.Dir)
		return err
	})
	closeFDs(stays.files.Take()) // out of the data path: else the program's end of file would never be seen
	if err != nil {
		if _, ok := err.(syscall.Errno); !ok {
			s.refuseView(err)
		}
		s.fail(err)
	}
	if s.sharesUser() {
		shareOut(s.program, s.order.Tasks)
	}
	fmt.Fprintln(control, "started", stays.first.PID, s.program)
	s.watch()
	s.await()
	stays.thread.end()
	s.report()
}

// await waits for the program, and kills what it leaves.
func (s *supervisor) await() {
	var state syscall.WaitStatus
	var usage syscall.Rusage
	for {
		if _, err := syscall.Wait4(s.program, &state, 0, &usage); err != syscall.EINTR {
			break
		}
	}
	s.killing.Store(true) // from now on its number is somebody else's
	s.sendExit(state, usage)
	s.bury()
}

// bury ends process 1, and with it all that is left.
func (s *supervisor) bury() {
	s.killing.Store(true)
	s.stays.first.Kill()
	if err := s.stays.first.Await(); err != nil {
		fmt.Fprintln(s.control, "remains", err)
	}
	s.buried = true
}

// conclude clears up behind a program.
func (s *supervisor) conclude() {
	if s.stays.first != nil && !s.buried {
		s.bury()
	}
	s.stays.thread.end()
	s.stays.files.Close()
	fmt.Fprintln(s.control, "gone")
	s.control.Close()
	if s.inside != nil {
		s.watching.Wait()
		s.inside.Close()
	}
}

// exit ends what supervises the program: this process, or the goroutine in one that stays.
func (s *supervisor) exit() {
	if s.stays != nil {
		runtime.Goexit()
	}
	os.Exit(0)
}

// roots are the processes below which all of the program is, this one or process 1 of its namespace; then the program, if it is
// not below.
func (s *supervisor) roots() []int {
	if s.stays != nil {
		return []int{s.stays.first.PID, s.program}
	}
	return []int{os.Getpid()}
}

// receive reads what has become known of the program.
func (st *staying) receive(orders *bufio.Reader) {
	line, err := orders.ReadBytes('\n')
	if err == nil && json.Unmarshal(line, &st.latest) == nil && len(st.files.Files()) == 3 {
		close(st.going)
	}
}

// streams are the program's.
func (st *staying) streams() (all []uintptr) {
	for _, fd := range st.files.Files() {
		all = append(all, uintptr(fd))
	}
	return all
}
