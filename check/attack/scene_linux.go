package attack

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"

	"luzhanqi/process"
)

// scene is what an attacker is told: more than any stranger would know. It comes as JSON.
type scene struct {
	Mark string // names what was made for this run
	Sum  string // SHA-256 of the secret: what proves that the attacker has read something

	Referee  someone
	Opponent someone
	Memory   uintptr // where the secret is in the referee's memory
	Length   int     // of the secret

	Own       string   // the attacker's working directory
	Writes    bool     // it may write there
	Other     string   // the opponent's
	Hidden    string   // a file that the policy hides
	Elsewhere string   // a file of the user in another directory
	Temporary []string // files in places for temporary files
	Shared    string   // a file in /dev/shm
	SetUID    string   // a program that would print user id 0; empty: none could be made
	Terminal  string   // of the referee

	Abstract   string   // names of sockets
	Sockets    []string // in places for temporary files
	PathSocket string
	TCP, UDP   string // addresses

	Segment int    // id of System V shared memory
	Queue   string // name of a POSIX message queue
	Disk    int64  // how much may be written
}

// someone is a process outside.
type someone struct {
	Name    string
	PID     int
	Started uint64 // in ticks since the machine was started: two processes may have one id, in different namespaces
}

// is says whether its id means this process here; false, too, if it cannot be seen.
func (o someone) is() bool {
	e, ok := entry(o.PID)
	return ok && e.Started == o.Started
}

// other says whether its id means another process here.
func (o someone) other() bool {
	e, ok := entry(o.PID)
	return ok && e.Started != o.Started
}

func (o someone) proc(name string) string { return fmt.Sprintf("/proc/%d/%s", o.PID, name) }

// each tries something on the referee and the opponent, as far as their ids do not mean others here.
func (s *scene) each(try func(someone) (string, error)) (string, error) {
	var tries []func() (string, error)
	for _, o := range []someone{s.Referee, s.Opponent} {
		tries = append(tries, func() (string, error) {
			if o.other() {
				return "", fmt.Errorf("process %d is not %s here", o.PID, o.Name)
			}
			return try(o)
		})
	}
	return every(tries...)
}

// secret says whether some text is what only the referee knows.
func (s *scene) secret(text []byte) bool {
	sum := sha256.Sum256(bytes.TrimSpace(text))
	return hex.EncodeToString(sum[:]) == s.Sum
}

// reads reads a file and says whether it is the secret.
func (s *scene) reads(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if !s.secret(text) {
		return "", fmt.Errorf("%s holds something else here", path)
	}
	return "read " + path, nil
}

// entry is a process in the table that this process sees.
func entry(pid int) (process.Entry, bool) {
	for p, e := range process.Processes() {
		if p == pid {
			return e, true
		}
	}
	return process.Entry{}, false
}
