// The functions that Linux's Synchronization calls, which its own header leaves out for another system. Nothing runs them.
#pragma once
static inline unsigned int _swift_stdlib_gettid(void) { return 0; }
static inline unsigned int _swift_stdlib_futex_lock(unsigned int *lock) { return 0; }
static inline unsigned int _swift_stdlib_futex_trylock(unsigned int *lock) { return 0; }
static inline unsigned int _swift_stdlib_futex_unlock(unsigned int *lock) { return 0; }
