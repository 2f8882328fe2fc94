/* An odd modulus m that is given at run time, and products modulo m. Numbers are n limbs,
 * B = 2^TY_LIMB_BITS.
 *
 * form      Montgomery's: xR mod m for x, R = B^n. Or R = 1, where m = B^n - c for a c of one limb,
 *           which is public: then the part of a product above B^n is multiplied by c and added to
 *           the rest
 * loose     any value below B^n
 * engine    how the numbers of one power are held and multiplied: as limbs in that form; or, where
 *           the CPU and the length make that faster, as digits in doubles (modn/reals.h) or 52-bit
 *           digits side by side in vectors (modn/ifma.h). engine.c chooses it, and whether several
 *           moduli are processed side by side (modn/lanes.h)
 * memory    provided by the caller
 *
 * The time of all functions depends only on lengths and on whether R = 1. */
#ifndef TY_MODN_MODN_H
#define TY_MODN_MODN_H

#include "modn/ifma.h"
#include "modn/lanes.h"
#include "modn/pair.h"
#include "modn/reals.h"

#if defined(TY_HAS_REALS) || defined(TY_HAS_LANES)
#  define TY_HAS_ENGINES
/* the largest result of ty_modn_choose for moduli of up to 2048 bits */
#  define TY_MODN_SMALL (15 * ((2048 + 2) / 46 + 2) + 128)
#else
#  define TY_MODN_SMALL 1
#endif

typedef struct ty_modn ty_modn;

/* Products of numbers in the form of the engine [words]; z may be x or y, and nothing else
 * overlaps. All engines but limbs also have
 *   plan      whether this CPU and the length of the modulus suit: sets words, bits, room
 *   prepare   writes the modulus and its constants to p [room], which is zero before; work:
 *             scratch, limbs for R^2
 *   put       z[words] = x[len] < R
 *   get       x[n] = z mod m, canonical; z is a product that has a factor below m */
typedef struct ty_modn_engine {
    void (*mul)(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_modn *c);
    void (*sqrs)(ty_limb *z, size_t count, const ty_modn *c);
    int (*plan)(ty_modn *c);
    void (*prepare)(ty_modn *c, ty_limb *p, ty_limb *work);
    void (*put)(ty_limb *z, const ty_limb *x, size_t len, const ty_modn *c);
    void (*get)(ty_limb *x, const ty_limb *z, const ty_modn *c);
} ty_modn_engine;

extern const ty_modn_engine ty_modn_limbs, ty_modn_reals, ty_modn_ifma;

struct ty_modn {
    /* the modulus: for few limbs nothing else has to be set */
    const ty_limb_ops *ops;    /* of the tier that was chosen for it */
    const ty_limb *m, *rr;     /* [n]: m, and R^2 mod m */
    size_t n;
    ty_limb minv;              /* -1/m mod B */

    /* for more than TY_LIMB_MONT limbs: whether R = 1; scratch [2n]; functions for products and
     * squares of n limbs, and their scratch, if they are faster than ops->mul, else NULL */
    int folds;
    ty_limb *t, *work;
    void (*mul_long)(ty_limb *z, const ty_limb *x, const ty_limb *y, size_t n, ty_limb *work);
    void (*sqr_long)(ty_limb *z, const ty_limb *x, size_t n, ty_limb *work);

    const ty_modn_engine *engine;
    size_t words;              /* of a number in the engine: [words] */
#if defined(TY_HAS_ENGINES)
    size_t bits, room;         /* R = 2^bits in the engine; words of memory that it needs */
    union {
        struct { const ty_reals_ops *ops; ty_reals w; } real;
        struct { const ty_ifma_ops *ops; ty_ifma w; ty_limb *m, *t; } ifma;
    } of;
    ty_limb *in, *out;         /* factors that convert to the engine's form and back */
#endif
};

/* --- One limb --------------------------------------------------------------------------------- */

/* x y/B mod m, loose, for any x and y and inv = 1/m mod B: (xy - qm)/B for q = xy inv mod B, and m
 * more if that is negative. Both products have the same lower limb, so the quotient is the
 * difference of the upper ones. Below m if x < m */
static inline ty_limb ty_modn_mul_1(ty_limb x, ty_limb y, ty_limb m, ty_limb inv)
{
    const ty_limb2 t = ty_limb_product(x, y);
    const ty_limb q = (ty_limb)t * inv;
    /* wraps below zero: the upper half is then all ones */
    const ty_limb2 r = (t >> TY_LIMB_BITS) - (ty_limb_product(q, m) >> TY_LIMB_BITS);
    return (ty_limb)r + (m & (ty_limb)(r >> TY_LIMB_BITS));
}

/* --- Few limbs: a product and its reduction are one kernel ------------------------------------ */

/* z = xy/R, and z = z^2/R count >= 1 times; n <= TY_LIMB_MONT. z may be x or y */
static inline void ty_modn_mul_few(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_modn *c)
{
    if (c->n == 1) z[0] = ty_modn_mul_1(x[0], y[0], c->m[0], 0 - c->minv);
    else TY_HELD(limb, c->ops)->mont(z, x, y, c->m, c->n, c->minv);
}
static inline void ty_modn_sqrs_few(ty_limb *z, size_t count, const ty_modn *c)
{
    if (c->n > 1) {
        TY_HELD(limb, c->ops)->mont2(z, c->m, c->n, c->minv, count);
        return;
    }
    ty_limb x = z[0];
    const ty_limb m = c->m[0], inv = 0 - c->minv;
    while (count--) x = ty_modn_mul_1(x, x, m, inv);
    z[0] = x;
}
/* rr = R^2 mod m, loose */
void ty_modn_rr_few(ty_limb *rr, const ty_modn *c);

/* --- Limbs ------------------------------------------------------------------------------------ */

/* z = xy/R, loose: below 2m for a product below m B^n; and for one below B^n at most m, where m
 * stands for 0. With R = 1: any value below B^n. z may be x or y */
void ty_modn_mul(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_modn *c);
/* z = z^2/R count >= 1 times */
void ty_modn_sqrs(ty_limb *z, size_t count, const ty_modn *c);
void ty_modn_one(ty_limb *z, const ty_modn *c);                      /* R mod m, or m more */
void ty_modn_get(ty_limb *z, const ty_limb *x, const ty_modn *c);    /* z = x/R, canonical */

/* --- Engines ---------------------------------------------------------------------------------- */

/* ty_modn_choose: chooses the engine for a power whose exponent has `bits` bits. Returns the words
 * of memory that ty_modn_start needs for it, 0 for limbs, which need no start.
 * ty_modn_stop: chooses limbs again, and wipes the stack. */
size_t ty_modn_choose(ty_modn *c, size_t bits);
void ty_modn_start(ty_modn *c, ty_limb *memory);
void ty_modn_stop(ty_modn *c);
/* z = x, converted from loose limbs in Montgomery's form to the engine's form; not in place */
void ty_modn_in(ty_limb *z, const ty_limb *x, const ty_modn *c);
/* z = x, converted back: canonical, but where the engine is limbs as loose as x; x is destroyed */
void ty_modn_out(ty_limb *z, ty_limb *x, const ty_modn *c);

/* whether one power modulo B^n - c is faster on limbs with R = 1 than in the engine for it */
int ty_modn_folds(size_t n);
/* the kernels that process several moduli of n limbs side by side; NULL where they would not be
 * faster than one modulus after the other */
const ty_lanes_ops *ty_modn_lanes(size_t n);
/* the kernels, those of ty_modn_lanes or of a pair, that are the fastest to begin `count` moduli of
 * n limbs with; they take as many as they have lanes. NULL: one modulus after the other */
const ty_lanes_ops *ty_modn_lanes_for(size_t n, size_t count);
/* how many powers modulo n limbs are worth computing side by side; 1 where that is not faster, as
 * for n <= 2 */
static inline size_t ty_modn_beside(size_t n)
{
    const ty_lanes_ops *ops = n > 2 ? ty_modn_lanes(n) : NULL;
    return ops ? ops->lanes : 1;
}

#endif
