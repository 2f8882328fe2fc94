/* SM3, HMAC, HKDF, the KDF, PBKDF2, and many at once, on secret bytes, on every tier: nothing but
 * lengths and counts may steer them. */
#include "base/ct.h"
#include "sm3/sm3.h"
#include "tongyu/sm3.h"

#include <stdio.h>
#include <string.h>

enum { HASH, HMAC, KDF, PBKDF2, HKDF, MANY, PBKDF2_MANY, HMAC_MANY, FUNCTIONS };
static const char *const names[] = { "SM3",  "HMAC-SM3",    "KDF",           "PBKDF2",
                                     "HKDF", "SM3 of many", "PBKDF2 of many",
                                     "HMAC-SM3 of many" };
static uint8_t secret[200], out[9 * TY_SM3_LEN];
static uint8_t first[FUNCTIONS][sizeof secret + 1][sizeof out];   /* the first tier's output */

/* nine messages of different lengths */
static void many(size_t len)
{
    ty_sm3_job jobs[9];
    for (size_t i = 0; i < 9; i++)
        jobs[i] =
            (ty_sm3_job){ out + TY_SM3_LEN * i, secret + i, (len + 13 * i) % (sizeof secret - 9) };
    ty_sm3_many_hash(jobs, 9);
}

static void macs(size_t len)
{
    ty_hmac_sm3 key;
    ty_sm3_job jobs[9];
    for (size_t i = 0; i < 9; i++)
        jobs[i] = (ty_sm3_job){ out + TY_SM3_LEN * i, secret + i,
                                (len + 13 * i) % (sizeof secret - 9) };
    ty_hmac_sm3_init(&key, secret, len);
    ty_sm3_many_hmac(jobs, 9, &key);
}

static ty_err passwords(size_t len)
{
    ty_pbkdf2_sm3_job jobs[9];
    for (size_t i = 0; i < 9; i++)
        jobs[i] = (ty_pbkdf2_sm3_job){ out + 32 * i,
                                       32,
                                       secret + i,
                                       (len + 13 * i) % (sizeof secret - 9),
                                       (const uint8_t *)"salt",
                                       4 };
    return ty_sm3_many_pbkdf2(jobs, 9, 2);
}

static int one(int function, size_t len, int tier)
{
    const uint8_t *part = secret + sizeof secret - len;
    size_t n = TY_SM3_LEN;
    ty_err err = TY_OK;

    for (size_t i = 0; i < sizeof secret; i++) secret[i] = (uint8_t)(i * 37 + 11);
    TY_SECRET(secret, sizeof secret);
    switch (function) {
    case HASH:
        ty_sm3_hash(out, part, len);
        break;
    case HMAC:
        ty_hmac_sm3_mac(out, secret, sizeof secret - len, part, len);
        break;
    case KDF:
        n = len % 3 ? 100 : sizeof out;
        err = ty_kdf_sm3(out, n, part, len);
        break;
    case HKDF:
        n = 40;
        err =
            ty_hkdf_sm3(out, n, secret, sizeof secret - len, part, len, (const uint8_t *)"info", 4);
        break;
    case MANY:
        n = sizeof out;
        many(len);
        break;
    case HMAC_MANY:
        n = sizeof out;
        macs(len);
        break;
    case PBKDF2_MANY:
        n = sizeof out;
        err = passwords(len);
        break;
    default:   /* the salt is public, the password is not */
        n = 40;
        err = ty_pbkdf2_sm3(out, n, part, len, (const uint8_t *)"salt", 4, 3);
    }
    /* the result has left the library: this test looks at it, the library never does */
    TY_PUBLIC(out, n);
    if (tier == 0) memcpy(first[function][len], out, n);
    if (err == TY_OK && memcmp(first[function][len], out, n) == 0) return 0;
    printf("%s of %u bytes: the tiers disagree\n", names[function], (unsigned)len);
    return 1;
}

int main(void)
{
    int bad = 0, tier = 0;
    const ty_cpu have = ty_cpu_have();
    for (const ty_tier *t = ty_sm3_tiers; t->name; t++) {
        if (t->need & ~have) {
            printf("sm3 %s: not on this CPU\n", t->name);
            continue;
        }
        ty_cpu_assume(t->need);
        for (size_t len = 0; len <= sizeof secret; len += len < 70 ? 1 : 13)
            for (int f = 0; f < FUNCTIONS; f++) bad += one(f, len, tier);
        printf("sm3 %s: secrets stayed out of branches and addresses\n", t->name);
        tier++;
    }
    return bad != 0;
}
