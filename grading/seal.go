package grading

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"luzhanqi/grading/report"
)

// seal is the key by which the grader knows what it has written. It helps against whoever can write the grader's files and
// not read them, or does not look for the key; a program that runs with the grader's rights can read it.
type seal []byte

const sealBytes = 32

// errAltered is that what is on disk was not written by the grader, or not like that.
var errAltered = errors.New("what was found out has been changed, and not by the grader")

// openSeal reads the key, or makes one.
func openSeal(dir string) (seal, error) {
	file := filepath.Join(dir, "key")
	key, err := os.ReadFile(file)
	if err == nil && len(key) == sealBytes {
		return key, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	key = make([]byte, sealBytes)
	rand.Read(key) // never fails
	if err := report.WriteFile(file, key); err != nil {
		return nil, err
	}
	return key, os.Chmod(file, 0o600)
}

// sealed is a file that only the grader writes.
type sealed struct {
	MAC  string          `json:"mac"`
	Text json.RawMessage `json:"text"`
}

// read reads what was written under a name, if there is anything, and its bytes.
func (k seal) read(file, name string, into any, all *[]byte) error {
	written, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var s sealed
	var compact bytes.Buffer
	if json.Unmarshal(written, &s) != nil || json.Compact(&compact, s.Text) != nil ||
		!hmac.Equal([]byte(k.mac(name, compact.Bytes())), []byte(s.MAC)) || json.Unmarshal(s.Text, into) != nil {
		return errAltered
	}
	*all = written
	return nil
}

// write writes a file, and returns its bytes.
func (k seal) write(file, name string, from any) ([]byte, error) {
	encoded, err := json.Marshal(from)
	if err != nil {
		return nil, err
	}
	written, err := report.Indented(sealed{k.mac(name, encoded), encoded})
	if err != nil {
		return nil, err
	}
	return written, report.WriteFile(file, written)
}

// numbers gives each name a number of five digits that says nothing of it, the same in every run over these results.
func (k seal) numbers(names []string) map[string]int {
	numbers, taken := map[string]int{}, map[int]bool{}
	for _, name := range names {
		for again := 0; numbers[name] == 0; again++ {
			sum, _ := hex.DecodeString(k.mac(fmt.Sprintf("number %d of %q", again, name), nil))
			n := 10_000 + int(binary.BigEndian.Uint64(sum)%90_000)
			if !taken[n] {
				numbers[name], taken[n] = n, true
			}
		}
	}
	return numbers
}

func (k seal) mac(name string, text []byte) string {
	sum := hmac.New(sha256.New, k)
	fmt.Fprintf(sum, "%q\n", name)
	sum.Write(text)
	return hex.EncodeToString(sum.Sum(nil))
}
