//go:build !amd64

package alphabeta

// prefetch does nothing where it would take another instruction.
func prefetch(*bucket) {}
