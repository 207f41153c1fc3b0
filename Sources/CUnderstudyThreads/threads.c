#ifdef __linux__
#define _GNU_SOURCE
#include <sched.h>
#endif
#include "CUnderstudyThreads.h"

int thread_allowed_processors(void) {
#ifdef __linux__
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
  return 0;
}
