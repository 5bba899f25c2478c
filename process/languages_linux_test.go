package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"luzhanqi/process/processtest"
	"luzhanqi/process/sandbox"
)

// A language is built and run as docs/security.md says in its table: what each needs.
type language struct {
	files  map[string]string
	needs  []string // installed
	build  string
	env    []string // of the build
	run    string
	answer string
}

var languages = map[string]language{
	"Python": {
		needs: []string{"python3"},
		files: map[string]string{"bot.py": `import hashlib, random, subprocess, sys, tempfile, threading
t = threading.Thread(target=lambda: None); t.start(); t.join()
tempfile.TemporaryFile().write(b"x")
print(subprocess.run([sys.executable, "-c", "print('a child')"], capture_output=True, text=True).stdout.strip())
`},
		build: "python3 -m compileall -q .", run: "python3 bot.py", answer: "a child",
	},
	"JavaScript": {
		needs: []string{"node"},
		files: map[string]string{"bot.js": `const {Worker, isMainThread} = require("worker_threads"), fs = require("fs"), os = require("os");
if (isMainThread) new Worker(__filename).on("exit", () => { fs.mkdtempSync(os.tmpdir() + "/"); console.log("a worker") });
`},
		build: "node --check bot.js", run: "node bot.js", answer: "a worker",
	},
	"Java": {
		needs: []string{"javac", "java"},
		files: map[string]string{"Bot.java": `public class Bot { public static void main(String[] a) throws Exception {
  java.nio.file.Files.createTempFile("a", "b");
  System.out.println(java.util.stream.IntStream.range(0, 1000).parallel().sum()); } }
`},
		// A quarter of the machine's memory is its own idea of what to begin with.
		build: "javac Bot.java", run: "java -Xmx128m Bot", answer: "499500",
	},
	"C++": {
		needs: []string{"g++"},
		files: map[string]string{"bot.cpp": `#include <iostream>
#include <thread>
int main() { std::thread([] {}).join(); std::cout << "a thread" << std::endl; }
`},
		build: "g++ -O2 -pthread -o bot bot.cpp", run: "./bot", answer: "a thread",
	},
	"Go": {
		needs: []string{"go"},
		files: map[string]string{"go.mod": "module bot\n\ngo 1.24\n", "main.go": `package main

import "fmt"

func main() {
	said := make(chan string)
	go func() { said <- "a goroutine" }()
	fmt.Println(<-said)
}
`},
		env:   []string{"GOFLAGS=-buildvcs=false", "GOPROXY=off", "GOTOOLCHAIN=local", "CGO_ENABLED=0"},
		build: "go build -o bot .", run: "./bot", answer: "a goroutine",
	},
	"bash": {
		needs: []string{"bash"},
		files: map[string]string{"bot.sh": "#!/usr/bin/env bash\nread -r a b <<<'a pipe'\necho \"$(echo $a | cat) $b\" | tee $(mktemp)\n"},
		build: "chmod +x bot.sh", run: "./bot.sh", answer: "a pipe",
	},
}

const languagesOf = "PROCESS_TEST_LANGUAGES" // the directory of an ordinary user who runs TestLanguages

// TestLanguages builds and runs a small program of each language as grade does, sealed, with 256 MiB to run, and
// nobody is accused of anything.
func TestLanguages(t *testing.T) {
	if report := Isolation(); report.Sealed() != nil {
		if os.Getenv("LUZHANQI_NO_SKIP") != "" {
			t.Fatal(report)
		}
		t.Skip(report)
	}
	root := os.Getenv(languagesOf)
	if root == "" {
		root = t.TempDir()
	}
	for name, l := range languages {
		t.Run(name, func(t *testing.T) {
			processtest.Need(t, l.needs...)
			sources, built := filepath.Join(root, name), filepath.Join(root, name+"-built")
			for _, dir := range []string{sources, built} {
				if err := os.Mkdir(dir, 0o777); err != nil {
					t.Fatal(err)
				}
			}
			for file, text := range l.files {
				if err := os.WriteFile(filepath.Join(sources, file), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			build := Command{
				Args: strings.Fields(l.build), Dir: sources, Env: slices.Clone(l.env),
				Confine: Confinement{Memory: 4 << 30, Processes: 256, Threads: 2048, CPU: 10 * time.Minute, FileSize: 256 << 20, Files: 1024},
				Sandbox: sandbox.Policy{Profile: sandbox.Sealed, Keep: built, Whole: true},
			}
			if cache := goCache(t); name == "Go" && cache != "" { // else it builds the standard library first
				build.Sandbox.Read, build.Env = []string{cache}, append(build.Env, "GOCACHE="+cache)
			}
			succeeds(t, build)
			run := Command{
				Args: strings.Fields(l.run), Dir: built, Confine: Confinement{Memory: 256 << 20},
				Sandbox: sandbox.Policy{Profile: sandbox.Sealed},
			}
			if answer := succeeds(t, run); answer != l.answer {
				t.Errorf("%s says %q, want %q", l.run, answer, l.answer)
			}
		})
	}
}

// succeeds runs a command, which is refused nothing.
func succeeds(t *testing.T, c Command) (output string) {
	t.Helper()
	r := Run(t.Context(), c, RunLimits{Time: 5 * time.Minute})
	if !r.OK() {
		t.Fatalf("%v: %v, %v\n%s%s", c, r.Exit, r.Err, r.Stdout, r.Stderr)
	}
	if len(r.Exit.Refused) > 0 {
		t.Errorf("%v was refused %+v", c, r.Exit.Refused)
	}
	return strings.TrimSpace(r.Stdout.String())
}

// goCache is the cache of whoever runs the test, which a sealed program can read; empty: there is none.
func goCache(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	dir := strings.TrimSpace(string(out))
	if _, missing := os.Stat(dir); err != nil || missing != nil {
		return ""
	}
	return dir
}

// TestLanguagesOfOrdinaryUsers is the same for a user without any rights.
func TestLanguagesOfOrdinaryUsers(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("TestLanguages is run by one")
	}
	dir, err := os.MkdirTemp("/var/lib", "luzhanqi-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chown(dir, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("/proc/self/exe", "-test.run", "^TestLanguages$", "-test.v")
	if os.Getenv("LUZHANQI_NIGHTLY") == "" { // it compiles the standard library, for half a minute
		c.Args = append(c.Args, "-test.skip", "/^Go$")
	}
	c.Dir = dir
	c.Env = append(os.Environ(), languagesOf+"="+dir, "HOME="+dir, "GOCACHE=")
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
