package process

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	Reexec()
	if os.Getenv("PROCESS_TEST_REFEREE") != "" {
		actAsReferee()
	}
	if role := os.Getenv("PROCESS_TEST_ROLE"); role != "" {
		play(role)
	}
	AdoptOrphans()
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("luzhanqi/process.(*thread).run.func1.1"))
}

func sh(t *testing.T, script string) *Process {
	t.Helper()
	p, err := Start(Command{Args: []string{"/bin/sh", "-c", script}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Stop(0) })
	return p
}

func soon() time.Time { return time.Now().Add(30 * time.Second) }

func readAll(t *testing.T, p *Process, until string) string {
	t.Helper()
	var got []byte
	buf := make([]byte, 1000)
	for !strings.Contains(string(got), until) || until == "" {
		n, err := p.Read(buf, soon())
		got = append(got, buf[:n]...)
		if err != nil {
			if until != "" {
				t.Fatalf("read %q, then %v", got, err)
			}
			break
		}
	}
	return string(got)
}

func TestConversation(t *testing.T) {
	p := sh(t, `read x; echo "got $x"; echo oops >&2; exit 3`)
	if _, err := p.Write([]byte("hello\n"), soon()); err != nil {
		t.Fatal(err)
	}
	if got := readAll(t, p, "\n"); got != "got hello\n" {
		t.Fatalf("read %q", got)
	}
	if _, err := p.Read(make([]byte, 1), soon()); err != io.EOF {
		t.Fatalf("after its end: %v", err)
	}
	exit, err := p.Stop(time.Second)
	if err != nil || exit.Code != 3 || exit.Killed || exit.Signal != 0 {
		t.Fatalf("exit %+v, %v", exit, err)
	}
	if kept, total := p.Stderr(); string(kept) != "oops\n" || total != 5 {
		t.Fatalf("stderr %q of %d", kept, total)
	}
}

func TestDeadlines(t *testing.T) {
	t.Parallel()
	p := sh(t, `while :; do printf x; sleep 0.01; done`)
	start := time.Now()
	deadline := start.Add(200 * time.Millisecond)
	var err error
	for err == nil { // a program that dribbles does not extend its time
		_, err = p.Read(make([]byte, 10), deadline)
	}
	if !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(start) > 20*time.Second {
		t.Fatalf("%v after %v", err, time.Since(start))
	}
	start = time.Now()
	for err = nil; err == nil; { // it never reads: the pipe fills, the write gives up
		_, err = p.Write(make([]byte, 4096), start.Add(200*time.Millisecond))
	}
	if !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(start) > 20*time.Second {
		t.Fatalf("%v after %v", err, time.Since(start))
	}
}

func TestWriteToTheDead(t *testing.T) {
	p := sh(t, `exit 0`)
	<-p.Exited()
	if _, err := p.Write([]byte("x\n"), soon()); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("writing to a dead program: %v", err)
	}
}

func TestExits(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"exit 0":         "exited with code 0",
		"exit 7":         "exited with code 7",
		"kill -SEGV $$":  "was killed by signal 11 (segmentation fault)",
		"exec sleep 100": "did not exit by itself and was killed by the referee",
		"trap '' TERM HUP INT; while :; do sleep 0.1; done": "did not exit by itself and was killed by the referee",
	} {
		p := sh(t, script)
		exit, err := p.Stop(100 * time.Millisecond)
		if err != nil || exit.String() != want {
			t.Errorf("%s: %s (%+v), %v; want %s", script, exit, exit, err, want)
		}
	}
}

func TestInterrupt(t *testing.T) {
	p := sh(t, `exec sleep 100`)
	time.AfterFunc(20*time.Millisecond, p.Interrupt)
	if _, err := p.Read(make([]byte, 1), soon()); err != ErrInterrupted {
		t.Fatalf("interrupted read: %v", err)
	}
	if _, err := p.Read(make([]byte, 1), soon()); err != ErrInterrupted {
		t.Fatalf("read after an interruption: %v", err)
	}
}

// TestInterruptedWrite: who waits for room is interrupted, too, and then still writes what there is room for.
func TestInterruptedWrite(t *testing.T) {
	t.Parallel()
	p := sh(t, `exec sleep 100`)
	time.AfterFunc(50*time.Millisecond, p.Interrupt)
	if _, err := p.Write(make([]byte, 1<<20), soon()); err != ErrInterrupted {
		t.Errorf("interrupted write: %v", err)
	}
	p = sh(t, `cat`)
	p.Interrupt()
	if _, err := p.Write([]byte("the end\n"), time.Time{}); err != nil {
		t.Errorf("write after an interruption: %v", err)
	}
}

// TestWriteInPieces: a write that looks again and again whether it should go on loses nothing and sends
// nothing twice.
func TestWriteInPieces(t *testing.T) {
	t.Parallel()
	const script = `sleep 0.35; exec cksum`
	text := bytes.Repeat([]byte("all that there is to say\n"), 20_000)
	p := sh(t, script)
	if _, err := p.Write(text, soon()); err != nil {
		t.Fatal(err)
	}
	p.CloseInput()
	buf := make([]byte, 100)
	n, err := p.Read(buf, soon())
	c := exec.Command("/bin/sh", "-c", script)
	c.Stdin = bytes.NewReader(text)
	want, _ := c.Output()
	if err != nil || !bytes.Equal(buf[:n], want) || n == 0 {
		t.Errorf("%q, want %q; %v", buf[:n], want, err)
	}
}

func TestFloodOfErrors(t *testing.T) {
	t.Parallel()
	p := sh(t, `cat /dev/zero >&2; :`)
	_, err := p.Read(make([]byte, 1), time.Now().Add(60*time.Second))
	if err != ErrFlooded {
		t.Fatalf("flooded: %v", err)
	}
	kept, total := p.Stderr()
	if len(kept) != StderrKept || total <= StderrMax || total > StderrMax+1<<20 {
		t.Fatalf("kept %d of %d", len(kept), total)
	}
}

// TestEnvironment: Env adds to the environment of the referee and overrides it; PWD is the working directory.
func TestEnvironment(t *testing.T) {
	t.Setenv("INHERITED", "yes")
	t.Setenv("OVERRIDDEN", "no")
	t.Setenv("PWD", "elsewhere")
	dir := t.TempDir()
	for _, c := range []struct {
		env  []string
		want string
	}{
		{nil, "no"},
		{[]string{"OVERRIDDEN=yes"}, "yes"},
		{[]string{"OVERRIDDEN=perhaps", "OVERRIDDEN=yes"}, "yes"},
	} {
		r := Run(t.Context(), Command{Args: []string{"env"}, Dir: dir, Env: c.env}, RunLimits{Time: time.Minute})
		lines := strings.Split(r.Stdout.String(), "\n")
		for _, want := range []string{"INHERITED=yes", "OVERRIDDEN=" + c.want, "PWD=" + dir} {
			if !slices.Contains(lines, want) {
				t.Errorf("with %q: %v; %s is missing in %q", c.env, r, want, lines)
			}
		}
	}
}

func TestStartErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"missing":        {[]string{filepath.Join(dir, "none")}, "not found"},
		"missing word":   {[]string{"no-such-program-anywhere"}, "not found"},
		"not executable": {[]string{write("plain", "x", 0o644)}, "not executable"},
		"directory":      {[]string{dir}, "is a directory"},
		"no interpreter": {[]string{write("script", "#!/no/such/interpreter\n", 0o755)}, "no such file"},
		"no program":     {[]string{write("text", "hello", 0o755)}, "exec format error: it is no program of this system"},
		"Windows lines":  {[]string{write("crlf", "#!/bin/sh\r\necho x\r\n", 0o755)}, "save it with LF"},
	} {
		p, err := Start(Command{Args: c.args})
		if err == nil {
			p.Stop(0)
			t.Errorf("%s: started", name)
		} else if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q, want %q", name, err, c.want)
		}
	}
}

func TestParseCommand(t *testing.T) {
	t.Setenv("WHERE", "/opt/x y")
	for line, want := range map[string][]string{
		"java -jar x.jar":        {"java", "-jar", "x.jar"},
		`./a\ b 'c d' "e 'f'" `:  {"./a b", "c d", "e 'f'"},
		`"$WHERE/bot" --level 3`: {"/opt/x y/bot", "--level", "3"},
	} {
		c, err := ParseCommand(line)
		if err != nil || strings.Join(c.Args, "|") != strings.Join(want, "|") {
			t.Errorf("%s: %q, %v", line, c.Args, err)
		}
	}
	for _, line := range []string{"", "  ", "a $(rm -rf x)", "a `b`", "'open", "a | b", "a > b", "a; b", "''", "a $NO_SUCH_VARIABLE b", "a # b", "a {b,c}"} {
		if c, err := ParseCommand(line); err == nil {
			t.Errorf("%q: accepted as %q", line, c.Args)
		}
	}
}

func TestTail(t *testing.T) {
	for _, chunk := range []int{1, 3, 7, 8, 20, 100} {
		kept := newCapture(0, 8)
		text := "the quick brown fox jumps over the lazy dog"
		for rest := text; rest != ""; {
			n := min(chunk, len(rest))
			kept.Write([]byte(rest[:n]))
			rest = rest[n:]
		}
		if e := kept.excerpt(); string(e.Tail) != text[len(text)-8:] || e.LeftOut != int64(len(text)-8) {
			t.Errorf("in chunks of %d: %q behind %d", chunk, e.Tail, e.LeftOut)
		}
	}
}

// Where something is left out, no character is split: one that a cut goes through is left out whole.
func TestExcerptSplitsNoCharacter(t *testing.T) {
	const text = "äöü€😀"
	for head := range len(text) {
		for tail := range len(text) {
			kept := newCapture(head, tail)
			kept.Write([]byte(text))
			e := kept.excerpt()
			if e.LeftOut > 0 && !(utf8.Valid(e.Head) && utf8.Valid(e.Tail)) || int(e.LeftOut)+len(e.Head)+len(e.Tail) != len(text) {
				t.Errorf("%d and %d bytes: %q, %d left out, %q", head, tail, e.Head, e.LeftOut, e.Tail)
			}
			if head+tail >= len(text) && e.String() != text {
				t.Errorf("%d and %d bytes hold all: %q", head, tail, e)
			}
		}
	}
}

// A round trip through the kernel and back, the floor of what a ply costs.
func BenchmarkRoundTrip(b *testing.B) {
	p, err := Start(Command{Args: []string{"cat"}})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Stop(time.Second)
	buf := make([]byte, 100)
	for b.Loop() {
		if _, err := p.Write([]byte("(go 1)\n"), soon()); err != nil {
			b.Fatal(err)
		}
		if _, err := p.Read(buf, soon()); err != nil {
			b.Fatal(err)
		}
	}
}

// What it costs to start a program and to end it, and what each kind of confinement adds.
func BenchmarkStart(b *testing.B) {
	for _, way := range []struct {
		name    string
		confine Confinement
	}{
		{"unconfined", Confinement{}},
		{"pinned", Confinement{CPUs: Cores()[:1]}},
		{"watched", Confinement{Processes: 100}},
		{"limited", Confinement{Memory: 1 << 30, CPU: time.Minute, FileSize: 1 << 20, Files: 100}},
		{"private", Confinement{Private: true}},
	} {
		if way.confine.Check() != nil {
			continue // not on this system
		}
		dir := b.TempDir()
		b.Run(way.name, func(b *testing.B) {
			for b.Loop() {
				p, err := Start(Command{Args: []string{"/bin/true"}, Dir: dir, Confine: way.confine})
				if err != nil {
					b.Fatal(err)
				}
				p.Stop(time.Second)
			}
		})
	}
}
