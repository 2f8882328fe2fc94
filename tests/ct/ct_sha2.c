/* SHA-256, SHA-512, HMAC and PBKDF2 on secret bytes: nothing but lengths and counts may steer
 * them. */
#include "base/ct.h"
#include "sha2/sha2.h"

#include <stdio.h>
#include <string.h>

static uint8_t secret[200], out[64];

static void poison(void)
{
    for (size_t i = 0; i < sizeof secret; i++) secret[i] = (uint8_t)(i * 37 + 11);
    TY_SECRET(secret, sizeof secret);
}

int main(void)
{
    static const uint8_t salt[] = "salt";
    int bad = 0;
    for (size_t len = 0; len <= sizeof secret; len += len < 70 ? 1 : 13) {
        const uint8_t *part = secret + sizeof secret - len;
        poison();
        ty_sha256_hash(out, part, len);
        ty_sha512_hash(out, part, len);
        ty_sha384_hash(out, part, len);
        ty_hmac_sha256_mac(out, secret, sizeof secret - len, part, len);
        const ty_err err = ty_pbkdf2_sha256(out, 40, part, len, salt, 4, 3);
        bad += err != TY_OK;
    }
    puts("sha2: secrets stayed out of branches and addresses");
    return bad != 0;
}
