// luzhanqi FILE1 FILE2: a player of dialect 5500 that answers at once, by the file of its seat: the set-up, then a move a line.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static char *text[2], *end[2];

int main(int count, char **word) {
  if (count < 3) return 64;
  for (int i = 0; i < 2; i++) {
    int fd = open(word[i + 1], O_RDONLY);
    struct stat st;
    if (fd < 0 || fstat(fd, &st)) return 1;
    text[i] = mmap(0, st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
    end[i] = text[i] + st.st_size;
    close(fd);
  }
  char buffer[4096], *next = 0;
  int filled = 0, seat = 0;
  for (;;) {
    int n = read(0, buffer + filled, sizeof buffer - filled);
    if (n <= 0) return 0;
    filled += n;
    char *from = buffer, *newline;
    while ((newline = memchr(from, '\n', buffer + filled - from))) {
      int length = newline - from, asked = 0;
      if (length > 6 && from[1] == 'i' && from[2] == 'n') { // (init 1 …)
        seat = from[6] - '1';
        next = text[seat];
        asked = 1;
      } else if (length == 6 && from[1] == 'g' && from[4] - '1' == seat) { // (go 1)
        asked = 1;
      }
      if (asked) {
        char *after = memchr(next, '\n', end[seat] - next);
        if (!after) return 3;
        if (write(1, next, after + 1 - next) < 0) return 0;
        next = after + 1;
      }
      from = newline + 1;
    }
    filled = buffer + filled - from;
    memmove(buffer, from, filled);
  }
}
