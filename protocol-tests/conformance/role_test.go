package conformance

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// A role is a program that follows the cues of a file, by the program hostile whose path follows: see protocol-tests/hostile/script.go. What
// the referee added to its command line goes to FILE.arguments, what hostile complains of to
// FILE.complaint, and its exit status to FILE.status, since a referee that has ended a game does
// not care how a program exits. In dialects that start it for each question there is a part of cues
// for each start; FILE.starts counts them, and the status is the first that is not 0.
func role() {
	file := os.Args[1]
	must := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(70)
		}
	}
	text, err := os.ReadFile(file + ".cues")
	must(err)
	scenes := parts(string(text))
	number := count(file + ".starts")
	if number >= len(scenes) {
		must(fmt.Errorf("%s is started for the %d. time, and has %d parts", file, number+1, len(scenes)))
	}
	must(os.WriteFile(file+".starts", []byte(strconv.Itoa(number+1)), 0o666))
	must(os.WriteFile(file+".cues.now", []byte(scenes[number]), 0o666))
	must(add(file+".arguments", lines(os.Args[3:])))
	complaint, err := os.OpenFile(file+".complaint", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	must(err)
	hostile := exec.Command(os.Args[2], "script", file+".cues.now")
	hostile.Stdin, hostile.Stdout, hostile.Stderr = os.Stdin, os.Stdout, complaint
	status := 0
	if err := hostile.Run(); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			must(err)
		}
		status = exit.ExitCode()
	}
	if count(file+".status") == 0 {
		must(os.WriteFile(file+".status", []byte(strconv.Itoa(status)+"\n"), 0o666))
	}
	os.Exit(status)
}

// parts are the cues of each start: all of them, or those that follow each line "start".
func parts(cues string) []string {
	all := strings.Split("\n"+cues, "\nstart\n")
	if len(all) == 1 {
		return []string{cues}
	}
	return all[1:]
}

// count is the number in a file; 0 if there is no such file.
func count(file string) int {
	text, _ := os.ReadFile(file)
	n, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return n
}

func add(file, text string) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

func lines(all []string) string {
	var text strings.Builder
	for _, line := range all {
		fmt.Fprintln(&text, line)
	}
	return text.String()
}
