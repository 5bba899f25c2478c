//go:build amd64 || arm64

package filter

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"luzhanqi/process/processtest"
)

// filterSpecs are all kinds of filters.
var filterSpecs = map[string]Spec{
	"strictest":         {},
	"empty network":     {EmptyNamespace: true, Namespaces: true},
	"among equals":      {EmptyNamespace: true, Namespaces: true, Equals: true},
	"with the network":  {Network: true, Namespaces: true},
	"no namespaces":     {Network: true},
	"signals":           {Network: true, Signals: true},
	"lasting":           {Network: true, Namespaces: true, Lasting: true},
	"notify, strictest": {Notify: true},
	"notify, empty":     {Notify: true, EmptyNamespace: true, Namespaces: true},
}

// systemCall is made by a child. Arguments are numbers only: none of these calls gets as far as reading memory.
type systemCall struct {
	Number uintptr
	Args   [6]uintptr
}

func makeCall(c systemCall) unix.Errno {
	_, _, errno := syscall.Syscall6(c.Number, c.Args[0], c.Args[1], c.Args[2], c.Args[3], c.Args[4], c.Args[5])
	return errno
}

// firstMark is an error number that no call has. The filters of markedChild answer with it and those above it,
// so that a refusal can be told from what the kernel says without a filter, and each rule from the others.
const firstMark = 3000

var markedChild = child("marked", func(args []string) (any, error) {
	rules := filterSpecs[args[0]].rules()
	for i := range rules {
		rules[i].errno = unix.Errno(firstMark + i)
		rules[i].ask = false
	}
	var calls []systemCall
	if err := json.Unmarshal([]byte(args[1]), &calls); err != nil {
		return nil, err
	}
	if err := DropCapabilities(); err != nil { // should a filter fail, nothing happens to the machine
		return nil, err
	}
	if _, err := install(assemble(rules, false), false); err != nil {
		return nil, err
	}
	results := make([]unix.Errno, len(calls))
	for i, c := range calls {
		results[i] = makeCall(c)
	}
	return results, nil
})

// marked makes calls under a filter and returns the names of the rules that refused them; "": none did.
func marked(t *testing.T, uid int, spec string, calls []systemCall) []string {
	t.Helper()
	text, err := json.Marshal(calls)
	if err != nil {
		t.Fatal(err)
	}
	rules := filterSpecs[spec].rules()
	var names []string
	for _, errno := range inChild[[]unix.Errno](t, uid, markedChild, spec, string(text)) {
		name := ""
		if errno >= firstMark {
			name = rules[errno-firstMark].name
		}
		names = append(names, name)
	}
	return names
}

// Each call that is refused whatever its arguments gets the answer of its own rule.
func TestFilterRefuses(t *testing.T) {
	asUsers(t, func(t *testing.T, uid int) {
		for spec, f := range filterSpecs {
			var calls []systemCall
			var want []string
			for _, r := range f.rules() {
				if len(r.when) == 0 {
					calls, want = append(calls, systemCall{Number: r.number}), append(want, r.name)
				}
			}
			if len(want) < 40 {
				t.Errorf("%s: only %d calls are refused", spec, len(want))
			}
			for i, name := range marked(t, uid, spec, calls) {
				if name != want[i] {
					t.Errorf("%s: %s was refused by %q", spec, want[i], name)
				}
			}
		}
	})
}

const upper = 1 << 32 // a bit of an argument that the kernel drops where it reads an int

// Calls that are refused only for some arguments: for these and for no others, whatever stands in the bits
// that the kernel does not read.
func TestFilterReadsArguments(t *testing.T) {
	const none, all = "with the network", "strictest"
	minus := func(n int) uintptr { return uintptr(-n) }
	asUsers(t, func(t *testing.T, uid int) {
		for _, test := range []struct {
			spec    string
			number  uintptr
			args    [6]uintptr
			refused string
		}{
			{none, unix.SYS_UNSHARE, [6]uintptr{unix.CLONE_NEWUSER}, "unshare"},
			{none, unix.SYS_UNSHARE, [6]uintptr{upper | unix.CLONE_NEWTIME}, "unshare"},
			{none, unix.SYS_UNSHARE, [6]uintptr{unix.CLONE_SYSVSEM}, ""},
			{none, unix.SYS_CLONE, [6]uintptr{unix.CLONE_NEWUSER | uintptr(unix.SIGCHLD)}, "clone"},
			{none, unix.SYS_CLONE, [6]uintptr{upper | unix.CLONE_NEWNET}, "clone"},
			{none, unix.SYS_PERSONALITY, [6]uintptr{0xffffffff}, ""},
			{none, unix.SYS_PERSONALITY, [6]uintptr{0}, ""},
			{none, unix.SYS_PERSONALITY, [6]uintptr{addrNoRandomize}, ""},
			{none, unix.SYS_PERSONALITY, [6]uintptr{8}, "personality"},                         // 32-bit
			{none, unix.SYS_PERSONALITY, [6]uintptr{upper | 0x0400000}, "personality"},         // READ_IMPLIES_EXEC
			{none, unix.SYS_PERSONALITY, [6]uintptr{addrNoRandomize | 0x20000}, "personality"}, // UNAME26
			{none, unix.SYS_IOCTL, [6]uintptr{0, unix.TIOCSTI}, "ioctl"},
			{none, unix.SYS_IOCTL, [6]uintptr{0, upper | unix.TIOCSTI}, "ioctl"},
			{none, unix.SYS_IOCTL, [6]uintptr{0, unix.TIOCLINUX}, "ioctl"},
			{none, unix.SYS_IOCTL, [6]uintptr{0, unix.TIOCSETD}, "ioctl"},
			{none, unix.SYS_IOCTL, [6]uintptr{0, unix.TCGETS}, ""},
			{none, unix.SYS_IOCTL, [6]uintptr{0, 0x8901}, ""},
			{all, unix.SYS_IOCTL, [6]uintptr{0, 0x8901}, "ioctl"},
			{all, unix.SYS_IOCTL, [6]uintptr{0, unix.TIOCSTI}, "ioctl"},
			{none, unix.SYS_PRCTL, [6]uintptr{unix.PR_SET_MM}, "prctl"},
			{none, unix.SYS_PRCTL, [6]uintptr{upper | unix.PR_SET_SECCOMP}, "prctl"},
			{none, unix.SYS_PRCTL, [6]uintptr{unix.PR_SCHED_CORE}, "prctl"},
			{none, unix.SYS_PRCTL, [6]uintptr{unix.PR_GET_DUMPABLE}, ""},
			{none, unix.SYS_SECCOMP, [6]uintptr{unix.SECCOMP_SET_MODE_FILTER}, "seccomp"},
			{none, unix.SYS_SECCOMP, [6]uintptr{unix.SECCOMP_SET_MODE_STRICT, 1}, "seccomp"},
			{none, unix.SYS_SECCOMP, [6]uintptr{unix.SECCOMP_GET_ACTION_AVAIL}, ""},
			{none, unix.SYS_SCHED_SETSCHEDULER, [6]uintptr{0, unix.SCHED_FIFO}, "sched_setscheduler"},
			{none, unix.SYS_SCHED_SETSCHEDULER, [6]uintptr{0, upper | unix.SCHED_RR | unix.SCHED_RESET_ON_FORK}, "sched_setscheduler"},
			{none, unix.SYS_SCHED_SETSCHEDULER, [6]uintptr{0, unix.SCHED_DEADLINE}, "sched_setscheduler"},
			{none, unix.SYS_SCHED_SETSCHEDULER, [6]uintptr{0, unix.SCHED_BATCH | unix.SCHED_RESET_ON_FORK}, ""},
			{none, unix.SYS_SCHED_SETSCHEDULER, [6]uintptr{1, unix.SCHED_IDLE}, ""},
			{all, unix.SYS_SCHED_SETSCHEDULER, [6]uintptr{1, unix.SCHED_IDLE}, "sched_setscheduler"},
			{none, unix.SYS_SETPRIORITY, [6]uintptr{0, 0, minus(1)}, "setpriority"},
			{none, unix.SYS_SETPRIORITY, [6]uintptr{0, 0, 0xffffffec}, "setpriority"},
			{none, unix.SYS_SETPRIORITY, [6]uintptr{0, 0, 19}, ""},
			{all, unix.SYS_SETPRIORITY, [6]uintptr{0, 1, 19}, "setpriority"},
			{all, unix.SYS_SETPRIORITY, [6]uintptr{unix.PRIO_USER, 0, 19}, "setpriority"},
			{all, unix.SYS_SETPRIORITY, [6]uintptr{unix.PRIO_PGRP, 0, 19}, ""},
			{all, unix.SYS_PRLIMIT64, [6]uintptr{1}, "prlimit64"},
			{all, unix.SYS_PRLIMIT64, [6]uintptr{upper}, ""},
			{none, unix.SYS_PRLIMIT64, [6]uintptr{1}, "prlimit64"},
			{all, unix.SYS_IOPRIO_SET, [6]uintptr{1, 1}, "ioprio_set"},
			{all, unix.SYS_IOPRIO_SET, [6]uintptr{ioprioWhoUser}, "ioprio_set"},
			{all, unix.SYS_FCNTL, [6]uintptr{0, unix.F_SETOWN, 1}, "fcntl"},
			{all, unix.SYS_FCNTL, [6]uintptr{0, upper | unix.F_SETOWN_EX}, "fcntl"},
			{all, unix.SYS_FCNTL, [6]uintptr{0, unix.F_GETFL}, ""},
			{none, unix.SYS_FCNTL, [6]uintptr{0, unix.F_GETOWN}, ""},
			{none, unix.SYS_FCNTL, [6]uintptr{0, unix.F_SETLEASE}, "fcntl"},

			{"lasting", unix.SYS_FCHMOD, [6]uintptr{minus(1), upper | 0o4755}, "fchmod"},
			{"lasting", unix.SYS_FCHMOD, [6]uintptr{minus(1), 0o1777}, ""},
			{none, unix.SYS_FCHMOD, [6]uintptr{minus(1), 0o6755}, ""},
			{"lasting", unix.SYS_FCHMODAT, [6]uintptr{0, 0, 0o2755}, "fchmodat"},
			{"lasting", unix.SYS_FCHMODAT2, [6]uintptr{0, 0, 0o4000}, "fchmodat2"},
			{"lasting", unix.SYS_MKNODAT, [6]uintptr{0, 0, unix.S_IFREG | 0o4755}, "mknodat"},
			{"lasting", unix.SYS_OPENAT, [6]uintptr{0, 0, unix.O_WRONLY | unix.O_CREAT, upper | 0o4755}, "openat"},
			{"lasting", unix.SYS_OPENAT, [6]uintptr{0, 0, unix.O_WRONLY | unix.O_TMPFILE, 0o2755}, "openat"},
			{"lasting", unix.SYS_OPENAT, [6]uintptr{0, 0, unix.O_WRONLY | unix.O_CREAT, 0o755}, ""},
			{"lasting", unix.SYS_OPENAT, [6]uintptr{0, 0, unix.O_DIRECTORY, ^uintptr(0)}, ""}, // nobody reads the mode
			{none, unix.SYS_SOCKET, [6]uintptr{unix.AF_INET, unix.SOCK_STREAM}, ""},
			{none, unix.SYS_SENDTO, [6]uintptr{0, 0, 0, 0, 1}, ""},
			{"empty network", unix.SYS_SOCKET, [6]uintptr{unix.AF_INET, unix.SOCK_STREAM}, ""},
			{"empty network", unix.SYS_SOCKET, [6]uintptr{unix.AF_NETLINK, unix.SOCK_RAW}, ""},
			{"empty network", unix.SYS_SOCKET, [6]uintptr{unix.AF_UNIX, unix.SOCK_DGRAM}, ""},
			{"empty network", unix.SYS_SOCKET, [6]uintptr{unix.AF_VSOCK, unix.SOCK_STREAM}, "socket"},
			{"empty network", unix.SYS_SOCKET, [6]uintptr{upper | unix.AF_PACKET, unix.SOCK_RAW}, "socket"},
			{"empty network", unix.SYS_CONNECT, [6]uintptr{0, 1, 16}, ""},
			{all, unix.SYS_SOCKET, [6]uintptr{unix.AF_INET, unix.SOCK_STREAM}, ""},
			{all, unix.SYS_SOCKET, [6]uintptr{unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_MPTCP}, ""},
			{all, unix.SYS_SOCKET, [6]uintptr{unix.AF_INET, unix.SOCK_STREAM, upper | unix.IPPROTO_SCTP}, "socket"},
			{all, unix.SYS_SOCKET, [6]uintptr{unix.AF_INET, unix.SOCK_SEQPACKET}, "socket"}, // SCTP, too
			{all, unix.SYS_SENDMSG, [6]uintptr{0, 0, unix.MSG_FASTOPEN}, "sendmsg"},
			{all, unix.SYS_SENDMMSG, [6]uintptr{0, 0, 0, unix.MSG_FASTOPEN | unix.MSG_DONTWAIT}, "sendmmsg"},
			{all, unix.SYS_SENDMSG, [6]uintptr{0, 0, unix.MSG_DONTWAIT}, ""},
			{all, unix.SYS_SOCKET, [6]uintptr{upper | unix.AF_INET6, unix.SOCK_DGRAM}, "socket"},
			{all, unix.SYS_SOCKET, [6]uintptr{unix.AF_NETLINK, unix.SOCK_RAW}, "socket"},
			{all, unix.SYS_SOCKET, [6]uintptr{unix.AF_UNIX, unix.SOCK_STREAM | unix.SOCK_CLOEXEC}, ""},
			{all, unix.SYS_SOCKET, [6]uintptr{unix.AF_UNIX, unix.SOCK_DGRAM}, "socket"},
			{all, unix.SYS_SOCKET, [6]uintptr{unix.AF_UNIX, upper | unix.SOCK_RAW | unix.SOCK_NONBLOCK}, "socket"}, // datagrams, too
			{all, unix.SYS_SOCKETPAIR, [6]uintptr{unix.AF_UNIX, unix.SOCK_SEQPACKET}, ""},
			{all, unix.SYS_SOCKETPAIR, [6]uintptr{unix.AF_UNIX, unix.SOCK_DGRAM | unix.SOCK_CLOEXEC}, "socketpair"},
			{all, unix.SYS_SENDTO, [6]uintptr{}, ""},
			{all, unix.SYS_SENDTO, [6]uintptr{0, 0, 0, 0, 1}, "sendto"},
			{all, unix.SYS_SENDTO, [6]uintptr{0, 0, 0, 0, upper}, "sendto"},
		} {
			got := marked(t, uid, test.spec, []systemCall{{test.number, test.args}})[0]
			if got != test.refused {
				t.Errorf("%s: call %d with %#x was refused by %q, want %q", test.spec, test.number, test.args, got, test.refused)
			}
		}
	})
}

var filteredChild = child("filtered", func(args []string) (any, error) {
	if err := DropCapabilities(); err != nil {
		return nil, err
	}
	f := filterSpecs[args[0]]
	if _, err := Install(f); err != nil {
		return nil, err
	}
	wrong := map[string]string{}
	for _, r := range f.rules() {
		if len(r.when) > 0 { // it might be allowed
			continue
		}
		if errno := makeCall(systemCall{Number: r.number}); errno != r.refusal() {
			wrong[r.name] = errno.Error()
		}
	}
	for _, number := range []uintptr{newestCall + 1, 520, 521, 1 << 29, ^uintptr(0)} {
		if errno := makeCall(systemCall{Number: number}); errno != unix.ENOSYS {
			wrong[fmt.Sprint("call ", number)] = errno.Error()
		}
	}
	elsewhere := make(chan unix.Errno)
	go func() {
		elsewhere <- makeCall(systemCall{Number: unix.SYS_IO_URING_ENTER, Args: [6]uintptr{^uintptr(0)}})
	}()
	if errno := <-elsewhere; errno == unix.ENOSYS {
		wrong["another thread"] = "is filtered too"
	}
	return wrong, nil
})

// The errors are those that programs know how to take, what nobody could know does not exist, and other threads
// are free.
func TestInstallFilter(t *testing.T) {
	asUsers(t, func(t *testing.T, uid int) {
		for spec, f := range filterSpecs {
			if f.Notify || f.Signals {
				continue
			}
			for name, got := range inChild[map[string]string](t, uid, filteredChild, spec) {
				t.Errorf("%s: %s: %s", spec, name, got)
			}
		}
	})
}

var secondListenerChild = child("second listener", func([]string) (any, error) {
	if err := DropCapabilities(); err != nil {
		return nil, err
	}
	if _, err := install([]unix.SockFilter{answer(unix.SECCOMP_RET_ALLOW)}, true); err != nil {
		return nil, err
	}
	listener, err := Install(Spec{Notify: true, EmptyNamespace: true})
	if err != nil {
		return nil, err
	}
	return []int{listener, int(makeCall(systemCall{Number: unix.SYS_CHROOT}))}, nil
})

// Where somebody else has his calls reported already, ours are refused all the same.
func TestSecondListener(t *testing.T) {
	asUsers(t, func(t *testing.T, uid int) {
		if r := inChild[[]int](t, uid, secondListenerChild); r[0] != -1 || unix.Errno(r[1]) != unix.EPERM {
			t.Errorf("listener %d, chroot: %v", r[0], unix.Errno(r[1]))
		}
	})
}

var runFilteredChild = child("run filtered", func(args []string) (any, error) {
	if err := DropCapabilities(); err != nil {
		return nil, err
	}
	if _, err := Install(filterSpecs[args[0]]); err != nil {
		return nil, err
	}
	output, err := exec.Command(args[1], args[2:]...).CombinedOutput()
	if exit, ok := err.(*exec.ExitError); ok {
		return fmt.Sprintf("%s%s", output, exit.ProcessState), nil
	}
	return string(output), err
})

// compileC makes a program that all users can run.
func compileC(t *testing.T, text string, flags ...string) string {
	t.Helper()
	processtest.Need(t, "cc")
	dir := sharedDir(t)
	source, program := filepath.Join(dir, "program.c"), filepath.Join(dir, "program")
	write(t, source, text)
	if output, err := exec.Command("cc", append(flags, "-o", program, source)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return program
}

// A call by another architecture's numbers kills, since they mean something else there.
func TestFilterKillsForeignCalls(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("i386 and x32 are numbers of amd64")
	}
	i386 := compileC(t, `int main(void) { int r; __asm__ volatile("int $0x80" : "=a"(r) : "a"(20)); return r > 0 ? 0 : 7; }`) // getpid
	if err := exec.Command(i386).Run(); err != nil {
		t.Skip("this kernel has no calls of i386: ", err)
	}
	x32 := compileC(t, `#include <unistd.h>
int main(void) { return syscall(0x40000000 | 39) > 0 ? 0 : 7; }`)
	asUsers(t, func(t *testing.T, uid int) {
		for spec, f := range filterSpecs {
			if f.Notify || f.Signals {
				continue
			}
			for _, program := range []string{i386, x32} {
				if got := inChild[string](t, uid, runFilteredChild, spec, program); !strings.Contains(got, "bad system call") {
					t.Errorf("%s: %q", spec, got)
				}
			}
		}
	})
}
