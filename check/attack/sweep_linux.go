package attack

import (
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"luzhanqi/process"
)

// Places for temporary files, and for sockets, that programs have of their own.
var (
	temporaryPlaces = []string{"/tmp", "/var/tmp", "/dev/shm"}
	socketPlaces    = []string{"/tmp", "/var/tmp", "/run"}
)

// What is made for a run has its mark in its name, or a number that comes from the mark: so who knows no more than that can remove it.
func topOf(dir, mark string) string { return filepath.Join(dir, "luzhanqi-attacks-"+mark) }

func temporaryOf(place, mark string) string {
	return filepath.Join(place, "luzhanqi-attacks-file-"+mark)
}
func socketOf(place, mark string) string { return filepath.Join(place, "luzhanqi-"+mark) }
func queueOf(mark string) string         { return "luzhanqi-" + mark }
func keyOf(mark string) int              { return int(crc32.ChecksumIEEE([]byte(mark))&0x3ffffffe | 2) }

// What attacks leave where they succeed.
func queueLeft(mark string) string  { return "left-" + mark }
func sharedLeft(mark string) string { return "/dev/shm/left-" + mark }

// sweep removes all that was made for a run, and what attacks have left of it.
func sweep(dir, mark string) error {
	err := os.RemoveAll(topOf(dir, mark))
	for _, place := range temporaryPlaces {
		os.Remove(temporaryOf(place, mark))
	}
	for _, place := range socketPlaces {
		os.Remove(socketOf(place, mark))
	}
	os.Remove(sharedLeft(mark))
	removeSystemV(keyOf(mark))
	removeSystemV(keyOf(mark) + 1)
	removeQueue(queueOf(mark))
	removeQueue(queueLeft(mark))
	return err
}

// sweeping is how long is tried: programs may write until they are dead, too.
const sweeping = 2 * time.Second

// sweepAtEnd is a process that outlives this one, by a signal or without, and sweeps then.
func sweepAtEnd(dir, mark string) int {
	io.Copy(io.Discard, os.Stdin)
	for end := time.Now().Add(sweeping); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if sweep(dir, mark) == nil {
			return 0
		}
	}
	return 1
}

// startSweeper starts a process that sweeps when this one ends, or when end is called. Without one, which takes a binary that can be
// the attacker, end sweeps.
func startSweeper(dir, mark string) (end func(), err error) {
	end = func() { sweep(dir, mark) }
	if process.CanPlay(Attacker) != nil {
		return end, nil
	}
	self, err := os.Executable()
	if err != nil {
		return end, err
	}
	theirs, ours, err := os.Pipe()
	if err != nil {
		return end, err
	}
	c := exec.Command(self, attackerWord, doesSweep, mark, dir)
	c.Dir, c.Stdin = "/", theirs
	c.SysProcAttr = &unix.SysProcAttr{Setsid: true} // away from the signals of this one's terminal
	err = c.Start()
	theirs.Close()
	if err != nil {
		ours.Close()
		return end, err
	}
	return func() {
		ours.Close()
		late := time.AfterFunc(2*sweeping, func() { c.Process.Kill() }) // somebody may have stopped it
		defer late.Stop()
		if c.Wait() != nil {
			sweep(dir, mark)
		}
	}, nil
}
