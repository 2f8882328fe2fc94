/* What the parts of signing in little memory share: lean_sign.c divides the memory, commits
 * to masks and repeats attempts; lean_rows.c answers the challenge.
 *
 * Of a coefficient of w only what is needed later is kept, in 23 bits: w0 + 2^20, and 2^22 if w1 is
 * not 0. c s2 is subtracted from this, and c t0 added to it. */
#ifndef TY_MLDSA_LEAN_SIGN_H
#define TY_MLDSA_LEAN_SIGN_H

#include "mldsa/lean.h"

enum { TY_LEAN_MIDDLE = 1 << 20, TY_LEAN_NOT_0 = 1 << 22 };

typedef struct ty_lean_signing {
    ty_lean s;
    ty_mldsa_challenge challenge;
    uint8_t rho[64];                           /* rho'' of algorithm 7 */
    const uint8_t *key, *mu;
    uint8_t *sig;
    /* NULL if there is no room: c, transformed; k polynomials for w, which is otherwise packed in
     * `packed`; l for the masks, transformed, and all of A by rows */
    int32_t *c;
    ty_q_poly *w, *y, *a;
    /* the bytes of keeps_masks masks, and `keeps` polynomials of A, packed and by columns */
    uint8_t *packed, *masks, *kept;
    size_t keeps_masks, keeps;
    unsigned kappa;                            /* number of the first mask of this attempt */
} ty_lean_signing;

static inline int ty_lean_rejected(uint32_t large)
{
    /* which check rejects an attempt is public: see sign.c */
    TY_PUBLIC(&large, sizeof large);
    return large != 0;
}

/* where the bytes of mask j are kept, from coefficient `at` on, or NULL */
static inline uint8_t *ty_lean_mask(const ty_lean_signing *g, size_t j, size_t at)
{
    const size_t bits = g->s.row->z_bits;
    return j < g->keeps_masks ? g->masks + 32u * bits * j + at / 8 * bits : NULL;
}

/* p, a row of w, loose, becomes what is kept of it; its high part is written to w1[32 w1_bits] */
void ty_lean_split_row(int32_t p[TY_AT_LEAST(256)], uint8_t *w1, const ty_mldsa_row *row);
/* sets the challenge, which is public, from the hash at the beginning of the signature */
void ty_lean_challenged(ty_lean_signing *g);
/* The answer: returns 1 if it is accepted, and then the signature is complete. The checks are in
 * the order of sign.c. */
int ty_lean_answer(ty_lean_signing *g);

#endif
