package check

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// seesFamilies says whether standingApart can tell anything on this system.
const seesFamilies = true

// familyVariable marks the processes of one game in their environment.
const familyVariable = "LUZHANQI_CHECK_GAME"

// standingApart names the processes that a program has started and that would live on without it: they
// have lost the parent that started them, or have a session of their own. Nothing of it does live on:
// the supervisor, which such processes fall to, kills them. Other processes of the program are its
// own affair, as long as they end with it.
func standingApart(token string) (names []string) {
	table := processTable()
	supervisor := 0
	mark := []byte(familyVariable + "=" + token)
	for pid, p := range table {
		if p.parent != os.Getpid() {
			continue
		}
		environment, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
		if err == nil && bytes.Contains(append(environment, 0), append(mark, 0)) {
			supervisor = pid
		}
	}
	program := 0
	for pid, p := range table {
		if p.parent == supervisor && (program == 0 || p.started < table[program].started) {
			program = pid
		}
	}
	if supervisor == 0 || program == 0 {
		return nil
	}
	for pid, p := range table {
		if pid != program && below(table, pid, supervisor) && (p.parent == supervisor || p.session != table[program].session) {
			names = append(names, p.name(pid))
		}
	}
	return names
}

// running is a process that is no zombie.
type running struct {
	parent, session int
	started         uint64 // in ticks since the machine was started
	command         string
}

func (r running) name(pid int) string {
	const most = 80
	line, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	text := strings.TrimSpace(strings.ReplaceAll(string(line), "\x00", " "))
	if text == "" {
		text = r.command
	}
	return strings.ToValidUTF8(text[:min(len(text), most)], "?")
}

// processTable reads the table of processes once.
func processTable() map[int]running {
	table := map[int]running{}
	proc, err := os.Open("/proc")
	if err != nil {
		return table
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue // gone meanwhile
		}
		// pid (command) state ppid pgrp session … starttime …; the command may hold anything
		open, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
		fields := strings.Fields(string(stat[end+1:]))
		if open < 0 || end < open || len(fields) < 20 || fields[0] == "Z" {
			continue
		}
		p := running{command: string(stat[open+1 : end])}
		p.parent, _ = strconv.Atoi(fields[1])
		p.session, _ = strconv.Atoi(fields[3])
		p.started, _ = strconv.ParseUint(fields[19], 10, 64)
		table[pid] = p
	}
	return table
}

// below says whether a process descends from another.
func below(table map[int]running, pid, ancestor int) bool {
	for range len(table) {
		p, ok := table[pid]
		if !ok {
			return false
		}
		if p.parent == ancestor {
			return true
		}
		pid = p.parent
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
	return err == nil && p.parent > 0 && bytes.Contains(line, []byte(ProbeWord))
}
