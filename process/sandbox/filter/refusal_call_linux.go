package filter

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/netip"
	"strings"

	"golang.org/x/sys/unix"

	"luzhanqi/text"
)

// call is a system call whose caller waits.
type call struct {
	notification seccompNotification
	listener     int
}

// finding is what a call was to do, and the answer to it.
type finding struct {
	detail   string // one printable line
	errno    unix.Errno
	harmless func() bool // refused, but not reported: libraries try it; nil: never
	// goOn lets the kernel decide. The caller can by then have put something else where its arguments point, so
	// it is only for calls that the kernel refuses, or that are harmless, whatever they point to.
	goOn bool
}

func (c *call) look(r rule) finding {
	if r.look == nil {
		return finding{errno: r.refusal()}
	}
	f := r.look(c)
	if f.errno == 0 {
		f.errno = r.refusal()
	}
	return f
}

// says makes words of a call's arguments.
func says(words func(c *call) string) func(c *call) finding {
	return func(c *call) finding { return finding{detail: words(c)} }
}

// texts are arguments that point to text, such as paths.
func texts(arguments ...int) func(c *call) finding {
	return says(func(c *call) string {
		var all []string
		for _, i := range arguments {
			if c.arg(i) != 0 {
				all = append(all, c.text(i))
			}
		}
		return strings.Join(all, ", ")
	})
}

// format writes arguments that are numbers of 32 bits into a format.
func format(format string, arguments ...int) func(c *call) finding {
	return says(func(c *call) string {
		var all []any
		for _, i := range arguments {
			all = append(all, c.int(i))
		}
		return fmt.Sprintf(format, all...)
	})
}

// named is an argument of 32 bits, by its name.
func named(argument int, names map[uint32]string) func(c *call) finding {
	return says(func(c *call) string { return nameOf(uint32(c.arg(argument)), names) })
}

func nameOf(value uint32, names map[uint32]string) string {
	if name, ok := names[value]; ok {
		return name
	}
	return fmt.Sprintf("%#x", value)
}

// flags are the bits of an argument that have a name.
func flags(argument int, names []namedBits) func(c *call) finding {
	return says(func(c *call) string {
		var set []string
		for _, f := range names {
			if uint32(c.arg(argument))&f.bits != 0 {
				set = append(set, f.name)
			}
		}
		return strings.Join(set, ", ")
	})
}

type namedBits struct {
	bits uint32
	name string
}

func (c *call) arg(i int) uint64 { return c.notification.Data.Args[i] }

func (c *call) int(i int) int32 { return int32(c.arg(i)) }

// maxArgument is how many bytes of a text are read, so that two fit into a detail.
const maxArgument = 80

// unreadable stands for what an argument points to if that cannot be read.
const unreadable = "(unreadable)"

// text is the text that an argument points to, quoted.
func (c *call) text(i int) string {
	buffer := make([]byte, maxArgument+1)
	read := c.read(c.arg(i), buffer)
	if len(read) == 0 {
		return unreadable
	}
	if end := bytes.IndexByte(read, 0); end >= 0 {
		read = read[:end]
	}
	return text.Quote(string(read), maxArgument)
}

// read reads the caller's memory, as far as there is any.
func (c *call) read(at uint64, into []byte) []byte {
	if c.notification.PID == 0 || len(into) == 0 {
		return nil
	}
	local := []unix.Iovec{{Base: &into[0]}}
	local[0].SetLen(len(into))
	remote := []unix.RemoteIovec{{Base: uintptr(at), Len: len(into)}}
	n, err := unix.ProcessVMReadv(int(c.notification.PID), local, remote, 0)
	if err != nil {
		return nil
	}
	return into[:n]
}

// address is a socket's address that an argument points to; the length is in the argument after it.
type address struct {
	family uint16
	port   netip.AddrPort // of IPv4 and IPv6
	unix   string         // of a Unix socket, in words
	path   string         // of a Unix socket in the file system
}

// address is false if the address cannot be read.
func (c *call) address(i int) (address, bool) {
	const longest = 128 // struct sockaddr_storage
	return parseAddress(c.read(c.arg(i), make([]byte, min(max(c.int(i+1), 0), longest))))
}

func parseAddress(b []byte) (a address, ok bool) {
	if len(b) < 2 {
		return address{}, false
	}
	a.family = binary.NativeEndian.Uint16(b)
	rest := b[2:]
	switch {
	case a.family == unix.AF_INET && len(rest) >= 6:
		a.port = netip.AddrPortFrom(netip.AddrFrom4([4]byte(rest[2:6])), binary.BigEndian.Uint16(rest))
	case a.family == unix.AF_INET6 && len(rest) >= 22:
		a.port = netip.AddrPortFrom(netip.AddrFrom16([16]byte(rest[6:22])).Unmap(), binary.BigEndian.Uint16(rest))
	case a.family == unix.AF_UNIX && len(rest) > 0 && rest[0] == 0:
		a.unix = "abstract Unix socket " + text.Quote(string(rest[1:]), maxArgument)
	case a.family == unix.AF_UNIX:
		path, _, _ := bytes.Cut(rest, []byte{0})
		a.path = string(path)
		a.unix = "Unix socket " + text.Quote(a.path, maxArgument)
	}
	return a, true
}

// String is the address alone.
func (a address) String() string {
	switch {
	case a.unix != "":
		return a.unix
	case a.port.IsValid():
		return a.port.String()
	}
	return "an address of " + nameOf(uint32(a.family), families)
}

// protocol is what a descriptor of the caller speaks, such as TCP; "" if that cannot be found out.
func (c *call) protocol(i int) string {
	const threadToo = unix.O_EXCL // PIDFD_THREAD, from Linux 6.9 on; without it, only a first thread is found
	pid := int(c.notification.PID)
	process, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		if process, err = unix.PidfdOpen(pid, threadToo); err != nil {
			return ""
		}
	}
	defer unix.Close(process)
	socket, err := unix.PidfdGetfd(process, int(c.int(i)), 0)
	if err != nil {
		return ""
	}
	defer unix.Close(socket)
	kind, err := unix.GetsockoptInt(socket, unix.SOL_SOCKET, unix.SO_TYPE)
	if err != nil {
		return ""
	}
	protocol, _ := unix.GetsockoptInt(socket, unix.SOL_SOCKET, unix.SO_PROTOCOL)
	return protocolName(kind, protocol)
}

func protocolName(kind, protocol int) string {
	switch {
	case protocol == unix.IPPROTO_MPTCP:
		return "MPTCP"
	case kind == unix.SOCK_STREAM && (protocol == 0 || protocol == unix.IPPROTO_TCP):
		return "TCP"
	case kind == unix.SOCK_DGRAM && (protocol == 0 || protocol == unix.IPPROTO_UDP):
		return "UDP"
	case kind == unix.SOCK_DGRAM && (protocol == unix.IPPROTO_ICMP || protocol == unix.IPPROTO_ICMPV6):
		return "ping"
	case kind == unix.SOCK_RAW:
		return "raw"
	}
	return fmt.Sprintf("protocol %d", protocol)
}
