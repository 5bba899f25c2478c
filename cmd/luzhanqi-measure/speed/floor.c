// floor PROCESSOR PLIES HOW PROGRAM ARGUMENT…: the system calls of a referee and nothing else. It starts the program twice, and
// then each ply writes two messages to each of them in one write, waits in ppoll(2) for the mover, and reads its answer. Nothing
// is parsed, judged or timed. Both programs and the floor run on one processor; -1: on any. Letters of HOW:
//   s  each program has a session of its own, as one that is not to stop the referee has; the kernel then shares the
//      processor between sessions
//   j  what is said of the opponent's turn comes in one write with the next turn, and an answer is read before it is waited for
//   l  the floor has a slice twice as long, so that whom it wakes runs at once
// It prints its own processor time a ply in microseconds, and plies a second.
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int in[2], out[2], joined;

// lengthen doubles the slice of this thread (see sched_setattr(2)).
static void lengthen(void) {
  struct {
    unsigned size, policy;
    unsigned long long flags;
    int nice;
    unsigned priority;
    unsigned long long runtime, deadline, period;
  } a = {sizeof a};
  if (syscall(SYS_sched_getattr, 0, &a, sizeof a, 0)) exit(1);
  a.runtime *= 2;
  if (syscall(SYS_sched_setattr, 0, &a, 0)) exit(1);
}

static double processor_time(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return u.ru_utime.tv_sec * 1e6 + u.ru_utime.tv_usec + u.ru_stime.tv_sec * 1e6 + u.ru_stime.tv_usec;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static void tell(int side, const char *message) {
  if (write(in[side], message, strlen(message)) < 0) exit(1);
}

static void hear(int side) {
  char answer[4096];
  struct timespec limit = {10, 0};
  if (joined && read(out[side], answer, sizeof answer) > 0) return;
  struct pollfd wait[2] = {{out[side], POLLIN, 0}, {-1, 0, 0}};
  ppoll(wait, 2, &limit, 0);
  if (read(out[side], answer, sizeof answer) <= 0) exit(2);
}

int main(int count, char **word) {
  if (count < 5) return 64;
  int processor = atoi(word[1]), plies = atoi(word[2]);
  if (processor >= 0) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  const char *how = word[3];
  joined = strchr(how, 'j') != 0;
  for (int side = 0; side < 2; side++) {
    int toward[2], back[2];
    if (pipe2(toward, O_CLOEXEC) || pipe2(back, O_CLOEXEC)) return 1;
    if (fork() == 0) {
      dup2(toward[0], 0);
      dup2(back[1], 1);
      if (strchr(how, 's')) setsid();
      execv(word[4], word + 4);
      _exit(1);
    }
    close(toward[0]);
    close(back[1]);
    in[side] = toward[1];
    out[side] = back[0];
    fcntl(out[side], F_SETFL, O_NONBLOCK);
  }
  tell(0, "(init 1 time/move 1.0)\n");
  tell(1, "(init 2 time/move 1.0)\n");
  hear(0);
  hear(1);
  if (strchr(how, 'l')) lengthen();
  double time = processor_time(), begun = now();
  for (int ply = 0; ply < plies; ply++) {
    int mover = ply & 1;
    const char *said = mover ? "(outcome (A6 A7))\n(go 2)\n" : "(outcome (A6 A7))\n(go 1)\n";
    const char *both = mover ? "(outcome (A6 A7))\n(go 1)\n(outcome (A6 A7))\n(go 2)\n" : "(outcome (A6 A7))\n(go 2)\n(outcome (A6 A7))\n(go 1)\n";
    tell(mover, joined ? both : said);
    if (!joined) tell(1 - mover, said);
    hear(mover);
  }
  printf("%.3f %.0f\n", (processor_time() - time) / plies, plies / (now() - begun) * 1e6);
  close(in[0]);
  close(in[1]);
  while (wait(0) > 0) {}
}
