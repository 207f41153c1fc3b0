// C, because Swift cannot name `environ` safely, sees no macros such as WIFEXITED, and gets `siginfo_t` from several modules.
#define _GNU_SOURCE
#include "process.h"
#include "supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static const int forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
static const size_t count = sizeof forwarded / sizeof *forwarded;
static volatile sig_atomic_t caught[sizeof forwarded / sizeof *forwarded];

/// The program that signals go to; 0 before its start and after its end.
static volatile pid_t child;
/// The signals that came before there was a program.
static volatile sig_atomic_t pending[sizeof forwarded / sizeof *forwarded];
#ifdef __APPLE__
/// The controlling terminal; -1 without one.
static volatile int terminal = -1;
#endif

/// Whether a signal comes from the terminal. It signals every process of its foreground group, the program among them, which
/// must not get a signal twice: many tools take a second Ctrl-C for an order to give up cleaning.
static int is_from_terminal(int number, const siginfo_t *info) {
#ifdef __APPLE__
  // XNU names the receiver as the sender of each signal. The keyboard signals the group in the foreground.
  (void)info;
  return (number == SIGINT || number == SIGQUIT) && terminal >= 0 && tcgetpgrp(terminal) == getpgrp();
#else
  (void)number;
  return info->si_pid == 0;
#endif
}

static void forward(int number, siginfo_t *info, void *context) {
  (void)context;
  if (is_from_terminal(number, info)) return;
  int code = errno;
  if (child > 0) {
    kill(child, number);
  } else {
    for (size_t i = 0; i < count; i++)
      if (forwarded[i] == number) pending[i] = 1;
  }
  errno = code;
}

void process_catch_signals(void) {
#ifdef __APPLE__
  terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
#endif
  for (size_t i = 0; i < count; i++) {
    struct sigaction old, action = {0};
    action.sa_sigaction = forward;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    if (sigaction(forwarded[i], NULL, &old) != 0 || old.sa_handler == SIG_IGN) continue;
    caught[i] = sigaction(forwarded[i], &action, NULL) == 0;
  }
}

/// Restores the default actions. The signal that ended the program may still be pending for another thread of this process,
/// and would end it before its report: ignoring a signal discards it (POSIX, XSH 2.4.3).
static void release_signals(void) {
  for (size_t i = 0; i < count; i++) {
    if (caught[i]) {
      signal(forwarded[i], SIG_IGN);
      signal(forwarded[i], SIG_DFL);
    }
    caught[i] = pending[i] = 0;
  }
#ifdef __APPLE__
  if (terminal >= 0) close(terminal);
  terminal = -1;
#endif
}

static int has_name_of(const char *entry, char *const variables[]) {
  for (; *variables; variables++)
    if (strncmp(entry, *variables, strchr(*variables, '=') - *variables + 1) == 0) return 1;
  return 0;
}

/// The environment with `variables` in the place of those of the same names, and the mark of this run.
static char **environment_with(char *const variables[]) {
  size_t size = 0, used = 0;
  while (environ[size]) size++;
  for (size_t i = 0; variables[i]; i++) size++;
  char **result = malloc((size + 2) * sizeof *result);
  if (!result) return NULL;
  for (size_t i = 0; environ[i]; i++)
    if (!has_name_of(environ[i], variables)) result[used++] = environ[i];
  for (size_t i = 0; variables[i]; i++) result[used++] = variables[i];
  if (*process_programs->mark) result[used++] = process_programs->mark;
  result[used] = NULL;
  return result;
}

/// The descriptors that this process was started with, such as those of make's job server: they are for its programs as
/// well. All others are its own, the listening socket among them.
static unsigned char inherited[256];
static int last_inherited = 2;

__attribute__((constructor)) static void note_inherited_descriptors(void) {
  for (int file = 3; file < (int)sizeof inherited; file++)
    if (fcntl(file, F_GETFD) != -1) inherited[last_inherited = file] = 1;
}

#ifdef __APPLE__
/// The number of a program is stored in `place` before the program runs, so that the supervisor misses none.
///
/// - output: The file that both outputs go to, with nothing on standard input; -1 for the streams of this process.
static int spawn(
  pid_t *pid, char *const arguments[], char *const environment[], int output, int owns_group, _Atomic pid_t *place) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t files;
  int code = posix_spawn_file_actions_init(&files);
  if (code != 0) return code;
  if (output >= 0) {
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, output, 1);
    posix_spawn_file_actions_adddup2(&files, output, 2);
  }
  for (int file = 0; file <= last_inherited; file++)
    if (file < 3 || inherited[file]) posix_spawn_file_actions_addinherit_np(&files, file);
  if ((code = posix_spawnattr_init(&attributes)) == 0) {
    // Masks and ignored signals are inherited: threads of a server block signals, and a server ignores SIGPIPE.
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_CLOEXEC_DEFAULT
        | POSIX_SPAWN_START_SUSPENDED | (owns_group ? POSIX_SPAWN_SETPGROUP : 0));
    if (owns_group) posix_spawnattr_setpgroup(&attributes, 0);
    code = posix_spawnp(pid, arguments[0], &files, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    if (code == 0) {
      if (place) atomic_store(place, *pid);
      kill(*pid, SIGCONT);
    }
  }
  posix_spawn_file_actions_destroy(&files);
  return code;
}
#else
/// Becomes a program that is found along PATH; a script that names no interpreter is not one, as for `posix_spawnp`.
static void become(char *const arguments[], char *const environment[]) {
  const char *name = arguments[0], *path = getenv("PATH");
  if (strchr(name, '/')) {
    execve(name, arguments, environment);
    return;
  }
  int is_denied = 0;
  char file[4096];
  for (const char *start = path ? path : "/bin:/usr/bin"; *name && start;) {
    const char *end = strchrnul(start, ':');
    int length = snprintf(file, sizeof file, "%.*s%s%s", (int)(end - start), start, end > start ? "/" : "", name);
    start = *end ? end + 1 : NULL;
    if (length >= (int)sizeof file) continue;
    execve(file, arguments, environment);
    if (errno == EACCES) is_denied = 1;
    else if (errno != ENOENT && errno != ENOTDIR && errno != ESTALE && errno != ENODEV && errno != ETIMEDOUT) return;
  }
  errno = is_denied ? EACCES : ENOENT;
}

/// Leaves the descriptors of this process out of the program that a copy of this process becomes.
static void close_own(void) {
  for (int file = 3; file <= last_inherited; file++)
    if (!inherited[file]) fcntl(file, F_SETFD, FD_CLOEXEC);
  if (close_range((unsigned)last_inherited + 1, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
  // Linux before 5.11.
  for (int file = last_inherited + 1, end = getdtablesize(); file < end; file++) fcntl(file, F_SETFD, FD_CLOEXEC);
}

/// Handlers are for this process alone; masks and ignored signals are inherited: threads of a server block signals, and a
/// server ignores SIGPIPE.
static void release_all_signals(void) {
  for (int number = 1; number < NSIG; number++) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) != 0 || (action.sa_handler == SIG_IGN && number != SIGPIPE)) continue;
    if (action.sa_handler != SIG_DFL) signal(number, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/// The number of a program is stored in `place` before the program runs, so that the supervisor misses none.
///
/// - output: The file that both outputs go to, with nothing on standard input; -1 for the streams of this process.
static int spawn(
  pid_t *pid, char *const arguments[], char *const environment[], int output, int owns_group, _Atomic pid_t *place) {
  int report[2], code = 0;
  if (pipe2(report, O_CLOEXEC) != 0) return errno;
  sigset_t all, before;
  sigfillset(&all);
  // A handler of this process must not run in its copy.
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pid_t parent = getpid(), child = fork();
  if (child == 0) {
    if (place) atomic_store(place, getpid());
    // The supervisor may have looked before.
    if (getppid() != parent) _exit(127);
    if (owns_group) setpgid(0, 0);
    if (output >= 0) {
      int nothing = open("/dev/null", O_RDONLY);
      dup2(nothing, 0);
      dup2(output, 1);
      dup2(output, 2);
    }
    close_own();
    release_all_signals();
    become(arguments, environment);
    code = errno;
    ssize_t written = write(report[1], &code, sizeof code);
    _exit(written == sizeof code ? 126 : 127);
  }
  if (child < 0) code = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(report[1]);
  if (child > 0) {
    *pid = child;
    // The pipe closes when the copy becomes the program.
    while (read(report[0], &code, sizeof code) < 0 && errno == EINTR) {}
    // Without a supervisor the copy does not share the place.
    if (place) atomic_store(place, code == 0 ? child : 0);
    if (code != 0) {
      while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    }
  }
  close(report[0]);
  return code;
}
#endif

int process_start(pid_t *pid, char *const arguments[], char *const variables[]) {
  process_note_run();
  char **environment = environment_with(variables);
  int code = environment ? spawn(pid, arguments, environment, -1, 0, &process_programs->child) : ENOMEM;
  free(environment);
  if (code != 0) {
    release_signals();
    return code;
  }
  child = *pid;
  for (size_t i = 0; i < count; i++)
    if (pending[i]) kill(child, forwarded[i]);
  return 0;
}

int process_wait(pid_t pid) {
  siginfo_t info;
  int status = 0;
  // Left unreaped at first: its number must not belong to another process while signals are still passed on.
#ifdef __linux__
  // Adopted processes that end meanwhile are reaped.
  for (;;) {
    if (waitid(P_ALL, 0, &info, WEXITED | WNOWAIT) != 0) {
      if (errno == EINTR) continue;
      break;
    }
    if (info.si_pid == pid) break;
    if (info.si_pid == process_supervisor) process_supervisor = 0;
    waitpid(info.si_pid, NULL, 0);
  }
#else
  while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {}
#endif
  child = 0;
  atomic_store(&process_programs->child, 0);
  release_signals();
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// The number of programs that are being started, which are not in `groups` yet.
static atomic_int starting;

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
/// The signal that ended the groups; 0 before.
static atomic_int interruption;

static void end_groups(int number) {
  int code = errno, none = 0;
  int is_first = atomic_compare_exchange_strong(&interruption, &none, number);
  // The thread that starts a program has blocked this signal; from now on none is started.
  struct timespec pause = {0, 1000000};
  while (atomic_load(&starting) > 0) nanosleep(&pause, NULL);
  for (size_t i = 0; i < GROUP_LIMIT; i++) {
    pid_t group = atomic_load(&process_programs->groups[i]);
    if (group > 0) kill(-group, SIGKILL);
  }
  if (!is_first) {
    signal(number, SIG_DFL);
    raise(number);
  }
  errno = code;
}

int process_interruption(void) { return atomic_load(&interruption); }

static void ending_signals(sigset_t *set) {
  sigemptyset(set);
  for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) sigaddset(set, ending[i]);
}

void process_end_groups_on_signals(void) {
  for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
    struct sigaction old, action = {0};
    action.sa_handler = end_groups;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    if (sigaction(ending[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) sigaction(ending[i], &action, NULL);
  }
  // Masks are inherited.
  sigset_t all;
  ending_signals(&all);
  pthread_sigmask(SIG_UNBLOCK, &all, NULL);
}

/// Replaces the number of a group, and returns where it is stored; `NULL` without the old one.
static _Atomic pid_t *replace_group(pid_t old, pid_t new) {
  for (size_t i = 0; i < GROUP_LIMIT; i++) {
    pid_t expected = old;
    if (atomic_compare_exchange_strong(&process_programs->groups[i], &expected, new)) return &process_programs->groups[i];
  }
  return NULL;
}

int process_start_captured(pid_t *pid, char *const arguments[], char *const variables[], int output, int owns_group) {
  char **environment = environment_with(variables);
  if (!environment) return ENOMEM;
  sigset_t blocked, before;
  ending_signals(&blocked);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  atomic_fetch_add(&starting, 1);
  // A negative number is a place that is taken.
  _Atomic pid_t *place = owns_group ? replace_group(0, -1) : NULL;
  int code = owns_group && atomic_load(&interruption)
    ? ECANCELED
    : spawn(pid, arguments, environment, output, owns_group, place);
  if (code != 0 && place) atomic_store(place, 0);
  atomic_fetch_sub(&starting, 1);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  free(environment);
  return code;
}

int process_run_shell(const char *command) { return system(command); }

void process_await(pid_t pid) {
  siginfo_t info;
  while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {}
}

int process_reap(pid_t pid, int *signal) {
  int status = 0;
  replace_group(pid, 0);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  *signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return WIFSIGNALED(status) ? 128 + *signal : WEXITSTATUS(status);
}
