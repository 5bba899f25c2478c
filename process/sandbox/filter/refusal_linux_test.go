//go:build amd64 || arm64

package filter

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// attempt is a call with arguments in memory, what it gets, and what is reported.
type attempt struct {
	make   func() unix.Errno
	errno  unix.Errno
	report string // call: detail; "" for a call that accuses nobody
}

// inMemory keeps what arguments point to where it is: on the heap, and alive.
var inMemory [][]byte

func at(b []byte) uintptr {
	inMemory = append(inMemory, b)
	return uintptr(unsafe.Pointer(&b[0]))
}

func text0(s string) uintptr { return at(append([]byte(s), 0)) }

func raw(number uintptr, args ...uintptr) func() unix.Errno {
	c := systemCall{Number: number}
	copy(c.Args[:], args)
	return func() unix.Errno { return makeCall(c) }
}

// socketCall makes a call with an address on a new socket.
func socketCall(number uintptr, family, kind int, address []byte) func() unix.Errno {
	return func() unix.Errno {
		fd, err := unix.Socket(family, kind, 0)
		if err != nil {
			return err.(unix.Errno)
		}
		defer unix.Close(fd)
		at := at(address)
		if number == unix.SYS_SENDTO {
			return makeCall(systemCall{number, [6]uintptr{uintptr(fd), at, 1, 0, at, uintptr(len(address))}})
		}
		return makeCall(systemCall{number, [6]uintptr{uintptr(fd), at, uintptr(len(address))}})
	}
}

func ipv4(port uint16, a, b, c, d byte) []byte {
	return []byte{unix.AF_INET, 0, byte(port >> 8), byte(port), a, b, c, d, 0, 0, 0, 0, 0, 0, 0, 0}
}

func ipv6(port uint16, last byte) []byte {
	address := make([]byte, 28)
	address[0], address[2], address[3], address[23] = unix.AF_INET6, byte(port>>8), byte(port), last
	return address
}

func unixSocket(path string) []byte { return append([]byte{unix.AF_UNIX, 0}, path...) }

const (
	tcp = unix.SOCK_STREAM
	udp = unix.SOCK_DGRAM
)

// attempts by kind of filter.
var attempts = map[string]func() []attempt{
	"notify, empty": func() []attempt {
		return []attempt{
			{raw(unix.SYS_MOUNT, text0("proc"), text0("/mnt\n"), text0("tmpfs")), unix.EPERM, `mount: "proc", "/mnt\n", "tmpfs"`},
			{raw(unix.SYS_MOUNT, 1, 2, 3), unix.EPERM, `mount: (unreadable), (unreadable), (unreadable)`},
			{raw(unix.SYS_CHROOT, text0(strings.Repeat("x", 300))), unix.EPERM, `chroot: "` + strings.Repeat("x", 80) + `"…`},
			{raw(unix.SYS_UNSHARE, unix.CLONE_NEWUSER|unix.CLONE_NEWNS), unix.EPERM, "unshare: user namespace, mount namespace"},
			{raw(unix.SYS_CLONE, unix.CLONE_NEWPID), unix.EPERM, "clone: process namespace"},
			{raw(unix.SYS_CLONE3), unix.ENOSYS, ""},
			{raw(unix.SYS_IO_URING_SETUP, 8), unix.ENOSYS, ""},
			{raw(newestCall + 1), unix.ENOSYS, ""},
			{raw(unix.SYS_PTRACE, unix.PTRACE_ATTACH, 1), unix.EPERM, "ptrace: PTRACE_ATTACH of process 1"},
			{raw(unix.SYS_PTRACE, unix.PTRACE_SEIZE, uintptr(os.Getppid())), unix.EPERM, ""},
			{raw(unix.SYS_PTRACE, unix.PTRACE_TRACEME), unix.EPERM, "ptrace: PTRACE_TRACEME"},
			{raw(unix.SYS_PROCESS_VM_READV, 1), unix.EPERM, "process_vm_readv: process 1"},
			{raw(unix.SYS_SCHED_SETAFFINITY, 0, 8, 1), 0, ""},
			{raw(unix.SYS_SCHED_SETSCHEDULER, 1, unix.SCHED_FIFO), unix.EPERM, "sched_setscheduler: process 1, SCHED_FIFO"},
			{raw(unix.SYS_SETPRIORITY, 0, 0, ^uintptr(4)), unix.EACCES, "setpriority: nice -5"},
			{raw(unix.SYS_ADD_KEY, text0("user"), text0("k")), unix.EPERM, `add_key: "user", "k"`},
			{raw(unix.SYS_PRCTL, unix.PR_SET_MM), unix.EPERM, "prctl: PR_SET_MM"},
			{raw(unix.SYS_PERSONALITY, 0x400000), unix.EPERM, "personality: 0x400000"},
			{raw(unix.SYS_IOCTL, 0, 1<<40|unix.TIOCSTI), unix.EPERM, "ioctl: TIOCSTI: text as if typed at the terminal"},
			{raw(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER), unix.EPERM, "seccomp: a filter of its own"},
			{raw(unix.SYS_REBOOT), unix.EPERM, "reboot: "},
			{raw(unix.SYS_REBOOT), unix.EPERM, ""}, // reported once, then counted

			{raw(unix.SYS_SOCKET, unix.AF_VSOCK, tcp), unix.EACCES, "socket: vsock socket"},
			{socketCall(unix.SYS_CONNECT, unix.AF_INET, tcp, ipv4(80, 10, 0, 0, 1)), unix.ENETUNREACH, "connect: TCP connection to 10.0.0.1:80"},
			{socketCall(unix.SYS_CONNECT, unix.AF_INET, udp, ipv4(53, 8, 8, 8, 8)), unix.ENETUNREACH, "connect: UDP connection to 8.8.8.8:53, where names are looked up"},
			{socketCall(unix.SYS_CONNECT, unix.AF_INET6, tcp, ipv6(443, 1)), unix.ENETUNREACH, "connect: TCP connection to [::1]:443"},
			{socketCall(unix.SYS_SENDTO, unix.AF_INET, udp, ipv4(9, 10, 0, 0, 1)), unix.ENETUNREACH, "sendto: UDP packet to 10.0.0.1:9"},
			{socketCall(unix.SYS_BIND, unix.AF_INET, tcp, ipv4(8080, 0, 0, 0, 0)), unix.EACCES, "bind: TCP port 0.0.0.0:8080"},
			{raw(unix.SYS_CONNECT, 0, 1, 16), unix.ENETUNREACH, "connect: an address that cannot be read"},
			// Harmless, and up to the kernel.
			{socketCall(unix.SYS_BIND, unix.AF_INET, tcp, ipv4(0, 0, 0, 0, 0)), 0, ""},
			{socketCall(unix.SYS_CONNECT, unix.AF_UNIX, tcp, unixSocket("/run/nscd/socket")), unix.ENOENT, ""},
			{socketCall(unix.SYS_CONNECT, unix.AF_UNIX, tcp, unixSocket("\x00nobody is here")), unix.ECONNREFUSED, ""},
			{socketCall(unix.SYS_BIND, unix.AF_NETLINK, unix.SOCK_RAW, []byte{unix.AF_NETLINK, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}), 0, ""},
		}
	},
	"notify, strictest": func() []attempt {
		return []attempt{
			{raw(unix.SYS_SOCKET, unix.AF_INET, tcp, unix.IPPROTO_SCTP), unix.EACCES, "socket: IPv4 protocol 132 socket"},
			{socketCall(unix.SYS_CONNECT, unix.AF_INET, tcp, ipv4(80, 10, 0, 0, 1)), unix.EACCES, "connect: TCP connection to 10.0.0.1:80"},
			{socketCall(unix.SYS_BIND, unix.AF_INET6, tcp, ipv6(80, 1)), unix.EACCES, "bind: TCP port [::1]:80"},
			{raw(unix.SYS_LISTEN), unix.EACCES, "listen: "},
			{raw(unix.SYS_SENDMSG, 0, 0, unix.MSG_FASTOPEN), unix.EACCES, "sendmsg: a connection by MSG_FASTOPEN"},
			{raw(unix.SYS_SOCKET, unix.AF_INET6, udp|unix.SOCK_CLOEXEC), unix.EACCES, "socket: IPv6 UDP socket"},
			{raw(unix.SYS_SOCKET, unix.AF_PACKET, unix.SOCK_RAW), unix.EACCES, "socket: packet socket"},
			{raw(unix.SYS_SOCKET, unix.AF_NETLINK, unix.SOCK_RAW), unix.EACCES, ""},
			{raw(unix.SYS_SOCKET, unix.AF_UNIX, udp), unix.EACCES, "socket: Unix datagram socket"},
			{raw(unix.SYS_SOCKETPAIR, unix.AF_UNIX, udp), unix.EACCES, "socketpair: Unix datagram socket"},
			{socketCall(unix.SYS_CONNECT, unix.AF_UNIX, tcp, unixSocket("/run/docker.sock")), unix.EACCES, `connect: Unix socket "/run/docker.sock"`},
			{socketCall(unix.SYS_CONNECT, unix.AF_UNIX, tcp, unixSocket("\x00bus")), unix.EACCES, `connect: abstract Unix socket "bus"`},
			{socketCall(unix.SYS_CONNECT, unix.AF_UNIX, tcp, unixSocket("/var/run/nscd/socket")), unix.EACCES, ""},
			{socketCall(unix.SYS_BIND, unix.AF_UNIX, tcp, unixSocket("x")), unix.EACCES, `bind: Unix socket "x"`},
			{raw(unix.SYS_PRLIMIT64, 1, unix.RLIMIT_CPU), unix.EPERM, "prlimit64: process 1"},
			{raw(unix.SYS_PRLIMIT64, uintptr(os.Getpid()), unix.RLIMIT_CPU), unix.EPERM, ""},
			{raw(unix.SYS_FCNTL, 5, unix.F_SETLEASE, unix.F_WRLCK), unix.EPERM, "fcntl: a lease of what descriptor 5 has open"},
			{raw(unix.SYS_FCNTL, 5, unix.F_SETOWN, 77), unix.EPERM, "fcntl: the owner of descriptor 5 becomes process 77"},
			{raw(unix.SYS_MQ_OPEN, text0("queue")), unix.EPERM, `mq_open: "queue"`},
		}
	},
}

// attempted is what came of attempts.
type attempted struct {
	Errors  []unix.Errno
	Reports []string
}

var attemptsChild = child("attempts", func(args []string) (any, error) {
	if err := DropCapabilities(); err != nil {
		return nil, err
	}
	f := filterSpecs[args[0]]
	list := attempts[args[0]]()
	listener, err := Install(f)
	if err != nil {
		return nil, err
	}
	var r attempted
	var reporting sync.Mutex
	go Serve(f, listener, func(refused Refusal) { // each is reported before it is answered
		reporting.Lock()
		defer reporting.Unlock()
		if refused.Count == 1 {
			r.Reports = append(r.Reports, refused.Call+": "+refused.Detail)
		}
	})
	for _, a := range list {
		r.Errors = append(r.Errors, a.make())
	}
	reporting.Lock()
	defer reporting.Unlock()
	return r, nil
})

// Each refused call gets its error and is reported in words; what libraries try is not.
func TestServeRefusals(t *testing.T) {
	asUsers(t, func(t *testing.T, uid int) {
		for spec, list := range attempts {
			r := inChild[attempted](t, uid, attemptsChild, spec)
			var want []string
			for i, a := range list() {
				if r.Errors[i] != a.errno {
					t.Errorf("%s: attempt %d (%s): error %v, want %v", spec, i, a.report, r.Errors[i], a.errno)
				}
				if a.report != "" {
					want = append(want, a.report)
				}
			}
			for i := range max(len(want), len(r.Reports)) {
				var got, wanted string
				if i < len(r.Reports) {
					got = r.Reports[i]
				}
				if i < len(want) {
					wanted = want[i]
				}
				if got != wanted {
					t.Errorf("%s: report %d is %q, want %q", spec, i, got, wanted)
				}
			}
		}
	})
}

// watched runs a program under a filter, from a thread that ends when the program has, and returns what was
// reported.
type watched struct {
	Output   string
	Reported []Refusal
}

var watchedChild = child("watched", func(args []string) (any, error) {
	var r watched
	f := filterSpecs[args[0]]
	listener, failed := make(chan int, 1), make(chan error, 1)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with this function, and the filter with it
		failed <- func() error {
			if err := DropCapabilities(); err != nil {
				return err
			}
			l, err := Install(f)
			if err != nil {
				return err
			}
			listener <- l
			output, err := exec.Command(args[1], args[2:]...).CombinedOutput()
			r.Output = string(output)
			if err != nil {
				r.Output += err.Error()
			}
			return nil
		}()
	}()
	select {
	case l := <-listener:
		if l >= 0 {
			Serve(f, l, func(refused Refusal) { r.Reported = append(r.Reported, refused) })
		}
		return &r, <-failed
	case err := <-failed:
		return nil, err
	}
})

// shot is a program of many threads that are refused calls when it is killed.
const shot = `#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
static void *spam(void *arg) { for (;;) syscall(SYS_chroot, "/somewhere"); }
int main(int argc, char **argv) {
  pthread_t t;
  for (int i = 0; i < 8; i++) pthread_create(&t, 0, spam, 0);
  usleep(20000);
  kill(getpid(), SIGKILL);
}
`

// Counts are told as they double and exactly at the end, which comes when the last caller is gone, however it
// ended; a caller that is killed while it waits for an answer harms nothing.
func TestRefusalsAreCounted(t *testing.T) {
	const calls = 1000
	counting := compileC(t, fmt.Sprintf(`#include <unistd.h>
int main(void) { for (int i = 0; i < %d; i++) chroot("/somewhere"); }`, calls))
	killed := compileC(t, shot, "-pthread")
	asUsers(t, func(t *testing.T, uid int) {
		r := inChild[watched](t, uid, watchedChild, "notify, empty", counting)
		var counts []int
		for _, refused := range r.Reported {
			if refused.Call != "chroot" || refused.Detail != `"/somewhere"` || refused.At.IsZero() {
				t.Fatalf("reported %+v", refused)
			}
			counts = append(counts, refused.Count)
		}
		if want := []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, calls}; fmt.Sprint(counts) != fmt.Sprint(want) {
			t.Errorf("counts %v, want %v", counts, want)
		}
		r = inChild[watched](t, uid, watchedChild, "notify, empty", killed)
		if !strings.Contains(r.Output, "killed") || len(r.Reported) == 0 {
			t.Errorf("printed %q, reported %+v", r.Output, r.Reported)
		}
	})
}

// A program cannot fill the report: neither with kinds of calls, nor with long or unprintable details.
func TestRefusalsAreBounded(t *testing.T) {
	program := compileC(t, `#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>
int main(void) {
  char text[5000];
  memset(text, '\x1b', sizeof text - 1);
  text[sizeof text - 1] = 0;
  for (int i = 0; i < 200; i++) {
    sprintf(text, "%d", i);
    text[3] = '\n';
    mount(text, text, text, 0, 0);
  }
}`)
	r := inChild[watched](t, os.Getuid(), watchedChild, "notify, empty", program)
	last := map[refusalKind]int{}
	for _, refused := range r.Reported {
		last[refusalKind{refused.Call, refused.Detail}] = refused.Count
		if len(refused.Detail) > maxDetail || strings.ContainsAny(refused.Detail, "\x1b\n\x00") {
			t.Errorf("detail of %d bytes: %q", len(refused.Detail), refused.Detail)
		}
	}
	total := 0
	for _, n := range last {
		total += n
	}
	if len(last) != maxRefusals || total != 200 || last[furtherKinds] != 200-maxRefusals+1 {
		t.Errorf("%d kinds, %d calls, %d of further kinds", len(last), total, last[furtherKinds])
	}
}

// The restricted thread has no more rights than the program, and shares its memory with the supervisor. The
// program gets at none of it.
func TestSupervisorsMemory(t *testing.T) {
	asUsers(t, func(t *testing.T, uid int) {
		for _, file := range []string{"mem", "environ", "maps", "fd/0"} {
			r := inChild[watched](t, uid, watchedChild, "with the network", "/bin/sh", "-c",
				`for t in /proc/$PPID/task/*; do cat $t/`+file+` && echo "$t is open"; done`)
			if strings.Contains(r.Output, "is open") || !strings.Contains(r.Output, "ermission denied") {
				t.Errorf("%s: %s", file, r.Output)
			}
		}
	})
}

// Whatever stands where an address should be, its words are short and printable, and IPv4 within IPv6 is seen.
func FuzzParseAddress(f *testing.F) {
	mapped := append(ipv6(80, 0)[:8:8], 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 0, 0, 1, 0, 0, 0, 0)
	for _, seed := range [][]byte{ipv4(80, 10, 0, 0, 1), ipv6(443, 1), mapped, unixSocket("\x00\x1b"), unixSocket("/a\x00b"), {unix.AF_VSOCK, 0}, {1}} {
		f.Add(seed)
	}
	if a, _ := parseAddress(mapped); a.String() != "10.0.0.1:80" {
		f.Errorf("IPv4 within IPv6 is %s", a)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, ok := parseAddress(b[:min(len(b), 128)])
		words := a.String()
		if ok != (len(b) >= 2) || len(words) > 4*128+60 || strings.ContainsFunc(words, func(r rune) bool { return r < ' ' || r > '~' && r != '…' }) {
			t.Errorf("%x: %v, %q", b, ok, words)
		}
	})
}
