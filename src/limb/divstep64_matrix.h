/* The matrix of sixty division steps on 64-bit words. Template; parameters, which may be undefined:
 *   TY_DIV_X86      conditional moves instead of masks
 *   TY_DIV_UNROLL   a pragma before the loop of twenty steps
 *   TY_DIV_BESIDE   the type of a value that ty_div_60 passes to ty_div_beside(TY_DIV_BESIDE *), a
 *                   function that is called after every step: work for units of the CPU that the
 *                   steps leave idle
 * time: constant
 *
 * A step takes (delta, f, g), f odd, to
 *     (1 - delta, g, (g - f)/2)               if delta > 0 and g is odd
 *     (1 + delta, f, (g + (g mod 2) f)/2)     otherwise.
 * Twenty steps look at no more than the lowest 20 bits of f and g, and multiply (f, g) by a matrix
 * over 2^20. */
#if !defined(TY_DIV_UNROLL)
#  if defined(TY_UNROLL)   /* for the reason in limb/limb256.h */
#    define TY_DIV_UNROLL TY_UNROLL
#  else
#    define TY_DIV_UNROLL
#  endif
#endif
#if defined(TY_DIV_BESIDE)
/* so that it stays in registers */
#  define TY_DIV_INLINE static inline __attribute__((always_inline))
#  define TY_DIV_PARAM , TY_DIV_BESIDE *beside
#  define TY_DIV_ARG , beside
#else
#  define TY_DIV_INLINE static inline
#  define TY_DIV_PARAM
#  define TY_DIV_ARG
#endif
typedef struct ty_div_matrix {
    /* (f, g) becomes (u f + v g, q f + r g)/2^k, where |u| + |v|, |q| + |r| <= 2^k */
    int64_t u, v, q, r;
} ty_div_matrix;

/* One step on packed words: zeta = -(delta + 1/2), so delta > 0 where zeta is negative.
 * On x86 everything that depends on zeta alone is chosen first: x = -f or f, y = g or f, w = ~zeta
 * or zeta; then they are selected if g's lowest bit is set. The longest path through a step is 4
 * operations; in C it is 6.
 * bound: 13 operations and three moves; 4 cycles a step, as each one waits for the one before */
static inline void ty_div_step(int64_t *zeta, uint64_t *f, uint64_t *g)
{
#if defined(TY_DIV_X86)
    uint64_t x, y, w;
    __asm__(
        "mov %[f], %[x]\n\t"
        "mov %[z], %[w]\n\t"
        "mov %[f], %[y]\n\t"
        "neg %[x]\n\t"
        "not %[w]\n\t"
        "test %[z], %[z]\n\t"
        "cmovns %[f], %[x]\n\t"
        "cmovns %[z], %[w]\n\t"
        "cmovs %[g], %[y]\n\t"
        "add %[g], %[x]\n\t"
        "test $1, %b[g]\n\t"
        "cmovnz %[w], %[z]\n\t"
        "cmovnz %[y], %[f]\n\t"
        "cmovnz %[x], %[g]\n\t"
        "sar $1, %[g]\n\t"
        "dec %[z]\n\t"
        : [f] "+&r"(*f), [g] "+&r"(*g), [z] "+&r"(*zeta), [x] "=&r"(x), [y] "=&r"(y), [w] "=&r"(w)
        :
        : "cc");
#else
    const uint64_t odd = ty_mask_bit64(*g & 1), swap = (uint64_t)(*zeta >> 63);
    *g += ((*f ^ swap) - swap) & odd;   /* g - f, g + f, or g */
    const uint64_t both = swap & odd;
    *zeta = (int64_t)((uint64_t)*zeta ^ both) - 1;
    *f += *g & both;                    /* f + (g - f) = g */
    *g = (uint64_t)((int64_t)*g >> 1);
#endif
}

/* t = the matrix of 20 steps on (f, g) mod 2^20. Each word also holds a row of the matrix, which
 * the steps transform like high bits: F = f - 2^41, G = g - 2^62 become
 *     (u F + v G)/2^20 = (u f + v g)/2^20 - 2^21 u - 2^42 v,   the first term in [-2^20, 2^20),
 * so u and v are extracted by rounding. No sum passes 2^63: |u| + |v| is at most 2^k after k steps,
 * and the coefficient of G alone is below that, or f and g would be proportional. */
TY_DIV_INLINE int64_t ty_div_20(ty_div_matrix *t, int64_t zeta, uint64_t f, uint64_t g TY_DIV_PARAM)
{
    const uint64_t low = (1u << 20) - 1;
    f = (f & low) - ((uint64_t)1 << 41);
    g = (g & low) - ((uint64_t)1 << 62);
    TY_DIV_UNROLL for (int i = 0; i < 20; i++) {
        ty_div_step(&zeta, &f, &g);
#if defined(TY_DIV_BESIDE)
        ty_div_beside(beside);
#endif
    }
    const uint64_t round_u = (uint64_t)1 << 20, round_v = ((uint64_t)1 << 41) + round_u;
    t->u = -((int64_t)((f + round_u) << 22) >> 43);
    t->v = -((int64_t)(f + round_v) >> 42);
    t->q = -((int64_t)((g + round_u) << 22) >> 43);
    t->r = -((int64_t)(g + round_v) >> 42);
    return zeta;
}

/* t = b a: first a, then b */
static inline ty_div_matrix ty_div_compose(const ty_div_matrix *b, const ty_div_matrix *a)
{
    return (ty_div_matrix){ b->u * a->u + b->v * a->q, b->u * a->v + b->v * a->r,
                            b->q * a->u + b->r * a->q, b->q * a->v + b->r * a->r };
}

/* t = the matrix of 60 steps on (f, g), which depends on the lowest 60 bits only: f and g are
 * updated mod 2^64 */
TY_DIV_INLINE int64_t ty_div_60(ty_div_matrix *t, int64_t zeta, uint64_t f, uint64_t g TY_DIV_PARAM)
{
    ty_div_matrix a, b;
    zeta = ty_div_20(t, zeta, f, g TY_DIV_ARG);
    for (int i = 0; i < 2; i++) {
        const uint64_t nf = (uint64_t)t->u * f + (uint64_t)t->v * g,
                       ng = (uint64_t)t->q * f + (uint64_t)t->r * g;
        zeta = ty_div_20(&a, zeta, nf >> (20 * (i + 1)), ng >> (20 * (i + 1)) TY_DIV_ARG);
        b = ty_div_compose(&a, t);
        *t = b;
    }
    return zeta;
}
