//go:build amd64 || arm64

package filter

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// sender tries all ways to send a signal to a process outside, then those within.
const sender = `#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static void say(const char *what, long result) { printf("%s: %s\n", what, result < 0 ? strerror(errno) : "sent"); }
static void nothing(int signal) {}
int main(int argc, char **argv) {
  int to = atoi(argv[1]), status;
  setvbuf(stdout, 0, _IONBF, 0);
  siginfo_t info = {.si_signo = SIGTERM, .si_code = SI_QUEUE};
  say("kill", kill(to, SIGTERM));
  say("its group", kill(-to, SIGTERM));
  say("all", kill(-1, SIGTERM));
  say("tkill", syscall(SYS_tkill, to, SIGTERM));
  say("tgkill", syscall(SYS_tgkill, to, to, SIGTERM));
  say("queue", syscall(SYS_rt_sigqueueinfo, to, SIGTERM, &info));
  say("queue to thread", syscall(SYS_rt_tgsigqueueinfo, to, to, SIGTERM, &info));
  say("descriptor", syscall(424, syscall(434, to, 0), SIGTERM, 0, 0));
  say("supervisor", kill(getppid(), SIGTERM));
  if (setpgid(0, to) == 0) say("group joined", kill(0, SIGTERM));
  int child = fork();
  if (child == 0) for (;;) pause();
  say("child", kill(child, SIGKILL));
  waitpid(child, &status, 0);
  signal(SIGTERM, nothing);
  say("raise", raise(SIGTERM));
  if ((child = fork()) == 0) {
    setpgid(0, 0);
    say("own group", kill(0, SIGTERM));
    abort();
  }
  waitpid(child, &status, 0);
  printf("abort: %d\n", WTERMSIG(status));
}`

// Signals reach the program's own processes, and nobody else however they are sent, without Landlock and
// namespaces.
func TestSignalsStayInside(t *testing.T) {
	program := compileC(t, sender)
	asUsers(t, func(t *testing.T, uid int) {
		outside := command(t, uid, sleepChild)
		outside.SysProcAttr = cmp.Or(outside.SysProcAttr, &syscall.SysProcAttr{})
		outside.SysProcAttr.Setpgid = true
		if err := outside.Start(); err != nil {
			t.Fatal(err)
		}
		pid := outside.Process.Pid
		r := inChild[watched](t, uid, watchedChild, "signals", program, strconv.Itoa(pid))
		want := "child: sent\nraise: sent\nown group: sent\nabort: 6\n"
		refused := strings.TrimSuffix(r.Output, want)
		if refused == r.Output || strings.Contains(refused, "sent") || strings.Count(refused, "not permitted") < 8 {
			t.Errorf("printed:\n%s", r.Output)
		}
		if err := unix.Kill(pid, unix.SIGKILL); err != nil {
			t.Error(err)
		}
		if err := outside.Wait(); !strings.Contains(fmt.Sprint(err), "killed") {
			t.Errorf("the process outside: %v", err)
		}
		var reported []string
		for _, refused := range r.Reported {
			reported = append(reported, refused.Call+": "+refused.Detail)
		}
		if want := fmt.Sprintf("kill: SIGTERM to process %d", pid); !slices.Contains(reported, want) {
			t.Errorf("reported %q, without %q", reported, want)
		}
	})
}
