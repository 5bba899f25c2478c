//go:build !unix

package queue

import "io/fs"

const waitForNobody = 0

// Linked is not known here.
func Linked(fs.FileInfo) bool { return false }
