/* mu, which is what ML-DSA signs: the hash of the public key's hash, the context, and the message
 * or its digest (FIPS 204, algorithms 7 and 4). */
#include "mldsa/mldsa.h"

#include <string.h>

/* 2.16.840.1.101.3.4.2.last */
#define NIST_OID(last) { 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, last }
enum { OID_LEN = 11 };

/* FIPS 204, algorithm 4, lines 10 to 22, names three of them (SHA-256, SHA-512, SHAKE128) and
 * allows other approved ones; SM3 is this library's addition, under the identifier
 * 1.2.156.10197.1.401 of GM/T 0006. Identifiers include tag and length. */
static const struct hash {
    uint8_t oid[OID_LEN], oid_len, digest_len;
} hashes[] = {
    [TY_MLDSA_SHA2_224] = { NIST_OID(4), OID_LEN, 28 },
    [TY_MLDSA_SHA2_256] = { NIST_OID(1), OID_LEN, 32 },
    [TY_MLDSA_SHA2_384] = { NIST_OID(2), OID_LEN, 48 },
    [TY_MLDSA_SHA2_512] = { NIST_OID(3), OID_LEN, 64 },
    [TY_MLDSA_SHA2_512_224] = { NIST_OID(5), OID_LEN, 28 },
    [TY_MLDSA_SHA2_512_256] = { NIST_OID(6), OID_LEN, 32 },
    [TY_MLDSA_SHA3_224] = { NIST_OID(7), OID_LEN, 28 },
    [TY_MLDSA_SHA3_256] = { NIST_OID(8), OID_LEN, 32 },
    [TY_MLDSA_SHA3_384] = { NIST_OID(9), OID_LEN, 48 },
    [TY_MLDSA_SHA3_512] = { NIST_OID(10), OID_LEN, 64 },
    [TY_MLDSA_SHAKE128] = { NIST_OID(11), OID_LEN, 32 },
    [TY_MLDSA_SHAKE256] = { NIST_OID(12), OID_LEN, 64 },
    [TY_MLDSA_SM3] = { { 6, 8, 0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x83, 0x11 }, 10, 32 },
};

void ty_mldsa_h(uint8_t *out, size_t out_len, ty_keccak_piece a, ty_keccak_piece b)
{
    ty_keccak sponge;
    ty_keccak_start(&sponge, TY_SHAKE256_BLOCK, TY_KECCAK_SHAKE);
    ty_keccak_absorb(&sponge, a.p, a.len);
    ty_keccak_absorb(&sponge, b.p, b.len);
    ty_keccak_squeeze(out, out_len, &sponge);
    ty_wipe(&sponge, sizeof sponge);
}

void ty_mldsa_mu_raw(uint8_t mu[TY_AT_LEAST(64)], const uint8_t *msg, size_t msg_len,
                     const ty_mldsa_pub *pub)
{
    ty_mldsa_h(mu, TY_MLDSA_MU_LEN, (ty_keccak_piece){ pub->tr, sizeof pub->tr },
               (ty_keccak_piece){ msg, msg_len });
}

void ty_mldsa_mu_lanes(uint8_t *const *mu, const ty_mldsa_text *in, size_t n)
{
    ty_keccak_piece piece[TY_MLDSA_LANES][4];
    uint8_t head[TY_MLDSA_LANES][2];
    for (size_t i = 0; i < n; i++) {
        head[i][0] = 0;
        head[i][1] = (uint8_t)in[i].ctx_len;
        piece[i][0] = (ty_keccak_piece){ in[i].pub->tr, sizeof in[i].pub->tr };
        piece[i][1] = (ty_keccak_piece){ head[i], 2 };
        piece[i][2] = (ty_keccak_piece){ in[i].ctx, in[i].ctx_len };
        piece[i][3] = (ty_keccak_piece){ in[i].msg, in[i].msg_len };
    }
    ty_keccak_lanes_hash(mu, TY_MLDSA_MU_LEN, TY_SHAKE256_BLOCK, piece[0], 4, n);
}

/* tr || kind || length of the context || context */
static ty_err mu_start(ty_mldsa_mu *mu, uint8_t kind, const uint8_t *ctx, size_t ctx_len,
                       const uint8_t tr[64])
{
    memset(mu, 0, sizeof *mu);
    if (ctx_len > TY_MLDSA_CTX_MAX) return TY_ERR_SIZE;
    const uint8_t head[2] = { kind, (uint8_t)ctx_len };
    ty_keccak_start(&mu->sponge, TY_SHAKE256_BLOCK, TY_KECCAK_SHAKE);
    ty_keccak_absorb(&mu->sponge, tr, 64);
    ty_keccak_absorb(&mu->sponge, head, sizeof head);
    ty_keccak_absorb(&mu->sponge, ctx, ctx_len);
    return TY_OK;
}

static ty_err mu_begin(ty_mldsa_mu *mu, uint8_t kind, const uint8_t *ctx, size_t ctx_len,
                       const ty_mldsa_pub *pub)
{
    const ty_err err = mu_start(mu, kind, ctx, ctx_len, pub->tr);
    if (err != TY_OK || ty_mldsa_find(pub->set)) return err;
    memset(mu, 0, sizeof *mu);
    return TY_ERR_ARG;
}

ty_err ty_mldsa_mu_of_tr(ty_mldsa_mu *mu, const uint8_t *ctx, size_t ctx_len,
                         const uint8_t tr[TY_AT_LEAST(64)])
{
    return mu_start(mu, 0, ctx, ctx_len, tr);
}

ty_err ty_mldsa_mu_init(ty_mldsa_mu *mu, const uint8_t *ctx, size_t ctx_len,
                        const ty_mldsa_pub *pub)
{
    return mu_begin(mu, 0, ctx, ctx_len, pub);
}

/* The public functions of the sponge refuse a sponge that was not started or is finished. */
void ty_mldsa_mu_update(ty_mldsa_mu *mu, const uint8_t *msg, size_t msg_len)
{
    if (ty_shake_update(&mu->sponge, msg, msg_len) != TY_OK) ty_wipe(mu, sizeof *mu);
}

void ty_mldsa_mu_final(uint8_t out[TY_AT_LEAST(64)], ty_mldsa_mu *mu)
{
    if (ty_shake_squeeze(out, TY_MLDSA_MU_LEN, &mu->sponge) != TY_OK)
        memset(out, 0, TY_MLDSA_MU_LEN);
    ty_wipe(mu, sizeof *mu);
}

static const struct hash *find_hash(ty_mldsa_hash hash)
{
    return (size_t)hash < sizeof hashes / sizeof hashes[0] ? &hashes[hash] : NULL;
}

size_t ty_mldsa_hash_len(ty_mldsa_hash hash)
{
    const struct hash *h = find_hash(hash);
    return h ? h->digest_len : 0;
}

ty_err ty_mldsa_mu_hash(uint8_t mu[TY_AT_LEAST(64)], const uint8_t *digest, size_t digest_len,
                        ty_mldsa_hash hash, const uint8_t *ctx, size_t ctx_len,
                        const ty_mldsa_pub *pub)
{
    const struct hash *h = find_hash(hash);
    ty_mldsa_mu running;
    memset(mu, 0, TY_MLDSA_MU_LEN);
    if (!h || digest_len != h->digest_len) return TY_ERR_ARG;
    const ty_err err = mu_begin(&running, 1, ctx, ctx_len, pub);
    if (err != TY_OK) return err;
    ty_mldsa_mu_update(&running, h->oid, h->oid_len);
    ty_mldsa_mu_update(&running, digest, digest_len);
    ty_mldsa_mu_final(mu, &running);
    return TY_OK;
}
