#pragma once
#include <sys/types.h>

/// Catches the signals that ask a program to stop or to do something (INT, TERM, HUP, QUIT, USR1, USR2), in order to pass
/// them on. One that this process was started to ignore stays ignored.
void process_catch_signals(void);

/// Starts a process that waits for the end of this one, however it ends, and then ends the programs that it has left, with
/// the processes that these have started. A failure to start it changes nothing.
///
/// Call it while this process is small: the supervisor is a copy of it.
void process_supervise(void);

/// Starts a program, found along PATH, with variables (`NAME=value`) added to the environment. Signals since
/// `process_catch_signals` and later ones are passed on to it.
///
/// Returns 0, or the `errno` of the failure.
int process_start(pid_t *pid, char *const arguments[], char *const variables[]);

/// Waits for the end of the program, and stops catching signals. Adopted processes that end meanwhile are reaped.
///
/// Returns its exit code, or 128 plus the number of the signal that ended it, as a shell does.
int process_wait(pid_t pid);

/// Starts a program, found along PATH, with variables (`NAME=value`) added to the environment, nothing on its standard
/// input, and both outputs in a file; if asked, in a process group of its own. No signal is passed on to it.
///
/// Returns 0, or the `errno` of the failure.
int process_start_captured(pid_t *pid, char *const arguments[], char *const variables[], int output, int owns_group);

/// From now on, the first signal that would end this process (INT, TERM, HUP, QUIT) ends the groups of
/// `process_start_captured` instead, which starts no further one: it returns ECANCELED. The second ends this process too.
void process_end_groups_on_signals(void);

/// The signal that ended the groups; 0 without one.
int process_interruption(void);

/// Runs a command by `/bin/sh`, as `system` does, which Swift cannot call on macOS. Returns the status that `wait` gives, or -1
/// with `errno`.
int process_run_shell(const char *command);

/// Waits for the end of the program, and leaves its number taken, so that `kill` reaches no other process.
void process_await(pid_t pid);

/// Frees the number of a program that has ended. Returns its exit code and, if a signal ended it, its number in `signal`.
int process_reap(pid_t pid, int *signal);

/// From now on, processes whose parents have ended are children of this one (Linux). Returns whether that is so.
int process_adopt_orphans(void);

/// Reaps the children of this process that have ended. Returns whether it has others; daemons, which have sessions of their
/// own, may be left out.
///
/// Call it only when the programs that this process has started have been reaped.
int process_has_orphan(int spares_daemons);

/// Ends one of the children of this process with all that it can do, and copies its name, `""` if it has ended by itself
/// meanwhile. Returns 0 if there is none. A daemon, which has a session of its own, may be spared.
///
/// Call it only when the programs that this process has started have been reaped.
int process_end_orphan(char *name, size_t size, int spares_daemons);
