package process

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Programs that the tests run: this test binary with PROCESS_TEST_ROLE set.

// role starts this binary in a role.
func role(t testing.TB, name string, confine Confinement, env ...string) *Process {
	t.Helper()
	p, err := Start(roleCommand(name, confine, env...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Stop(0) })
	return p
}

func roleCommand(name string, confine Confinement, env ...string) Command {
	return Command{
		Args:    []string{os.Args[0]},
		Env:     append([]string{"PROCESS_TEST_ROLE=" + name}, env...),
		Confine: confine,
	}
}

// play does not return.
func play(role string) {
	switch role {
	case "bomb":
		bomb(0)
	case "bomb in sessions":
		bomb(inSession)
	case "comet":
		comet()
	case "threads":
		breedThreads()
	case "hog":
		hog()
	case "grow":
		grow()
	case "burn":
		burn()
	case "burn on":
		signal.Ignore(syscall.SIGXCPU)
		burn()
	case "processors":
		printProcessors()
	default:
		fmt.Println("unknown role", role)
	}
	os.Exit(0)
}

const inSession = 1

// What a bomb does at most, should nobody stop it.
const (
	bombSize = 1500
	bombLife = 10 * time.Second
)

// forked counts in the file $FORKED what a bomb has made. A forked child of a Go process may do
// nothing but raw system calls, so the count is in memory that all of them share.
func forked() *atomic.Int64 {
	file, err := os.OpenFile(os.Getenv("FORKED"), os.O_RDWR, 0)
	if err == nil {
		var b []byte
		if b, err = unix.Mmap(int(file.Fd()), 0, 8, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err == nil {
			return (*atomic.Int64)(unsafe.Pointer(&b[0]))
		}
	}
	fmt.Println(err)
	os.Exit(1)
	return nil
}

//go:norace
func bomb(way int) {
	made := forked()
	runtime.LockOSThread()
	end := time.Now().Add(bombLife).Unix()
	fmt.Println("bomb")
	var now unix.Timespec
	for made.Add(1) < bombSize {
		if pid, _, errno := syscall.RawSyscall6(syscall.SYS_CLONE, uintptr(syscall.SIGCHLD), 0, 0, 0, 0, 0); errno == 0 && pid == 0 {
			if way == inSession {
				syscall.RawSyscall(syscall.SYS_SETSID, 0, 0, 0)
				if pid, _, errno := syscall.RawSyscall6(syscall.SYS_CLONE, uintptr(syscall.SIGCHLD), 0, 0, 0, 0, 0); errno == 0 && pid != 0 {
					syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0) // the grandchild is an orphan
				}
				syscall.RawSyscall(syscall.SYS_SETSID, 0, 0, 0)
			}
		}
	}
	for now.Sec < end {
		syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, unix.CLOCK_REALTIME, uintptr(unsafe.Pointer(&now)), 0)
		pause := unix.Timespec{Nsec: 1e7}
		syscall.RawSyscall(syscall.SYS_NANOSLEEP, uintptr(unsafe.Pointer(&pause)), 0, 0)
	}
	syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0)
}

// comet is one process that changes its id and its session all the time; its first one lives on.
//
//go:norace
func comet() {
	made := forked()
	runtime.LockOSThread()
	end := time.Now().Add(bombLife).Unix()
	fmt.Println("comet")
	if pid, _, _ := syscall.RawSyscall6(syscall.SYS_CLONE, uintptr(syscall.SIGCHLD), 0, 0, 0, 0, 0); pid != 0 {
		time.Sleep(bombLife)
		os.Exit(0)
	}
	var now unix.Timespec
	for now.Sec < end {
		syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, unix.CLOCK_REALTIME, uintptr(unsafe.Pointer(&now)), 0)
		syscall.RawSyscall(syscall.SYS_SETSID, 0, 0, 0)
		if pid, _, errno := syscall.RawSyscall6(syscall.SYS_CLONE, uintptr(syscall.SIGCHLD), 0, 0, 0, 0, 0); errno == 0 && pid != 0 {
			break
		}
		made.Add(1)
	}
	syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0)
}

// breedThreads makes threads until it is stopped or has a thousand.
func breedThreads() {
	makeThreads(1000)
	time.Sleep(bombLife)
}

// makeThreads makes threads that do nothing.
func makeThreads(n int) {
	var made sync.WaitGroup
	for range n {
		made.Add(1)
		go func() {
			runtime.LockOSThread()
			made.Done()
			unix.Pause()
		}()
	}
	made.Wait()
}

// grow touches memory as fast as it can, and counts the pages in the file $FORKED: a thread for each processor, or $GROW
// processes.
func grow() {
	touched := forked()
	threads := runtime.NumCPU()
	if n, _ := strconv.Atoi(os.Getenv("GROW")); n > 1 {
		threads = 1
		for range n - 1 {
			c := exec.Command(os.Args[0])
			c.Env = append(os.Environ(), "GROW=1", "GOMAXPROCS=1")
			if err := c.Start(); err != nil {
				fmt.Println(err)
			}
		}
	}
	if os.Getenv("GOMAXPROCS") == "1" {
		threads = 1
	}
	for range threads {
		go func() {
			const size = 4 << 30 // address space: more than is ever touched
			b, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_NORESERVE)
			if err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
			for i := 0; i < len(b); i += 4096 {
				b[i] = 1
				touched.Add(1)
			}
		}()
	}
	time.Sleep(bombLife)
}

// burn uses its processor until it is stopped, or has used it for the life of a bomb.
func burn() {
	var used unix.Rusage
	for used.Utime.Sec < int64(bombLife.Seconds()) {
		unix.Getrusage(unix.RUSAGE_SELF, &used)
	}
}

// hog uses 384 MiB.
func hog() {
	var all [][]byte
	for range 24 {
		block := make([]byte, 16<<20)
		for i := 0; i < len(block); i += 4096 {
			block[i] = 1
		}
		all = append(all, block)
	}
	fmt.Println(len(all))
}

// printProcessors prints which processors each of its threads may use.
func printProcessors() {
	makeThreads(5)
	defer time.Sleep(bombLife)
	defer os.Stdout.Close()
	files, _ := filepath.Glob("/proc/self/task/*/status")
	for _, file := range files {
		text, _ := os.ReadFile(file)
		_, rest, _ := strings.Cut(string(text), "Cpus_allowed_list:")
		line, _, _ := strings.Cut(rest, "\n")
		fmt.Println(strings.TrimSpace(line))
	}
}
