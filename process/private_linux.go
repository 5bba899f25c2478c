package process

import (
	"fmt"
	"os"
	"strings"
)

// The supervisor makes and removes private directories, since it is there when the referee is
// killed. Only if the program has killed it, the referee removes them.

// makePrivate copies the working directory, points the environment to the copy and returns its path.
func (s *supervisor) makePrivate() string {
	var err error
	if s.private, err = newPrivate(); err != nil {
		s.refuse(err)
	}
	dir := s.private.path
	fmt.Fprintln(s.status, "private", dir)
	if n, _ := s.lifeline.Read(make([]byte, 1)); n == 0 { // the referee is dead, or will not have it
		s.removePrivate()
		os.Exit(0)
	}
	go s.awaitEnd()
	if err := s.private.fill(".", s.cut); err != nil {
		s.refuse(err)
	}
	for _, variable := range privateVariables {
		os.Setenv(variable, dir)
	}
	os.Setenv("PWD", dir)
	fmt.Fprintln(s.status, "copied")
	return dir
}

// refuse tells the referee in words why no program could be started.
func (s *supervisor) refuse(err error) {
	fmt.Fprintln(s.status, "refused", strings.ReplaceAll(err.Error(), "\n", " "))
	s.removePrivate()
	os.Exit(0)
}

func (s *supervisor) removePrivate() {
	if s.private == nil {
		return
	}
	fmt.Fprintln(s.status, "removing")
	if err := s.private.remove(); err != nil {
		fmt.Fprintln(s.status, "remains", strings.ReplaceAll(err.Error(), "\n", " "))
	}
}
