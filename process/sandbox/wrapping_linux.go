package sandbox

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// The files of a supervisor that bubblewrap starts, behind its control, which is the third. Its standard streams
// are not the program's: bubblewrap keeps them open, and the end of an output would never be seen.
const (
	wrappedSelf    = 4 + iota // this binary, which need not be in the program's view
	wrappedOptions            // of bubblewrap: nobody reads them in a list of processes
	wrappedStreams
	_
	_
	wrappedDir  // working directory, to be copied
	wrappedKeep // directory
	wrappedMore // empty files that cover others
)

// Wrapping is the start of a supervisor by bubblewrap.
type Wrapping struct {
	files []*os.File // for it, from wrappedSelf on
	said  *os.File   // its standard error
}

// Wrap makes the start of a supervisor with these arguments one by bubblewrap.
func (v *View) Wrap(cmd *exec.Cmd, streams [3]*os.File) (*Wrapping, error) {
	w := &Wrapping{}
	err := w.open(v, streams)
	if err == nil {
		err = w.write(v.bubblewrapOptions(w))
	}
	if err == nil {
		w.said, err = memory("said")
	}
	if err != nil {
		w.Close()
		return nil, fmt.Errorf("start bubblewrap: %w", err)
	}
	cmd.Args = append([]string{"bwrap", "--args", strconv.Itoa(wrappedOptions), "--", fmt.Sprint("/proc/self/fd/", wrappedSelf)}, cmd.Args...)
	cmd.Path, cmd.Env, cmd.Dir = bubblewrap(), []string{}, "/"
	cmd.Stdin, cmd.Stdout, cmd.Stderr = nil, nil, w.said
	cmd.ExtraFiles = append(cmd.ExtraFiles, w.files...)
	return w, nil
}

// open opens all files but those that cover others.
func (w *Wrapping) open(v *View, streams [3]*os.File) error {
	add := func(f *os.File, err error) error {
		if err == nil {
			w.files = append(w.files, f)
		}
		return err
	}
	if err := add(os.Open("/proc/self/exe")); err != nil {
		return err
	}
	if err := add(memory("options")); err != nil {
		return err
	}
	for _, s := range streams {
		fd, err := -1, error(nil)
		if s == nil {
			fd, err = unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0)
		} else {
			fd, err = unix.FcntlInt(s.Fd(), unix.F_DUPFD_CLOEXEC, 0)
		}
		if err != nil {
			return err
		}
		w.files = append(w.files, os.NewFile(uintptr(fd), "stream"))
	}
	dir, keep := os.DevNull, os.DevNull
	if v.Copy {
		dir = v.Dir
	}
	if v.Keep != "" {
		keep = v.Keep
	}
	for _, path := range []string{dir, keep} {
		if err := add(os.Open(path)); err != nil {
			return err
		}
	}
	return nil
}

func memory(name string) (*os.File, error) {
	fd, err := unix.MemfdCreate("luzhanqi-"+name, unix.MFD_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("memfd_create", err)
	}
	return os.NewFile(uintptr(fd), name), nil
}

// write writes the options, each ended by a zero byte.
func (w *Wrapping) write(options []string, err error) error {
	if err != nil {
		return err
	}
	f := w.files[wrappedOptions-wrappedSelf]
	if _, err := f.WriteString(strings.Join(options, "\x00") + "\x00"); err != nil {
		return err
	}
	_, err = f.Seek(0, io.SeekStart)
	return err
}

// cover is the number of an empty file that covers another.
func (w *Wrapping) cover() (number string, err error) {
	f, err := memory("hidden")
	if err != nil {
		return "", err
	}
	w.files = append(w.files, f)
	return strconv.Itoa(wrappedSelf + len(w.files) - 1), nil
}

// Close closes what is open for the start.
func (w *Wrapping) Close() {
	if w == nil {
		return
	}
	for _, f := range w.files {
		f.Close()
	}
	w.files = nil
}

// Said is what bubblewrap has complained of; empty: nothing. It can be asked once, when it has ended.
func (w *Wrapping) Said() string {
	if w == nil {
		return ""
	}
	defer w.said.Close()
	text := make([]byte, 1000)
	n, _ := w.said.ReadAt(text, 0)
	return strings.Join(strings.Fields(strings.TrimPrefix(string(text[:n]), "bwrap: ")), " ")
}
