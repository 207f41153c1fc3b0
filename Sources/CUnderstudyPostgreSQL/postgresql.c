#include "CUnderstudyPostgreSQL.h"

#include <dlfcn.h>

// Homebrew links its formula into no folder that the loader searches.
#ifdef __APPLE__
static const char *const files[] = {
    "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib", "/usr/local/opt/libpq/lib/libpq.5.dylib",
    "/Applications/Postgres.app/Contents/Versions/latest/lib/libpq.5.dylib"};
#else
static const char *const files[] = {"libpq.so.5"};
#endif

// The result, the name in libpq and the parameters of each function.
#define FUNCTIONS(EACH)                                                                                                \
  EACH(pq_option *, conninfoParse, (const char *, char **))                                                            \
  EACH(void, conninfoFree, (pq_option *))                                                                              \
  EACH(pq_connection *, connectdbParams, (const char *const *, const char *const *, int))                              \
  EACH(void, finish, (pq_connection *))                                                                                \
  EACH(int, status, (const pq_connection *))                                                                           \
  EACH(char *, errorMessage, (const pq_connection *))                                                                  \
  EACH(char *, pass, (const pq_connection *))                                                                          \
  EACH(char *, host, (const pq_connection *))                                                                          \
  EACH(char *, port, (const pq_connection *))                                                                          \
  EACH(char *, db, (const pq_connection *))                                                                            \
  EACH(int, socket, (const pq_connection *))                                                                           \
  EACH(int, serverVersion, (const pq_connection *))                                                                    \
  EACH(int, setnonblocking, (pq_connection *, int))                                                                    \
  EACH(void *, setNoticeReceiver, (pq_connection *, void (*)(void *, const pq_result *), void *))                      \
  EACH(int, sendQueryParams,                                                                                           \
       (pq_connection *, const char *, int, const unsigned *, const char *const *, const int *, const int *, int))     \
  EACH(int, flush, (pq_connection *))                                                                                  \
  EACH(int, consumeInput, (pq_connection *))                                                                           \
  EACH(int, isBusy, (pq_connection *))                                                                                 \
  EACH(pq_result *, getResult, (pq_connection *))                                                                      \
  EACH(void, clear, (pq_result *))                                                                                     \
  EACH(int, resultStatus, (const pq_result *))                                                                         \
  EACH(char *, resultErrorField, (const pq_result *, int))                                                             \
  EACH(int, ntuples, (const pq_result *))                                                                              \
  EACH(int, nfields, (const pq_result *))                                                                              \
  EACH(char *, getvalue, (const pq_result *, int, int))                                                                \
  EACH(int, getlength, (const pq_result *, int, int))                                                                  \
  EACH(int, getisnull, (const pq_result *, int, int))                                                                  \
  EACH(pq_notification *, notifies, (pq_connection *))                                                                 \
  EACH(void, freemem, (void *))

#define MEMBER(result, name, parameters) result(*name) parameters;
static struct {
  FUNCTIONS(MEMBER)
} library;

const char *pq_load(void) {
  void *handle = NULL;
  for (size_t i = 0; !handle && i < sizeof files / sizeof *files; i++) handle = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
  // Once more, for the reason.
  if (!handle && !(handle = dlopen(files[0], RTLD_NOW | RTLD_LOCAL))) return dlerror();
#define FIND(result, name, parameters)                                                                                 \
  if (!(library.name = (result(*) parameters)dlsym(handle, "PQ" #name))) return dlerror();
  FUNCTIONS(FIND)
  return NULL;
}

pq_option *pq_parse(const char *uri) {
  char *message = NULL;
  pq_option *options = library.conninfoParse(uri, &message);
  if (message) library.freemem(message);
  return options;
}

void pq_free_options(pq_option *options) { library.conninfoFree(options); }

static void discard(void *context, const pq_result *notice) {
  (void)context;
  (void)notice;
}

pq_connection *pq_connect(const char *const *keywords, const char *const *values) {
  pq_connection *connection = library.connectdbParams(keywords, values, 0);
  if (!connection) return connection;
  library.setNoticeReceiver(connection, discard, NULL);
  library.setnonblocking(connection, 1);
  return connection;
}

void pq_finish(pq_connection *connection) { library.finish(connection); }
int pq_status(const pq_connection *connection) { return library.status(connection); }
const char *pq_error(const pq_connection *connection) { return library.errorMessage(connection); }
const char *pq_password(const pq_connection *connection) { return library.pass(connection); }
const char *pq_host(const pq_connection *connection) { return library.host(connection); }
const char *pq_port(const pq_connection *connection) { return library.port(connection); }
const char *pq_database(const pq_connection *connection) { return library.db(connection); }
int pq_socket(const pq_connection *connection) { return library.socket(connection); }
int pq_server_version(const pq_connection *connection) { return library.serverVersion(connection); }

int pq_send(
    pq_connection *connection, const char *sql, int count, const char *const *values, const int *lengths,
    const int *formats) {
  return library.sendQueryParams(connection, sql, count, NULL, values, lengths, formats, 0);
}

int pq_flush(pq_connection *connection) { return library.flush(connection); }
int pq_read(pq_connection *connection) { return library.consumeInput(connection); }
int pq_is_busy(pq_connection *connection) { return library.isBusy(connection); }
pq_result *pq_next_result(pq_connection *connection) { return library.getResult(connection); }
void pq_clear(pq_result *result) { library.clear(result); }
int pq_result_status(const pq_result *result) { return library.resultStatus(result); }
const char *pq_field(const pq_result *result, int field) { return library.resultErrorField(result, field); }
int pq_rows(const pq_result *result) { return library.ntuples(result); }
int pq_columns(const pq_result *result) { return library.nfields(result); }
const char *pq_value(const pq_result *result, int row, int column) { return library.getvalue(result, row, column); }
int pq_length(const pq_result *result, int row, int column) { return library.getlength(result, row, column); }
int pq_is_null(const pq_result *result, int row, int column) { return library.getisnull(result, row, column); }
pq_notification *pq_notified(pq_connection *connection) { return library.notifies(connection); }
void pq_free(void *memory) { library.freemem(memory); }
