package attack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"luzhanqi/process"
)

// Attacker is the role as which a binary attacks itself. Its first argument is what it does: one of the words below; its
// second is the scene.
var Attacker = process.Role{Name: attackerWord, Run: func(args []string) int {
	if len(args) == 3 && args[0] == doesSweep {
		return sweepAtEnd(args[2], args[1])
	}
	time.AfterFunc(lifetime, func() { os.Exit(1) })
	if len(args) < 2 {
		fmt.Fprintln(os.Stderr, attackerWord+" attacks for luzhanqi check --attacks; it needs what to do, and where")
		return 2
	}
	signal.Reset()
	var s Scene
	if err := json.Unmarshal([]byte(args[1]), &s); err != nil && args[0] != doesOutlive {
		fmt.Fprintln(os.Stderr, "attacker:", err)
		return 2
	}
	return act(args[0], args[1], &s)
}}

const attackerWord = "luzhanqi-attacker"

// What an attacker does, besides trying one attack by its name.
const (
	doesAll      = "all"
	doesOpponent = "opponent" // it plays the opponent
	doesBomb     = forkBomb
	doesOutlive  = "outlives"
	doesSweep    = "sweep" // it removes what was made for a run; behind it comes its mark and where its folder is
)

const (
	lifetime = time.Minute     // a safety net
	patience = 5 * time.Second // for one attack
)

// errUntried: this machine has not what it takes to try.
var errUntried = errors.New("not tried")

func act(does, text string, s *Scene) int {
	lines := json.NewEncoder(os.Stdout)
	switch does {
	case doesOutlive:
		time.Sleep(lifetime)
	case doesOpponent:
		fmt.Println("ready")
		io.Copy(io.Discard, os.Stdin)
	case doesBomb:
		bomb(text)
	case doesAll:
		if err := mayPlay(s); err != nil {
			fmt.Fprintln(os.Stderr, "attacker:", err)
			return 1
		}
		for _, a := range table {
			if a.try != nil {
				lines.Encode(inProcess(a.name, text))
			}
		}
	default:
		for _, a := range table {
			if a.name == does && a.try != nil {
				s.Look()
				lines.Encode(a.once(s))
				return 0
			}
		}
		return 2
	}
	return 0
}

func (a attack) once(s *Scene) Said {
	evidence, err := a.try(s)
	r := Said{Attack: a.name, Evidence: evidence, Untried: errors.Is(err, errUntried)}
	if err != nil {
		r.Err = err.Error()
	}
	return r
}

// Try tries attacks, each in a child of this process, whose main begins with process.Reexec([Attacker]).
func (s Scene) Try(names ...string) (all []Said) {
	text, err := json.Marshal(s)
	for _, name := range names {
		if err != nil {
			all = append(all, Said{Attack: name, Err: err.Error(), Untried: true})
			continue
		}
		all = append(all, inProcess(name, string(text)))
	}
	return all
}

// inProcess tries an attack in a child, whose fate is not that of the program.
func inProcess(name, text string) Said {
	c, cancel, err := again(name, text)
	if err != nil {
		return Said{Attack: name, Err: err.Error(), Untried: true}
	}
	defer cancel()
	out, err := c.Output()
	var r Said
	if json.Unmarshal(out, &r) != nil {
		return Said{Attack: name, Err: fmt.Sprintf("the attack ended without saying anything: %v", err)}
	}
	return r
}

// again is this binary once more, to do something else.
func again(does, text string) (*exec.Cmd, func(), error) {
	self, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	c := exec.CommandContext(ctx, self, attackerWord, does, text)
	c.WaitDelay = 100 * time.Millisecond
	return c, cancel, nil
}

// mayPlay does what every program may.
func mayPlay(s *Scene) error {
	for _, dir := range []string{os.TempDir(), "."} {
		if dir == "." && !s.Writes {
			break
		}
		name := filepath.Join(dir, "allowed-"+s.Mark)
		if err := os.WriteFile(name, []byte("x"), 0o666); err != nil {
			return fmt.Errorf("write a file where a program may: %w", err)
		}
		if err := os.Remove(name); err != nil {
			return fmt.Errorf("remove an own file: %w", err)
		}
	}
	return nil
}

// Every tries all, and returns the evidence of those that had any.
func Every(tries ...func() (string, error)) (string, error) {
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

// Got is the evidence where there is no error.
func Got(err error, format string, a ...any) (string, error) {
	if err != nil {
		return "", fmt.Errorf(format+": %w", append(a, err)...)
	}
	return fmt.Sprintf(format, a...), nil
}
