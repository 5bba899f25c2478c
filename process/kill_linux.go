package process

import (
	"os"
	"syscall"
	"time"
)

// killTimeout bounds the wait for killed processes to be gone. The kernel does it in
// microseconds unless one is stuck inside a system call; the supervisor then stays and waits.
const killTimeout = 10 * time.Second

// end kills everything, for a limit or for none.
func (s *supervisor) end(why Limit) {
	s.exceeded.CompareAndSwap(int32(NoLimit), int32(why))
	s.killing.Store(true)
	s.killAll()
}

// killAll kills all that is there now. In a namespace of its own the kernel does it in one call that nothing escapes.
func (s *supervisor) killAll() {
	if s.stays != nil {
		s.stays.first.Kill()
		return
	}
	if s.isolated() {
		syscall.Kill(-1, syscall.SIGKILL)
		return
	}
	syscall.Kill(-s.program, syscall.SIGKILL) // at once, as far as they have stayed in the group
	killDescendants(os.Getpid())
}

// reap waits for the program and all orphans, until nothing is left.
func (s *supervisor) reap() {
	var state syscall.WaitStatus
	var usage syscall.Rusage
	for flags := 0; ; {
		dead, err := syscall.Wait4(-1, &state, flags, &usage)
		switch {
		case err == syscall.EINTR:
		case err != nil: // ECHILD: nothing is left
			return
		case dead == 0: // no other has died meanwhile
			if s.exceeded.Load() != 0 {
				realtime()
			}
			flags = 0
			// Whatever was forked while the last round was killing has by now lost its parent and
			// become a child of this process, which is what ended the wait: one more round.
			if s.killing.Load() && !s.isolated() {
				killDescendants(os.Getpid())
			}
		default:
			if dead == s.program {
				s.sendExit(state, usage)
				s.killing.Store(true)
				if s.isolated() {
					s.killAll()
				} else {
					syscall.Kill(-s.program, syscall.SIGKILL)
				}
			}
			flags = syscall.WNOHANG // a round for each of thousands would take minutes
		}
	}
}

// pause stops everything, or lets it go on. What is forked while the table is read is found when it is read again.
func (s *supervisor) pause(yes bool) {
	if s.stays != nil {
		s.stays.first.Pause(yes)
		return
	}
	signal := syscall.SIGCONT
	if yes {
		signal = syscall.SIGSTOP
	}
	if s.isolated() {
		syscall.Kill(-1, signal)
		return
	}
	syscall.Kill(-s.program, signal) // at once, as far as they have stayed in the group
	told := map[int]bool{}
	for before := -1; len(told) > before; {
		before = len(told)
		table := childrenByParent()
		for pending := table[os.Getpid()]; len(pending) > 0; {
			pid := pending[0]
			pending = append(pending[1:], table[pid]...)
			delete(table, pid) // numbers that were given away again may have made a circle
			if !told[pid] {
				told[pid] = true
				syscall.Kill(pid, signal)
			}
		}
	}
}

// killDescendants kills every process below root as found in one reading of the process table, each
// as soon as it is known to be one: whoever is killed makes no others while the reading goes on.
func killDescendants(root int) {
	dead := map[int]bool{root: true}
	table := map[int][]int{}
	for pid, e := range Processes() {
		table[e.Parent] = append(table[e.Parent], pid)
		if dead[e.Parent] {
			dead[pid] = true
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	for _, pid := range table[root] {
		killTree(pid, table, dead)
	}
}

// killTree kills pid and all below it, parents first, so that they cannot replace their children. Those
// that are dead already are not killed again: their numbers may be somebody else's by now.
func killTree(pid int, table map[int][]int, dead map[int]bool) {
	if !dead[pid] {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	below := table[pid]
	delete(table, pid) // numbers that were given away again may have made a circle
	for _, child := range below {
		killTree(child, table, dead)
	}
}

// childrenByParent maps the id of every process that can be seen to its children's. The kernel's own list
// of children (/proc/PID/task/TID/children) is not configured everywhere.
func childrenByParent() map[int][]int {
	table := map[int][]int{}
	for pid, e := range Processes() {
		table[e.Parent] = append(table[e.Parent], pid)
	}
	return table
}
