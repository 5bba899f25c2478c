// starts GAMES DIRECTORY: what it costs at least to start two programs for each of so many games, and to see them end, without a
// referee: this program starts itself, and ends at once. With a DIRECTORY, each start has what an isolated program of root has:
// namespaces, a process 1, the mounts of a guarded view of which DIRECTORY is a layer whose owner is mapped, a user of its own, and
// a filter of system calls. Without one, "", each is a vfork and an exec.
// It prints the processor time of all processes a game in milliseconds, and games a second.
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { USER = 0x70000005, READ_ONLY = 1, NO_SET_UID = 2, MAPPED = 0x100000, RECURSIVE = 0x8000, CLONED = 1, EMPTY_PATH = 0x1000 };

struct attributes {
  unsigned long long set, clear, propagation, namespace;
};

static int self;   // this binary
static int *first; // number of process 1, which falls to the process that starts games

// must ends what is not done, with a number that is the line.
#define must(done) ((done) < 0 ? (perror(#done), _exit(1), 0) : 0)

static void set(int at, const char *path, int flags, struct attributes a) { must(syscall(SYS_mount_setattr, at, path, flags, &a, sizeof a)); }

static void put(const char *path, const char *text) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  must(fd);
  must(write(fd, text, strlen(text)));
  close(fd);
}

// owners is a user namespace in which root's files are the program's.
static int owners(void) {
  char path[64];
  int pid = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
  must(pid);
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) pause();
  }
  for (int i = 0; i < 2; i++) {
    snprintf(path, sizeof path, "/proc/%d/%s", pid, i ? "gid_map" : "uid_map");
    put(path, "0 1879048197 1\n1 1 1879048191\n");
  }
  snprintf(path, sizeof path, "/proc/%d/ns/user", pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  must(fd);
  kill(pid, SIGKILL);
  waitpid(pid, 0, 0);
  return fd;
}

static int take(const char *path) {
  int fd = syscall(SYS_open_tree, AT_FDCWD, path, CLONED | O_CLOEXEC | RECURSIVE);
  must(fd);
  set(fd, "", EMPTY_PATH | RECURSIVE, (struct attributes){READ_ONLY | NO_SET_UID, 0, MS_PRIVATE, 0});
  return fd;
}

static void layer(int tree, const char *at, const char *name) {
  char lower[64], upper[64], work[64], options[256];
  snprintf(lower, sizeof lower, "/tmp/lower-%s", name);
  snprintf(upper, sizeof upper, "/tmp/upper-%s", name);
  snprintf(work, sizeof work, "/tmp/work-%s", name);
  snprintf(options, sizeof options, "lowerdir=%s,upperdir=%s,workdir=%s", lower, upper, work);
  must(mkdir(lower, 0755));
  must(mkdir(upper, 0755));
  must(mkdir(work, 0755));
  must(syscall(SYS_move_mount, tree, "", AT_FDCWD, lower, 4));
  must(mount("starts", at, "overlay", MS_NOSUID | MS_NODEV, options));
}

static void own(const char *path, const char *at) {
  must(mkdir(path, 01777));
  if (at) must(mount(path, at, 0, MS_BIND, 0));
}

static void devices(void) {
  const char *names[] = {"null", "zero", "full", "random", "urandom", "tty"};
  const char *links[][2] = {{"fd", "/proc/self/fd"}, {"stdin", "/proc/self/fd/0"}, {"stdout", "/proc/self/fd/1"}, {"stderr", "/proc/self/fd/2"}, {"ptmx", "pts/ptmx"}};
  char from[64], at[64];
  must(mkdir("/tmp/dev", 0755));
  for (int i = 0; i < 6; i++) {
    snprintf(from, sizeof from, "/dev/%s", names[i]);
    snprintf(at, sizeof at, "/tmp/dev/%s", names[i]);
    must(mknod(at, S_IFREG | 0444, 0));
    must(mount(from, at, 0, MS_BIND, 0));
  }
  for (int i = 0; i < 5; i++) {
    snprintf(at, sizeof at, "/tmp/dev/%s", links[i][0]);
    must(symlink(links[i][1], at));
  }
  must(mkdir("/tmp/dev/pts", 0755));
  must(mkdir("/tmp/dev/shm", 0755));
  must(mount("devpts", "/tmp/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,mode=0600,ptmxmode=0666"));
  own("/tmp/shm", "/tmp/dev/shm");
  must(mount("/tmp/dev", "/dev", 0, MS_BIND | MS_REC, 0));
}

static void view(const char *directory) {
  must(mount("", "/", 0, MS_REC | MS_PRIVATE, 0));
  int dir = take(directory), home = take("/root"), map = owners();
  set(dir, "", EMPTY_PATH, (struct attributes){MAPPED, 0, 0, map});
  close(map);
  set(AT_FDCWD, "/", RECURSIVE, (struct attributes){READ_ONLY | NO_SET_UID, 0, 0, 0});
  must(mount("starts", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=64M"));
  devices();
  own("/tmp/run", "/run");
  own("/tmp/var-tmp", "/var/tmp");
  own("/tmp/tmp", 0);
  layer(home, "/root", "home");
  must(mkdir("/tmp/tmp/dir", 0755));
  layer(dir, "/tmp/tmp/dir", "dir");
  must(mount("/tmp/tmp", "/tmp", 0, MS_BIND | MS_REC, 0));
}

static void restrict_self(void) {
  enum { CALLS = 120 };
  struct sock_filter rules[CALLS + 2] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0)};
  for (int i = 1; i <= CALLS; i++) rules[i] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 1000 + i, 0, 0);
  rules[CALLS + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = {CALLS + 2, rules};
  must(setresgid(USER, USER, USER));
  must(setresuid(USER, USER, USER));
  must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  must(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0));
}

static void start(void) {
  char *words[] = {"starts", 0};
  int status, pid = vfork();
  if (pid == 0) {
    syscall(SYS_execveat, self, "", words, words + 1, EMPTY_PATH);
    _exit(1);
  }
  if (pid < 0 || waitpid(pid, &status, 0) < 0 || status) _exit(1);
}

static void start_isolated(const char *directory) {
  char ready;
  int status, said[2], maker = fork();
  must(maker);
  if (maker) {
    if (waitpid(maker, &status, 0) < 0 || status) exit(1);
    must(kill(*first, SIGKILL));
    must(waitpid(*first, 0, 0));
    return;
  }
  must(unshare(CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS));
  view(directory);
  must(unshare(CLONE_NEWPID));
  must(pipe2(said, O_CLOEXEC));
  int pid = fork();
  must(pid);
  if (pid == 0) { // process 1
    must(mount("proc", "/proc", "proc", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, 0));
    must(write(said[1], "", 1));
    for (;;) pause();
  }
  must(read(said[0], &ready, 1));
  *first = pid;
  restrict_self();
  start();
  _exit(0);
}

static double seconds(struct timeval t) { return t.tv_sec + t.tv_usec / 1e6; }

int main(int count, char **word) {
  if (count < 3) return 0; // what is started
  int games = atoi(word[1]);
  struct timespec begin, end;
  struct rusage own, theirs;
  must(self = open("/proc/self/exe", O_PATH | O_CLOEXEC));
  must(prctl(PR_SET_CHILD_SUBREAPER, 1));
  if ((first = mmap(0, sizeof *first, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) == MAP_FAILED) return 1;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int i = 0; i < 2 * games; i++) {
    if (*word[2]) start_isolated(word[2]);
    else start();
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  getrusage(RUSAGE_SELF, &own);
  getrusage(RUSAGE_CHILDREN, &theirs);
  double used = seconds(own.ru_utime) + seconds(own.ru_stime) + seconds(theirs.ru_utime) + seconds(theirs.ru_stime);
  printf("%.3f %.1f\n", used * 1000 / games, games / (end.tv_sec - begin.tv_sec + (end.tv_nsec - begin.tv_nsec) / 1e9));
  return 0;
}
