//go:build !linux

package record

func writable(dir string) error { return writableByName(dir) }
