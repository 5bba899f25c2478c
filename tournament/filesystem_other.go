//go:build !linux

package tournament

// networkFileSystem cannot tell on this system.
func networkFileSystem(string) (kind string, yes bool) { return "", false }
