/* SHAKE on four or eight messages of the same length at once, each in its own lane: for the
 * many short inputs that a lattice scheme expands, in little more than the time of one.
 *
 *   ty_keccak_lanes s;
 *   ty_keccak_lanes_absorb(&s, 8, TY_SHAKE128_BLOCK, in, 34);     each in[i] points to 34 bytes
 *   ty_keccak_lanes_squeeze(out, 5, &s);                          five blocks of 168 bytes to each
 *                                                                 out[i]; and again
 *   ty_wipe(&s, sizeof s);                                        if the inputs were secret
 *
 * Time depends only on lengths and the number of lanes. Lanes whose output is not used may absorb
 * anything. */
#ifndef TY_KECCAK_KECCAK_LANES_H
#define TY_KECCAK_KECCAK_LANES_H

#include "keccak/keccak.h"

/* One more message, whose permutations are interleaved with those of the lanes;
 * ty_keccak_extra_finish does the remaining ones. The message may grow meanwhile, and another may
 * follow it. */
typedef struct ty_keccak_extra {
    ty_keccak sponge;
    const uint8_t *in;             /* the bytes of the message that are not absorbed yet; */
    size_t left;                   /* their number; `in` need not be valid while it is 0 */
    int more;                      /* 1 while the message is not complete */
    uint8_t *out;                  /* out_len bytes, at most the rate; NULL once they are written */
    size_t out_len;
    struct ty_keccak_extra *then;  /* the next, whose message may be the output of this one */
} ty_keccak_extra;

/* SHAKE256 of in[len], and of what is appended to it if `more` is 1 */
void ty_keccak_extra_start(ty_keccak_extra *r, uint8_t *out, size_t out_len, const uint8_t *in,
                           size_t len, int more);
/* the state that needs a permutation, which the caller does; NULL if there is none: all is done, or
 * more of the message must come first */
uint64_t *ty_keccak_extra_next(ty_keccak_extra *r);
/* ty_keccak_extra_rest: completes the message of r, the first one that is not done.
 * ty_keccak_extra_finish: completes r and all that follow it. Nothing is wiped. */
void ty_keccak_extra_rest(ty_keccak_extra *r);
void ty_keccak_extra_finish(ty_keccak_extra *r);

/* Word w of lane i is a[lanes * w + i]. Aligned as the kernels require. */
typedef struct ty_keccak_lanes {
    uint64_t a[25 * 8] __attribute__((aligned(64)));
    unsigned lanes, rate;
    const ty_keccak_ops *ops;
    ty_keccak_extra *extra;        /* may be set between absorbing and squeezing */
} ty_keccak_lanes;

/* Restarts all lanes, without an extra message: lane i absorbs in[i][0..len) and the padding of
 * SHAKE.
 *   in    lanes is 4 or 8; rate TY_SHAKE128_BLOCK or TY_SHAKE256_BLOCK; len may be anything,
 *         pointers may be equal */
void ty_keccak_lanes_absorb(ty_keccak_lanes *s, unsigned lanes, unsigned rate,
                            const uint8_t *const *in, size_t len);

/* out[i][0..blocks * rate) = the next blocks of lane i; if out[i] is NULL, that lane's are
 * dropped */
void ty_keccak_lanes_squeeze(uint8_t *const *out, size_t blocks, ty_keccak_lanes *s);

/* out[i][0..out_len) = SHAKE of message i, for i < n <= 8, which is the concatenation of `pieces`
 * strings, from in[pieces * i] on; lengths may differ. out_len <= rate. There are no more
 * permutations than the longest message has blocks; once only one message is left, it is hashed
 * alone. The caller wipes the stack below. */
typedef struct ty_keccak_piece {
    const uint8_t *p;
    size_t len;
} ty_keccak_piece;
void ty_keccak_lanes_hash(uint8_t *const *out, size_t out_len, unsigned rate,
                          const ty_keccak_piece *in, size_t pieces, size_t n);

/* One permutation; then byte k of the block of lane i is byte k mod 8, from the lowest, of
 * s->a[lanes * (k / 8) + i], for callers that read the words in place. There is no output before
 * the first call. */
static inline void ty_keccak_lanes_next(ty_keccak_lanes *s)
{
    uint64_t *const extra = s->extra ? ty_keccak_extra_next(s->extra) : NULL;
    if (s->lanes == 4 && extra) TY_HELD(keccak, s->ops)->f1600_x4_x1((uint64_t (*)[4])s->a, extra);
    else if (s->lanes == 4) TY_HELD(keccak, s->ops)->f1600_x4((uint64_t (*)[4])s->a);
    else if (extra) TY_HELD(keccak, s->ops)->f1600_x8_x1((uint64_t (*)[8])s->a, extra);
    else TY_HELD(keccak, s->ops)->f1600_x8((uint64_t (*)[8])s->a);
}

#endif
