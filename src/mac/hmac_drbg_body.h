/* HMAC-DRBG as in RFC 6979, 3.2 (NIST SP 800-90A, 10.1.2, without the reseed counter), for a
 * hash of 32 bytes. Template, once in a unit:
 *
 *   DRBG             the type of the state: `k`, the HMAC under the key; `v`; and `used`, whether
 *                    `next` was called
 *   DRBG_FN(verb)    the name of a function: init, next
 *   HMAC_FN(verb)    the MAC: init, update, final
 */
#ifndef TY_MAC_HMAC_DRBG_BODY_H
#define TY_MAC_HMAC_DRBG_BODY_H

#include <string.h>

/* v = HMAC(k, v) */
static void DRBG_FN(next_v)(DRBG *c)
{
    HMAC_FN(update)(&c->k, c->v, 32);
    HMAC_FN(final)(c->v, &c->k);
}

/* One half of the standard's HMAC_DRBG_Update: k = HMAC(k, v || tag || seed), v = HMAC(k, v). With
 * a seed the halves have tags 0 and 1; without one only the first is done. */
static void DRBG_FN(update)(DRBG *c, uint8_t tag, const uint8_t *seed, size_t seed_len)
{
    uint8_t k[32];
    HMAC_FN(update)(&c->k, c->v, 32);
    HMAC_FN(update)(&c->k, &tag, 1);
    if (seed_len) HMAC_FN(update)(&c->k, seed, seed_len);
    HMAC_FN(final)(k, &c->k);
    HMAC_FN(init)(&c->k, k, sizeof k);
    ty_wipe(k, sizeof k);
    DRBG_FN(next_v)(c);
}

void DRBG_FN(init)(DRBG *c, const uint8_t *seed, size_t seed_len)
{
    memset(c->v, 0, sizeof c->v);
    HMAC_FN(init)(&c->k, c->v, sizeof c->v);
    memset(c->v, 1, sizeof c->v);
    c->used = 0;
    DRBG_FN(update)(c, 0, seed, seed_len);
    DRBG_FN(update)(c, 1, seed, seed_len);
}

void DRBG_FN(next)(uint8_t *out, size_t out_len, DRBG *c)
{
    if (c->used) DRBG_FN(update)(c, 0, NULL, 0);   /* the last output was refused */
    c->used = 1;
    while (out_len) {
        const size_t n = out_len < sizeof c->v ? out_len : sizeof c->v;
        DRBG_FN(next_v)(c);
        memcpy(out, c->v, n);
        out += n;
        out_len -= n;
    }
}

#endif
