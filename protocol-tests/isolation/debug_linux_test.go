package isolation

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"luzhanqi/process/processtest"
	"luzhanqi/protocol-tests/hostile/assault"
	"luzhanqi/protocol-tests/protocoltest"
)

// TestDebuggedAmongAttackers: a program that is looked at by luzhanqi debug is shut in as in a match, and reads neither the record that
// it is compared with nor anything else that is hidden.
func TestDebuggedAmongAttackers(t *testing.T) {
	for _, uid := range users() {
		for _, profile := range []string{"guarded", "sealed"} {
			t.Run(fmt.Sprintf("user_%d/%s", uid, profile), func(t *testing.T) {
				t.Parallel()
				p := newPlayground(t, uid)
				p.tell(t, p.path("players"))
				env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.path("home"), "TMPDIR=" + p.path("tmp")}
				o := order{
					Args: []string{command, "match", p.path("players", "victim") + " honest", "builtin:random", "--seed=1", "--max-plies=40", "--quiet", "--record=../records"},
					Dir:  p.path("cwd"), UID: uid, Mark: p.Mark, Leak: p.Elsewhere, Redirect: p.path("cwd"), Limit: time.Minute, StopAfter: time.Second, Env: env,
				}
				if f := o.run(t); f.Code != 0 {
					t.Fatalf("no record: exit code %d: %s", f.Code, f.Stderr)
				}
				before := p.image(t)
				attacker := p.path("players", "hostile") + " -referee $HOSTILE_REFEREE -attack " + levels[0].probes()
				o.Args = []string{command, "debug", "../records", "--only=1", attacker, "--sandbox=" + profile}
				f := o.run(t)
				if f.Code != 3 || f.Signal != 0 || !strings.Contains(f.Stdout, "exited with code 77") || !strings.Contains(f.Stderr, "tried ") {
					t.Errorf("exit code %d, want 3, for a program that ended with 77: %.2000s%.2000s", f.Code, f.Stdout, f.Stderr)
				}
				for said := range strings.Lines(f.Stderr) {
					if strings.Contains(said, assault.Stolen) || strings.Contains(said, assault.Broken) {
						t.Error(strings.TrimSpace(said))
					}
				}
				if f.Left != nil || f.Terminal != nil || f.Keys != nil {
					t.Errorf("left: %q %q %q", f.Left, f.Terminal, f.Keys)
				}
				if changes := changed(before, p.image(t), slices.Clone); changes != nil {
					t.Errorf("files changed:\n%s", strings.Join(changes, "\n"))
				}
			})
		}
	}
}

// TestDebuggers: the recipes for debuggers stop where docs/debugging.md says, shut in, or with --sandbox off where it says so.
func TestDebuggers(t *testing.T) {
	t.Run("pdb", func(t *testing.T) {
		processtest.Need(t, "python3")
		terminal, line, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer terminal.Close()
		defer line.Close()
		l := newLesson(t, "python", "bot.py", "python3 bot.py 7")
		l.stop(t, "    def choose(self):\n", "        import pdb; tty = %q; pdb.Pdb(stdin=open(tty), stdout=open(tty, \"w\")).set_trace()\n", line.Name())
		l.begin(t, "guarded", "python3 bot.py 7")
		l.command.Wait()
		if said := l.said.String(); !strings.Contains(said, "No such file or directory: '"+line.Name()+"'") {
			t.Errorf("shut in, it says %q", said)
		}
		l.begin(t, "off", "python3 bot.py 7")
		shown := &protocoltest.Transcript{}
		go io.Copy(shown, terminal)
		l.converse(t, terminal, shown, [][2]string{{"", "(Pdb)"}, {"print(6 * 7)", "42"}})
	})
	t.Run("node", func(t *testing.T) {
		processtest.Need(t, "node")
		l := newLesson(t, "javascript", "bot.js", "node bot.js 7")
		l.stop(t, "function choose() {\n", "  debugger;\n")
		port := freePort(t)
		l.begin(t, "guarded", "node --inspect-brk="+port+" bot.js 7")
		l.attach(t, []string{"node", "inspect", "localhost:" + port}, [][2]string{{"", "Break on start"}, {"cont", "debugger;"}})
	})
	t.Run("jdb", func(t *testing.T) {
		if !protocoltest.Nightly() {
			t.Skip("LUZHANQI_NIGHTLY is not set: compiler, program and debugger take seconds of processor time")
		}
		processtest.Need(t, "jdb", "java", "javac")
		l := newLesson(t, "java", "Bot.java", "java Bot 7", "javac", "-g", "Bot.java")
		port := freePort(t)
		l.begin(t, "guarded", "java -agentlib:jdwp=transport=dt_socket,server=y,suspend=y,quiet=y,address="+port+" Bot 7")
		l.attach(t, []string{"jdb", "-attach", port}, [][2]string{{"", "main[1]"}, {"stop in Bot.choose", "Deferring"}, {"run", "Breakpoint hit"}})
	})
}

// A lesson is the starter of a language, with the record of a game that it has played.
type lesson struct {
	dir, file string
	command   *exec.Cmd                // luzhanqi debug
	said      *protocoltest.Transcript // its standard error
}

func newLesson(t *testing.T, language, file, program string, build ...string) *lesson {
	t.Helper()
	l := &lesson{dir: filepath.Join(t.TempDir(), language), file: file}
	do := func(dir string, args ...string) {
		t.Helper()
		c := exec.Command(args[0], args[1:]...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v: %s", args, err, out)
		}
	}
	do(filepath.Dir(l.dir), command, "new", language, language)
	if build != nil {
		do(l.dir, build...)
	}
	do(l.dir, command, "match", "--seed=3", "--quiet", "--max-plies=10", "--record=records", program, "builtin:greedy")
	return l
}

// stop lets the program stop after a line of its file.
func (l *lesson) stop(t *testing.T, after, format string, args ...any) {
	t.Helper()
	path := filepath.Join(l.dir, l.file)
	text, err := os.ReadFile(path)
	if err == nil && !strings.Contains(string(text), after) {
		t.Fatalf("%s holds no %q", l.file, after)
	}
	if err == nil {
		err = os.WriteFile(path, []byte(strings.Replace(string(text), after, after+fmt.Sprintf(format, args...), 1)), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// begin starts luzhanqi debug.
func (l *lesson) begin(t *testing.T, profile, program string) {
	t.Helper()
	l.said = &protocoltest.Transcript{}
	l.command = exec.Command(command, "debug", "--sandbox="+profile, "records", "--only=1", program)
	l.command.Dir, l.command.Stderr = l.dir, l.said
	if err := l.command.Start(); err != nil {
		t.Fatal(err)
	}
	c := l.command
	t.Cleanup(func() { c.Process.Signal(os.Interrupt); c.Wait() })
}

// attach starts a debugger as soon as the program listens.
func (l *lesson) attach(t *testing.T, debugger []string, talk [][2]string) {
	t.Helper()
	ready := eventually(time.Minute, func() bool { return listens(debugger[len(debugger)-1]) })
	if !ready {
		t.Fatalf("nothing listens: %s", l.said)
	}
	shown := &protocoltest.Transcript{}
	c := exec.Command(debugger[0], debugger[1:]...)
	c.Dir, c.Stdout, c.Stderr = l.dir, shown, shown
	in, err := c.StdinPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { c.Process.Kill(); c.Wait() }()
	l.converse(t, in, shown, talk)
}

// converse types lines into a debugger, and waits for what it shows.
func (l *lesson) converse(t *testing.T, in io.Writer, shown *protocoltest.Transcript, talk [][2]string) {
	t.Helper()
	for _, exchange := range talk {
		if exchange[0] != "" {
			fmt.Fprintln(in, exchange[0])
		}
		if !eventually(30*time.Second, func() bool { return strings.Contains(shown.String(), exchange[1]) }) {
			t.Fatalf("after %q the debugger shows %q, want %q; the program's standard error: %s", exchange[0], shown, exchange[1], l.said)
		}
	}
}

// listens says whether a TCP port of this machine is listened at, without connecting to it: a debugger takes one connection.
func listens(address string) bool {
	port, err := strconv.Atoi(address[strings.LastIndexByte(address, ':')+1:])
	if err != nil {
		return false
	}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, _ := os.ReadFile(table)
		for line := range strings.Lines(string(text)) {
			columns := strings.Fields(line)
			if len(columns) > 3 && strings.HasSuffix(columns[1], fmt.Sprintf(":%04X", port)) && columns[3] == "0A" { // TCP_LISTEN
				return true
			}
		}
	}
	return false
}
