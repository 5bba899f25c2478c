// Package attack is what a hostile program tries against the referee, its opponent and the machine, beside
// playing. Each attack is tried in a process of its own, reports what it has got, and damages nothing where it
// succeeds: it signals only processes of the test, writes only what is there already or into the test's own
// directories, and starts 300 processes at most.
//
// The table is in table_linux.go; what an attack is told stands in [Scene].
package attack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// An Attack is one try. What it gets is told in words: the evidence. No evidence is no success, as far as the
// attacker can know; whether anything has changed outside is for the test to find out.
type Attack struct {
	Name   string
	Threat string // its row in the list of threats; more: nobody had listed it
	Does   string
	Kind   Kind
	try    func(*Scene) (evidence string, err error)
}

// A Kind says in which company an attack is tried.
type Kind int

const (
	Probe  Kind = iota // one after another, all in one game
	Alone              // in a game of its own
	Sealed             // a probe that has to fail only where programs have no network and see no foreign files
)

// Separator is between the names of several attacks.
const Separator = ","

// limit is the time that one attack gets.
const limit = 8 * time.Second

// Find returns the attacks of these names; "probes" stands for all that are tried together, "sealed" for these
// and those that only a sealed program must not succeed with.
func Find(names string) ([]Attack, error) {
	var found []Attack
	for name := range strings.SplitSeq(names, Separator) {
		some := Table
		switch name {
		case "probes":
			some = slices.DeleteFunc(slices.Clone(some), func(a Attack) bool { return a.Kind != Probe })
		case "sealed":
			some = slices.DeleteFunc(slices.Clone(some), func(a Attack) bool { return a.Kind == Alone })
		default:
			i := slices.IndexFunc(some, func(a Attack) bool { return a.Name == name })
			if i < 0 {
				return nil, fmt.Errorf("there is no attack %q; hostile -attacks prints them all", name)
			}
			some = some[i : i+1]
		}
		found = append(found, some...)
	}
	return found, nil
}

// The words that begin a line of a report.
const (
	Stolen = "STOLEN"
	Denied = "denied"
	Broken = "broken" // the attack itself ended otherwise than it should
)

// Run tries the attacks and returns a line for each success, and one that counts the rest. Whoever wants to see
// every line sets HOSTILE_VERBOSE.
func Run(attacks []Attack, know string) string {
	var report strings.Builder
	for _, a := range attacks {
		line := inProcess(a, know)
		if !strings.HasPrefix(line, Denied) || os.Getenv("HOSTILE_VERBOSE") != "" {
			report.WriteString(line + "\n")
		}
	}
	fmt.Fprintf(&report, "tried %d\n", len(attacks))
	return report.String()
}

// inProcess tries an attack in a child, whose fate is not that of the player.
func inProcess(a Attack, know string) string {
	self, err := os.Executable()
	if err != nil {
		return fmt.Sprintf("%s %s: %v", Broken, a.Name, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	c := exec.CommandContext(ctx, self, "-pids", "", "-know", know, "-descendant", attackKind+a.Name)
	c.WaitDelay = 100 * time.Millisecond // a descendant may hold the pipe
	var said bytes.Buffer
	c.Stdout = &limited{&said}
	err = c.Run()
	for line := range strings.Lines(said.String()) {
		if strings.HasPrefix(line, Stolen) || strings.HasPrefix(line, Denied) {
			return strings.TrimSpace(line)
		}
	}
	return fmt.Sprintf("%s %s: %v %.200q", Broken, a.Name, err, said.String())
}

// limited keeps the first 64 KiB.
type limited struct{ to *bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	l.to.Write(p[:min(len(p), max(0, 64<<10-l.to.Len()))])
	return len(p), nil
}

// The kinds of descendant, as `hostile -descendant` has them: what tries an attack, what an attack has left, and what a
// set-uid program is started as.
const (
	attackKind = "attack:"
	daemonKind = "daemon:"
	whoami     = "whoami"
)

// Descend is the life of a descendant, if it is of one of these kinds.
func Descend(kind, know string) (status int, known bool) {
	if name, found := strings.CutPrefix(kind, attackKind); found {
		return descend(name, know), true
	}
	if order, found := strings.CutPrefix(kind, daemonKind); found {
		return serve(order), true
	}
	if kind == whoami {
		fmt.Println(os.Getuid(), os.Geteuid())
	}
	return 0, kind == whoami
}

func descend(name, know string) int {
	found, err := Find(name)
	if err != nil || len(found) != 1 {
		fmt.Fprintln(os.Stderr, "hostile:", err)
		return 64
	}
	scene, err := newScene(know)
	var evidence string
	if err == nil {
		evidence, err = found[0].try(scene)
	}
	if evidence != "" {
		fmt.Printf("%s %s: %.300s\n", Stolen, name, strings.ReplaceAll(evidence, "\n", " "))
		return 0
	}
	fmt.Printf("%s %s: %s\n", Denied, name, strings.ReplaceAll(fmt.Sprint(err), "\n", "; "))
	return 0
}

// Print writes the table, a line each.
func Print(w io.Writer) {
	for _, a := range Table {
		fmt.Fprintf(w, "%s\t%s\t%s\n", a.Name, a.Threat, a.Does)
	}
}

// every tries all, and returns the evidence of those that had any.
func every(tries ...func() (string, error)) (string, error) {
	var evidence []string
	var errs []error
	for _, try := range tries {
		got, err := try()
		if got != "" {
			evidence = append(evidence, got)
		}
		errs = append(errs, err)
	}
	return strings.Join(evidence, "; "), errors.Join(errs...)
}

// got is the evidence where there is no error.
func got(err error, format string, a ...any) (string, error) {
	if err != nil {
		return "", fmt.Errorf(format+": %w", append(a, err)...)
	}
	return fmt.Sprintf(format, a...), nil
}
