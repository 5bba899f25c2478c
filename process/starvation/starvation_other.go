//go:build !linux

package starvation

type files struct{}

func (*reading) fill(Program, *reading) bool { return false }

func (*reading) reading() bool { return false }

func (*thread) ordinary(*reading, int) bool { return false }
