//go:build unix

package tree

import (
	"io/fs"
	"syscall"
)

// blockSize is the unit of st_blocks, whatever that of the file system is (stat(2)).
const blockSize = 512

// occupied is how many bytes a file takes: room may be taken beyond its length (fallocate).
func occupied(info fs.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return max(info.Size(), roundedDown(int64(s.Blocks)*blockSize, info.Size()))
	}
	return info.Size()
}

// roundedDown ignores the rest of the last block, which is of up to 64 KiB, so that small files count as they are long.
func roundedDown(room, size int64) int64 {
	const slack = 64 << 10
	if room-size < slack {
		return size
	}
	return room
}

// linked is what a file is known by, and how many names it has.
func linked(info fs.FileInfo) (identity, uint64) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return identity{uint64(s.Dev), uint64(s.Ino)}, uint64(s.Nlink)
	}
	return identity{}, 1
}
