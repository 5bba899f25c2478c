// Command nonamespaces starts a program on a machine without namespaces: it and all that it starts may not make or enter
// any, nor mount anything, as in most containers and where AppArmor forbids it. bubblewrap is refused, too. The machine
// itself is not changed.
//
//	nonamespaces luzhanqi version
//
// With -bubblewrap, bubblewrap may make namespaces and luzhanqi may not, as on Ubuntu. A filter does not see who calls:
// what is refused is a clone as Go makes it, and namespaces
// of mounts made without one. With -container, root has the capabilities that Docker gives it, and may
// make user namespaces.
//
// Exit status: 64 for a wrong command line, 71 when the filter cannot be installed; else the program's.
package main
