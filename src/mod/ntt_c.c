/* Products of long integers with integer instructions only, one value at a time: a word has 64 bits
 * even where limbs have 32. This tier is the reference for the others.
 *
 * ranges   a product by a factor is below 5p, whatever is multiplied by it; `reduce` gives less
 *          than 2p. A difference has 64p added, and its subtrahend is 20p at most, a sum of four
 *          products. So two levels of the forward transform end below 2 (64 + 1)p, whatever they
 *          began with, those of the inverse below 10p, columns below 138p < 2^57:
 *          tests/formal/ntt.py */
#include "mod/ntt.h"
#include "mod/ntt_digits.h"

#define TY_LEVEL c
#include "base/level_begin.h"
#define W       1
#define LEAF    1
#define WIDEST  4
typedef uint64_t __attribute__((may_alias)) word;   /* the scratch is declared as limbs */
typedef uint64_t vec;

typedef struct consts {
    uint64_t p, inv113, inv64, many;
} consts;

typedef struct factor {
    vec w, v;
} factor;

static inline vec load(const word *x) { return *x; }
static inline void store(word *x, vec v) { *x = v; }
static inline void store_one(word *x, vec v) { *x = v; }
static inline vec first(vec x) { return x; }
static inline vec all(word x) { return x; }
static inline vec add(vec x, vec y) { return x + y; }
static inline vec sub(vec x, vec y, const consts *k) { return x + k->many - y; }
static inline word word_of(uint64_t x, uint64_t p)
{
    (void)p;
    return x;
}

static inline consts consts_of(const ty_ntt_prime *prime)
{
    const consts k = { prime->p, prime->inv113, prime->inv64, 64 * prime->p };
    return k;
}

/* v = w 2^64/p, too small by 4 at most, for w < p: the upper half of the product of w 2^14 and
 * 2^113/p is too small by less than 2, and is doubled */
static inline vec quotients(vec w, const consts *k)
{
    return ty_wide_mul(w << 14, k->inv113).high << 1;
}

static inline factor factor_of(word w, const consts *k)
{
    const factor f = { w, quotients(w, k) };
    return f;
}

/* xw - qp with q = floor(xv/2^64), and xw/p - q < 1 + 4x/2^64: below 5p (Shoup's method, after
 * Harvey, "Faster arithmetic for number-theoretic transforms", J. Symb. Comp. 60 (2014)) */
static inline vec times(vec x, factor f, const consts *k)
{
    return x * f.w - ty_wide_mul(x, f.v).high * k->p;
}

/* the same for w = 1, whose quotient floor(2^64/p) is exact: below 2p */
static inline vec reduce(vec x, const consts *k)
{
    return x - ty_wide_mul(x, k->inv64).high * k->p;
}

static inline vec canonical(vec x, const consts *k)
{
    const vec r = reduce(x, k) - k->p;
    return r + (k->p & (0 - (r >> 63)));
}

static inline vec least(vec x, const consts *k) { return canonical(x, k); }
static inline vec product(vec x, vec y, const consts *k)
{
    return times(x, factor_of(canonical(y, k), k), k);
}
static inline vec residues(const uint64_t *digits, const consts *k) { return reduce(*digits, k); }
static inline void put_digits(uint64_t *t, vec x) { *t = x; }

typedef struct ring ring;
#define ty_ntt_leaves_forward_c(x, count, j, r)  ((void)0)
#define ty_ntt_leaves_inverse_c(x, count, j, r)  ((void)0)
#define ty_ntt_forward_8_c(x, h, j, r)  ((void)0)
#define ty_ntt_inverse_8_c(x, h, j, r)  ((void)0)
#include "mod/ntt_body.h"

const ty_ntt_ops ty_ntt_ops_c = { ty_ntt_whole_c, W };
#include "base/level_end.h"
