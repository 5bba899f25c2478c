//go:build !linux

package starvation

import "time"

type files struct{}

func each(Program, func(int, time.Duration) bool) {}

// Stopped says whether a signal has stopped a program's first process.
func Stopped(Program) bool { return false }

// Ended says whether a program's first process has ended: that is not known before somebody has waited for it.
func Ended(Program) bool { return false }

func (*reading) fill(Program, *reading) bool { return false }

func (*reading) reading() bool { return false }

func (*thread) ordinary(*reading, int) bool { return false }
