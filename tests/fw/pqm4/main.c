/* NIST's interface as pqm4 calls it, in place: a key pair, a signed message, which is opened, and
 * forged ones, which are refused; and a random source that fails. */
#include "api.h"
#include "fw.h"
#include "randombytes.h"

#include <string.h>

enum { LEN = 59 };
static uint8_t pk[CRYPTO_PUBLICKEYBYTES], sk[CRYPTO_SECRETKEYBYTES], sm[CRYPTO_BYTES + LEN],
    forged[CRYPTO_BYTES + LEN];
static uint8_t next, dead;

int randombytes(uint8_t *out, size_t len)
{
    while (len--) *out++ = (uint8_t)(37 * next++ + 11);
    return dead;
}

/* 1 if the first len bytes, with bit 0 of byte `at` changed, are refused and the output is zero */
static int refused(size_t at, size_t len)
{
    size_t left = 1;
    memcpy(forged, sm, sizeof sm);
    forged[at] ^= 1;
    int ok = crypto_sign_open(forged, &left, forged, len, pk) != 0 && left == 0;
    for (size_t i = 0; len > CRYPTO_BYTES && i < len - CRYPTO_BYTES; i++) ok &= forged[i] == 0;
    return ok;
}

int main(void)
{
    size_t len = 0, opened = 0;
    int ok = crypto_sign_keypair(pk, sk) == 0;
    for (uint8_t i = 0; i < LEN; i++) sm[i] = i;
    ok &= crypto_sign(sm, &len, sm, LEN, sk) == 0 && len == sizeof sm;
    ok &= refused(0, len) && refused(CRYPTO_BYTES / 2, len) && refused(CRYPTO_BYTES + LEN - 1, len);
    ok &= refused(0, CRYPTO_BYTES - 1) && refused(len - 1, len - 1);
    ok &= crypto_sign_open(sm, &opened, sm, len, pk) == 0 && opened == LEN;
    for (uint8_t i = 0; i < LEN; i++) ok &= sm[i] == i;
    dead = 1;
    ok &= crypto_sign_keypair(pk, sk) != 0 && crypto_sign(sm, &len, sm, LEN, sk) != 0;
    fw_print(ok ? CRYPTO_ALGNAME " through NIST's interface: passed\n" : "pqm4: failed\n");
    return !ok;
}
