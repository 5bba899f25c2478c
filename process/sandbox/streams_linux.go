package sandbox

import (
	"fmt"
	"os"
)

// streams are the files that this process reads or writes as its standard streams: a result, a log or boards that go on being written into
// while programs play, or the moves of a person. Only what is a file by a name is: what a pipe leads to is another process's.
func streams() (files []string) {
	for fd := range 3 {
		path, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd))
		if err != nil {
			continue
		}
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			files = append(files, path)
		}
	}
	return files
}
