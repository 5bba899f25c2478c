package process

import (
	"bytes"
	"iter"
	"os"
	"strconv"
)

// Entry is a process in the table of the system's processes.
type Entry struct {
	Parent, Session int
	Started         uint64 // in ticks since the machine was started
	Command         string
	Zombie          bool
}

// Processes reads the table of processes once, and passes each on as soon as it is read.
func Processes() iter.Seq2[int, Entry] {
	return func(yield func(int, Entry) bool) {
		proc, err := os.Open("/proc")
		if err != nil {
			return
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
			if e, ok := parseEntry(stat); ok && !yield(pid, e) {
				return
			}
		}
	}
}

// parseEntry reads /proc/PID/stat: pid (command) state ppid pgrp session … starttime …; the command may hold
// blanks and parentheses.
func parseEntry(stat []byte) (e Entry, ok bool) {
	open, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if open < 0 || end < open {
		return e, false
	}
	fields := bytes.Fields(stat[end+1:])
	if len(fields) < 20 {
		return e, false
	}
	e = Entry{Command: string(stat[open+1 : end]), Zombie: fields[0][0] == 'Z'}
	e.Parent, _ = strconv.Atoi(string(fields[1]))
	e.Session, _ = strconv.Atoi(string(fields[3]))
	e.Started, _ = strconv.ParseUint(string(fields[19]), 10, 64)
	return e, true
}
