#pragma once
#include <stddef.h>

// The functions of libpq that are used, declared here, so that neither a build nor a start needs it. The values are those of
// `libpq-fe.h`, which libpq 5 has kept since PostgreSQL 9.2.
//
// pq_load comes first: it loads the library, or returns the reason that it cannot.
const char *pq_load(void);

typedef struct pq_connection pq_connection;
typedef struct pq_result pq_result;

// A row of the list that pq_parse returns, which a row without a keyword ends.
typedef struct {
  char *keyword;
  char *environment;
  char *compiled;
  char *value;
  char *label;
  char *display;
  int size;
} pq_option;

typedef struct pq_notification {
  char *channel;
  int process;
  char *payload;
  struct pq_notification *next;
} pq_notification;

enum { PQ_CONNECTED = 0 };
enum { PQ_COMMAND_OK = 1, PQ_ROWS = 2 };
enum { PQ_FIELD_STATE = 'C', PQ_FIELD_MESSAGE = 'M', PQ_FIELD_DETAIL = 'D' };

// Parses a URI. Returns null where it is not valid.
pq_option *pq_parse(const char *uri);
void pq_free_options(pq_option *options);

// Connects, and waits for it. Notices are discarded: libpq would print them.
pq_connection *pq_connect(const char *const *keywords, const char *const *values);
void pq_finish(pq_connection *connection);
int pq_status(const pq_connection *connection);
const char *pq_error(const pq_connection *connection);
const char *pq_password(const pq_connection *connection);
const char *pq_host(const pq_connection *connection);
const char *pq_port(const pq_connection *connection);
const char *pq_database(const pq_connection *connection);
int pq_socket(const pq_connection *connection);
int pq_server_version(const pq_connection *connection);

// Sends a statement with its values. 1, or 0 with an error.
int pq_send(
    pq_connection *connection, const char *sql, int count, const char *const *values, const int *lengths,
    const int *formats);
// 0 if all is sent, 1 if the socket accepts no more for now, -1 with an error.
int pq_flush(pq_connection *connection);
int pq_read(pq_connection *connection);
int pq_is_busy(pq_connection *connection);
// Null after the last result.
pq_result *pq_next_result(pq_connection *connection);
void pq_clear(pq_result *result);
int pq_result_status(const pq_result *result);
const char *pq_field(const pq_result *result, int field);
int pq_rows(const pq_result *result);
int pq_columns(const pq_result *result);
const char *pq_value(const pq_result *result, int row, int column);
int pq_length(const pq_result *result, int row, int column);
int pq_is_null(const pq_result *result, int row, int column);

// Null if no notification has arrived.
pq_notification *pq_notified(pq_connection *connection);
void pq_free(void *memory);
