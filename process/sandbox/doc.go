// Package sandbox keeps a program from what is not its own: the referee's processes, files and terminal, those of
// its opponent, and, if it is sealed, the network and everything else of the machine.
//
// # Use
//
// A [Policy] says what a program may see and change; a [Report] says what this machine can enforce, and what that
// leaves open. Package process starts programs inside: nobody else has to call more than these two.
//
// # How it works on Linux
//
// The supervisor of a program is process 1 of namespaces of its own, which [View.Attributes] describes to the call
// that starts it. It builds the view of the file system ([View.Enter]), then restricts one of its threads for good
// ([View.Restrict]: an unprivileged user if it is root, no capabilities, no_new_privs, Landlock, seccomp; package
// filter does it) and forks the program from that thread. When process 1 dies, for whatever reason, the kernel kills
// everything in its namespace; so the supervisor dies with the referee, and nothing outlives either.
//
// Where only bubblewrap may make namespaces, it makes them, with what the program is to see ([View.Wrap]), and starts
// the supervisor as process 1, which does the rest as above. Where nobody may, as in most containers, Landlock and seccomp
// still do a part of it: level [Filtered]. The ways are a [Way]; a machine is at the best that it has not refused.
// Nothing of this is assumed: what is said to hold was tried on this machine by starting something.
//
// # What it does not do
//
// It limits neither memory nor processor time; package process does. It does not protect against faults of the
// kernel. On macOS and Windows it does nothing, and says so.
package sandbox
