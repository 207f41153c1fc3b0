#pragma once
#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/objects.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <time.h>

#if OPENSSL_VERSION_MAJOR < 3
#error "understudy needs libcrypto of OpenSSL 3 or newer"
#endif

// A list of parameters points to their names and values, so it is made where those stand.
static inline EVP_PKEY *crypto_make_key(const char *type, OSSL_PARAM *parameters) {
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
  if (context != NULL && EVP_PKEY_fromdata_init(context) == 1) {
    EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters);
  }
  EVP_PKEY_CTX_free(context);
  return key;
}

// A public RSA key of two numbers in the byte order of the machine; NULL where they make none.
static inline EVP_PKEY *crypto_make_rsa_key(
    const unsigned char *modulus, size_t modulus_count, const unsigned char *exponent, size_t exponent_count) {
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_BN("n", (unsigned char *)modulus, modulus_count),
      OSSL_PARAM_construct_BN("e", (unsigned char *)exponent, exponent_count),
      OSSL_PARAM_construct_end(),
  };
  return crypto_make_key("RSA", parameters);
}

// A public key that is a point of an elliptic curve; NULL where it is none.
static inline EVP_PKEY *crypto_make_curve_key(const char *group, const unsigned char *point, size_t point_count) {
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string("group", (char *)group, 0),
      OSSL_PARAM_construct_octet_string("pub", (void *)point, point_count),
      OSSL_PARAM_construct_end(),
  };
  return crypto_make_key("EC", parameters);
}

// A new private key on the curve P-256; NULL where libcrypto makes none.
static inline EVP_PKEY *crypto_generate_key(void) { return EVP_EC_gen("P-256"); }

// Adds a field of a name in UTF-8, such as "CN"; 1 on success.
static inline int crypto_add_name(X509_NAME *name, const char *field, const char *value) {
  return X509_NAME_add_entry_by_txt(name, field, MBSTRING_UTF8, (const unsigned char *)value, -1, -1, 0);
}

// A positive serial number in network byte order; 1 on success.
static inline int crypto_set_serial(X509 *certificate, const unsigned char *bytes, int count) {
  BIGNUM *number = BN_bin2bn(bytes, count, NULL);
  int set = number != NULL && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != NULL;
  BN_free(number);
  return set;
}

// Seconds since 1970; 1 on success.
static inline int crypto_set_validity(X509 *certificate, time_t start, time_t end) {
  return ASN1_TIME_set(X509_getm_notBefore(certificate), start) != NULL
      && ASN1_TIME_set(X509_getm_notAfter(certificate), end) != NULL;
}

static inline time_t crypto_seconds(const ASN1_TIME *time) {
  struct tm parts;
  return ASN1_TIME_to_tm(time, &parts) == 1 ? timegm(&parts) : 0;
}

// Seconds since 1970; 0 where the certificate has no valid time.
static inline time_t crypto_start(const X509 *certificate) { return crypto_seconds(X509_get0_notBefore(certificate)); }
static inline time_t crypto_end(const X509 *certificate) { return crypto_seconds(X509_get0_notAfter(certificate)); }

// Adds an extension as a configuration of OpenSSL writes it (x509v3_config); 1 on success.
static inline int crypto_add_extension(X509 *certificate, X509 *issuer, int kind, const char *value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
  X509V3_set_ctx_nodb(&context);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
  int added = extension != NULL && X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return added;
}

// Writes an extension in words, as `openssl x509 -text` does; 1 on success.
static inline int crypto_print_extension(BIO *output, const X509 *certificate, int kind) {
  int position = X509_get_ext_by_NID(certificate, kind, -1);
  return position >= 0 && X509V3_EXT_print(output, X509_get_ext(certificate, position), 0, 0) == 1;
}

// Whether a name is written in a certificate as it is, or as a wildcard of one label.
static inline int crypto_has_host(X509 *certificate, const char *name) {
  return X509_check_host(certificate, name, 0, 0, NULL) == 1;
}

// The bytes that were written to a buffer of memory.
static inline long crypto_buffer(BIO *buffer, char **bytes) { return BIO_get_mem_data(buffer, bytes); }

// A key is written without a passphrase; 1 on success.
static inline int crypto_write_key(BIO *output, const EVP_PKEY *key) {
  return PEM_write_bio_PrivateKey(output, key, NULL, NULL, 0, NULL, NULL);
}

// Writes the subject of a certificate on one line; 1 on success.
static inline int crypto_print_subject(BIO *output, const X509 *certificate) {
  unsigned long flags = XN_FLAG_ONELINE & ~ASN1_STRFLGS_ESC_MSB;
  return X509_NAME_print_ex(output, X509_get_subject_name(certificate), 0, flags) >= 0;
}
