//go:build amd64 || arm64

package filter

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"luzhanqi/process/processtest"
)

// The harmless questions of runtimes and compilers accuse nobody, and all of them work under all filters.
func TestRuntimesAreNotRefused(t *testing.T) {
	dir := sharedDir(t)
	for name, text := range map[string]string{
		"hello.py": `import asyncio, concurrent.futures, multiprocessing, random, subprocess, threading, uuid
async def nothing(): await asyncio.sleep(0)
def half(x): return x / 2
if __name__ == "__main__":
    asyncio.run(nothing())
    threading.Thread(target=nothing).start
    with concurrent.futures.ProcessPoolExecutor(2) as pool: list(pool.map(half, [1, 2]))
    subprocess.run(["true"], check=True)
    uuid.uuid4()
    print("hello")
`,
		"hello.js": `const {Worker, isMainThread} = require("worker_threads");
if (isMainThread) {
  new Worker(__filename);
  require("child_process").execFileSync("true");
  require("fs").promises.readFile(__filename).then(() => console.log("hello"));
}
`,
		"Hello.java": `import java.util.concurrent.*;
public class Hello {
  public static void main(String[] args) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    pool.submit(() -> new java.security.SecureRandom().nextInt()).get();
    pool.shutdown();
    System.out.println("hello");
  }
}
`,
		"hello.cc": `#include <cstdio>
#include <random>
#include <thread>
int main() {
  int n = 0;
  std::thread([] { std::random_device()(); }).join();
#pragma omp parallel reduction(+ : n)
  n++;
  std::puts(n > 0 ? "hello" : "none");
}
`,
	} {
		write(t, filepath.Join(dir, name), text)
	}
	binary, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(at("go"), binary, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, language := range map[string]struct{ compile, run []string }{
		"Python": {run: []string{"python3", at("hello.py")}},
		"node":   {run: []string{"node", at("hello.js")}},
		"Java":   {[]string{"javac", "-d", dir, at("Hello.java")}, []string{"java", "-Xmx64m", "-cp", dir, "Hello"}},
		"Go":     {run: []string{"env", childVariable + "=" + helloChild, at("go")}},
		"C++":    {[]string{"g++", "-fopenmp", "-o", at("hello"), at("hello.cc")}, []string{"env", "OMP_PROC_BIND=true", at("hello")}},
	} {
		t.Run(name, func(t *testing.T) {
			processtest.Need(t, language.run[0])
			under := func(spec, want string, command []string) {
				r := inChild[watched](t, os.Getuid(), watchedChild, append([]string{spec}, command...)...)
				if len(r.Reported) > 0 {
					t.Errorf("%s: %s: reported %+v", spec, command[0], r.Reported)
				}
				if strings.Trim(r.Output, "\"\n") != want {
					t.Errorf("%s: %s printed %q", spec, command[0], r.Output)
				}
			}
			if language.compile != nil {
				processtest.Need(t, language.compile[0])
				under("notify, empty", "", language.compile)
			}
			for _, spec := range []string{"notify, empty", "notify, strictest", "strictest"} {
				under(spec, "hello", language.run)
			}
		})
	}
}

var helloChild = child("hello", func([]string) (any, error) {
	for range 4 {
		go func() {
			for n := 0; n >= 0; n++ { // which the runtime has to interrupt by signals
			}
		}()
	}
	time.Sleep(30 * time.Millisecond)
	return "hello", exec.Command("true").Run()
})
