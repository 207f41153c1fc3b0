#pragma once
// The macros that check the type of an option's value have no use here: each function below has one type.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#if LIBCURL_VERSION_NUM < 0x075000
#error "understudy needs libcurl 7.80 or newer"
#endif

// Loads libcurl, which all functions of this module need. Returns the reason if it cannot be loaded, else null.
//
// A program that is linked to libcurl loads it at each start, with the 25 libraries that it brings: a seventh of the time
// until a mock answers. Few mocks send requests.
const char *curl_load(void);

// Options are set and facts are read by variadic functions, which Swift does not call: one function for each type of value.

CURLcode curl_set_number(CURL *handle, CURLoption option, long value);
CURLcode curl_set_size(CURL *handle, CURLoption option, curl_off_t value);
CURLcode curl_set_text(CURL *handle, CURLoption option, const char *value);
CURLcode curl_set_pointer(CURL *handle, CURLoption option, void *value);
CURLcode curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value);
// Copies the bytes.
CURLcode curl_set_bytes(CURL *handle, CURLoption option, const void *bytes, size_t count);
// For the functions that take header lines, take pieces of a body, and give pieces of a body.
CURLcode curl_set_flow(
    CURL *handle, CURLoption option, size_t (*function)(char *, size_t, size_t, void *), void *context);
// The function runs each time that a request is about to be sent.
CURLcode curl_set_request_start(CURL *handle, int (*function)(void *, char *, char *, int, int), void *context);
// The functions open and close the sockets of connections, which outlive the transfer that opens them.
CURLcode curl_set_sockets(
    CURL *handle, curl_socket_t (*open)(void *, curlsocktype, struct curl_sockaddr *),
    int (*close)(void *, curl_socket_t), void *context);
// 0 where the library does not know.
long curl_number(CURL *handle, CURLINFO fact);
// The socket of a connection that CURLOPT_CONNECT_ONLY made; CURL_SOCKET_BAD without one.
curl_socket_t curl_socket_of(CURL *handle);
CURLMcode curl_multi_set_number(CURLM *handle, CURLMoption option, long value);
// The version and the settings of the library that runs.
const curl_version_info_data *curl_own_version(void);
