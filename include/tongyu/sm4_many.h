/* Tongyu: SM4 on many messages at once: each has its own key, its own length, its own result. In a
 * serial mode, each block of a message waits for the one before; many messages side by side are
 * processed at the speed of ECB. Eight or more of them are worthwhile; any number is allowed.
 *
 * In all functions, a job has the arguments of the function for one message under the same names,
 * and err, which the call sets. Jobs are independent: an error in one does not affect the others.
 * Within a job the rules on buffers are those of the function for one message; no job's out may
 * overlap anything of another job. Keys may be shared. The call returns TY_OK if every job
 * succeeded, else the error of the first that failed. No heap; up to 15 KB of stack, wiped. Time
 * depends only on lengths, on iv where a counter carries, which is public, and on which jobs share
 * a key object. */
#ifndef TONGYU_SM4_MANY_H
#define TONGYU_SM4_MANY_H

#include "tongyu/sm4.h"
#include "tongyu/sm4_aead.h"
#include "tongyu/sm4_mac.h"
#include "tongyu/sm4_xts.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* --- Keys ------------------------------------------------------------------------------------- */

/* ty_sm4_many_init, ty_sm4_many_gcm_init: ty_sm4_init and ty_sm4_gcm_init of keys + i with the 16
 * bytes at bytes + 16 i, for each i below n. The rounds of a key schedule depend on each other:
 * sixteen schedules at once take little longer than one, and GCM's hash keys are computed with
 * them.
 *   in     keys: n objects; bytes: 16 n bytes, apart from keys. With n = 0 both may be NULL
 *   time   constant for a given n
 *   spec   [GB/T 32907-2016, 7.3] [SP 800-38D, 7.1, step 1] */
TY_API void ty_sm4_many_init(ty_sm4_key *keys, const uint8_t *bytes, size_t n);
TY_API void ty_sm4_many_gcm_init(ty_sm4_gcm_key *keys, const uint8_t *bytes, size_t n);

/* --- Ciphers ---------------------------------------------------------------------------------- */

typedef struct ty_sm4_job {
    uint8_t *out;
    const uint8_t *in;
    size_t len;
    const uint8_t *iv;           /* 16 bytes */
    const ty_sm4_key *key;
    ty_err err;
} ty_sm4_job;

/* As ty_sm4_cbc_encrypt.
 * err of a job TY_ERR_ARG: its len is not a multiple of 16; its out is untouched */
TY_API TY_MUST_CHECK ty_err ty_sm4_many_cbc_encrypt(ty_sm4_job *jobs, size_t n);
/* As ty_sm4_cfb_encrypt and ty_sm4_ofb: they cannot fail. */
TY_API void ty_sm4_many_cfb_encrypt(ty_sm4_job *jobs, size_t n);
TY_API void ty_sm4_many_ofb(ty_sm4_job *jobs, size_t n);

/* As ty_sm4_ecb_encrypt and ty_sm4_ecb_decrypt, which need no iv; as ty_sm4_ctr and
 * ty_sm4_cfb_decrypt. Their blocks are independent: a long message uses the whole CPU by itself and
 * is processed alone; messages of up to about 700 bytes are faster this way.
 *   err    of a job TY_ERR_ARG: of ECB, its len is not a multiple of 16; its out and in overlap and
 *          are not the same. Its out is untouched
 *   stack  8 KB, wiped */
TY_API TY_MUST_CHECK ty_err ty_sm4_many_ecb_encrypt(ty_sm4_job *jobs, size_t n);
TY_API TY_MUST_CHECK ty_err ty_sm4_many_ecb_decrypt(ty_sm4_job *jobs, size_t n);
TY_API TY_MUST_CHECK ty_err ty_sm4_many_ctr(ty_sm4_job *jobs, size_t n);
TY_API TY_MUST_CHECK ty_err ty_sm4_many_cfb_decrypt(ty_sm4_job *jobs, size_t n);

typedef struct ty_sm4_xts_job {
    uint8_t *out;
    const uint8_t *in;
    size_t len;
    const uint8_t *tweak;        /* 16 bytes */
    const ty_sm4_xts_key *key;
    ty_err err;
} ty_sm4_xts_job;

/* As ty_sm4_xts_{ieee,gb}_{encrypt,decrypt}. Units of whole blocks, of up to about 700 bytes, are
 * faster this way.
 *   err    of a job TY_ERR_ARG, TY_ERR_SIZE: its len, or an overlap; its out is untouched
 *   stack  9 KB, wiped */
TY_API TY_MUST_CHECK ty_err ty_sm4_many_xts_ieee_encrypt(ty_sm4_xts_job *jobs, size_t n);
TY_API TY_MUST_CHECK ty_err ty_sm4_many_xts_ieee_decrypt(ty_sm4_xts_job *jobs, size_t n);
TY_API TY_MUST_CHECK ty_err ty_sm4_many_xts_gb_encrypt(ty_sm4_xts_job *jobs, size_t n);
TY_API TY_MUST_CHECK ty_err ty_sm4_many_xts_gb_decrypt(ty_sm4_xts_job *jobs, size_t n);

/* --- CMAC ------------------------------------------------------------------------------------- */

typedef struct ty_sm4_cmac_job {
    uint8_t *tag;                /* written by cmac, read by cmac_check */
    size_t tag_len;
    const uint8_t *msg;
    size_t msg_len;
    const ty_sm4_cmac_key *key;
    ty_err err;
} ty_sm4_cmac_job;

/* As ty_sm4_cmac_mac.   err of a job TY_ERR_ARG: tag_len; its tag is untouched */
TY_API TY_MUST_CHECK ty_err ty_sm4_many_cmac(ty_sm4_cmac_job *jobs, size_t n);
/* As ty_sm4_cmac_check.   err of a job TY_ERR_VERIFY, TY_ERR_ARG */
TY_API TY_MUST_CHECK ty_err ty_sm4_many_cmac_check(ty_sm4_cmac_job *jobs, size_t n);

/* --- CCM and GCM ------------------------------------------------------------------------------ */

/* For both directions: seal writes tag, open reads it. */
typedef struct ty_sm4_ccm_job {
    uint8_t *out, *tag;
    size_t tag_len;
    const uint8_t *in;
    size_t len;
    const uint8_t *aad;
    size_t aad_len;
    const uint8_t *nonce;
    size_t nonce_len;
    const ty_sm4_key *key;
    ty_err err;
} ty_sm4_ccm_job;

/* As ty_sm4_ccm_seal.   err of a job TY_ERR_ARG, TY_ERR_SIZE: its out and tag are untouched */
TY_API TY_MUST_CHECK ty_err ty_sm4_many_ccm_seal(ty_sm4_ccm_job *jobs, size_t n);
/* As ty_sm4_ccm_open, but out holds the plaintext during the call; when the call returns it is
 * verified or wiped.
 *   err    of a job TY_ERR_VERIFY: wrong tag; its out[0..len) is zeroed
 *          TY_ERR_ARG, TY_ERR_SIZE: as for seal */
TY_API TY_MUST_CHECK ty_err ty_sm4_many_ccm_open(ty_sm4_ccm_job *jobs, size_t n);

/* A long GCM message uses the whole CPU by itself and is processed alone; messages of up to about
 * 600 bytes are faster this way. With AVX-512 and GFNI the fastest are groups of sixteen jobs, from
 * the first job on, of one length and with additional data of one length. */
typedef struct ty_sm4_gcm_job {
    uint8_t *out, *tag;
    size_t tag_len;
    const uint8_t *in;
    size_t len;
    const uint8_t *aad;
    size_t aad_len;
    const uint8_t *nonce;
    size_t nonce_len;
    const ty_sm4_gcm_key *key;
    ty_err err;
} ty_sm4_gcm_job;

/* As ty_sm4_gcm_seal.   err of a job TY_ERR_ARG, TY_ERR_SIZE: its out and tag are untouched */
TY_API TY_MUST_CHECK ty_err ty_sm4_many_gcm_seal(ty_sm4_gcm_job *jobs, size_t n);
/* As ty_sm4_gcm_open: no byte of out is written before the job's tag is found right.
 *   err    of a job TY_ERR_VERIFY: wrong tag; its out[0..len) is zeroed
 *          TY_ERR_ARG, TY_ERR_SIZE: as for seal */
TY_API TY_MUST_CHECK ty_err ty_sm4_many_gcm_open(ty_sm4_gcm_job *jobs, size_t n);

#if defined(__cplusplus)
}
#endif
#endif
