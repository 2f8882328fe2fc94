/* SM3, HMAC, the KDF and PBKDF2 on secret bytes, on every tier: nothing but lengths and counts may steer them. */
#include "base/ct.h"
#include "sm3/sm3.h"
#include "tongyu/sm3.h"

#include <stdio.h>
#include <string.h>

enum { HASH, HMAC, KDF, PBKDF2, FUNCTIONS };
static const char *const names[] = { "SM3", "HMAC-SM3", "KDF", "PBKDF2" };
static uint8_t secret[200], out[100];
static uint8_t first[FUNCTIONS][sizeof secret + 1][sizeof out];   /* what the first tier gave */

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
        n = sizeof out;
        err = ty_kdf_sm3(out, n, part, len);
        break;
    default:   /* the salt is public, the password is not */
        n = 40;
        err = ty_pbkdf2_sm3(out, n, part, len, (const uint8_t *)"salt", 4, 3);
    }
    TY_PUBLIC(out, n);   /* the result has left the library: this test looks at it, the library never does */
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
        ty_cpu_assume(t->need | TY_CPU_KNOWN);
        for (size_t len = 0; len <= sizeof secret; len += len < 70 ? 1 : 13)
            for (int f = 0; f < FUNCTIONS; f++) bad += one(f, len, tier);
        printf("sm3 %s: secrets stayed out of branches and addresses\n", t->name);
        tier++;
    }
    return bad != 0;
}
