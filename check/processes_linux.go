package check

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"luzhanqi/process"
	"luzhanqi/text"
)

// seesProcesses says whether detached can tell anything on this system.
const seesProcesses = true

// detached names the processes that a program has started and that would live on without it: they
// have lost the parent that started them, or have a session of their own. Nothing of it does live on:
// the supervisor, which such processes fall to, kills them. Other processes of the program are its
// own affair, as long as they end with it.
func detached(f process.Family) (names []string) {
	table := processTable()
	supervisor, program := f.Root, f.Program
	if p, ok := table[program]; ok {
		p.Parent = supervisor // which the others fall to
		table[program] = p
	}
	for pid, p := range table {
		if f.Program != 0 {
			break
		}
		first := table[program]
		if p.Parent == supervisor && (program == 0 || p.Started < first.Started || p.Started == first.Started && pid < program) {
			program = pid
		}
	}
	if supervisor == 0 || program == 0 {
		return nil
	}
	apart := map[int]bool{}
	for pid, p := range table {
		apart[pid] = pid != program && below(table, pid, supervisor) && (p.Parent == supervisor || p.Session != table[program].Session)
	}
	for _, pid := range children(supervisor) {
		apart[pid] = pid != program
	}
	for pid := range apart {
		if apart[pid] {
			names = append(names, nameOf(pid, table[pid]))
		}
	}
	return names
}

// children are those of a process at one moment, even if they have just ended. A reading of the table takes so
// long that a process which starts its successor and ends can be gone before it is read, and its successor be
// too young to be listed. None: the system does not list them.
func children(pid int) (pids []int) {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, file := range files {
		list, _ := os.ReadFile(file)
		for _, word := range strings.Fields(string(list)) {
			if child, err := strconv.Atoi(word); err == nil {
				pids = append(pids, child)
			}
		}
	}
	return pids
}

// processTable is all processes that are no zombies.
func processTable() map[int]process.Entry {
	table := map[int]process.Entry{}
	for pid, p := range process.Processes() {
		if !p.Zombie {
			table[pid] = p
		}
	}
	return table
}

// nameOf is the command line of a process.
func nameOf(pid int, p process.Entry) string {
	line, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	name := text.OneLine(strings.ReplaceAll(string(line), "\x00", " "), 80)
	return cmp.Or(name, p.Command, fmt.Sprintf("process %d, which has just ended", pid))
}

// below says whether a process descends from another.
func below(table map[int]process.Entry, pid, ancestor int) bool {
	for range len(table) {
		p, ok := table[pid]
		if !ok {
			return false
		}
		if p.Parent == ancestor {
			return true
		}
		pid = p.Parent
	}
	return false
}

// isProbe says whether a process is a probe that still runs.
func isProbe(pid int) bool {
	p, ok := processTable()[pid]
	if !ok {
		return false
	}
	line, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	return err == nil && p.Parent > 0 && bytes.Contains(line, []byte(probeWord))
}
