/* Keys of ML-DSA: generated from a seed, decoded and checked, and precomputed for many uses. */
#include "mldsa/mldsa.h"

#include "base/ct.h"
#include "base/wipe.h"

#include <string.h>

/* An encoded private key is rho, K, tr, s1, s2, t0: offsets in it, the length of a polynomial of t0
 * and of t1, and the largest coefficient of t0 */
enum { KEY_K = 32, KEY_TR = 64, KEY_S = 128, T0_BYTES = 416, T1_BYTES = 320, T0_TOP = 1 << 12 };

static void hash_pub(ty_mldsa_pub *pub, const ty_mldsa_row *row)
{
    ty_mldsa_h(pub->tr, sizeof pub->tr, (ty_keccak_piece){ pub->bytes, row->pub_len },
               (ty_keccak_piece){ NULL, 0 });
}

#if !defined(TY_PUBLIC_ONLY)
static size_t t0_at(const ty_mldsa_row *row)
{
    return KEY_S + 32u * row->eta_bits * ((size_t)row->k + row->l);
}

/* Computes pub, except its tr, and the encoded t0 from rho and s.
 *   s   l + k polynomials, s1 and then s2; s1 is transformed in place
 *   tr  if not NULL, the hash of the public key: begun here, and interleaved with the sampling of A
 *       as far as the key is known; the caller finishes it
 * A is sampled in two halves, of 8, 15 or 28 polynomials: at most one lane of the last group is
 * idle. */
static void derive_pub(ty_mldsa_pub *pub, uint8_t *t0, const uint8_t rho[32], ty_q_poly *s,
                       const ty_mldsa_env *env, ty_keccak_extra *tr)
{
    const ty_mldsa_row *row = env->row;
    ty_q_poly a[4 * 7] __attribute__((aligned(64))), t __attribute__((aligned(64))), high, low;
    const size_t half = row->k / 2u;
    memcpy(pub->bytes, rho, 32);
    if (tr) ty_keccak_extra_start(tr, pub->tr, sizeof pub->tr, pub->bytes, 32, 1);
    for (size_t j = 0; j < row->l; j++) q_of(env)->ntt(s[j]);
    for (size_t i = 0; i < row->k; i++) {
        if (i % half == 0) ty_mldsa_expand_a(a, row->l, i, half, rho, env, tr);
        q_of(env)->dot(t, (const ty_q_poly *)a + i % half * row->l, (const ty_q_poly *)s, row->l);
        q_of(env)->intt(t);
        (void)q_of(env)->add(t, t, s[row->l + i], TY_Q / 4);
        q_of(env)->power2round(high, low, t);
        TY_PUBLIC(high, sizeof high);   /* t1 is the public key */
        mldsa_of(env)->pack(pub->bytes + 32 + T1_BYTES * i, high, 10, 0);
        if (tr) tr->left += T1_BYTES;
        mldsa_of(env)->pack(t0 + T0_BYTES * i, low, 13, T0_TOP);
    }
    pub->set = row->set;
    ty_wipe(t, sizeof t);
    ty_wipe(low, sizeof low);
    /* here and not in the caller: the matrix, 28 KB of this frame, lies between the caller's frame
     * and the stack of the kernels */
    ty_wipe_below_8k();
}

/* memcpy of a secret, in a frame of its own: registers that it spills are then below the caller's
 * frame of many KB, where ty_wipe_below_8k reaches them, and not inside that frame. */
static __attribute__((noinline)) void copy_below(uint8_t *out, const uint8_t *in, size_t len)
{
    memcpy(out, in, len);
}

/* Computes a key, except its hash tr, from `expanded` = rho, rho', K, to which its seed expands.
 * The parameter `tr` is as in derive_pub. */
static void expand_key(ty_mldsa_key *key, const uint8_t expanded[128], const ty_mldsa_env *env,
                       ty_keccak_extra *tr)
{
    const ty_mldsa_row *row = env->row;
    const size_t polys = (size_t)row->k + row->l;
    ty_q_poly s[15] __attribute__((aligned(64)));
    memcpy(key->bytes, expanded, 32);
    copy_below(key->bytes + KEY_K, expanded + 96, 32);
    ty_mldsa_expand_s(s, expanded + 32, env);
    for (size_t i = 0; i < polys; i++)
        mldsa_of(env)->pack(key->bytes + KEY_S + 32u * row->eta_bits * i, s[i], row->eta_bits,
                         row->eta);
    derive_pub(&key->pub, key->bytes + t0_at(row), expanded, s, env, tr);
    ty_wipe(s, polys * sizeof s[0]);
}

void ty_mldsa_keys_expand(ty_mldsa_key *const *key, const uint8_t (*seed)[32], size_t n,
                          const ty_mldsa_env *env)
{
    const ty_mldsa_row *row = env->row;
    const uint8_t shape[2] = { row->k, row->l };
    uint8_t expanded[TY_MLDSA_LANES][128], *to[TY_MLDSA_LANES] = { NULL };
    ty_keccak_piece piece[TY_MLDSA_LANES][2] = { { { NULL, 0 } } };
    ty_keccak_extra tr;
    for (size_t i = 0; i < n; i++) {
        piece[i][0] = (ty_keccak_piece){ seed[i], 32 };
        piece[i][1] = (ty_keccak_piece){ shape, 2 };
        to[i] = expanded[i];
    }
    ty_keccak_lanes_hash(to, 128, TY_SHAKE256_BLOCK, piece[0], 2, n);
    for (size_t i = 0; i < n; i++) {
        memset(key[i], 0, sizeof *key[i]);
        TY_PUBLIC(expanded[i], 32);   /* rho is part of the public key */
        expand_key(key[i], expanded[i], env, n == 1 ? &tr : NULL);
        piece[i][0] = (ty_keccak_piece){ key[i]->pub.bytes, row->pub_len };
        piece[i][1] = (ty_keccak_piece){ NULL, 0 };
        to[i] = key[i]->pub.tr;
    }
    if (n == 1) ty_keccak_extra_finish(&tr);
    else ty_keccak_lanes_hash(to, 64, TY_SHAKE256_BLOCK, piece[0], 2, n);
    for (size_t i = 0; i < n; i++) {
        memcpy(key[i]->bytes + KEY_TR, key[i]->pub.tr, 64);
        memcpy(key[i]->seed, seed[i], 32);
        key[i]->has_seed = 1;
    }
    ty_wipe(expanded, sizeof expanded);
    ty_wipe_below_8k();
}

ty_err ty_mldsa_key_from_seed(ty_mldsa_key *key, const uint8_t seed[TY_AT_LEAST(32)],
                              ty_mldsa_set set)
{
    const ty_mldsa_row *row = ty_mldsa_find(set);
    uint8_t copy[1][TY_MLDSA_SEED_LEN];   /* seed may be key->seed */
    memcpy(copy[0], seed, sizeof copy[0]);
    if (!row) {
        memset(key, 0, sizeof *key);
        ty_wipe(copy, sizeof copy);
        return TY_ERR_ARG;
    }
    const ty_mldsa_env env = ty_mldsa_env_of(row);
    ty_mldsa_keys_expand(&key, (const uint8_t (*)[32])copy, 1, &env);
    ty_wipe(copy, sizeof copy);
    return TY_OK;
}

ty_err ty_mldsa_keygen(ty_mldsa_key *key, ty_mldsa_set set, const ty_rng *rng)
{
    uint8_t seed[TY_MLDSA_SEED_LEN];
    ty_err err = !ty_mldsa_find(set)                               ? TY_ERR_ARG
                 : rng->fill(rng->ctx, seed, sizeof seed) == TY_OK ? TY_OK
                                                                   : TY_ERR_RNG;
    if (err == TY_OK) err = ty_mldsa_key_from_seed(key, seed, set);
    else memset(key, 0, sizeof *key);
    ty_wipe(seed, sizeof seed);
    return err;
}

/* Decodes s1 and s2. Returns 1 if a field is above 2 eta, which is not a coefficient: the three or
 * seven such values would give signatures that leak the key. */
static uint32_t unpack_small(ty_q_poly *s, const uint8_t *in, const ty_mldsa_env *env)
{
    const ty_mldsa_row *row = env->row;
    int32_t low = 0;
    for (size_t i = 0; i < (size_t)row->k + row->l; i++) {
        mldsa_of(env)->unpack(s[i], in + 32u * row->eta_bits * i, row->eta_bits, row->eta);
        for (size_t j = 0; j < 256; j++) low |= s[i][j] + row->eta;   /* negative below -eta */
    }
    return (uint32_t)low >> 31;
}

ty_err ty_mldsa_key_set(ty_mldsa_key *key, const uint8_t *in, size_t in_len)
{
    static const ty_mldsa_set sets[3] = { TY_MLDSA_44, TY_MLDSA_65, TY_MLDSA_87 };
    const ty_mldsa_row *row = NULL;
    uint8_t t0[8 * T0_BYTES];
    ty_q_poly s[15] __attribute__((aligned(64)));
    ty_keccak_extra tr;
    for (size_t i = 0; i < 3; i++)
        if (ty_mldsa_key_len(sets[i]) == in_len) row = ty_mldsa_find(sets[i]);
    memset(key, 0, sizeof *key);
    if (!row) return TY_ERR_FORMAT;
    const ty_mldsa_env env = ty_mldsa_env_of(row);
    memcpy(key->bytes, in, in_len);
    TY_PUBLIC(key->bytes, 32);   /* rho */
    uint32_t bad = unpack_small(s, key->bytes + KEY_S, &env);
    derive_pub(&key->pub, t0, key->bytes, s, &env, &tr);
    ty_keccak_extra_finish(&tr);
    bad |= (uint32_t)!ty_equal(t0, key->bytes + t0_at(row), (size_t)T0_BYTES * row->k);
    bad |= (uint32_t)!ty_equal(key->pub.tr, key->bytes + KEY_TR, sizeof key->pub.tr);
    ty_wipe(s, sizeof s);
    ty_wipe(t0, sizeof t0);
    ty_wipe_below_8k();
    TY_PUBLIC(&bad, sizeof bad);   /* whether the key is valid */
    if (!bad) return TY_OK;
    ty_wipe(key, sizeof *key);
    return TY_ERR_KEY;
}
#endif

ty_err ty_mldsa_pub_set(ty_mldsa_pub *pub, const uint8_t *in, size_t in_len)
{
    static const ty_mldsa_set sets[3] = { TY_MLDSA_44, TY_MLDSA_65, TY_MLDSA_87 };
    memset(pub, 0, sizeof *pub);
    for (size_t i = 0; i < 3; i++) {
        const ty_mldsa_row *row = ty_mldsa_find(sets[i]);
        if (row->pub_len != in_len) continue;
        memcpy(pub->bytes, in, in_len);
        pub->set = row->set;
        hash_pub(pub, row);
        return TY_OK;
    }
    return TY_ERR_FORMAT;
}

#if !defined(TY_PUBLIC_ONLY)
ty_err ty_mldsa_signer_init(ty_mldsa_signer *signer, const ty_mldsa_key *key)
{
    const ty_mldsa_row *row = ty_mldsa_find(key->pub.set);
    if (!row) {
        memset(signer, 0, sizeof *signer);
        return TY_ERR_ARG;
    }
    const ty_mldsa_env env = ty_mldsa_env_of(row);
    const size_t small = (size_t)row->k + row->l;
    ty_q_poly *p = signer->polys;
    signer->pub = key->pub;
    memcpy(signer->k, key->bytes + KEY_K, sizeof signer->k);
    ty_mldsa_expand_a(p, row->l, 0, row->k, key->pub.bytes, &env, NULL);
    p += (size_t)row->k * row->l;
    for (size_t i = 0; i < small; i++) ty_mldsa_s((int8_t *)p[i], i, key, &env);
    for (size_t i = 0; i < row->k; i++) ty_mldsa_t0(p[small + i], i, key, &env);
    ty_wipe_below_8k();
    return TY_OK;
}
#endif

ty_err ty_mldsa_verifier_init(ty_mldsa_verifier *verifier, const ty_mldsa_pub *pub)
{
    const ty_mldsa_row *row = ty_mldsa_find(pub->set);
    if (!row) {
        memset(verifier, 0, sizeof *verifier);
        return TY_ERR_ARG;
    }
    const ty_mldsa_env env = ty_mldsa_env_of(row);
    const size_t stride = (size_t)row->l + 1;
    verifier->pub = *pub;
    ty_mldsa_expand_a(verifier->polys, stride, 0, row->k, pub->bytes, &env, NULL);
    for (size_t i = 0; i < row->k; i++)
        ty_mldsa_t1(verifier->polys[i * stride + row->l], i, pub, &env);
    return TY_OK;
}

#if !defined(TY_PUBLIC_ONLY)
void ty_mldsa_s(int8_t e[TY_AT_LEAST(512)], size_t i, const ty_mldsa_key *key,
                const ty_mldsa_env *env)
{
    const ty_mldsa_row *row = env->row;
    ty_q_poly s;
    mldsa_of(env)->unpack(s, key->bytes + KEY_S + 32u * row->eta_bits * i, row->eta_bits, row->eta);
    const int32_t sign = i < row->l ? 0 : -1;
    for (size_t j = 0; j < 256; j++) {
        e[256 + j] = (int8_t)((s[j] ^ sign) - sign);
        e[j] = (int8_t)-e[256 + j];
    }
    ty_wipe(s, sizeof s);
}

/* a field x stands for the coefficient 2^12 - x */
void ty_mldsa_t0(int32_t p[TY_AT_LEAST(256)], size_t i, const ty_mldsa_key *key,
                 const ty_mldsa_env *env)
{
    mldsa_of(env)->unpack(p, key->bytes + t0_at(env->row) + T0_BYTES * i, 13, T0_TOP);
    q_of(env)->ntt(p);
}
#endif

/* 1023 * 2^13 = q - 1, so t1 2^13 is canonical */
void ty_mldsa_t1(int32_t p[TY_AT_LEAST(256)], size_t i, const ty_mldsa_pub *pub,
                 const ty_mldsa_env *env)
{
    mldsa_of(env)->unpack(p, pub->bytes + 32 + T1_BYTES * i, 10, 0);
    for (size_t j = 0; j < 256; j++) p[j] = (int32_t)((uint32_t)p[j] << 13);
    q_of(env)->ntt(p);
}
