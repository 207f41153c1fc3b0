#pragma once
// The macros that check the type of an option's value have no use here: each function below has one type.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#if LIBCURL_VERSION_NUM < 0x075000
#error "understudy needs libcurl 7.80 or newer"
#endif

// Options are set and facts are read by variadic functions, which Swift does not call: one function for each type of value.

static inline CURLcode curl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}

// Copies the bytes.
static inline CURLcode curl_set_bytes(CURL *handle, CURLoption option, const void *bytes, size_t count) {
  struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
  return curl_easy_setopt(handle, option, &blob);
}

// For the functions that take header lines, take pieces of a body, and give pieces of a body.
static inline CURLcode curl_set_flow(
    CURL *handle, CURLoption option, size_t (*function)(char *, size_t, size_t, void *), void *context) {
  CURLoption data = option == CURLOPT_HEADERFUNCTION ? CURLOPT_HEADERDATA
                    : option == CURLOPT_READFUNCTION ? CURLOPT_READDATA : CURLOPT_WRITEDATA;
  CURLcode code = curl_easy_setopt(handle, option, function);
  return code == CURLE_OK ? curl_easy_setopt(handle, data, context) : code;
}

// The function runs each time that a request is about to be sent.
static inline CURLcode curl_set_request_start(
    CURL *handle, int (*function)(void *, char *, char *, int, int), void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, function);
  return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_PREREQDATA, context) : code;
}

// The functions open and close the sockets of connections, which outlive the transfer that opens them.
static inline CURLcode curl_set_sockets(
    CURL *handle, curl_socket_t (*open)(void *, curlsocktype, struct curl_sockaddr *),
    int (*close)(void *, curl_socket_t), void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_CLOSESOCKETFUNCTION, close);
  return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_CLOSESOCKETDATA, context) : code;
}

// 0 where the library does not know.
static inline long curl_number(CURL *handle, CURLINFO fact) {
  long value = 0;
  return curl_easy_getinfo(handle, fact, &value) == CURLE_OK ? value : 0;
}

static inline CURLMcode curl_multi_set_number(CURLM *handle, CURLMoption option, long value) {
  return curl_multi_setopt(handle, option, value);
}

// The version and the settings of the library that runs.
static inline const curl_version_info_data *_Nonnull curl_own_version(void) {
  return curl_version_info(CURLVERSION_NOW);
}
