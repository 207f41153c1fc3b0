// Counts by object, caller and event loop how often a Swift program retains and releases, for Evidence/shared-retains.
//
// Preloaded into the program (x86-64). The addresses of the runtime's functions within the program, which exports nothing,
// are in SHARED_RETAINS. Counts while the file SHARED_RETAINS_OPEN exists, and writes
// its rows to the file SHARED_RETAINS_ROWS when it is gone.
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SLOTS = 1 << 20, THREADS = 64 };

typedef struct {
  _Atomic(uintptr_t) object;
  uintptr_t caller;
  uintptr_t type;
  _Atomic(unsigned) counts[THREADS];
} Slot;

static Slot *slots;
static pthread_mutex_t claims = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool isOpen;
static atomic_int threads;
static _Thread_local int thread = -1;

static uintptr_t programBase;

// By the name that swift-nio gives to its threads; others write the log and check things beside requests.
static _Bool isLoop(void) {
  char name[16] = "";
  pthread_getname_np(pthread_self(), name, sizeof name);
  return strncmp(name, "NIO-ELT-", 8) == 0;
}

static void note(uintptr_t object, void *returnAddress) {
  // Null, and the bits of a value in place of a reference, such as a short string.
  if (!atomic_load_explicit(&isOpen, memory_order_relaxed) || (intptr_t)object <= 0) return;
  object &= 0x00FFFFFFFFFFFFF8;  // A bridge object has flags in its other bits.
  // The counts of an immortal object are never written.
  if ((uint32_t)((uint64_t *)object)[1] == UINT32_MAX) return;
  if (thread < 0) thread = isLoop() ? atomic_fetch_add(&threads, 1) % THREADS : THREADS;
  if (thread == THREADS) return;
  uintptr_t caller = (uintptr_t)returnAddress - programBase;
  uintptr_t key = object ^ caller << 40 ^ caller >> 24;
  uintptr_t index = (key >> 4) * 0x9E3779B97F4A7C15u >> 44;
  for (int step = 0; step < SLOTS; step++, index = (index + 1) % SLOTS) {
    uintptr_t known = atomic_load(&slots[index].object);
    if (known == 0) {
      // The row is its thread's until it has the object.
      pthread_mutex_lock(&claims);
      known = atomic_load(&slots[index].object);
      if (known == 0) {
        slots[index].caller = caller;
        slots[index].type = *(uintptr_t *)object;
        atomic_store(&slots[index].object, known = object);
      }
      pthread_mutex_unlock(&claims);
    }
    if (known != object || slots[index].caller != caller) continue;
    atomic_fetch_add_explicit(&slots[index].counts[thread], 1, memory_order_relaxed);
    return;
  }
}

static void *(*retain)(void *), *(*retainN)(void *, uint32_t), (*release)(void *), (*releaseN)(void *, uint32_t);

// Each function begins with a check for the hooks of Instruments, which get strings in place of references. Therefore its
// beginning is replaced by a jump to ours, which ends in what follows that check.
static void *retainRest, *retainNRest, *releaseRest, *releaseNRest;

#define TRAMPOLINE(name, count, rest) \
  __asm__(#name ": push %rbp; mov %rsp, %rbp; " count "jmp *" #rest "(%rip)")
TRAMPOLINE(goOnRetaining, "", retainRest);
TRAMPOLINE(goOnRetainingN, "mov %esi, %edx; ", retainNRest);
TRAMPOLINE(goOnReleasing, "", releaseRest);
TRAMPOLINE(goOnReleasingN, "mov %esi, %edx; ", releaseNRest);
void *goOnRetaining(void *), *goOnRetainingN(void *, uint32_t);
void goOnReleasing(void *), goOnReleasingN(void *, uint32_t);

static void *notedRetain(void *object) { note((uintptr_t)object, __builtin_return_address(0)); return goOnRetaining(object); }
static void *notedRetainN(void *object, uint32_t n) { note((uintptr_t)object, __builtin_return_address(0)); return goOnRetainingN(object, n); }
static void notedRelease(void *object) { note((uintptr_t)object, __builtin_return_address(0)); goOnReleasing(object); }
static void notedReleaseN(void *object, uint32_t n) { note((uintptr_t)object, __builtin_return_address(0)); goOnReleasingN(object, n); }

static void replace(uintptr_t function, void *by, void **rest) {
  uint8_t *code = (uint8_t *)function;
  int check = 0;
  while (check < 20 && memcmp(code + check, "\x3c\x01\x74", 3)) check++;
  if (memcmp(code, "\x55\x48\x89\xe5", 4) || check == 20) {
    fprintf(stderr, "error: the runtime of this Swift begins its functions in another way\n");
    exit(2);
  }
  *rest = code + check + 4;
  uintptr_t page = function & -4096;
  mprotect((void *)page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
  memcpy(code, "\x48\xb8", 2);  // movabs $by, %rax
  memcpy(code + 2, &by, 8);
  memcpy(code + 10, "\xff\xe0", 2);  // jmp *%rax
  mprotect((void *)page, 8192, PROT_READ | PROT_EXEC);
}

typedef struct { const char *text; uintptr_t length; } Name;
static Name (*typeName)(uintptr_t type, _Bool qualified);

static void writeRows(void) {
  FILE *file = fopen(getenv("SHARED_RETAINS_ROWS"), "w");
  for (int index = 0; index < SLOTS; index++) {
    if (slots[index].object == 0) continue;
    Name name = typeName(slots[index].type, 1);
    fprintf(file, "%#lx %#lx", (unsigned long)slots[index].object, (unsigned long)slots[index].caller);
    for (int each = 0; each < threads && each < THREADS; each++) fprintf(file, " %u", slots[index].counts[each]);
    fprintf(file, " %.*s\n", (int)name.length, name.text);
  }
  fclose(file);
}

static void *watch(void *unused) {
  for (;; usleep(20000)) {
    _Bool wanted = access(getenv("SHARED_RETAINS_OPEN"), F_OK) == 0;
    if (wanted == atomic_load(&isOpen)) continue;
    atomic_store(&isOpen, wanted);
    if (!wanted) writeRows();
  }
  return unused;
}

static int findBase(struct dl_phdr_info *info, size_t size, void *base) {
  *(uintptr_t *)base = info->dlpi_addr;
  return 1;  // The program comes first.
}

__attribute__((constructor)) static void begin(void) {
  uintptr_t base, address[5];
  dl_iterate_phdr(findBase, &base);
  if (sscanf(getenv("SHARED_RETAINS"), "%lx %lx %lx %lx %lx", &address[0], &address[1], &address[2], &address[3],
             &address[4]) != 5) exit(2);
  programBase = base;
  slots = calloc(SLOTS, sizeof(Slot));
  replace(base + address[0], notedRetain, &retainRest);
  replace(base + address[1], notedRetainN, &retainNRest);
  replace(base + address[2], notedRelease, &releaseRest);
  replace(base + address[3], notedReleaseN, &releaseNRest);
  typeName = (void *)(base + address[4]);
  pthread_t watcher;
  pthread_create(&watcher, NULL, watch, NULL);
}
