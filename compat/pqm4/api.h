/* NIST's interface for signatures, implemented by this library's ML-DSA, as pqm4's benchmark and
 * tests call it. params.h, which install.sh writes, defines the set. Every function returns 0, or
 * -1 if it fails. */
#ifndef API_H
#define API_H

#include <params.h>

#include <stddef.h>
#include <stdint.h>

#if TONGYU_SET == 44
#  define CRYPTO_ALGNAME        "ML-DSA-44"
#  define CRYPTO_PUBLICKEYBYTES 1312
#  define CRYPTO_SECRETKEYBYTES 2560
#  define CRYPTO_BYTES          2420
#elif TONGYU_SET == 65
#  define CRYPTO_ALGNAME        "ML-DSA-65"
#  define CRYPTO_PUBLICKEYBYTES 1952
#  define CRYPTO_SECRETKEYBYTES 4032
#  define CRYPTO_BYTES          3309
#elif TONGYU_SET == 87
#  define CRYPTO_ALGNAME        "ML-DSA-87"
#  define CRYPTO_PUBLICKEYBYTES 2592
#  define CRYPTO_SECRETKEYBYTES 4896
#  define CRYPTO_BYTES          4627
#else
#  error "TONGYU_SET is 44, 65 or 87"
#endif

/* a new key pair, from 32 bytes of randombytes() */
int crypto_sign_keypair(uint8_t *pk, uint8_t *sk);
/* sig[CRYPTO_BYTES], and *siglen = CRYPTO_BYTES; 32 bytes of randombytes() are mixed in */
int crypto_sign_signature(uint8_t *sig, size_t *siglen, const uint8_t *m, size_t mlen,
                          const uint8_t *sk);
int crypto_sign_verify(const uint8_t *sig, size_t siglen, const uint8_t *m, size_t mlen,
                       const uint8_t *pk);
/* sm = the signature followed by m; m may be sm */
int crypto_sign(uint8_t *sm, size_t *smlen, const uint8_t *m, size_t mlen, const uint8_t *sk);
/* m = the message that was signed; m may be sm; if the signature is invalid, *mlen is 0 and m is
 * zeroed */
int crypto_sign_open(uint8_t *m, size_t *mlen, const uint8_t *sm, size_t smlen, const uint8_t *pk);

#endif
