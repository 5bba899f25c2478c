package protocoltests

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// survivors are the processes that write their ids to this file: those that carry the
// file's name in their environment, whether they have written their id or not, and zombies, which
// have lost it, by the ids written. Ids are used again, so an id alone proves nothing.
func survivors(pids string) (alive []string) {
	written := listed(pids)
	mark := append([]byte(pidsVariable+"="+pids), 0)
	processes, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range processes {
		pid, _ := strconv.Atoi(filepath.Base(dir))
		environment, _ := os.ReadFile(dir + "/environ")
		stat, err := os.ReadFile(dir + "/stat")
		if err != nil {
			continue // gone meanwhile
		}
		zombie := bytes.HasPrefix(stat[bytes.LastIndexByte(stat, ')')+1:], []byte(" Z")) && bytes.Contains(stat, []byte("(hostile)"))
		if bytes.Contains(environment, mark) || zombie && slices.Contains(written, pid) {
			alive = append(alive, fmt.Sprintf("process %.40s …", stat))
		}
	}
	return alive
}
