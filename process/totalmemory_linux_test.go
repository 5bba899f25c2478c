package process

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"luzhanqi/process/processtest"
	"luzhanqi/process/sandbox"
)

// needGroups skips a test where no part of cgroup v2 is delegated to this process, which a machine rarely does by itself:
//
//	systemd-run --user --scope -p Delegate=yes go test -exec … ./process
func needGroups(t testing.TB) {
	t.Helper()
	if _, err := memoryTree(); err != nil {
		t.Skip("no cgroup v2 is delegated to this process: ", err)
	}
}

// addUp lets the supervisor add up the memory of programs, for a test.
func addUp(t testing.TB) {
	t.Helper()
	why := errors.New("so wants a test")
	before := ungrouped.Swap(&why)
	t.Cleanup(func() { ungrouped.Store(before) })
}

// waysOfTotal runs a test for each way in which the memory of all processes of a program is limited.
func waysOfTotal(t *testing.T, test func(t *testing.T)) {
	t.Run("added up", func(t *testing.T) {
		addUp(t)
		test(t)
	})
	t.Run("by the kernel", func(t *testing.T) {
		needGroups(t)
		test(t)
		if why := ungrouped.Load(); why != nil {
			t.Error(*why)
		}
	})
}

// profiles are those that this machine has.
func profiles() []sandbox.Profile {
	if Isolation().Sealed() != nil {
		return slices.DeleteFunc(slices.Clone(sandbox.Profiles), func(p sandbox.Profile) bool { return p == sandbox.Sealed })
	}
	return sandbox.Profiles
}

// TestTotalMemory: what all processes use together is limited, and what they share counts once. It ends in the same words,
// whoever counts.
func TestTotalMemory(t *testing.T) {
	processtest.Need(t, "python3")
	const fork = "import os,time\nx=bytearray(40<<20)\nfor i in range(%d):\n  if os.fork()==0:\n    %s\n    time.sleep(0.6)\n    os._exit(0)\nfor i in range(%[1]d): os.wait()\n"
	waysOfTotal(t, func(t *testing.T) {
		for _, c := range []struct {
			name, script string
			exceeded     Limit
		}{
			{"shared", fmt.Sprintf(fork, 5, "pass"), NoLimit},
			{"own", fmt.Sprintf(fork, 5, "y=bytearray(40<<20)"), LimitTotal},
			{"one", "x=bytearray(200<<20)\nimport time\ntime.sleep(5)", LimitTotal},
			{"files", "open('/dev/shm/x','wb').write(bytes(100<<20))\nx=bytearray(80<<20)\nimport time\ntime.sleep(5)", LimitTotal},
		} {
			for _, profile := range profiles() {
				if c.name == "files" && profile == sandbox.Off {
					continue // they would stay there
				}
				t.Run(c.name+" "+string(profile), func(t *testing.T) {
					r := Run(t.Context(), Command{
						Args: []string{"python3", "-c", c.script}, Dir: t.TempDir(), Confine: Confinement{Total: 150 << 20},
						Sandbox: sandbox.Policy{Profile: profile},
					}, RunLimits{Time: 20 * time.Second})
					if r.Err != nil || r.Exit.Exceeded != c.exceeded || c.exceeded == NoLimit && !r.OK() {
						t.Errorf("%v, %v\n%v", r.Exit, r.Err, r.Stderr)
					}
					if c.exceeded != NoLimit && !strings.Contains(r.Exit.String(), "was killed for using more than 150 MiB of memory in all, its limit") {
						t.Errorf("in words: %v", r.Exit)
					}
				})
			}
		}
	})
}

// TestMemoryOfNoProcess: what a sealed program keeps where no process's own numbers show it counts, too; what it has only
// reserved does not.
func TestMemoryOfNoProcess(t *testing.T) {
	processtest.Need(t, "python3")
	if err := Isolation().Sealed(); err != nil {
		t.Skip(err)
	}
	const begin = "import ctypes,mmap,os,socket,sys,time\nN,M=200<<20,1<<20\n"
	const end = "\ntime.sleep(5)"
	// Until N bytes or more wait, at 768 bytes a message, or 2000 sockets are filled. Their writers close.
	const closed = "s=[]\nsent=0\ndef fill(kind,size):\n  global sent\n  while sent<N and len(s)<2000:\n    a,b=socket.socketpair(socket.AF_UNIX,kind)\n" +
		"    a.setsockopt(socket.SOL_SOCKET,socket.SO_SNDBUF,8*M)\n    a.setblocking(False)\n    s.append(b)\n" +
		"    try:\n      while sent<N: sent+=768+a.send(bytes(size))\n    except BlockingIOError: pass\n    a.close()\n"
	waysOfTotal(t, func(t *testing.T) {
		for name, c := range map[string]struct {
			script   string
			exceeded Limit
		}{
			"shared, and left": {"m=mmap.mmap(-1,N)\nfor i in range(0,N,M):\n  m[i:i+M]=bytes(M)\n  m.madvise(mmap.MADV_DONTNEED,i,M)" + end, LimitTotal},
			"shared by halves": {"ms=[mmap.mmap(-1,M) for i in range(200)]\nfor m in ms:\n  m[:]=bytes(M)\n  m.madvise(mmap.MADV_DONTNEED)\n  time.sleep(0.003)" + end, LimitTotal},
			"System V": {"c=ctypes.CDLL(None)\nc.shmat.restype=ctypes.c_void_p\nfor i in range(50):\n  p=c.shmat(c.shmget(0,4*M,0o1600),None,0)\n" +
				"  ctypes.memset(ctypes.c_void_p(p),1,4*M)\n  c.shmdt(ctypes.c_void_p(p))" + end, LimitTotal},
			"sockets": {"s=[]\nfor i in range(600):\n  s+=socket.socketpair()\n  for one in s[-2:]:\n    one.setsockopt(socket.SOL_SOCKET,socket.SO_SNDBUF,M)\n    one.setblocking(False)\n" +
				"    try:\n      while True: one.send(bytes(M))\n    except BlockingIOError: pass" + end, LimitTotal},
			"closed streams":                    {closed + "fill(socket.SOCK_STREAM,M//16)" + end, LimitTotal},
			"closed streams of bytes":           {closed + "N=110*M\nfill(socket.SOCK_STREAM,1)" + end, LimitTotal},
			"closed sequences":                  {closed + "fill(socket.SOCK_SEQPACKET,M//16)" + end, LimitTotal},
			"closed sequences of empty packets": {closed + "N=110*M\nfill(socket.SOCK_SEQPACKET,0)" + end, LimitTotal},
			"closed writers of datagrams": {"s=[]\nfor i in range(120):\n  s.append(socket.socket(socket.AF_UNIX,socket.SOCK_DGRAM))\n  s[-1].bind('')\n  for j in range(11):\n" +
				"    a=socket.socket(socket.AF_UNIX,socket.SOCK_DGRAM)\n    a.sendto(bytes(M//8),s[-1].getsockname())\n    a.close()" + end, LimitTotal},
			"few closed sockets": {closed + "N=3<<20\nfor i in range(40):\n  a,b=socket.socketpair()\n  a.send(bytes(1000))\n  a.close()\n  s.append(b)\n" +
				"for i in range(200): s.append(socket.socketpair()[0])\nfill(socket.SOCK_SEQPACKET,M//16)\ns.append(socket.socketpair(socket.AF_UNIX,socket.SOCK_DGRAM))\ntime.sleep(0.2)", NoLimit},
			"datagram pairs": {"s=[socket.socket(socket.AF_UNIX,socket.SOCK_DGRAM)]\nfor i in range(10): s+=socket.socketpair(socket.AF_UNIX,socket.SOCK_DGRAM)\ntime.sleep(0.2)", NoLimit},
			"answers by netlink": {"s=[]\nfor i in range(1000):\n  a=socket.socket(socket.AF_NETLINK,socket.SOCK_RAW,0)\n  a.setblocking(False)\n  s.append(a)\n" +
				"  for j in range(4): a.send((60000).to_bytes(4,'little')+bytes([15,39,5,0])+bytes(59992))" + end, LimitTotal},
			"many files": {"s=[os.open('/dev/null',0) for i in range(17000)]" + end, LimitTotal},
			"some files": {"s=[os.open('/dev/null',0) for i in range(250)]\nfor i in range(85): os.posix_spawn('/bin/sleep',['sleep','0.3'],{})\ntime.sleep(0.2)", NoLimit},
			"no filters of sockets": {"a=socket.socket(socket.AF_UNIX)\nb=ctypes.create_string_buffer(b'\\6\\0\\0\\0\\0\\0\\0\\1')\n" +
				"a.setsockopt(socket.SOL_SOCKET,26,bytes([1,0,0,0,0,0,0,0])+ctypes.addressof(b).to_bytes(8,'little'))\nimport struct\nn=ctypes.c_uint(0)\n" +
				"if ctypes.CDLL(None).getsockopt(a.fileno(),1,26,None,ctypes.byref(n))!=0 or n.value: sys.exit('it has one of %d' % n.value)", NoLimit},
			"page tables": {"m=mmap.mmap(-1,N<<9,mmap.MAP_PRIVATE,mmap.PROT_READ)\nfor i in range(0,N<<9,2*M): m[i]" + end, LimitTotal},
			"no memfd":    {"try: os.memfd_create('x')\nexcept OSError: pass\nelse: sys.exit('it has one')", NoLimit},
			"no splice":   {"r,w=os.pipe()\nopen('x','w').write('x')\nfd=os.open('x',0)\ntry: os.splice(fd,w,1)\nexcept OSError: pass\nelse: sys.exit('it splices')", NoLimit},
			"no sendfile": {"r,w=os.pipe()\nopen('x','w').write('x')\nfd=os.open('x',0)\ntry: os.sendfile(w,fd,0,1)\nexcept OSError: pass\nelse: sys.exit('it sends')", NoLimit},
			"no vmsplice": {"r,w=os.pipe()\nb=ctypes.create_string_buffer(8)\nv=(ctypes.c_size_t*2)(ctypes.addressof(b),8)\nif ctypes.CDLL(None).vmsplice(w,v,1,0)!=-1: sys.exit('it splices')", NoLimit},
			"no access lists": {"c=ctypes.CDLL(None)\nfd=os.open('/dev/shm/x',os.O_CREAT|os.O_RDWR)\nfor how in (lambda: c.setxattr(b'/dev/shm/x',b'user.x',b'x',1,0), lambda: c.lsetxattr(b'/dev/shm/x',b'user.x',b'x',1,0),\n" +
				"    lambda: c.fsetxattr(fd,b'user.x',b'x',1,0), lambda: c.syscall(463,fd,b'',0x1000,b'user.x',(ctypes.c_uint64*2)(ctypes.addressof(ctypes.create_string_buffer(b'x')),1),ctypes.c_size_t(16))):\n" +
				"  if how()!=-1: sys.exit('it has one')", NoLimit},
			"no inotify":         {"c=ctypes.CDLL(None)\nif c.inotify_init()!=-1 or c.inotify_init1(0)!=-1: sys.exit('it has one')", NoLimit},
			"no System V queues": {"c=ctypes.CDLL(None)\nif c.semget(0,1,0o600)!=-1 or c.msgget(0,0o600)!=-1: sys.exit('it has one')", NoLimit},
			"no own netlink":     {"try: socket.socket(socket.AF_NETLINK,socket.SOCK_RAW,2)\nexcept OSError: pass\nelse: sys.exit('it has one')", NoLimit},
			"reserved":           {"m=mmap.mmap(-1,N)\nm[0]=1\ntime.sleep(0.2)", NoLimit},
		} {
			t.Run(name, func(t *testing.T) {
				r := Run(t.Context(), Command{
					Args: []string{"python3", "-c", begin + c.script}, Dir: t.TempDir(), Confine: Confinement{Total: 100 << 20},
					Sandbox: sandbox.Policy{Profile: sandbox.Sealed},
				}, RunLimits{Time: 20 * time.Second})
				if r.Err != nil || r.Exit.Exceeded != c.exceeded || c.exceeded == NoLimit && (!r.OK() || r.Exit.Refused != nil) {
					t.Errorf("%v, %v, refused %v\n%v", r.Exit, r.Err, r.Exit.Refused, r.Stderr)
				}
			})
		}
	})
}

// TestForkBombWithTotalMemory: who has too many threads is killed for that, also where the kernel makes no more of them soon
// after.
func TestForkBombWithTotalMemory(t *testing.T) {
	waysOfTotal(t, func(t *testing.T) {
		for _, name := range []string{"bomb", "bomb in sessions", "threads"} {
			ends(t, name, Confinement{Total: 1 << 30, Threads: 20}, LimitThreads, "was killed for using more than 20 threads at once, its limit")
		}
	})
}

// BenchmarkTotalOvershoot is how much more than 256 MiB programs have touched when all are dead, that take memory as fast as
// they can: one with a thread for each processor, and eight processes.
func BenchmarkTotalOvershoot(b *testing.B) {
	const total = 256 << 20
	measure := func(b *testing.B) {
		for _, processes := range []int{1, 8} {
			b.Run(fmt.Sprint(processes, " processes"), func(b *testing.B) {
				var over []float64
				for b.Loop() {
					file := filepath.Join(b.TempDir(), "touched")
					if err := os.WriteFile(file, make([]byte, 8), 0o600); err != nil {
						b.Fatal(err)
					}
					r := Run(b.Context(), roleCommand("grow", Confinement{Total: total}, "FORKED="+file, fmt.Sprint("GROW=", processes)), RunLimits{Time: time.Minute})
					if r.Err != nil || r.Exit.Exceeded != LimitTotal {
						b.Fatal(r.Exit, r.Err, r.Stderr)
					}
					text, err := os.ReadFile(file)
					if err != nil {
						b.Fatal(err)
					}
					over = append(over, (float64(binary.NativeEndian.Uint64(text))*4096-total)/(1<<20))
				}
				b.ReportMetric(median(over), "MiB-over")
				b.ReportMetric(slices.Max(over), "MiB-over-max")
			})
		}
	}
	b.Run("added up", func(b *testing.B) {
		addUp(b)
		measure(b)
	})
	b.Run("by the kernel", func(b *testing.B) {
		needGroups(b)
		measure(b)
	})
}
