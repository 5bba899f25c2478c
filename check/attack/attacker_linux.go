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
	time.AfterFunc(lifetime, func() { os.Exit(1) })
	if len(args) < 2 {
		fmt.Fprintln(os.Stderr, attackerWord+" attacks for luzhanqi check --attacks; it needs what to do, and where")
		return 2
	}
	signal.Reset()
	var s scene
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
	doesOutlive  = "outlive-" // begins the first argument of what is to outlive the game
)

const (
	lifetime = time.Minute     // a safety net
	patience = 5 * time.Second // for one attack
)

// said is what an attack says on standard output.
type said struct {
	Attack   string
	Evidence string `json:",omitempty"`
	Err      string `json:",omitempty"`
	Untried  bool   `json:",omitempty"`
}

// errUntried: this machine has not what it takes to try.
var errUntried = errors.New("not tried")

func act(does, text string, s *scene) int {
	lines := json.NewEncoder(os.Stdout)
	switch {
	case strings.HasPrefix(does, doesOutlive):
		time.Sleep(lifetime)
	case does == doesOpponent:
		fmt.Println("ready")
		io.Copy(io.Discard, os.Stdin)
	case does == doesBomb:
		bomb(text)
	case does == doesAll:
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
				lines.Encode(a.once(s))
				return 0
			}
		}
		return 2
	}
	return 0
}

func (a attack) once(s *scene) said {
	evidence, err := a.try(s)
	r := said{Attack: a.name, Evidence: evidence, Untried: errors.Is(err, errUntried)}
	if err != nil {
		r.Err = err.Error()
	}
	return r
}

// inProcess tries an attack in a child, whose fate is not that of the program.
func inProcess(name, text string) said {
	c, cancel, err := again(name, text)
	if err != nil {
		return said{Attack: name, Err: err.Error(), Untried: true}
	}
	defer cancel()
	out, err := c.Output()
	var r said
	if json.Unmarshal(out, &r) != nil {
		return said{Attack: name, Err: fmt.Sprintf("the attack ended without saying anything: %v", err)}
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
func mayPlay(s *scene) error {
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
