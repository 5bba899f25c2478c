//go:build !linux

package starvation

func (*reading) fill(Program) bool { return false }

func (*thread) ordinary(*reading, int) bool { return false }
