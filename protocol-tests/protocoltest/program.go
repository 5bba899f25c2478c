package protocoltest

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Program makes the program of a package in dir, and returns its path: it builds it, or copies what .ci/gotest has built in
// LUZHANQI_PROGRAMS for the tests of all packages. A copy, since there are programs in these tests that spoil others.
func Program(dir, source string) (path string, err error) {
	path = filepath.Join(dir, filepath.Base(source))
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if built := os.Getenv("LUZHANQI_PROGRAMS"); built != "" {
		if err := duplicate(path, filepath.Join(built, filepath.Base(path))); err != nil {
			return "", fmt.Errorf("LUZHANQI_PROGRAMS must be a folder with the program of %s: %w", source, err)
		}
		return path, nil
	}
	build := exec.Command("go", "build", "-o", path, source)
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is released: some tests start it where there is no C library
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", source, err, out)
	}
	return path, nil
}

func duplicate(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}
