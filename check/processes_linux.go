package check

import (
	"bytes"
	"os"
	"strconv"
	"strings"

	"luzhanqi/process"
)

// seesProcesses says whether detached can tell anything on this system.
const seesProcesses = true

// gameVariable marks the processes of one game in their environment.
const gameVariable = "LUZHANQI_CHECK_GAME"

// detached names the processes that a program has started and that would live on without it: they
// have lost the parent that started them, or have a session of their own. Nothing of it does live on:
// the supervisor, which such processes fall to, kills them. Other processes of the program are its
// own affair, as long as they end with it.
func detached(token string) (names []string) {
	table := processTable()
	supervisor := 0
	mark := []byte(gameVariable + "=" + token)
	for pid, p := range table {
		if p.Parent != os.Getpid() {
			continue
		}
		environment, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
		if err == nil && bytes.Contains(append(environment, 0), append(mark, 0)) {
			supervisor = pid
		}
	}
	program := 0
	for pid, p := range table {
		if p.Parent == supervisor && (program == 0 || p.Started < table[program].Started) {
			program = pid
		}
	}
	if supervisor == 0 || program == 0 {
		return nil
	}
	for pid, p := range table {
		if pid != program && below(table, pid, supervisor) && (p.Parent == supervisor || p.Session != table[program].Session) {
			names = append(names, nameOf(pid, p))
		}
	}
	return names
}

// nameOf is the command line of a process.
func nameOf(pid int, p process.Entry) string {
	const maxBytes = 80
	line, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	text := strings.TrimSpace(strings.ReplaceAll(string(line), "\x00", " "))
	if text == "" {
		text = p.Command
	}
	return strings.ToValidUTF8(text[:min(len(text), maxBytes)], "?")
}

// processTable is all processes that are no zombies.
func processTable() map[int]process.Entry {
	table := map[int]process.Entry{}
	for pid, p := range process.Table() {
		if !p.Zombie {
			table[pid] = p
		}
	}
	return table
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
	return err == nil && p.Parent > 0 && bytes.Contains(line, []byte(ProbeWord))
}
