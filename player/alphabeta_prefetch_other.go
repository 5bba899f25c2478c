//go:build !amd64

package player

// prefetch does nothing where it would take another instruction.
func prefetch(*bucket) {}
