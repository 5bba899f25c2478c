// Package cgroup limits the memory of a program and of all that it starts by the kernel's own accounts: a group of
// cgroup v2 for each program, on machines that have delegated a part of the tree of groups to this process.
//
// [Open] finds out whether there is such a part, and takes it over; the error says in words why not. [Tree.Make] makes a
// group, in which a program is started; [Group.Exceeded] says whether it wanted more than it may have, and
// [Group.Remove] kills what is left in it, and removes it. [Tree.Sweep] removes the groups of processes like this one
// that were killed.
//
// It starts nothing, and knows nothing of supervisors. Only Linux has such groups.
package cgroup
