//go:build unix

package process

import (
	"fmt"
	"os"
	"strings"
	"syscall"

	"mvdan.cc/sh/v3/shell"
)

// What all Unix systems have.
const (
	hasTerminals = true
	hasRlimits   = true
)

func errnoOf(err error) syscall.Errno {
	errno, _ := err.(syscall.Errno)
	return errno
}

// splitWords refuses what would vanish or multiply without a word.
func splitWords(line string) ([]string, error) {
	var unset []string
	words, err := shell.Fields(line, func(name string) string {
		value, ok := os.LookupEnv(name)
		if !ok {
			unset = append(unset, name)
		}
		return value
	})
	if err != nil {
		return nil, err
	}
	for _, name := range unset {
		if strings.Contains(line, "$"+name) || strings.Contains(line, "${"+name) {
			return nil, fmt.Errorf("the environment has no %s", name)
		}
	}
	kept := strings.Join(words, " ")
	for _, special := range []string{"#", "{"} {
		if strings.Contains(line, special) && !strings.Contains(line, "${") && !strings.Contains(kept, special) {
			return nil, fmt.Errorf("%q is special to a shell: quote it", special)
		}
	}
	return words, nil
}
