// Ends the programs of a process after the process itself has ended, and the processes that programs have left.
#define _GNU_SOURCE
#include "supervisor.h"
#include "process.h"

#ifdef __linux__
#include <dirent.h>
#include <sys/prctl.h>
#endif
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct process_programs unsupervised;
struct process_programs *process_programs = &unsupervised;
volatile pid_t process_supervisor;

#ifdef __linux__
/// The parent of a process, whose name is copied; 0 for a process that has ended, also if nobody has waited for it yet.
static pid_t parent_of(pid_t pid, char *name, size_t size) {
  char path[64], line[256] = "", state = 0;
  pid_t parent = 0;
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  FILE *file = pid > 0 ? fopen(path, "r") : NULL;
  if (!file) return 0;
  // `12 (a name) S 7`: the name may have parentheses of its own.
  char *open = fgets(line, sizeof line, file) ? strchr(line, '(') : NULL, *close = open ? strrchr(line, ')') : NULL;
  fclose(file);
  if (!close || sscanf(close, ") %c %d", &state, &parent) != 2 || state == 'Z' || state == 'X') return 0;
  *close = 0;
  snprintf(name, size, "%s", open + 1);
  return parent;
}
#else
// Declared in libproc.h, which only the SDK of Apple has. They return the number of processes.
extern int proc_listchildpids(pid_t parent, void *list, int size);
extern int proc_listpgrppids(pid_t group, void *list, int size);
#endif

/// The maximum number of processes that the supervisor ends together.
enum { TREE_LIMIT = 4096 };

static int is_in(pid_t pid, const pid_t *list, size_t used) {
  for (size_t i = 0; i < used; i++)
    if (list[i] == pid) return 1;
  return 0;
}

/// Adds the children of processes to their list, without this process, and returns its new length.
static size_t add_children(pid_t *list, size_t used) {
#ifdef __linux__
  DIR *all = opendir("/proc");
  if (!all) return used;
  char name[64];
  for (struct dirent *entry; used < TREE_LIMIT && (entry = readdir(all));) {
    pid_t pid = (pid_t)atoi(entry->d_name);
    if (pid <= 0 || pid == getpid() || is_in(pid, list, used)) continue;
    if (is_in(parent_of(pid, name, sizeof name), list, used)) list[used++] = pid;
  }
  closedir(all);
#else
  static pid_t children[TREE_LIMIT];
  size_t parents = used;
  for (size_t i = 0; i < parents; i++) {
    int count = proc_listchildpids(list[i], children, sizeof children);
    for (int child = 0; child < count && used < TREE_LIMIT; child++)
      if (children[child] > 0 && children[child] != getpid() && !is_in(children[child], list, used))
        list[used++] = children[child];
  }
#endif
  return used;
}

/// Lists the processes of a group, and returns their number.
static size_t list_group(pid_t group, pid_t *list, size_t limit) {
  size_t used = 0;
#ifdef __linux__
  DIR *all = opendir("/proc");
  if (!all) return 0;
  for (struct dirent *entry; used < limit && (entry = readdir(all));) {
    pid_t pid = (pid_t)atoi(entry->d_name);
    if (pid > 0 && getpgid(pid) == group) list[used++] = pid;
  }
  closedir(all);
#else
  int count = proc_listpgrppids(group, list, (int)(limit * sizeof *list));
  if (count > 0) used = (size_t)count;
#endif
  return used;
}

/// Notes the group of this process if the group is a job of its own.
static void note_job(void) {
  pid_t list[NEIGHBOUR_LIMIT];
  if (getpgrp() != getpid()) return;
  process_programs->neighbour_count = 0;
  size_t used = list_group(getpgrp(), list, NEIGHBOUR_LIMIT);
  if (used == NEIGHBOUR_LIMIT) return;
  for (size_t i = 0; i < used; i++)
    if (list[i] != getpid()) process_programs->neighbours[process_programs->neighbour_count++] = list[i];
  atomic_store(&process_programs->job, getpgrp());
}

void process_note_run(void) {
  if (process_supervisor == 0) return;
  note_job();
  process_programs->session = getsid(0);
#ifdef __linux__
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  snprintf(
    process_programs->mark, sizeof process_programs->mark, "UNDERSTUDY_RUN_%d_%lld_%09ld=1", getpid(), (long long)now.tv_sec,
    now.tv_nsec);
#endif
}

#ifdef __linux__
/// Returns whether a process has the mark of this run in its environment.
static int is_marked(pid_t pid) {
  char path[64], *variable = NULL;
  size_t size = 0;
  int is_found = 0;
  snprintf(path, sizeof path, "/proc/%d/environ", pid);
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  while (!is_found && getdelim(&variable, &size, 0, file) > 0) is_found = strcmp(variable, process_programs->mark) == 0;
  free(variable);
  fclose(file);
  return is_found;
}
#endif

/// Adds the marked processes of the session to a list, and returns its new length.
static size_t add_marked(pid_t *list, size_t used) {
#ifdef __linux__
  DIR *all = *process_programs->mark ? opendir("/proc") : NULL;
  if (!all) return used;
  for (struct dirent *entry; used < TREE_LIMIT && (entry = readdir(all));) {
    pid_t pid = (pid_t)atoi(entry->d_name);
    // A daemon has a session of its own.
    if (pid <= 0 || getsid(pid) != process_programs->session || is_in(pid, list, used)) continue;
    if (is_marked(pid)) list[used++] = pid;
  }
  closedir(all);
#else
  (void)list;
#endif
  return used;
}

/// Ends processes with all that they have started, and those that have lost their parents.
///
/// - list: Has room for TREE_LIMIT processes.
static void end_trees(pid_t *list, size_t used) {
  size_t stopped = 0;
  // A process that is stopped starts no further one.
  do {
    for (; stopped < used; stopped++) kill(list[stopped], SIGSTOP);
    used = add_marked(list, add_children(list, used));
  } while (stopped < used);
  for (size_t i = 0; i < used; i++) kill(list[i], SIGKILL);
}

static void end_tree(pid_t root) {
  static pid_t list[TREE_LIMIT];
  list[0] = root;
  end_trees(list, 1);
}

/// Ends the processes of a job whose parents have ended, which no tree has. The rest of a pipeline goes on.
static void end_job(pid_t job) {
  static pid_t others[TREE_LIMIT], members[TREE_LIMIT];
  size_t used = process_programs->neighbour_count, before = 0;
  memcpy(others, process_programs->neighbours, used * sizeof *others);
  while (before < used) {
    before = used;
    used = add_children(others, used);
  }
  size_t count = list_group(job, members, TREE_LIMIT);
  for (size_t i = 0; i < count; i++)
    if (!is_in(members[i], others, used)) end_tree(members[i]);
}

/// Waits for the end of the process that started this one, and ends the programs that it left.
static void supervise(int pipe_end) {
  // The signals of a terminal, and those for the group of the process, are not for the supervisor.
  setsid();
#ifdef __linux__
  // `killall understudy` leaves it alone.
  prctl(PR_SET_NAME, "run-supervisor");
#endif
  dup2(pipe_end, 0);
#ifdef __linux__
  closefrom(1);
#else
  for (int file = getdtablesize() - 1; file > 0; file--) close(file);
#endif
  char byte;
  while (read(0, &byte, 1) < 0 && errno == EINTR) {}
  static pid_t list[TREE_LIMIT];
  pid_t child = atomic_load(&process_programs->child), job = atomic_load(&process_programs->job);
  if (child > 0) list[0] = child;
  end_trees(list, child > 0);
  // The program may have ended before, and have left processes.
  if (job > 0) end_job(job);
  for (size_t i = 0; i < GROUP_LIMIT; i++) {
    pid_t group = atomic_load(&process_programs->groups[i]);
    if (group <= 0) continue;
    end_tree(group);
    kill(-group, SIGKILL);
  }
  _exit(0);
}

static void end_supervisor(void) {
  pid_t pid = process_supervisor;
  process_supervisor = 0;
  if (pid <= 0) return;
  kill(pid, SIGKILL);
  while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
}

void process_supervise(void) {
  int ends[2];
  if (process_supervisor > 0 || pipe(ends) != 0) return;
  for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  struct process_programs *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANON, -1, 0);
  if (shared == MAP_FAILED) {
    close(ends[0]);
    close(ends[1]);
    return;
  }
  process_programs = shared;
  sigset_t all, before;
  sigfillset(&all);
  // The supervisor keeps the mask: it ends with this process, and by SIGKILL alone before.
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pid_t pid = fork();
  if (pid == 0) supervise(ends[0]);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(ends[0]);
  if (pid > 0) {
    // The other end stays open as long as this process runs.
    process_supervisor = pid;
    atexit(end_supervisor);
  } else {
    close(ends[1]);
  }
}

#ifdef __linux__
/// The children that this process already had: those of a shell that has become this program.
static pid_t earlier[64];
static size_t earlier_count;

/// The first child of this process that it did not have before, with its name; 0 without one.
///
/// - spares_daemons: Whether it must be in the session of this process. A container may show its session as 0.
static pid_t any_child(char *name, size_t size, int spares_daemons) {
  DIR *all = opendir("/proc");
  if (!all) return 0;
  pid_t found = 0;
  for (struct dirent *entry; !found && (entry = readdir(all));) {
    pid_t pid = (pid_t)atoi(entry->d_name);
    if (parent_of(pid, name, size) != getpid() || pid == process_supervisor) continue;
    if (is_in(pid, earlier, earlier_count)) continue;
    if (!spares_daemons || getsid(pid) == getsid(0)) found = pid;
  }
  closedir(all);
  return found;
}
#endif

int process_adopt_orphans(void) {
#ifdef __linux__
  char name[64];
  pid_t pid;
  while (earlier_count < sizeof earlier / sizeof *earlier && (pid = any_child(name, sizeof name, 0)) > 0)
    earlier[earlier_count++] = pid;
  return prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
#else
  return 0;
#endif
}

#ifdef __linux__
/// Reaps the children that have ended.
static void reap_ended(void) {
  for (pid_t pid; (pid = waitpid(-1, NULL, WNOHANG)) > 0;)
    if (pid == process_supervisor) process_supervisor = 0;
}
#endif

int process_has_orphan(int spares_daemons) {
#ifdef __linux__
  char name[64];
  reap_ended();
  return any_child(name, sizeof name, spares_daemons) > 0;
#else
  (void)spares_daemons;
  return 0;
#endif
}

int process_end_orphan(char *name, size_t size, int spares_daemons) {
#ifdef __linux__
  reap_ended();
  pid_t pid = any_child(name, size, spares_daemons);
  if (pid <= 0) return 0;
  int status = 0;
  kill(pid, SIGKILL);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  // It may have ended by itself meanwhile.
  if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) *name = 0;
  return 1;
#else
  (void)name, (void)size, (void)spares_daemons;
  return 0;
#endif
}
