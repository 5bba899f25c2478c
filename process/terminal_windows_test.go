package process

import (
	"errors"
	"os"
	"testing"
)

func TestNoTerminal(t *testing.T) {
	if _, err := Start(Command{Args: []string{os.Args[0]}, Terminal: true}); !errors.Is(err, ErrNoTerminal) {
		t.Error(err)
	}
}
