//go:build !linux

package store

// networkFileSystem cannot tell on this system.
func networkFileSystem(string) (kind string, yes bool) { return "", false }
