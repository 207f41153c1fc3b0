#include "CUnderstudyThreads.h"

_Thread_local void *thread_work_limit;
