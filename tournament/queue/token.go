package queue

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// maxToken bounds the bytes of a file that holds a token.
const maxToken = 4 << 10

// ReadToken reads a token, or NAME:PASSWORD, from a file of a line. One that others may read or change is refused, as
// ssh refuses such keys: programs of strangers run on this machine.
func ReadToken(file string) (string, error) {
	f, err := os.OpenFile(file, os.O_RDONLY|waitForNobody, 0)
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("token: %s is no regular file", file)
	}
	if Exposed(info) && !handed(file, info) {
		return "", fmt.Errorf("token: %s can be read or changed by others (mode %#o): chmod 600 %[1]s, and use another token if one of them may have read it", file, info.Mode().Perm())
	}
	if Linked(info) {
		return "", fmt.Errorf("token: %s has another name (a hard link), under which programs could read it: copy it into a new file, and remove both", file)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxToken+1))
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	token := strings.TrimSpace(string(text))
	if token == "" || len(text) > maxToken || strings.ContainsAny(token, "\r\n") {
		return "", fmt.Errorf("token: %s has %d bytes in %d lines; allowed is one line of up to %d bytes", file, len(text), strings.Count(token, "\n")+1, maxToken)
	}
	return token, nil
}

// Exposed says whether others than its owner may read or change a file. On Windows its mode does not tell.
func Exposed(info fs.FileInfo) bool { return runtime.GOOS != "windows" && info.Mode()&0o077 != 0 }

// handed says whether systemd has handed this service the file (LoadCredential). Nobody else may enter its folder; that an access
// list lets the service's user read it shows as a right of the group's.
func handed(file string, info fs.FileInfo) bool {
	dir := os.Getenv("CREDENTIALS_DIRECTORY")
	return dir != "" && filepath.Dir(file) == filepath.Clean(dir) && info.Mode()&0o037 == 0
}

// MakeToken reads the token in a file, and makes both if the file is not there. Nobody else can read it at any moment,
// and a file is there whole or not at all.
func MakeToken(file string) (token string, err error) {
	if token, err = ReadToken(file); !errors.Is(err, fs.ErrNotExist) {
		return token, err
	}
	token = random() + random()
	f, err := os.CreateTemp(filepath.Dir(file), ".token-*") // of mode 0600
	if err != nil {
		return "", fmt.Errorf("make a token: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = fmt.Fprintln(f, token)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return "", fmt.Errorf("make a token: %w", err)
	}
	return token, nil
}
