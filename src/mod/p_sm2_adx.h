/* add, sub, half, mul, sqr and sel of Z/p in x86-64 instructions, for mod/p_sm2_words.h where
 * TY_P_SM2_ADX is defined.
 *
 * These are asm statements and not a .S file because point formulas inline them: with a call a
 * product would cost the same, a sum 1.8 times as much. They are in AT&T syntax, in which both GCC
 * and Clang substitute operands.
 *
 * needs      BMI2 (mulx, shlx) and ADX (adcx, adox)
 * time       constant: no branch, no address but those of x, y and z
 * bound      mul: 16 mulx of 2 operations, 31 additions, 8 x 4 to clear, 14 at the end:
 *                 109 / 4 per cycle = 27 cycles
 *            sqr: 10 mulx of 2 operations, 23 additions, 8 x 4 to clear, 14 at the end:
 *                 89 / 4 per cycle = 22 cycles
 *            measured on Zen 3: 41 and 34, since a mulx there costs a cycle in which little else
 *            starts; in a chain of dependent products 53 and 51
 *
 * The "memory" clobbers stand for *x and *y. Operands in memory are not named one by one because a
 * debug build would need a register for each. */
#ifndef TY_MOD_P_SM2_ADX_H
#define TY_MOD_P_SM2_ADX_H

#include "base/asm_record.h"

/* p, whose words 0 and 2 are 2^64 - 1; and constants in memory, where they cost loads and not
 * operations */
static const uint64_t ty_p_sm2_p[4] = TY_P_SM2_P;
static const uint64_t ty_p_sm2_0 = 0, ty_p_sm2_32 = 32;

/* a4..a0 = x y0, then a(i+4)..ai += x yi. After adcx and adox no carry is left: the sum, below
 * 2^256 2^(64 (i+1)), fits in the words a0..a(i+4). */
#define TY_ROW_0                                                                                   \
    "mov (%[y]), %%rdx\n\t"                                                                        \
    "mulx (%[x]), %[a0], %[a1]\n\t"                                                                \
    "mulx 8(%[x]), %[lo], %[a2]\n\t"      "add %[lo], %[a1]\n\t"                                   \
    "mulx 16(%[x]), %[lo], %[a3]\n\t"     "adc %[lo], %[a2]\n\t"                                   \
    "mulx 24(%[x]), %[lo], %[a4]\n\t"     "adc %[lo], %[a3]\n\t"          "adc $0, %[a4]\n\t"
#define TY_ROW(y, a, b, c, d, e)                                                                   \
    "mov " #y ", %%rdx\n\t"               "xor %k[lo], %k[lo]\n\t"    /* CF = OF = 0 */            \
    "mulx (%[x]), %[lo], %[hi]\n\t"       "adcx %[lo], %[" #a "]\n\t" "adox %[hi], %[" #b "]\n\t"  \
    "mulx 8(%[x]), %[lo], %[hi]\n\t"      "adcx %[lo], %[" #b "]\n\t" "adox %[hi], %[" #c "]\n\t"  \
    "mulx 16(%[x]), %[lo], %[hi]\n\t"     "adcx %[lo], %[" #c "]\n\t" "adox %[hi], %[" #d "]\n\t"  \
    "mulx 24(%[x]), %[lo], %[" #e "]\n\t" "adcx %[lo], %[" #d "]\n\t"                              \
    "adox %[zero], %[" #e "]\n\t"         "adcx %[zero], %[" #e "]\n\t"

/* a7..a0 = x^2: the products x_i x_j, i < j, once; then doubled by one chain while the other adds
 * the squares. */
#define TY_SQUARE                                                                                  \
    "mov (%[x]), %%rdx\n\t"                                                                        \
    "mulx 8(%[x]), %[a1], %[a2]\n\t"                                                               \
    "mulx 16(%[x]), %[lo], %[a3]\n\t"   "add %[lo], %[a2]\n\t"                                     \
    "mulx 24(%[x]), %[lo], %[a4]\n\t"   "adc %[lo], %[a3]\n\t"    "adc $0, %[a4]\n\t"              \
    "mov 8(%[x]), %%rdx\n\t"            "xor %k[a6], %k[a6]\n\t"                                   \
    "mulx 16(%[x]), %[lo], %[hi]\n\t"   "adcx %[lo], %[a3]\n\t"   "adox %[hi], %[a4]\n\t"          \
    "mulx 24(%[x]), %[lo], %[a5]\n\t"   "adcx %[lo], %[a4]\n\t"   "adox %[a6], %[a5]\n\t"          \
    "mov 16(%[x]), %%rdx\n\t"                                                                      \
    "mulx 24(%[x]), %[lo], %[a6]\n\t"   "adcx %[lo], %[a5]\n\t"   "adcx %[zero], %[a6]\n\t"        \
    "xor %k[a7], %k[a7]\n\t"                                                                       \
    "mov (%[x]), %%rdx\n\t"             "mulx %%rdx, %[a0], %[hi]\n\t"                             \
    "adcx %[a1], %[a1]\n\t"             "adox %[hi], %[a1]\n\t"                                    \
    "mov 8(%[x]), %%rdx\n\t"            "mulx %%rdx, %[lo], %[hi]\n\t"                             \
    "adcx %[a2], %[a2]\n\t"             "adox %[lo], %[a2]\n\t"                                    \
    "adcx %[a3], %[a3]\n\t"             "adox %[hi], %[a3]\n\t"                                    \
    "mov 16(%[x]), %%rdx\n\t"           "mulx %%rdx, %[lo], %[hi]\n\t"                             \
    "adcx %[a4], %[a4]\n\t"             "adox %[lo], %[a4]\n\t"                                    \
    "adcx %[a5], %[a5]\n\t"             "adox %[hi], %[a5]\n\t"                                    \
    "mov 24(%[x]), %%rdx\n\t"           "mulx %%rdx, %[lo], %[hi]\n\t"                             \
    "adcx %[a6], %[a6]\n\t"             "adox %[lo], %[a6]\n\t"                                    \
    "adcx %[a7], %[a7]\n\t"             "adox %[hi], %[a7]\n\t"

/* (d c b a) = ((d c b a) + a p)/2^64, the new top word in the register of the old lowest one:
 *     (a d c b) - a (2^32 - 1) - 2^128 a 2^32,   since a p = 2^256 a - a (2^224 + 2^96 - 2^64 + 1).
 * Never negative: it is a quotient of sums of positive numbers. y holds 32. */
#define TY_CLEAR(a, b, c, d)                                                                       \
    "shlx %[y], %[" #a "], %[lo]\n\t" "shrx %[y], %[" #a "], %[hi]\n\t" /* hi:lo = 2^32 a */       \
    "mov %[lo], %%rdx\n\t"            "mov %[hi], %[x]\n\t"                                        \
    "sub %[" #a "], %%rdx\n\t"        "sbb $0, %[x]\n\t"                /* x:rdx = (2^32 - 1) a */ \
    "sub %%rdx, %[" #b "]\n\t"        "sbb %[x], %[" #c "]\n\t"                                    \
    "sbb %[lo], %[" #d "]\n\t"        "sbb %[hi], %[" #a "]\n\t"

/* a3..a0 = a7..a0 / 2^256 mod p. The low half, cleared, is at most p (see mod/p_sm2_clear.h); with
 * the high half, below p, it is below 2p. x = -1 where the sum passed 2^256; after the subtraction
 * x plus its borrow is 0, or 1 if the sum was below p: then the sum is restored. */
#define TY_REDUCE                                                                                  \
    "mov %[n32], %k[y]\n\t"                                                                        \
    TY_CLEAR(a0, a1, a2, a3) TY_CLEAR(a1, a2, a3, a0)                                              \
    TY_CLEAR(a2, a3, a0, a1) TY_CLEAR(a3, a0, a1, a2)                                              \
    "add %[a0], %[a4]\n\t"      "adc %[a1], %[a5]\n\t"                                             \
    "adc %[a2], %[a6]\n\t"      "adc %[a3], %[a7]\n\t"                                             \
    "sbb %[x], %[x]\n\t"                                                                           \
    "mov %[a4], %[a0]\n\t"      "mov %[a5], %[a1]\n\t"                                             \
    "mov %[a6], %[a2]\n\t"      "mov %[a7], %[a3]\n\t"                                             \
    "sub $-1, %[a0]\n\t"        "sbb %[p1], %[a1]\n\t"                                             \
    "sbb $-1, %[a2]\n\t"        "sbb %[p3], %[a3]\n\t"                                             \
    "adc $0, %[x]\n\t"                                                                             \
    "cmovnz %[a4], %[a0]\n\t"   "cmovnz %[a5], %[a1]\n\t"                                          \
    "cmovnz %[a6], %[a2]\n\t"   "cmovnz %[a7], %[a3]\n\t"

/* a7..a0 -= w, then p 2^256 is added if that went below zero: with both below p 2^256, so is the
 * result. The address of w may be in memory: with GCC's -O1 a register for it is one too many. */
#define TY_LESS                                                                                    \
    "mov %[w], %[hi]\n\t"                                                                          \
    "sub (%[hi]), %[a0]\n\t"    "sbb 8(%[hi]), %[a1]\n\t"                                          \
    "sbb 16(%[hi]), %[a2]\n\t"  "sbb 24(%[hi]), %[a3]\n\t"                                         \
    "sbb 32(%[hi]), %[a4]\n\t"  "sbb 40(%[hi]), %[a5]\n\t"                                         \
    "sbb 48(%[hi]), %[a6]\n\t"  "sbb 56(%[hi]), %[a7]\n\t"                                         \
    "sbb %[x], %[x]\n\t"        "mov %[x], %%rdx\n\t"                                              \
    "shl $32, %%rdx\n\t"        "lea (%[x], %%rdx), %[lo]\n\t"                                     \
    "add %[x], %[a4]\n\t"       "adc %%rdx, %[a5]\n\t"                                             \
    "adc %[x], %[a6]\n\t"       "adc %[lo], %[a7]\n\t"

#define TY_LOAD_8                                                                                  \
    "mov (%[x]), %[a0]\n\t"     "mov 8(%[x]), %[a1]\n\t"                                           \
    "mov 16(%[x]), %[a2]\n\t"   "mov 24(%[x]), %[a3]\n\t"                                          \
    "mov 32(%[x]), %[a4]\n\t"   "mov 40(%[x]), %[a5]\n\t"                                          \
    "mov 48(%[x]), %[a6]\n\t"   "mov 56(%[x]), %[a7]\n\t"

#define TY_PRODUCT_ROWS                                                                            \
    TY_ROW_0 TY_ROW(8(%[y]), a1, a2, a3, a4, a5) TY_ROW(16(%[y]), a2, a3, a4, a5, a6)              \
    TY_ROW(24(%[y]), a3, a4, a5, a6, a7)

/* One asm statement: its name, its text, and an operand that it reads besides x and y. The locals
 * a0..a7 get the result; xp and yp are overwritten. */
#define TY_ASM(name, text, more)                                                                   \
    uint64_t a0, a1, a2, a3, a4, a5, a6, a7, lo, hi;                                               \
    __asm__(TY_ASM_BEGIN text                                                                      \
            TY_ASM_END(name, "%[a0] %[a1] %[a2] %[a3] %[a4] %[a5] %[a6] %[a7] "                    \
                             "%[x] %[y] %[w] %[lo] %[hi]")                                         \
            : [a0] "=&r"(a0), [a1] "=&r"(a1), [a2] "=&r"(a2),                                      \
              [a3] "=&r"(a3), [a4] "=&r"(a4), [a5] "=&r"(a5),                                      \
              [a6] "=&r"(a6), [a7] "=&r"(a7), [lo] "=&r"(lo),                                      \
              [hi] "=&r"(hi), [x] "+&r"(xp), [y] "+&r"(yp)                                         \
            : [p1] "m"(ty_p_sm2_p[1]), [p3] "m"(ty_p_sm2_p[3]), [zero] "m"(ty_p_sm2_0),            \
              [n32] "m"(ty_p_sm2_32), more                                                         \
            : "rdx", "cc", "memory")
#define TY_NO_MORE [w] "m"(ty_p_sm2_0)

TY_INLINE void ty_p_sm2_mul(ty_p_sm2 *z, const ty_p_sm2 *x, const ty_p_sm2 *y)
{
    const uint64_t *xp = x->v, *yp = y->v;
    TY_ASM("p_sm2_mul", TY_PRODUCT_ROWS TY_REDUCE, TY_NO_MORE);
    *z = (ty_p_sm2){ { a0, a1, a2, a3 } };
}

TY_INLINE void ty_p_sm2_sqr(ty_p_sm2 *z, const ty_p_sm2 *x)
{
    const uint64_t *xp = x->v, *yp = xp;
    TY_ASM("p_sm2_sqr", TY_SQUARE TY_REDUCE, TY_NO_MORE);
    *z = (ty_p_sm2){ { a0, a1, a2, a3 } };
}

TY_INLINE void ty_p_sm2_mul_wide(ty_p_sm2_wide *z, const ty_p_sm2 *x, const ty_p_sm2 *y)
{
    const uint64_t *xp = x->v, *yp = y->v;
    TY_ASM("p_sm2_mul_wide", TY_PRODUCT_ROWS, TY_NO_MORE);
    *z = (ty_p_sm2_wide){ { a0, a1, a2, a3, a4, a5, a6, a7 } };
}

TY_INLINE void ty_p_sm2_sqr_wide(ty_p_sm2_wide *z, const ty_p_sm2 *x)
{
    const uint64_t *xp = x->v, *yp = xp;
    TY_ASM("p_sm2_sqr_wide", TY_SQUARE, TY_NO_MORE);
    *z = (ty_p_sm2_wide){ { a0, a1, a2, a3, a4, a5, a6, a7 } };
}

/* z = xy - w: two products, one reduction */
TY_INLINE void ty_p_sm2_mul_less(ty_p_sm2 *z, const ty_p_sm2 *x, const ty_p_sm2 *y,
                                 const ty_p_sm2_wide *w)
{
    const uint64_t *xp = x->v, *yp = y->v;
    TY_ASM("p_sm2_mul_less", TY_PRODUCT_ROWS TY_LESS TY_REDUCE, [w] "rm"(w->v));
    *z = (ty_p_sm2){ { a0, a1, a2, a3 } };
}

/* z = t/2^256 mod p, for t < p 2^256 */
TY_INLINE void ty_p_sm2_reduce(ty_p_sm2 *z, const ty_p_sm2_wide *t)
{
    const uint64_t *xp = t->v, *yp = xp;
    TY_ASM("p_sm2_reduce", TY_LOAD_8 TY_REDUCE, TY_NO_MORE);
    *z = (ty_p_sm2){ { a0, a1, a2, a3 } };
}

#undef TY_ROW_0
#undef TY_ROW
#undef TY_SQUARE
#undef TY_CLEAR
#undef TY_REDUCE
#undef TY_LESS
#undef TY_LOAD_8
#undef TY_PRODUCT_ROWS
#undef TY_ASM
#undef TY_NO_MORE

TY_INLINE void ty_p_sm2_add(ty_p_sm2 *z, const ty_p_sm2 *x, const ty_p_sm2 *y)
{
    uint64_t a0 = x->v[0], a1 = x->v[1], a2 = x->v[2], a3 = x->v[3], s0, s1, s2, s3, c;
    __asm__(TY_ASM_BEGIN
            "add %[y0], %[a0]\n\t"     "adc %[y1], %[a1]\n\t"
            "adc %[y2], %[a2]\n\t"     "adc %[y3], %[a3]\n\t"
            "sbb %[c], %[c]\n\t"
            "mov %[a0], %[s0]\n\t"     "mov %[a1], %[s1]\n\t"
            "mov %[a2], %[s2]\n\t"     "mov %[a3], %[s3]\n\t"
            "sub $-1, %[a0]\n\t"       "sbb %[p1], %[a1]\n\t"
            "sbb $-1, %[a2]\n\t"       "sbb %[p3], %[a3]\n\t"
            "adc $0, %[c]\n\t"         /* as in TY_REDUCE: nonzero if the sum was below p */
            "cmovnz %[s0], %[a0]\n\t"  "cmovnz %[s1], %[a1]\n\t"
            "cmovnz %[s2], %[a2]\n\t"  "cmovnz %[s3], %[a3]\n\t"
            TY_ASM_END("p_sm2_add", "%[a0] %[a1] %[a2] %[a3] %[y0] %[y1] %[y2] %[y3] "
                                    "%[s0] %[s1] %[s2] %[s3] %[c]")
            : [a0] "+&r"(a0), [a1] "+&r"(a1), [a2] "+&r"(a2),
              [a3] "+&r"(a3), [s0] "=&r"(s0), [s1] "=&r"(s1),
              [s2] "=&r"(s2), [s3] "=&r"(s3), [c] "=&r"(c)
            : [y0] "rm"(y->v[0]), [y1] "rm"(y->v[1]), [y2] "rm"(y->v[2]),
              [y3] "rm"(y->v[3]), [p1] "m"(ty_p_sm2_p[1]),
              [p3] "m"(ty_p_sm2_p[3])
            : "cc");
    *z = (ty_p_sm2){ { a0, a1, a2, a3 } };
}

/* A borrow means -p < x - y < 0: p is added once. Its words under the mask m: m, 2^32 m, m, m +
 * 2^32 m. */
TY_INLINE void ty_p_sm2_sub(ty_p_sm2 *z, const ty_p_sm2 *x, const ty_p_sm2 *y)
{
    uint64_t a0 = x->v[0], a1 = x->v[1], a2 = x->v[2], a3 = x->v[3], m, t;
    __asm__(TY_ASM_BEGIN
            "sub %[y0], %[a0]\n\t"   "sbb %[y1], %[a1]\n\t"
            "sbb %[y2], %[a2]\n\t"   "sbb %[y3], %[a3]\n\t"
            "sbb %[m], %[m]\n\t"     "mov %[m], %[t]\n\t"
            "shl $32, %[t]\n\t"
            "add %[m], %[a0]\n\t"    "adc %[t], %[a1]\n\t"
            "lea (%[t], %[m]), %[t]\n\t"
            "adc %[m], %[a2]\n\t"    "adc %[t], %[a3]\n\t"
            TY_ASM_END("p_sm2_sub", "%[a0] %[a1] %[a2] %[a3] %[y0] %[y1] %[y2] %[y3] %[m] %[t]")
            : [a0] "+&r"(a0), [a1] "+&r"(a1), [a2] "+&r"(a2),
              [a3] "+&r"(a3), [m] "=&r"(m), [t] "=&r"(t)
            : [y0] "rm"(y->v[0]), [y1] "rm"(y->v[1]), [y2] "rm"(y->v[2]), [y3] "rm"(y->v[3])
            : "cc");
    *z = (ty_p_sm2){ { a0, a1, a2, a3 } };
}

/* z = x/2: x, or x + p < 2^257 where x is odd, shifted down through the carry. */
TY_INLINE void ty_p_sm2_half(ty_p_sm2 *z, const ty_p_sm2 *x)
{
    uint64_t a0 = x->v[0], a1 = x->v[1], a2 = x->v[2], a3 = x->v[3], m, t;
    __asm__(TY_ASM_BEGIN
            "mov %k[a0], %k[m]\n\t" "and $1, %k[m]\n\t"   "neg %[m]\n\t"      "mov %[m], %[t]\n\t"
            "shl $32, %[t]\n\t"
            "add %[m], %[a0]\n\t"   "adc %[t], %[a1]\n\t" "lea (%[t], %[m]), %[t]\n\t"
            "adc %[m], %[a2]\n\t"   "adc %[t], %[a3]\n\t"
            "rcr $1, %[a3]\n\t"     "rcr $1, %[a2]\n\t"   "rcr $1, %[a1]\n\t" "rcr $1, %[a0]\n\t"
            TY_ASM_END("p_sm2_half", "%[a0] %[a1] %[a2] %[a3] %[m] %[t]")
            : [a0] "+&r"(a0), [a1] "+&r"(a1), [a2] "+&r"(a2),
              [a3] "+&r"(a3), [m] "=&r"(m), [t] "=&r"(t)
            :
            : "cc");
    *z = (ty_p_sm2){ { a0, a1, a2, a3 } };
}

/* z = mask ? x : y */
TY_INLINE void ty_p_sm2_sel(ty_p_sm2 *z, ty_limb mask, const ty_p_sm2 *x, const ty_p_sm2 *y)
{
    uint64_t a0 = y->v[0], a1 = y->v[1], a2 = y->v[2], a3 = y->v[3];
    __asm__(TY_ASM_BEGIN
            "test %[m], %[m]\n\t"
            "cmovnz %[x0], %[a0]\n\t"   "cmovnz %[x1], %[a1]\n\t"
            "cmovnz %[x2], %[a2]\n\t"   "cmovnz %[x3], %[a3]\n\t"
            TY_ASM_END("p_sm2_sel", "%[a0] %[a1] %[a2] %[a3] %[x0] %[x1] %[x2] %[x3] %[m]")
            : [a0] "+&r"(a0), [a1] "+&r"(a1), [a2] "+&r"(a2), [a3] "+&r"(a3)
            : [x0] "rm"(x->v[0]), [x1] "rm"(x->v[1]), [x2] "rm"(x->v[2]),
              [x3] "rm"(x->v[3]), [m] "r"(mask)
            : "cc");
    *z = (ty_p_sm2){ { a0, a1, a2, a3 } };
}

#endif
