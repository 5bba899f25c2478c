package filter

import (
	"golang.org/x/sys/unix"
)

// families of sockets that a program may know.
var families = map[uint32]string{
	unix.AF_UNSPEC: "no family", unix.AF_UNIX: "Unix", unix.AF_INET: "IPv4", unix.AF_INET6: "IPv6", unix.AF_NETLINK: "netlink",
	unix.AF_PACKET: "packet", unix.AF_VSOCK: "vsock", unix.AF_ALG: "alg", unix.AF_BLUETOOTH: "Bluetooth", unix.AF_CAN: "CAN",
	unix.AF_TIPC: "TIPC", unix.AF_XDP: "XDP", unix.AF_RDS: "RDS", unix.AF_SMC: "SMC", unix.AF_KEY: "key", unix.AF_QIPCRTR: "qipcrtr",
}

// lookAtSocket says what kind of socket was to be made. Netlink is how libraries list a machine's addresses.
func lookAtSocket(c *call) finding {
	family, kind, protocol := uint32(c.arg(0)), int(c.int(1)&0xf), int(c.int(2))
	detail := nameOf(family, families)
	switch {
	case family == unix.AF_INET || family == unix.AF_INET6:
		detail += " " + protocolName(kind, protocol)
	case kind == unix.SOCK_DGRAM:
		detail += " datagram"
	}
	return finding{detail: detail + " socket", harmless: func() bool { return family == unix.AF_NETLINK }}
}

// lookAtAddress is what an address was wanted for; port 0 is what name resolution sorts addresses by, and what a
// socket is bound to that shall have any port: nothing is reached.
func lookAtAddress(argument int, purpose string) func(c *call) finding {
	return func(c *call) finding {
		a, ok := c.address(argument)
		if !ok {
			return finding{detail: "an address that cannot be read"}
		}
		f := finding{detail: a.String()}
		if a.port.IsValid() {
			f.detail = purpose + f.detail
			if protocol := c.protocol(0); protocol != "" {
				f.detail = protocol + " " + f.detail
			}
			if a.port.Port() == 53 {
				f.detail += ", where names are looked up"
			}
		}
		f.harmless = func() bool {
			// The C library asks a daemon for users and groups, if there is one.
			daemon := a.path == "/var/run/nscd/socket" || a.path == "/run/nscd/socket"
			return daemon || a.port.IsValid() && a.port.Port() == 0
		}
		return f
	}
}

// inEmptyNetwork lets the kernel decide about what is harmless in a network namespace that has nothing in it:
// Unix sockets between the program's own processes, the questions of libraries, and what [lookAtAddress] says.
// Whatever the address turns into, nothing else is there to be reached.
func inEmptyNetwork(argument int, purpose string) func(c *call) finding {
	look := lookAtAddress(argument, purpose)
	return func(c *call) finding {
		f := look(c)
		a, ok := c.address(argument)
		f.goOn = ok && (f.harmless() || a.family == unix.AF_UNIX || a.family == unix.AF_NETLINK || a.family == unix.AF_UNSPEC)
		return f
	}
}
