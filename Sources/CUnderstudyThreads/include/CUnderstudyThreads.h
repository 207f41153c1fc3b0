#pragma once
#ifdef __linux__
#include <pthread.h>
// The C library has it, but declares it only where `_GNU_SOURCE` is set, and Swift does not set that.
int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes);
#endif

/// The processors that this process may use, where a program such as `taskset` has chosen them; 0 where that is not known.
int thread_allowed_processors(void);
