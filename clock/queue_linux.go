package clock

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// faults is how many pages this process has waited for that were on a disk.
func faults() int64 {
	var r unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return int64(r.Majflt)
}

// threads are those of this process: how long have they waited for a processor, all together?
type threads struct {
	queues map[int]*queue // by their ids
	last   map[int]time.Duration
	listed int  // how many there were when they were listed
	many   bool // too many to look at each
	all    time.Duration
}

// mostThreads can be looked at in each period without taking much more time than the rest.
const mostThreads = 100

// waited is of those that are there, or were when it was asked before. The kernel counts the time in the queue when it is over.
func (t *threads) waited() time.Duration {
	if n, _ := runtime.ThreadCreateProfile(nil); n != t.listed {
		t.list(n)
	}
	for id, q := range t.queues {
		waited := q.waited()
		if !q.known() { // it has ended
			delete(t.queues, id)
			delete(t.last, id)
			t.listed = 0
			continue
		}
		t.all += waited - t.last[id]
		t.last[id] = waited
	}
	return t.all
}

func (t *threads) list(n int) {
	if t.listed, t.many = n, n > mostThreads; t.many {
		return
	}
	tasks, _ := os.ReadDir("/proc/self/task")
	for _, task := range tasks {
		if id, _ := strconv.Atoi(task.Name()); t.queues[id] == nil {
			t.queues[id] = openQueue("/proc/self/task/" + task.Name() + "/schedstat")
		}
	}
}

// settling is how long it is waited at most until all threads that are in the queue have left it.
const settling = 2 * time.Second

// settled waits until those that are in the queue have left it, and says what [threads.waited] does, and whether each is known.
func (t *threads) settled() (waited time.Duration, known bool) {
	t.waited()
	queued := map[int]string{}
	for id, q := range t.queues {
		queued[id] = q.text()
	}
	for end := time.Now().Add(settling); len(queued) > 0 && time.Now().Before(end); time.Sleep(unit / 2) {
		for id, before := range queued {
			if q := t.queues[id]; q.text() != before || !ready(id) { // who runs, or has run, has other numbers
				delete(queued, id)
			}
		}
	}
	return t.waited(), len(queued) == 0 && !t.many
}

// ready says whether a thread of this process runs, or is in the queue.
func ready(id int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/self/task/%d/stat", id))
	return err == nil && bytes.HasPrefix(text[bytes.LastIndexByte(text, ')')+1:], []byte(" R"))
}

func (t *threads) close() {
	for _, q := range t.queues {
		q.close()
	}
}

// queue tells how long a thread has waited for a processor: the second number of its schedstat.
type queue struct {
	fd  int
	buf [100]byte
}

func openQueue(path string) *queue {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		fd = -1
	}
	return &queue{fd: fd}
}

func (q *queue) close() {
	if q.fd >= 0 {
		unix.Close(q.fd)
	}
}

// known says whether this kernel counts. If it does not, only stops that end with SIGCONT are noticed.
func (q *queue) known() bool { return q.fd >= 0 }

// text is what the kernel says: how long it ran, how long it waited, and how often.
func (q *queue) text() string {
	if q.fd < 0 {
		return ""
	}
	n, _ := unix.Pread(q.fd, q.buf[:], 0)
	return string(q.buf[:max(n, 0)])
}

func (q *queue) waited() time.Duration {
	if fields := strings.Fields(q.text()); len(fields) == 3 {
		if waited, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
			return time.Duration(waited)
		}
	}
	if q.fd >= 0 {
		unix.Close(q.fd)
		q.fd = -1
	}
	return 0
}
