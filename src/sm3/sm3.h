/* SM3's compression function: the kernel list and the tier list.
 * spec    GB/T 32905-2016, 5.3 (the same function is ISO/IEC 10118-3, dedicated hash function 17)
 * state   eight 32-bit words in the machine's own byte order; messages are big-endian
 * tiers   c        portable, 32-bit words
 *         aesni    one message as c; four at once
 *         avx2     the expansion in vector registers, the rounds in scalar registers, with BMI2;
 *                  eight messages at once
 *         avx512   one message as avx2; sixteen at once
 *         armce    one message as c; four at once
 *         armsm    one message with the SM3 instructions; four at once as armce
 *         m4       assembly: every rotation is a shifted operand */
#ifndef TY_SM3_SM3_H
#define TY_SM3_SM3_H

#include "base/levels.h"
#include "tongyu/base.h"

/* The most lanes that a tier has. A lane is a message; kernels always process all of their
 * lanes. */
enum { TY_SM3_LANES = 16 };
#define TY_SM3_ROWS __attribute__((aligned(64))) uint32_t

typedef struct ty_sm3_lanes {
    TY_SM3_ROWS h[8][TY_SM3_LANES];     /* word k of lane i's state is h[k][i] */
    /* never NULL: a lane without a message points to that of another lane */
    const uint8_t *in[TY_SM3_LANES];
} ty_sm3_lanes;

/* Iterations of PBKDF2, one derivation a lane: the key's two states, U_k, and U_1 ^ ... ^ U_k */
typedef struct ty_sm3_chain {
    TY_SM3_ROWS inner[8][TY_SM3_LANES], outer[8][TY_SM3_LANES], u[8][TY_SM3_LANES],
        sum[8][TY_SM3_LANES];
} ty_sm3_chain;

typedef struct ty_sm3_ops {
    /* h = CF(... CF(CF(h, in[0..64)), in[64..128)) ...), nblocks blocks of 64 bytes; `in` has any
     * alignment. time: depends on nblocks alone. h may not overlap `in`. nblocks = 0 is allowed and
     * reads nothing */
    void (*blocks)(uint32_t h[TY_AT_LEAST(8)], const uint8_t *in, size_t nblocks);

    /* Many at once: the number of lanes; 0 if there are no kernels for that */
    size_t lanes;

    /* nblocks blocks of every lane: h[.][i] absorbs in[i][0 .. 64 nblocks). The pointers do not
     * change. time: as blocks */
    void (*step)(ty_sm3_lanes *l, size_t nblocks);

    /* In every lane, `iterations` times: u = HMAC(u), sum ^= u. time: depends on iterations
     * alone */
    void (*chain)(ty_sm3_chain *c, uint32_t iterations);
} ty_sm3_ops;

/* ty_sm3_many_hash with heads[i] in front of message i; heads may be NULL. No `out` may overlap
 * another message's head either. */
struct ty_sm3_job;
void ty_sm3_many_behind(const struct ty_sm3_job *jobs, const uint8_t (*heads)[32], size_t n);

#define TY_SM3_TIERS(X)                                                                            \
    X(sm3, c)                                                                                      \
    TY_ON_X86_64(X(sm3, aesni) X(sm3, avx2) X(sm3, avx512))                                        \
        TY_ON_ARM64(X(sm3, armce) X(sm3, armsm)) TY_ON_ARM_DSP(X(sm3, m4))
TY_FAMILY(sm3, TY_SM3_TIERS)

/* the kernel `blocks` of every tier that has none of its own */
void ty_sm3_blocks_c(uint32_t h[TY_AT_LEAST(8)], const uint8_t *in, size_t nblocks);

#if defined(TY_AARCH64)
void ty_sm3_step_armce(ty_sm3_lanes *l, size_t nblocks);   /* of armce and armsm */
void ty_sm3_chain_armce(ty_sm3_chain *c, uint32_t iterations);
enum { TY_SM3_ARMCE_LANES = 4 };
#endif

#endif
