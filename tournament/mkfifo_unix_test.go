//go:build unix

package tournament

import "syscall"

func mkfifo(file, _ string) error { return syscall.Mkfifo(file, 0o666) }
