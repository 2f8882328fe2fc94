/* SHA-3, SHAKE and SHAKE in lanes on secret bytes, on every tier: nothing but lengths and counts
 * may steer them. */
#include "base/ct.h"
#include "keccak/keccak_lanes.h"
#include "tongyu/keccak.h"

#include <stdio.h>
#include <string.h>

enum { SHA3, SHAKE, PIECES, LANES4, LANES8, FUNCTIONS };
static const char *const names[] = { "SHA3-512", "SHAKE256", "SHAKE128 in pieces", "4 lanes",
                                     "8 lanes" };
static uint8_t secret[200], out[FUNCTIONS][8 * TY_SHAKE128_BLOCK];
static uint8_t first[FUNCTIONS][sizeof secret + 1][sizeof out[0]];   /* the first tier's output */

static void in_lanes(uint8_t *to, unsigned lanes, size_t len)
{
    const uint8_t *in[8];
    uint8_t *blocks[8];
    ty_keccak_lanes s;
    for (unsigned i = 0; i < lanes; i++) {
        in[i] = secret + i % (sizeof secret - len + 1);
        blocks[i] = to + TY_SHAKE128_BLOCK * i;
    }
    ty_keccak_lanes_absorb(&s, lanes, TY_SHAKE128_BLOCK, in, len);
    ty_keccak_lanes_squeeze(blocks, 1, &s);
}

static int one(int function, size_t len, int tier)
{
    const uint8_t *part = secret + sizeof secret - len;
    uint8_t *const o = out[function];
    ty_keccak c;
    ty_err err = TY_OK;

    for (size_t i = 0; i < sizeof secret; i++) secret[i] = (uint8_t)(i * 37 + 11);
    TY_SECRET(secret, sizeof secret);
    switch (function) {
    case SHA3:
        ty_sha3_512_hash(o, part, len);
        break;
    case SHAKE:
        ty_shake256_hash(o, 300, part, len);
        break;
    case PIECES:
        ty_shake128_init(&c);
        err |= ty_shake_update(&c, part, len / 3);
        err |= ty_shake_update(&c, part + len / 3, len - len / 3);
        err |= ty_shake_squeeze(o, 11, &c);
        err |= ty_shake_squeeze(o + 11, 200, &c);
        break;
    default:
        in_lanes(o, function == LANES4 ? 4 : 8, len);
    }
    /* the result has left the library: this test looks at it, the library never does */
    TY_PUBLIC(o, sizeof out[0]);
    if (tier == 0) memcpy(first[function][len], o, sizeof out[0]);
    if (err == TY_OK && memcmp(first[function][len], o, sizeof out[0]) == 0) return 0;
    printf("%s of %u bytes: the tiers disagree\n", names[function], (unsigned)len);
    return 1;
}

int main(void)
{
    int bad = 0, tier = 0;
    const ty_cpu have = ty_cpu_have();
    for (const ty_tier *t = ty_keccak_tiers; t->name; t++) {
        if (t->need & ~have) {
            printf("keccak %s: not on this CPU\n", t->name);
            continue;
        }
        ty_cpu_assume(t->need);
        for (size_t len = 0; len <= sizeof secret; len += 7)
            for (int f = 0; f < FUNCTIONS; f++) bad += one(f, len, tier);
        printf("keccak %s: secrets stayed out of branches and addresses\n", t->name);
        tier++;
    }
    return bad != 0;
}
