/* The calls of the C library with which bench.py compares the Python package. Each function does n
 * calls and returns the CPU seconds of this thread. bench.py loads this file as a library. */
#define _GNU_SOURCE
#include <string.h>
#include <time.h>
#include <tongyu/tongyu.h>

enum { MANY = 1000 };
static uint8_t data[1 << 20], sealed[(1 << 20) + 16], sig[64], sigs[MANY][64];
static ty_sm4_gcm_key gcm;
static ty_sm2_signer signer;
static ty_sm2_key keys[MANY];
static ty_sm2_verify_job jobs[MANY];
static char numbers[MANY][8];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Makes the keys and a signature. Returns 0 or a ty_err */
int direct_init(void)
{
    static const uint8_t key[16] = { 1 }, id[] = TY_SM2_ID;
    ty_sm4_gcm_init(&gcm, key);
    for (int i = 0; i < MANY; i++) {
        int len = 0;
        for (int n = i; len == 0 || n; n /= 10) numbers[i][len++] = (char)('0' + n % 10);
        ty_err err = ty_sm2_keygen(&keys[i], ty_rng_system());
        if (err) return err;
    }
    ty_err err = ty_sm2_signer_init(&signer, &keys[0], id, TY_SM2_ID_LEN);
    return err ? err : ty_sm2_signer_sign(sig, data, 64, &signer, ty_rng_system());
}

/* Makes the jobs of direct_verify_many, all with one key, or each with its own. Returns 0 or a
 * ty_err */
int direct_jobs(int one_key)
{
    static const uint8_t id[] = TY_SM2_ID;
    for (int i = 0; i < MANY; i++) {
        const ty_sm2_key *key = &keys[one_key ? 0 : i];
        const uint8_t *msg = (const uint8_t *)numbers[i];
        ty_err err = ty_sm2_sign(sigs[i], msg, strlen(numbers[i]), id, TY_SM2_ID_LEN, key,
                                 ty_rng_system());
        if (err) return err;
        jobs[i] = (ty_sm2_verify_job){ .sig = sigs[i], .msg = msg, .msg_len = strlen(numbers[i]),
                                       .id = id, .id_len = TY_SM2_ID_LEN, .pub = &key->pub };
    }
    return TY_OK;
}

#define TIMED(name, call)                                                                          \
    double direct_##name(long n, long size)                                                        \
    {                                                                                              \
        (void)size;                                                                                \
        double start = now();                                                                      \
        for (long i = 0; i < n; i++) { call; }                                                     \
        return now() - start;                                                                      \
    }
TIMED(sm3, uint8_t md[32]; ty_sm3_hash(md, data, (size_t)size))
TIMED(gcm, (void)!ty_sm4_gcm_seal(sealed, sealed + size, 16, data, (size_t)size, NULL, 0,
                                  data, 12, &gcm))
TIMED(sign, (void)!ty_sm2_signer_sign(sig, data, 64, &signer, ty_rng_system()))
TIMED(verify, (void)!ty_sm2_verify(sig, data, 64, (const uint8_t *)TY_SM2_ID, TY_SM2_ID_LEN,
                                   &keys[0].pub))
TIMED(verify_many, (void)!ty_sm2_many_verify(jobs, MANY))
