// Shared by the parts of this module; Swift sees the include folder only.
#pragma once
#include <stdatomic.h>
#include <stddef.h>
#include <sys/types.h>

enum {
  /// The maximum number of processes in a pipeline with this one.
  NEIGHBOUR_LIMIT = 64,
  /// The maximum number of programs of `process_start_captured` at a time.
  GROUP_LIMIT = 256
};

/// The programs that end with this process, in memory that the supervisor shares.
struct process_programs {
  /// The program of `process_start`; 0 without one.
  _Atomic pid_t child;
  /// The group of this process if it leads it, as a job of a shell does; 0 otherwise.
  _Atomic pid_t job;
  /// The processes that are in the group besides this one when the program starts.
  pid_t neighbours[NEIGHBOUR_LIMIT];
  size_t neighbour_count;
  /// The session of this process.
  pid_t session;
  /// The environment variable of the program, which its descendants inherit: `UNDERSTUDY_RUN_12_1700000000_000000001=1`, by
  /// the number of this process and the time. Empty without a supervisor, and on macOS.
  char mark[96];
  /// The groups of `process_start_captured`, each with the number of its program.
  _Atomic pid_t groups[GROUP_LIMIT];
};

extern struct process_programs *process_programs;
/// The process that ends the programs after this one; 0 without one.
extern volatile pid_t process_supervisor;

/// Notes the group and session of this process, and the mark, before a program starts.
void process_note_run(void);
