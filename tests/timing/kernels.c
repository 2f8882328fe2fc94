/* The operations of timing.c. A secret is any string of bytes: what an operation takes is made
 * from it here, in the operation's range, by steps whose own time does not matter. */
#include "timing/kernels.h"

#include "keccak/keccak.h"
#include "mldsa/mldsa.h"
#include "mod/q_mldsa.h"
#include "tongyu/ec_any.h"
#include "tongyu/sm2_many.h"
#include "tongyu/sm4_many.h"
#include "tongyu/tongyu.h"

#include <stdlib.h>
#include <string.h>

/* An error is a bug of this program: what is timed would not be what its name says. */
static void must(ty_err err)
{
    if (err != TY_OK) abort();
}

static uint8_t secret[SECRET_MOST];     /* unchanged, for operations on bytes */
static uint8_t text[16 * 513], out[16 * 513], tag[16];
static const uint8_t zeros[16 * 513];

/* --- SM4, GHASH ------------------------------------------------------------------------------- */

static ty_sm4_key sm4;
static ty_sm4_gcm_key gcm;
static ty_sm4_key sm4_keys[16];

static void sm4_prepare(const uint8_t *s) { ty_sm4_init(&sm4, s); }
static void sm4_init(void) { ty_sm4_init(&sm4, secret); }
static void sm4_many_init(void) { ty_sm4_many_init(sm4_keys, secret, 16); }

static void ctr(size_t blocks)
{
    uint8_t iv[16] = {0};
    ty_sm4_ctr(out, text, 16 * blocks, iv, &sm4);
}
static void sm4_ctr_1(void) { ctr(1); }
static void sm4_ctr_8(void) { ctr(8); }
static void sm4_ctr_64(void) { ctr(64); }
static void sm4_ctr_513(void) { ctr(513); }
static void sm4_cbc(void)
{
    uint8_t iv[16] = {0};
    must(ty_sm4_cbc_decrypt(out, text, 1024, iv, &sm4));
}

/* the key is fixed, the text is secret */
static void text_prepare(const uint8_t *s)
{
    sm4_prepare(zeros);
    memcpy(secret, s, 1024);
}
static void sm4_text(void) { must(ty_sm4_ecb_encrypt(out, secret, 1024, &sm4)); }

static void gcm_prepare(const uint8_t *s) { ty_sm4_gcm_init(&gcm, s); }
static void gcm_seal(size_t len)
{
    must(ty_sm4_gcm_seal(out, tag, 16, text, len, NULL, 0, zeros, 12, &gcm));
}
static void gcm_64(void) { gcm_seal(64); }
static void gcm_1024(void) { gcm_seal(1024); }
static void gmac_1024(void)
{
    must(ty_sm4_gcm_seal(out, tag, 16, NULL, 0, text, 1024, zeros, 12, &gcm));
}

/* --- Hashes ----------------------------------------------------------------------------------- */

static void bytes_prepare(const uint8_t *s) { memcpy(secret, s, sizeof secret); }
static void sm3_1024(void) { ty_sm3_hash(out, secret, 1024); }
static void sm3_many(void)
{
    ty_sm3_job jobs[16];
    for (size_t i = 0; i < 16; i++) jobs[i] = (ty_sm3_job){ out + 32 * i, secret + 64 * i, 64 };
    ty_sm3_many_hash(jobs, 16);
}
static void hmac(void) { ty_hmac_sm3_mac(out, text, 64, secret, 32); }
static void sha256(void)
{
    ty_sha256 c;
    ty_sha256_init(&c);
    ty_sha256_update(&c, secret, 1024);
    ty_sha256_final(out, &c);
}

static _Alignas(64) uint64_t states[25][8];
static void states_prepare(const uint8_t *s)
{
    for (size_t i = 0; i < 25; i++) memcpy(states[i], s + 40 * i % 960, sizeof states[i]);
}
static void f1600(void) { ty_keccak_best()->f1600(states[0]); }
static void f1600_x4(void) { ty_keccak_best()->f1600_x4((uint64_t (*)[4])states); }
static void f1600_x8(void) { ty_keccak_best()->f1600_x8(states); }

/* --- ML-DSA ----------------------------------------------------------------------------------- */

static _Alignas(64) ty_q_poly poly[8], made[2];
static int8_t window[512];
static ty_mldsa_challenge challenge;
static uint32_t hints[8];

/* loose coefficients, the same in each of the eight polynomials but in another order */
static void poly_prepare(const uint8_t *s)
{
    int32_t all[512];
    for (size_t i = 0; i < 256; i++) {
        uint32_t w;
        memcpy(&w, s + 4 * i, 4);
        all[i] = all[256 + i] = (int32_t)(w % (2 * TY_Q - 1)) - (TY_Q - 1);
        window[256 + i] = (int8_t)(s[i] % 5 - 2);
        window[i] = (int8_t)-window[256 + i];
    }
    for (size_t j = 0; j < 8; j++) memcpy(poly[j], all + 31 * j, sizeof poly[j]);
}
static void ntt(void) { ty_q_best()->ntt(poly[0]); }
static void intt(void) { ty_q_best()->intt(poly[0]); }
static void dot(void) { ty_q_best()->dot(made[0], poly, poly + 4, 4); }
static void add(void) { ty_q_best()->add(made[0], poly[0], poly[1], 1 << 18); }
static void power2round(void) { ty_q_best()->power2round(made[0], made[1], poly[0]); }
static void decompose(void) { ty_q_best()->decompose(made[0], made[1], poly[0], 261888); }
static void make_hint(void)   /* of any two: its time may not depend on what they are */
{
    ty_q_best()->make_hint(hints, made[0], made[1], 261888);
}
static void hint_prepare(const uint8_t *s)
{
    poly_prepare(s);
    decompose();
}
static void unpack(void) { ty_mldsa_best()->unpack(made[0], secret, 18, 1 << 17); }
static void pack_prepare(const uint8_t *s)
{
    memcpy(secret, s, 576);
    unpack();
}
static void pack(void) { ty_mldsa_best()->pack(out, made[0], 18, 1 << 17); }
static void times_prepare(const uint8_t *s)
{
    poly_prepare(s);
    for (size_t i = 0; i < 256; i++) made[0][i] = poly[0][i] / 64;
}
static void add_times(void)
{
    ty_mldsa_best()->add_times(made[0], &challenge, window, 2, (1 << 17) - 78);
}

/* --- Curves ----------------------------------------------------------------------------------- */

static ty_sm2_key sm2, sm2_keys[8];
static ty_sm2_pub sm2_peer;
static uint8_t scalar[32];

/* below the order of SM2's curve, and not 0: shorter by 32 bits and odd */
static void scalar_prepare(const uint8_t *s)
{
    memset(scalar, 0, sizeof scalar);
    memcpy(scalar + 4, s, 28);
    scalar[31] |= 1;
}
static void sm2_public(void) { must(ty_sm2_key_set(&sm2, scalar)); }
static void sm2_prepare(const uint8_t *s)
{
    scalar_prepare(s);
    must(ty_sm2_key_set(&sm2, scalar));
}
static void sm2_ecdh(void) { must(ty_sm2_ecdh(out, &sm2_peer, &sm2)); }

/* Other bytes in every call, so that how many candidates of a nonce are out of range, which takes
 * time and tells nothing of the nonce, does not depend on the key. */
static ty_err nonce_fill(void *ctx, uint8_t *to, size_t len)
{
    static uint32_t state = 7;
    (void)ctx;
    for (size_t i = 0; i < len; i++) {
        state = 1664525u * state + 1013904223u;
        to[i] = (uint8_t)(state >> 24);
    }
    return TY_OK;
}
static void sm2_sign(void)
{
    const ty_rng rng = { nonce_fill, NULL };
    must(ty_sm2_sign_digest(out, text, &sm2, &rng));
}
static void sm2_eight_prepare(const uint8_t *s)
{
    sm2_prepare(s);
    for (size_t i = 0; i < 8; i++) sm2_keys[i] = sm2;
}
static void sm2_many_ecdh(void)
{
    ty_sm2_ecdh_job jobs[8];
    for (size_t i = 0; i < 8; i++)
        jobs[i] = (ty_sm2_ecdh_job){ out + 32 * i, &sm2_peer, sm2_keys + i, TY_OK };
    must(ty_sm2_many_ecdh(jobs, 8));
}
static void sm2_many_sign(void)
{
    const ty_rng rng = { nonce_fill, NULL };
    ty_sm2_sign_job jobs[8];
    memset(jobs, 0, sizeof jobs);
    for (size_t i = 0; i < 8; i++) {
        jobs[i].sig = out + 64 * i;
        jobs[i].e = text;
        jobs[i].key = sm2_keys + i;
    }
    must(ty_sm2_many_sign(jobs, 8, &rng));
}

enum { CURVES = 3 };
static const char *const curve_names[CURVES] = { "sect163r2", "sect233k1", "sect233r1" };
static struct { ty_ec_key key, peer; } ec[CURVES];

/* order_len bytes, of which the highest two are 0 */
static void ec_prepare(size_t curve, const uint8_t *s)
{
    const ty_ec_curve *c = ty_ec_curve_named(curve_names[curve]);
    uint8_t d[32] = {0};
    const size_t len = ty_ec_order_len(c);
    memcpy(d + 2, s, len - 2);
    d[len - 1] |= 1;
    must(ty_ec_key_set(&ec[curve].key, c, d, len));
}
static void ec_0_prepare(const uint8_t *s) { ec_prepare(0, s); }
static void ec_1_prepare(const uint8_t *s) { ec_prepare(1, s); }
static void ec_2_prepare(const uint8_t *s) { ec_prepare(2, s); }
static void ec_ecdh(size_t i) { must(ty_ec_ecdh(out, &ec[i].peer.pub, &ec[i].key)); }
static void ec_0_ecdh(void) { ec_ecdh(0); }
static void ec_1_ecdh(void) { ec_ecdh(1); }
static void ec_2_ecdh(void) { ec_ecdh(2); }
static void ec_2_sign(void)
{
    const ty_rng rng = { nonce_fill, NULL };
    must(ty_ecdsa_sign(out, text, 32, &ec[2].key, &rng));
}

/* --- Integers --------------------------------------------------------------------------------- */

enum { POWERS = 8 };
static ty_mp modulus, base, exponent, power[POWERS];

/* 1024 bits each: the exponent is secret, its length is not */
static void power_prepare(const uint8_t *s)
{
    uint8_t e[128];
    memcpy(e, s, sizeof e);
    must(ty_mp_set_be(&exponent, e, sizeof e));
}
static void powm(void) { must(ty_mp_powm(&power[0], &base, &exponent, &modulus)); }
static void many_powm(size_t n)
{
    ty_mp_powm_job jobs[POWERS];
    for (size_t i = 0; i < n; i++)
        jobs[i] = (ty_mp_powm_job){ &power[i], &base, &exponent, &modulus, TY_OK };
    must(ty_mp_many_powm(jobs, n));
}
static void powm_2(void) { many_powm(2); }
static void powm_8(void) { many_powm(POWERS); }

/* --- Controls --------------------------------------------------------------------------------- */

enum { COMPARED = 256 };
static volatile uint32_t sink;

__attribute__((noinline)) static int first_difference(const uint8_t *a, const uint8_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i]) return (int)i;
    return -1;
}
static void leak_compare(void) { sink = (uint32_t)first_difference(secret, text, COMPARED); }
static void compare_prepare(const uint8_t *s)
{
    memcpy(text, s, COMPARED);
    memcpy(secret, s, COMPARED);
    secret[s[COMPARED] & 1 ? 0 : COMPARED - 1] ^= 1;   /* the first byte or the last one differs */
}
static void leak_power(void)   /* the library's own power for public exponents */
{
    must(ty_mp_powm_vt(&power[0], &base, &exponent, &modulus));
}
static void short_power_prepare(const uint8_t *s) { must(ty_mp_set_be(&exponent, s, 8)); }
static void equal(void) { sink = (uint32_t)ty_equal(secret, text, COMPARED); }
static void no_secret(void) { ty_sm3_hash(out, text, 1024); }

/* --- The lists -------------------------------------------------------------------------------- */

const kernel kernels[] = {
    { "sm4", "key schedule", 16, bytes_prepare, sm4_init, 1 },
    { "sm4", "sixteen key schedules", 256, bytes_prepare, sm4_many_init, 1 },
    { "sm4", "CTR, 1 block", 16, sm4_prepare, sm4_ctr_1, 1 },
    { "sm4", "CTR, 8 blocks", 16, sm4_prepare, sm4_ctr_8, 1 },
    { "sm4", "CTR, 64 blocks", 16, sm4_prepare, sm4_ctr_64, 1 },
    { "sm4", "CTR, 513 blocks", 16, sm4_prepare, sm4_ctr_513, 4 },
    { "sm4", "CBC decryption, 1 KB", 16, sm4_prepare, sm4_cbc, 1 },
    { "sm4", "ECB of a secret text, 1 KB", 1024, text_prepare, sm4_text, 1 },
    { "ghash", "GCM, 64 bytes", 16, gcm_prepare, gcm_64, 1 },
    { "ghash", "GCM, 1 KB", 16, gcm_prepare, gcm_1024, 1 },
    { "ghash", "GMAC, 1 KB", 16, gcm_prepare, gmac_1024, 1 },
    { "sm3", "1 KB", 1024, bytes_prepare, sm3_1024, 1 },
    { "sm3", "16 messages of 64 bytes", 1024, bytes_prepare, sm3_many, 1 },
    { "sm3", "HMAC", 32, bytes_prepare, hmac, 1 },
    { "sha256", "1 KB", 1024, bytes_prepare, sha256, 1 },
    { "keccak", "f1600", 1024, states_prepare, f1600, 1 },
    { "keccak", "f1600, four", 1024, states_prepare, f1600_x4, 1 },
    { "keccak", "f1600, eight", 1024, states_prepare, f1600_x8, 1 },
    { "mldsaq", "NTT", 1024, poly_prepare, ntt, 1 },
    { "mldsaq", "inverse NTT", 1024, poly_prepare, intt, 1 },
    { "mldsaq", "dot product of 4", 1024, poly_prepare, dot, 1 },
    { "mldsaq", "add and bound", 1024, poly_prepare, add, 1 },
    { "mldsaq", "power2round", 1024, poly_prepare, power2round, 1 },
    { "mldsaq", "decompose", 1024, poly_prepare, decompose, 1 },
    { "mldsaq", "make_hint", 1024, hint_prepare, make_hint, 1 },
    { "mldsa", "pack, 18 bits", 1024, pack_prepare, pack, 1 },
    { "mldsa", "unpack, 18 bits", 1024, bytes_prepare, unpack, 1 },
    { "mldsa", "challenge times s", 1024, times_prepare, add_times, 1 },
    { "sm2", "public key", 32, scalar_prepare, sm2_public, 10 },
    { "sm2", "signature", 32, sm2_prepare, sm2_sign, 10 },
    { "sm2", "ECDH", 32, sm2_prepare, sm2_ecdh, 20 },
    { "sm2", "8 signatures", 32, sm2_eight_prepare, sm2_many_sign, 40 },
    { "sm2", "8 ECDH", 32, sm2_eight_prepare, sm2_many_ecdh, 100 },
    { "ec2m", "sect163r2 ECDH", 32, ec_0_prepare, ec_0_ecdh, 10 },
    { "ec2m", "sect233k1 ECDH", 32, ec_1_prepare, ec_1_ecdh, 10 },
    { "ec2m", "sect233r1 ECDH", 32, ec_2_prepare, ec_2_ecdh, 10 },
    { "ec2m", "sect233r1 ECDSA", 32, ec_2_prepare, ec_2_sign, 10 },
    { "mp", "power, 1024 bits", 128, power_prepare, powm, 100 },
    { "mpdoubles", "power, 1024 bits", 128, power_prepare, powm, 100 },
    { "mpifma", "power, 1024 bits", 128, power_prepare, powm, 100 },
    { "mppair", "2 powers, 1024 bits", 128, power_prepare, powm_2, 200 },
    { "mpmany", "8 powers, 1024 bits", 128, power_prepare, powm_8, 400 },
    { 0 },
};

const kernel leaks[] = {
    { NULL, "a comparison that stops early", COMPARED + 1, compare_prepare, leak_compare, 1 },
    { NULL, "a power in variable time", 8, short_power_prepare, leak_power, 1 },
    { 0 },
};

const kernel controls[] = {
    { NULL, "ty_equal", COMPARED + 1, compare_prepare, equal, 1 },
    { NULL, "SM3 of what is no secret", 16, bytes_prepare, no_secret, 1 },
    { 0 },
};

void kernels_init(void)
{
    uint8_t d[32] = {0}, m[128];
    d[9] = 3;
    must(ty_sm2_key_set(&sm2, d));
    sm2_peer = sm2.pub;
    for (size_t i = 0; i < CURVES; i++) {
        const ty_ec_curve *c = ty_ec_curve_named(curve_names[i]);
        must(ty_ec_key_set(&ec[i].peer, c, d, ty_ec_order_len(c)));
    }
    memset(m, 0xa5, sizeof m);
    ty_mp_init(&modulus), ty_mp_init(&base), ty_mp_init(&exponent);
    must(ty_mp_set_be(&modulus, m, sizeof m));
    must(nonce_fill(NULL, m, sizeof m));
    must(ty_mp_set_be(&base, m, sizeof m));
    for (size_t i = 0; i < POWERS; i++) ty_mp_init(&power[i]);
    challenge.n = 39, challenge.plus = 20;
    for (size_t i = 0; i < challenge.n; i++) challenge.at[i] = (uint8_t)(6 * i);
}
