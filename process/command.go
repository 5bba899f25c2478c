package process

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"luzhanqi/process/sandbox"
)

// Command is a program to start, without a shell.
type Command struct {
	Args []string // the program and its arguments
	Dir  string   // working directory; empty: the referee's
	// Env is added to the environment of the referee, which the program inherits: NAME=VALUE, of which the last
	// counts.
	Env []string
	// Terminal gives the program a pseudo-terminal of 24 rows and 80 columns as standard input and output, for one
	// that behaves differently on a pipe. It reads by lines; nothing is echoed, what it writes comes unchanged,
	// and closing its input types ^D. Standard error stays a pipe.
	Terminal bool
	Confine  Confinement    // what it may use; zero: as much as the referee
	Sandbox  sandbox.Policy // what it may see and change; zero: as much as the referee
	// Stderr gets what the program writes to standard error, as it comes; its errors are ignored. nil: nobody.
	Stderr io.Writer `json:"-"`
	// Ready may have everything ready for the program already; nil: it is made ready when the program is started.
	Ready *Reserve `json:"-"`
	// Started is called when the program runs.
	Started func(Family) `json:"-"`
}

// ParseCommand splits a command line into words as a POSIX shell does: blanks separate, quotes and
// backslashes hold together, $NAME is the environment's. Nothing is executed: command
// substitution, pipes, redirections, comments, braces and unset variables are refused, since no shell
// will run. On Windows it splits as Windows programs do.
func ParseCommand(line string) (Command, error) {
	words, err := splitWords(line)
	if err != nil {
		return Command{}, fmt.Errorf("command line %q: %w; allowed are words and quotes (no shell runs it)", line, err)
	}
	if len(words) == 0 || words[0] == "" {
		return Command{}, fmt.Errorf("command line %q: it names no program", line)
	}
	return Command{Args: words}, nil
}

func (c Command) String() string { return strings.Join(c.Args, " ") }

// With returns the command with further arguments.
func (c Command) With(args ...string) Command {
	c.Args = append(append([]string{}, c.Args...), args...)
	return c
}

// Check says why the program cannot be started, as far as that can be known without starting it.
func (c Command) Check() error {
	if _, err := c.path(); err != nil {
		return err
	}
	if err := c.checkConfinement(); err != nil || !c.Terminal {
		return err
	}
	return terminalTrouble()
}

// path finds the program: a name without a separator in the search path, else relative to the
// command's working directory.
func (c Command) path() (string, error) {
	name := c.Args[0]
	if c.Dir != "" {
		if info, err := os.Stat(c.Dir); err != nil {
			return "", fmt.Errorf("program %q: its directory %q cannot be used: %w", name, c.Dir, errors.Unwrap(err))
		} else if !info.IsDir() {
			return "", fmt.Errorf("program %q: its directory %q is a file", name, c.Dir)
		}
	}
	if c.Dir != "" && filepath.Base(name) != name && !filepath.IsAbs(name) {
		name = filepath.Join(c.Dir, name)
	}
	path, err := exec.LookPath(name)
	if err == nil {
		return filepath.Abs(path)
	}
	if info, statErr := os.Stat(name); statErr == nil && filepath.Base(name) != name {
		if info.IsDir() {
			return "", fmt.Errorf("program %q is a directory, not a program", c.Args[0])
		}
		return "", fmt.Errorf("program %q is not executable: %s", c.Args[0], toRun(c.Args[0]))
	}
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
		hint := ""
		if _, statErr := os.Stat(name); statErr == nil && filepath.Base(name) == name {
			hint = fmt.Sprintf("; the file beside you is ./%s", name)
		}
		return "", fmt.Errorf("program %q not found%s; allowed are a path, such as ./bot, and a name in the search path, such as python3", c.Args[0], hint)
	}
	return "", fmt.Errorf("program %q: %w", c.Args[0], err)
}

// interpreters run files of these suffixes.
var interpreters = map[string]string{".py": "python3", ".js": "node", ".sh": "sh", ".rb": "ruby", ".pl": "perl", ".jar": "java -jar"}

// toRun says what makes a program of a file that cannot be executed.
func toRun(name string) string {
	suffix := filepath.Ext(name)
	if slices.Contains([]string{".c", ".cc", ".cpp", ".go", ".java", ".rs"}, suffix) {
		return "it is source: compile it, and name what comes of it"
	}
	if interpreter := interpreters[suffix]; interpreter != "" {
		return fmt.Sprintf("chmod +x it, or name its interpreter: %s %s", interpreter, name)
	}
	return "chmod +x it, or name its interpreter"
}

// inside is the path of the program relative to its working directory, if it was named so; else "".
func (c Command) inside() string {
	name := c.Args[0]
	if filepath.Base(name) == name || !filepath.IsLocal(name) {
		return ""
	}
	return filepath.Clean(name)
}

// environment is all that the program gets: the referee's, PWD for its working directory, and what is added.
func (c Command) environment() []string {
	return append((&exec.Cmd{Dir: c.Dir}).Environ(), c.Env...)
}

// hint explains an error of starting a file that exists and is executable: "no such file" means its
// interpreter then, and "exec format error" that it has none.
func hint(path string, err error) string {
	if errors.Is(err, syscall.ENOEXEC) {
		return ": it is no program of this system; a script needs a first line such as #!/usr/bin/env python3"
	}
	if !errors.Is(err, os.ErrNotExist) {
		return ""
	}
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	head := make([]byte, 200)
	n, _ := file.Read(head)
	line, _, _ := strings.Cut(string(head[:n]), "\n")
	if interpreter, ok := strings.CutPrefix(line, "#!"); ok {
		if strings.HasSuffix(interpreter, "\r") {
			return ": its lines end as on Windows (CRLF), so its interpreter is not found; save it with LF line ends"
		}
		return fmt.Sprintf(": its first line names the interpreter %q, which is not there", strings.TrimSpace(interpreter))
	}
	return ": the loader or a library that it needs is not there"
}
