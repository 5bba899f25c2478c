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
}

// uses says whether the program and all below it use more memory than that. What each process has of its own and what it
// shares is added up first, which counts twice what two processes share; only if that is too much, the kernel is asked for
// the proportions, which takes it a hundred times as long.
//
// Some memory stands in no process's own numbers: what is shared and was mapped and left, or never attached, and what waits in
// sockets. Files without a name, which lie nowhere (memfd), sealed programs do not get.
func (s *supervisor) uses(limit int64) bool {
	pids := s.below()
	var own, shared, files int64
	for _, pid := range pids {
		n := numbers(pid, "status", "RssAnon:", "VmPTE:", "RssShmem:", "FDSize:")
		own, shared, files = own+n[0]<<10+n[1]<<10, shared+n[2]<<10, files+n[3]
	}
	kept := s.written()
	inKernel := int64(0) // of System V
	if s.isolated() {
		inKernel = systemVMemory()
	}
	if s.isolated() && s.order.View.Profile == sandbox.Sealed && files*maxSocketMemory > limit/2 {
		kept += s.memory.inSockets()
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

// maxSocketMemory is what can wait in a Unix socket: twice net.core.wmem_max.
const maxSocketMemory = 2 * 212992

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
func systemVMemory() (sum int64) {
	text, _ := os.ReadFile("/proc/sysvipc/shm")
	for line := range bytes.Lines(text) {
		const resident = 14 // the column, in bytes
		if fields := bytes.Fields(line); len(fields) > resident {
			n, _ := strconv.ParseInt(string(fields[resident]), 10, 64)
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

// inSockets is what waits in all Unix sockets of this network namespace: the kernel tells it by sock_diag(7).
func (w *memoryWatch) inSockets() (sum int64) {
	if w.diagnosis == 0 {
		fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_SOCK_DIAG)
		if err != nil {
			fd = -1
		}
		w.diagnosis = fd
	}
	const (
		byFamily    = 20     // SOCK_DIAG_BY_FAMILY
		showMemory  = 1 << 5 // UDIAG_SHOW_MEMINFO
		memory      = 5      // UNIX_DIAG_MEMINFO
		header      = 16     // bytes of struct nlmsghdr, and of struct unix_diag_msg
		sentWaiting = 4 + 8  // of the attribute: its own header, then the third number, SK_MEMINFO_WMEM_ALLOC
	)
	request := make([]byte, header+24) // struct unix_diag_req
	binary.NativeEndian.PutUint32(request, uint32(len(request)))
	binary.NativeEndian.PutUint16(request[4:], byFamily)
	binary.NativeEndian.PutUint16(request[6:], unix.NLM_F_REQUEST|unix.NLM_F_DUMP)
	request[header] = unix.AF_UNIX
	binary.NativeEndian.PutUint32(request[header+4:], ^uint32(0)) // in all states
	binary.NativeEndian.PutUint32(request[header+12:], showMemory)
	if _, err := unix.Write(w.diagnosis, request); err != nil {
		return 0
	}
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
			for attributes := rest[2*header : length]; len(attributes) > sentWaiting+4; {
				size := int(binary.NativeEndian.Uint16(attributes))
				if binary.NativeEndian.Uint16(attributes[2:]) == memory {
					sum += int64(binary.NativeEndian.Uint32(attributes[sentWaiting:]))
				}
				attributes = attributes[min(max(4, (size+3)&^3), len(attributes)):]
			}
			rest = rest[min((length+3)&^3, len(rest)):]
		}
	}
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
