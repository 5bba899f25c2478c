// Command nonamespaces starts a program on a machine without namespaces: it and all that it starts may not make or enter
// any, nor mount anything, as in most containers and where AppArmor forbids it. bubblewrap is refused, too. The machine
// itself is not changed.
//
//	nonamespaces luzhanqi version
//
// Exit status: 64 for a wrong command line, 71 when the filter cannot be installed; else the program's.
package main
