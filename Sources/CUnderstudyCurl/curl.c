#include "CUnderstudyCurl.h"

#include <dlfcn.h>

// The second is Debian's build with another TLS library.
#ifdef __APPLE__
static const char *const files[] = {"/usr/lib/libcurl.4.dylib"};
#else
static const char *const files[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
#endif

// The functions of libcurl that are used, without `curl_`.
#define FUNCTIONS(EACH)                                                                                                \
  EACH(easy_cleanup)                                                                                                   \
  EACH(easy_getinfo)                                                                                                   \
  EACH(easy_init)                                                                                                      \
  EACH(easy_pause)                                                                                                     \
  EACH(easy_perform)                                                                                                   \
  EACH(easy_recv)                                                                                                      \
  EACH(easy_send)                                                                                                      \
  EACH(easy_setopt)                                                                                                    \
  EACH(global_init)                                                                                                    \
  EACH(multi_add_handle)                                                                                               \
  EACH(multi_cleanup)                                                                                                  \
  EACH(multi_info_read)                                                                                                \
  EACH(multi_init)                                                                                                     \
  EACH(multi_perform)                                                                                                  \
  EACH(multi_poll)                                                                                                     \
  EACH(multi_remove_handle)                                                                                            \
  EACH(multi_setopt)                                                                                                   \
  EACH(multi_wakeup)                                                                                                   \
  EACH(slist_append)                                                                                                   \
  EACH(slist_free_all)                                                                                                 \
  EACH(version_info)

#define MEMBER(name) __typeof__(curl_##name) *name;
static struct {
  FUNCTIONS(MEMBER)
} library;

const char *curl_load(void) {
  void *handle = NULL;
  for (size_t i = 0; !handle && i < sizeof files / sizeof *files; i++) handle = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
  // Once more, for the reason.
  if (!handle && !(handle = dlopen(files[0], RTLD_NOW | RTLD_LOCAL))) return dlerror();
#define FIND(name)                                                                                                     \
  if (!(library.name = (__typeof__(curl_##name) *)dlsym(handle, "curl_" #name))) return dlerror();
  FUNCTIONS(FIND)
  return NULL;
}

// Each is the function of that name in the library, and hidden, so that no other library takes it for the real one.
#define FORWARD(result, name, parameters, arguments)                                                                   \
  __attribute__((visibility("hidden"))) result curl_##name parameters { return library.name arguments; }

FORWARD(void, easy_cleanup, (CURL * handle), (handle))
FORWARD(CURL *, easy_init, (void), ())
FORWARD(CURLcode, easy_pause, (CURL * handle, int mask), (handle, mask))
FORWARD(CURLcode, easy_perform, (CURL * handle), (handle))
FORWARD(CURLcode, easy_recv, (CURL * handle, void *bytes, size_t count, size_t *read), (handle, bytes, count, read))
FORWARD(CURLcode, easy_send, (CURL * handle, const void *bytes, size_t count, size_t *sent),
        (handle, bytes, count, sent))
FORWARD(CURLcode, global_init, (long flags), (flags))
FORWARD(CURLMcode, multi_add_handle, (CURLM * multi, CURL *handle), (multi, handle))
FORWARD(CURLMcode, multi_cleanup, (CURLM * multi), (multi))
FORWARD(CURLMsg *, multi_info_read, (CURLM * multi, int *count), (multi, count))
FORWARD(CURLM *, multi_init, (void), ())
FORWARD(CURLMcode, multi_perform, (CURLM * multi, int *running), (multi, running))
FORWARD(CURLMcode, multi_poll,
        (CURLM * multi, struct curl_waitfd extra[], unsigned int count, int timeout, int *ready),
        (multi, extra, count, timeout, ready))
FORWARD(CURLMcode, multi_remove_handle, (CURLM * multi, CURL *handle), (multi, handle))
FORWARD(CURLMcode, multi_wakeup, (CURLM * multi), (multi))
FORWARD(struct curl_slist *, slist_append, (struct curl_slist * list, const char *text), (list, text))
FORWARD(void, slist_free_all, (struct curl_slist * list), (list))

CURLcode curl_set_number(CURL *handle, CURLoption option, long value) {
  return library.easy_setopt(handle, option, value);
}

CURLcode curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
  return library.easy_setopt(handle, option, value);
}

CURLcode curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return library.easy_setopt(handle, option, value);
}

CURLcode curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return library.easy_setopt(handle, option, value);
}

CURLcode curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return library.easy_setopt(handle, option, value);
}

CURLcode curl_set_bytes(CURL *handle, CURLoption option, const void *bytes, size_t count) {
  struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
  return library.easy_setopt(handle, option, &blob);
}

CURLcode curl_set_flow(
    CURL *handle, CURLoption option, size_t (*function)(char *, size_t, size_t, void *), void *context) {
  CURLoption data = option == CURLOPT_HEADERFUNCTION ? CURLOPT_HEADERDATA
                    : option == CURLOPT_READFUNCTION ? CURLOPT_READDATA : CURLOPT_WRITEDATA;
  CURLcode code = library.easy_setopt(handle, option, function);
  return code == CURLE_OK ? library.easy_setopt(handle, data, context) : code;
}

CURLcode curl_set_request_start(CURL *handle, int (*function)(void *, char *, char *, int, int), void *context) {
  CURLcode code = library.easy_setopt(handle, CURLOPT_PREREQFUNCTION, function);
  return code == CURLE_OK ? library.easy_setopt(handle, CURLOPT_PREREQDATA, context) : code;
}

CURLcode curl_set_sockets(
    CURL *handle, curl_socket_t (*open)(void *, curlsocktype, struct curl_sockaddr *),
    int (*close)(void *, curl_socket_t), void *context) {
  CURLcode code = library.easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open);
  if (code == CURLE_OK) code = library.easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
  if (code == CURLE_OK) code = library.easy_setopt(handle, CURLOPT_CLOSESOCKETFUNCTION, close);
  return code == CURLE_OK ? library.easy_setopt(handle, CURLOPT_CLOSESOCKETDATA, context) : code;
}

long curl_number(CURL *handle, CURLINFO fact) {
  long value = 0;
  return library.easy_getinfo(handle, fact, &value) == CURLE_OK ? value : 0;
}

curl_socket_t curl_socket_of(CURL *handle) {
  curl_socket_t value = CURL_SOCKET_BAD;
  return library.easy_getinfo(handle, CURLINFO_ACTIVESOCKET, &value) == CURLE_OK ? value : CURL_SOCKET_BAD;
}

CURLMcode curl_multi_set_number(CURLM *handle, CURLMoption option, long value) {
  return library.multi_setopt(handle, option, value);
}

const curl_version_info_data *curl_own_version(void) { return library.version_info(CURLVERSION_NOW); }
