package process

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"luzhanqi/process/sandbox"
)

// A memoryWatch adds up what the program and all below it use, where the kernel does not limit that.
type memoryWatch struct {
	lowest    int64 // bytes shared on all of the machine: the fewest that were seen
	looked    int64 // what there could be at most when mappings were read
	diagnosis int   // socket by which the kernel tells of Unix sockets; 0: none yet, -1: none
	looks     int   // at what waits in sockets
	waits     int64 // in them, at the last of these
	writer    int64 // what one writer of a Unix socket can have waiting at most
}

// uses says whether the program and all below it use more memory than that. What each process has of its own and what it
// shares is added up first, which counts twice what two processes share; only if that is too much, the kernel is asked for
// the proportions, which takes it a hundred times as long.
//
// Some memory stands in no process's own numbers: what is shared and was mapped and left, or never attached, what waits in
// sockets, and what the kernel keeps for open files. Files without a name, which lie nowhere (memfd), sealed programs do not get.
func (s *supervisor) uses(limit int64) bool {
	pids := s.below()
	var own, shared, files int64
	for _, pid := range pids {
		n := numbers(pid, "status", "RssAnon:", "VmPTE:", "RssShmem:", "FDSize:")
		own, shared = own+n[0]<<10+n[1]<<10, shared+n[2]<<10
		files += max(0, n[3]-unsuspectedFiles) * perFile
	}
	kept := s.written()
	inKernel := int64(0) // of System V
	if s.isolated() {
		inKernel = systemVMemory()
	}
	if s.isolated() && s.order.View.Profile == sandbox.Sealed {
		kept += s.memory.waiting(limit) + files
	}
	grown := s.memory.grown()
	enough := own+shared+kept+inKernel <= limit
	if enough && !s.memory.news(own+kept+grown, limit) {
		return false
	}
	mapped := sharedMappings(pids)
	if !enough {
		own, shared = 0, 0
		for _, pid := range pids {
			n := numbers(pid, "smaps_rollup", "Pss_Anon:", "Pss_Shmem:")
			own, shared = own+n[0]<<10+numbers(pid, "status", "VmPTE:")[0]<<10, shared+n[1]<<10
		}
	}
	// What is mapped need not be there, but no more of it can be than the machine's shared memory has grown by.
	return own+max(shared, inKernel+min(mapped, grown))+kept > limit
}

// What the kernel keeps for a file is told by nothing. A pipe takes the most, 10 KiB with a byte in it, as 20,000 files showed. Few
// honest programs have more than 256 files in a process, which is also what FDSize says of those with 65.
const (
	perFile          = 5 << 10
	unsuspectedFiles = 256
)

// grown is by how much the shared memory of the whole machine has grown, the disks of programs among it.
func (w *memoryWatch) grown() int64 {
	var machine unix.Sysinfo_t
	if unix.Sysinfo(&machine) != nil {
		return 0
	}
	now := int64(machine.Sharedram) * int64(machine.Unit)
	if w.lowest == 0 || now < w.lowest {
		w.lowest = now
	}
	return now - w.lowest
}

// news says whether mappings are to be read: there could be too much, and more than when they were last read. Others of the
// machine can make it so, and must not cost this program its processor.
func (w *memoryWatch) news(most, limit int64) bool {
	w.looked = min(w.looked, most)
	if most <= limit || most-w.looked <= limit/16 {
		return false
	}
	w.looked = most
	return true
}

// systemVMemory is what this namespace has of it, attached or not.
func systemVMemory() int64 { return column("/proc/sysvipc/shm", 14) }

// column is the sum of the numbers of a column, from 0, of a table that the kernel writes.
func column(table string, number int) (sum int64) {
	text, _ := os.ReadFile(table)
	for line := range bytes.Lines(text) {
		if fields := bytes.Fields(line); len(fields) > number {
			n, _ := strconv.ParseInt(string(fields[number]), 10, 64)
			sum += n
		}
	}
	return sum
}

// sharedMappings are the sizes of what processes share by mappings without a file that has a name.
func sharedMappings(pids []int) (sum int64) {
	ends := map[string]int64{} // of what there is, by its number
	for _, pid := range pids {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
		for line := range bytes.Lines(text) {
			if !bytes.Contains(line, []byte("s ")) || !bytes.Contains(line, []byte("/dev/zero")) && !bytes.Contains(line, []byte("/memfd:")) {
				continue
			}
			var from, to, offset int64
			var rights, device, number string
			fmt.Sscanf(string(line), "%x-%x %s %x %s %s", &from, &to, &rights, &offset, &device, &number)
			if strings.HasSuffix(rights, "s") {
				ends[number] = max(ends[number], offset+to-from)
			}
		}
	}
	for _, end := range ends {
		sum += end
	}
	return sum
}

// waiting is inSockets, which takes as long as the numbers of one more process (0.04 ms): so it is asked for at every fourth look,
// and at every look once a sixteenth of the limit waits.
func (w *memoryWatch) waiting(limit int64) int64 {
	if w.looks++; w.looks%4 == 1 || w.waits > limit/16 {
		w.waits = w.inSockets() + inNetlink()
	}
	return w.waits
}

// inSockets is what waits in all Unix sockets of this network namespace: the kernel tells it by sock_diag(7).
//
// What waits is on the account of its writer. A writer that was closed is told no more, so its reader is charged with the most
// that there can be. One writer has two send buffers' worth at most, as the last message may begin where one is almost full. A send
// buffer has net.core.wmem_default, 208 KiB: sealed programs cannot make it larger. A socket itself takes 1 KiB and more.
//   - The reader of a stream knows that its writer has gone, and how many bytes wait. A message of one byte takes 768 bytes, and
//     64 KiB the one that was read in part.
//   - The reader of a sequence of packets knows the first, too; but messages without a byte wait as well.
//   - A reader of datagrams has as many writers as it keeps messages: one more than net.unix.max_dgram_qlen, which is 10 in every
//     new namespace, and all of the one it is connected to. Nothing tells whether any wait.
//
// Honest programs have few of the last two kinds, if any. So the first of these are charged only with the bytes that they tell of:
// a program can hide what four readers of datagrams hold.
func (w *memoryWatch) inSockets() (sum int64) {
	if w.diagnosis == 0 {
		w.diagnosis, w.writer = openDiagnosis()
	}
	const (
		byFamily    = 20          // SOCK_DIAG_BY_FAMILY
		show        = 1<<4 | 1<<5 // UDIAG_SHOW_RQLEN, UDIAG_SHOW_MEMINFO
		header      = 16          // bytes of struct nlmsghdr, and of struct unix_diag_msg
		unsuspected = 4
	)
	request := make([]byte, header+24) // struct unix_diag_req
	binary.NativeEndian.PutUint32(request, uint32(len(request)))
	binary.NativeEndian.PutUint16(request[4:], byFamily)
	binary.NativeEndian.PutUint16(request[6:], unix.NLM_F_REQUEST|unix.NLM_F_DUMP)
	request[header] = unix.AF_UNIX
	binary.NativeEndian.PutUint32(request[header+4:], ^uint32(0)) // in all states
	binary.NativeEndian.PutUint32(request[header+12:], show)
	if _, err := unix.Write(w.diagnosis, request); err != nil {
		return 0
	}
	readers := 0 // of which it is not known what waits
	for answer := make([]byte, 32<<10); ; {
		n, err := unix.Read(w.diagnosis, answer)
		if err != nil {
			return sum
		}
		for rest := answer[:n]; len(rest) >= header; {
			length := int(binary.NativeEndian.Uint32(rest))
			if kind := binary.NativeEndian.Uint16(rest[4:]); kind != byFamily || length < 2*header || length > len(rest) {
				return sum // NLMSG_DONE, or an error
			}
			sent, unread, ended := socketState(rest[2*header : length])
			sum += 1<<10 + sent
			switch kind := rest[header+1]; {
			case kind == unix.SOCK_STREAM && ended && unread > 0:
				sum += min(64<<10+unread*768, w.writer)
			case kind == unix.SOCK_SEQPACKET && ended, kind == unix.SOCK_DGRAM:
				if readers++; readers <= unsuspected {
					sum += unread
				} else if kind == unix.SOCK_DGRAM {
					sum += 12 * w.writer
				} else {
					sum += w.writer
				}
			}
			rest = rest[min((length+3)&^3, len(rest)):]
		}
	}
}

// inNetlink is what the kernel has answered by netlink and nobody has read: up to 208 KiB a socket, as it repeats what it refuses.
func inNetlink() int64 { return column("/proc/self/net/netlink", 4) }

// openDiagnosis is a socket to ask by, and the most that one writer of a Unix socket can have waiting.
func openDiagnosis() (fd int, writer int64) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return -1, 0
	}
	// Its own buffer has the size that all have at first, which has no file in namespaces of older kernels.
	buffer, _ := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_SNDBUF)
	return fd, 2 * int64(buffer)
}

// socketState is what the attributes in an answer tell of a Unix socket: the memory of what it has sent and nobody has read, the
// bytes that it has not read itself, and whether no more will come.
func socketState(attributes []byte) (sent, unread int64, ended bool) {
	const (
		queues, memory, shutdown = 4, 5, 6 // UNIX_DIAG_RQLEN, UNIX_DIAG_MEMINFO, UNIX_DIAG_SHUTDOWN
		header                   = 4
		sentWaiting              = header + 8 // the third number, SK_MEMINFO_WMEM_ALLOC
		receive                  = 1          // RCV_SHUTDOWN
	)
	for len(attributes) > header {
		size := int(binary.NativeEndian.Uint16(attributes))
		if size < header || size > len(attributes) {
			break
		}
		switch kind := binary.NativeEndian.Uint16(attributes[2:]); {
		case kind == queues && size >= header+4:
			unread = int64(binary.NativeEndian.Uint32(attributes[header:]))
		case kind == memory && size >= sentWaiting+4:
			sent = int64(binary.NativeEndian.Uint32(attributes[sentWaiting:]))
		case kind == shutdown && size > header:
			ended = attributes[header]&receive != 0
		}
		attributes = attributes[min((size+3)&^3, len(attributes)):]
	}
	return sent, unread, ended
}

// written is what the program has put on the private disk, which is in memory.
func (s *supervisor) written() int64 {
	if s.inside == nil {
		return 0
	}
	bytes, _, _ := s.inside.Written(s.order.View)
	return bytes
}

// numbers are those behind some names in a file of /proc/PID; of a process that is gone, 0.
func numbers(pid int, file string, names ...string) [4]int64 {
	var all [4]int64
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
	for line := range bytes.Lines(text) {
		name, rest, _ := bytes.Cut(line, []byte(":"))
		for i, wanted := range names {
			if len(name)+1 == len(wanted) && string(name) == wanted[:len(name)] {
				digits, _, _ := bytes.Cut(bytes.TrimSpace(rest), []byte(" "))
				all[i], _ = strconv.ParseInt(string(digits), 10, 64)
			}
		}
	}
	return all
}
