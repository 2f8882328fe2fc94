/* Many SM4 messages at once on poisoned keys and texts, on every tier: nothing but lengths may
 * steer them. */
#include "base/ct.h"
#include "sm4/sm4.h"
#include "tongyu/sm4_many.h"

#include <stdio.h>
#include <string.h>

enum { N = 37, MOST = 200 };
static uint8_t key_bytes[N][16], text[N][MOST], out[N][MOST], sealed[N][MOST], tag[N][16], iv[16],
    nonce[20];
static ty_sm4_key key[N];
static ty_sm4_cmac_key cmac_key[N];
static ty_sm4_gcm_key gcm_key[N];
static ty_sm4_xts_key xts_key[N];
static uint32_t sum;    /* over everything that a tier outputs; all tiers must agree */

static size_t length(size_t i) { return i * 29 % (MOST + 1); }

static void take(uint8_t (*p)[MOST])
{
    for (size_t i = 0; i < N; i++) {
        /* the result has left the library: this program looks at it, the library never does */
        TY_PUBLIC(p[i], length(i));
        TY_PUBLIC(tag[i], 16);
        for (size_t j = 0; j < length(i); j++) sum = sum * 16777619u + p[i][j];
        for (size_t j = 0; j < 16; j++) sum = sum * 16777619u + tag[i][j];
    }
}

static int streams(void)
{
    ty_sm4_job jobs[N];
    int bad = 0;
    for (size_t i = 0; i < N; i++)
        jobs[i] = (ty_sm4_job){ out[i], text[i], length(i) / 16 * 16, iv, &key[i], TY_OK };
    bad += ty_sm4_many_cbc_encrypt(jobs, N) != TY_OK;
    take(out);
    for (size_t i = 0; i < N; i++) jobs[i].len = length(i);
    ty_sm4_many_cfb_encrypt(jobs, N);
    take(out);
    ty_sm4_many_ofb(jobs, N);
    take(out);
    bad += ty_sm4_many_ctr(jobs, N) != TY_OK;
    take(out);
    bad += ty_sm4_many_cfb_decrypt(jobs, N) != TY_OK;
    take(out);
    for (size_t i = 0; i < N; i++) jobs[i].len = length(i) / 16 * 16;
    bad += ty_sm4_many_ecb_encrypt(jobs, N) != TY_OK;
    take(out);
    bad += ty_sm4_many_ecb_decrypt(jobs, N) != TY_OK;
    take(out);
    /* and all of one length, sixteen of which are processed without a scheduler */
    for (size_t i = 0; i < N; i++) jobs[i].len = 80;
    bad += ty_sm4_many_cbc_encrypt(jobs, 16) != TY_OK;
    take(out);
    bad += ty_sm4_many_ctr(jobs, N) != TY_OK;
    bad += ty_sm4_many_ecb_encrypt(jobs, N) != TY_OK;
    take(out);
    return bad;
}

static int xts(void)
{
    ty_err (*const calls[])(ty_sm4_xts_job *, size_t) = {
        ty_sm4_many_xts_ieee_encrypt, ty_sm4_many_xts_ieee_decrypt, ty_sm4_many_xts_gb_encrypt,
        ty_sm4_many_xts_gb_decrypt
    };
    ty_sm4_xts_job jobs[N];
    int bad = 0;
    for (size_t i = 0; i < N; i++) {
        xts_key[i].data = key[i];
        xts_key[i].tweak = key[(i + 1) % N];
    }
    for (size_t c = 0; c < 4; c++) {
        for (size_t i = 0; i < N; i++)
            jobs[i] = (ty_sm4_xts_job){ out[i], text[i], 16 + length(i) / 2, iv, &xts_key[i],
                                        TY_OK };
        bad += calls[c](jobs, N) != TY_OK;
        take(out);
    }
    return bad;
}

static int cmac(void)
{
    ty_sm4_cmac_job jobs[N];
    int bad = 0;
    for (size_t i = 0; i < N; i++)
        jobs[i] = (ty_sm4_cmac_job){ tag[i], 16, text[i], length(i), &cmac_key[i], TY_OK };
    bad += ty_sm4_many_cmac(jobs, N) != TY_OK;
    take(out);
    bad += ty_sm4_many_cmac_check(jobs, N) != TY_OK;
    return bad;
}

/* Sealed and opened, then with a wrong tag: that it is wrong is public, but not where. */
#define AEAD(name, key_of, nonce_len)                                                              \
    static int name(void)                                                                          \
    {                                                                                              \
        ty_sm4_##name##_job jobs[N];                                                               \
        int bad = 0;                                                                               \
        for (size_t i = 0; i < N; i++)                                                             \
            jobs[i] = (ty_sm4_##name##_job){ sealed[i], tag[i],     16,   text[i],                 \
                                             length(i), text[i],    i,    nonce,                   \
                                             nonce_len, &key_of[i], TY_OK };                       \
        bad += ty_sm4_many_##name##_seal(jobs, N) != TY_OK;                                        \
        take(sealed);                                                                              \
        for (int forged = 0; forged < 2; forged++) {                                               \
            if (forged) tag[5][3] ^= 1;                                                            \
            for (size_t i = 0; i < N; i++) {                                                       \
                TY_SECRET(sealed[i], length(i));                                                   \
                TY_SECRET(tag[i], 16);                                                             \
                jobs[i].in = sealed[i];                                                            \
                jobs[i].out = out[i];                                                              \
            }                                                                                      \
            bad += ty_sm4_many_##name##_open(jobs, N) != (forged ? TY_ERR_VERIFY : TY_OK);         \
            take(out);                                                                             \
        }                                                                                          \
        return bad;                                                                                \
    }
AEAD(ccm, key, 12)
AEAD(gcm, gcm_key, i % 2 ? 12 : 20)

/* Sixteen of one length together, from the counter blocks on; then with a wrong tag */
static int gcm_equal(void)
{
    enum { EQUAL = 16, LEN = 100 };
    ty_sm4_gcm_job jobs[EQUAL];
    int bad = 0;
    for (size_t i = 0; i < EQUAL; i++)
        jobs[i] = (ty_sm4_gcm_job){ sealed[i], tag[i], 16, text[i], LEN, text[i], 13, nonce,
                                    i % 2 ? 12 : 20, &gcm_key[i], TY_OK };
    bad += ty_sm4_many_gcm_seal(jobs, EQUAL) != TY_OK;
    for (int forged = 0; forged < 2; forged++) {
        if (forged) tag[5][3] ^= 1;
        for (size_t i = 0; i < EQUAL; i++) {
            jobs[i].in = sealed[i];
            jobs[i].out = out[i];
        }
        bad += ty_sm4_many_gcm_open(jobs, EQUAL) != (forged ? TY_ERR_VERIFY : TY_OK);
    }
    take(sealed);
    take(out);
    return bad;
}

int main(void)
{
    const ty_cpu have = ty_cpu_have();
    int bad = 0, first = 1;
    uint32_t expected = 0;
    for (const ty_tier *t = ty_sm4_tiers; t->name; t++) {
        if (t->need & ~have) {
            printf("sm4 %s: not on this CPU\n", t->name);
            continue;
        }
        ty_cpu_assume(t->need);
        for (size_t i = 0; i < N; i++) {
            for (size_t j = 0; j < MOST; j++) text[i][j] = (uint8_t)(i * 13 + j * 29 + 5);
            for (size_t j = 0; j < 16; j++) key_bytes[i][j] = (uint8_t)(i * 7 + j * 11 + 3);
            TY_SECRET(key_bytes[i], 16);
            TY_SECRET(text[i], MOST);
            ty_sm4_cmac_init(&cmac_key[i], key_bytes[i]);
        }
        ty_sm4_many_init(key, key_bytes[0], N);
        ty_sm4_many_gcm_init(gcm_key, key_bytes[0], N);
        memset(tag, 0, sizeof tag);
        memset(out, 0, sizeof out);
        sum = 0;
        bad += streams() + xts() + cmac() + ccm() + gcm() + gcm_equal();
        if (first) expected = sum;
        first = 0;
        if (sum != expected) {
            printf("sm4 %s: disagrees with the first tier\n", t->name);
            bad++;
        }
        printf("sm4 %s: secrets stayed out of branches and addresses\n", t->name);
    }
    return bad != 0;
}
