//go:build !unix

package tree

import "io/fs"

// occupied is how many bytes a file takes.
func occupied(info fs.FileInfo) int64 { return info.Size() }

// linked is what a file is known by, and how many names it has, which a listing does not say here.
func linked(fs.FileInfo) (identity, uint64) { return identity{}, 1 }
