#pragma once
#ifdef __linux__
#include <pthread.h>
// The C library has it, but declares it only where `_GNU_SOURCE` is set, and Swift does not set that.
int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes);
#endif

/// The innermost limit of the current thread; null without one. Reading it takes one instruction, a key of pthread a call.
extern _Thread_local void *thread_work_limit;

static inline void *thread_get_work_limit(void) { return thread_work_limit; }

static inline void thread_set_work_limit(void *limit) { thread_work_limit = limit; }

/// The processors that this process may use, where a program such as `taskset` has chosen them; 0 where that is not known.
int thread_allowed_processors(void);
