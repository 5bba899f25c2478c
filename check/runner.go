package check

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// refereeWord makes a probe run a referee instead. The supervisor kills what is left of its program as soon as that
// has ended, so what a referee leaves behind can only be seen by a process between the two.
const refereeWord = "referee"

// aftermath is the file aftermath.json: what the runner saw.
type aftermath struct {
	Exit string `json:"exit"`
	Left []int  `json:"left"` // process ids of probes that outlived the referee
}

const aftermathFile = "aftermath.json"

// probeFolders are the folders of the two probes, in that of the game.
var probeFolders = [2]string{"1", "2"}

// maxLeaving is how long a probe that was killed may take to be gone.
const maxLeaving = 500 * time.Millisecond

func actAsRunner(dir string, words []string) int {
	command := exec.Command(words[0], words[1:]...)
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	r := aftermath{Exit: "exited with code 0"}
	err := command.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		r.Exit = "ended with " + exit.Error()
	case err != nil:
		r.Exit = "could not be run: " + err.Error()
	}
	for end := time.Now().Add(maxLeaving); ; time.Sleep(10 * time.Millisecond) {
		r.Left = probesAlive(dir)
		if len(r.Left) == 0 || time.Now().After(end) {
			break
		}
	}
	text, err := json.Marshal(r)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, aftermathFile), text, 0o666)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "note how the referee ended: %v\n", err)
		return 1
	}
	return 0
}

// probesAlive lists the probes of a game that still run.
func probesAlive(dir string) (pids []int) {
	for _, folder := range probeFolders {
		log, err := readLog(filepath.Join(dir, folder, logFile))
		if err != nil {
			continue // it was never started
		}
		for _, line := range log {
			if line.Event == logStart && isProbe(line.PID) {
				pids = append(pids, line.PID)
			}
		}
	}
	return pids
}
