#pragma once
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/objects.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

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
