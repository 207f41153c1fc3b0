// glibc has these functions since 2.36; expat and libstdc++ of Debian 12 call them. `getrandom` is in every kernel since 3.17.
// A released program brings its own, so that it runs on glibc 2.35.
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

void arc4random_buf(void *bytes, size_t count) {
  for (unsigned char *next = bytes; count > 0;) {
    ssize_t filled = getrandom(next, count, 0);
    if (filled < 0 && errno != EINTR) abort();
    if (filled > 0) next += filled, count -= (size_t)filled;
  }
}

uint32_t arc4random(void) {
  uint32_t number;
  arc4random_buf(&number, sizeof number);
  return number;
}
