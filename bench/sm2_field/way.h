/* One way, that is, one implementation of the field of SM2, with the loops that measure it: defines
 * ty_p_sm2_way_NAME. Template, after sm2_field/ways_words.h, included once for each way;
 * parameters:
 *     TY_WAY                 its name, without quotes
 *     TY_WAY_WHAT            a short description
 *     TY_WAY_MONTGOMERY      1 if reducing divides by 2^256
 *     TY_WAY_VARIABLE        1 if its time depends on the numbers
 *     TY_WAY_REDUCE(z, v)    z[TY_LIMBS] from v[2 TY_LIMBS], which may be overwritten
 *     TY_WAY_MUL(z, x, y)    the product of ty_p_sm2; z may alias x
 *     TY_WAY_INV             defined if its inverse is ty_p_sm2_inv
 * The loops work on limbs, which are converted from and to 32-bit words outside. In those called
 * _many an empty asm statement makes every round write its result and read its inputs anew;
 * otherwise the compiler would keep only one round. */
/* for example ty_p_sm2_fold64_mul_chain_c64 */
#define TY_WAY_FN(name) TY_K(TY_CAT(p_sm2_, TY_CAT(TY_WAY, name)))

static void TY_WAY_FN(_reduce)(uint32_t z[TY_AT_LEAST(8)], const uint32_t v[TY_AT_LEAST(16)])
{
    ty_limb r[TY_LIMBS], t[2 * TY_LIMBS];
    ty_limbs_from_words(t, v, 2 * TY_LIMBS);
    TY_WAY_REDUCE(r, t);
    ty_limbs_to_words(z, r);
}

/* v = x 2^256 + x, the top bit cleared so that v < p^2; the next x is v reduced. Both halves of the
 * next v depend on it. */
static void TY_WAY_FN(_reduce_chain)(uint32_t x[TY_AT_LEAST(8)], const uint32_t y[TY_AT_LEAST(8)],
                                     size_t n)
{
    ty_limb r[TY_LIMBS], t[2 * TY_LIMBS];
    (void)y;
    ty_limbs_from_words(r, x, TY_LIMBS);
    while (n-- > 0) {
        TY_UNROLL for (int i = 0; i < TY_LIMBS; i++) t[i] = t[i + TY_LIMBS] = r[i];
        t[2 * TY_LIMBS - 1] &= (ty_limb)-1 >> 1;
        TY_WAY_REDUCE(r, t);
    }
    ty_limbs_to_words(x, r);
}

static void TY_WAY_FN(_reduce_many)(uint32_t x[TY_AT_LEAST(8)], const uint32_t y[TY_AT_LEAST(8)],
                                    size_t n)
{
    ty_limb r[TY_LIMBS], v[2 * TY_LIMBS], t[2 * TY_LIMBS];
    ty_limbs_from_words(v, x, TY_LIMBS);
    ty_limbs_from_words(v + TY_LIMBS, y, TY_LIMBS);
    v[2 * TY_LIMBS - 1] &= (ty_limb)-1 >> 1;
    ty_limbs_from_words(r, x, TY_LIMBS);
    while (n-- > 0) {
        __asm__ volatile("" : : "r"(v), "r"(r) : "memory");
        TY_UNROLL for (int i = 0; i < 2 * TY_LIMBS; i++) t[i] = v[i];
        TY_WAY_REDUCE(r, t);
    }
    ty_limbs_to_words(x, r);
}

static void TY_WAY_FN(_mul_chain)(uint32_t x[TY_AT_LEAST(8)], const uint32_t y[TY_AT_LEAST(8)],
                                  size_t n)
{
    ty_p_sm2 a, b;
    ty_limbs_from_words(a.v, x, TY_LIMBS);
    ty_limbs_from_words(b.v, y, TY_LIMBS);
    while (n-- > 0) TY_WAY_MUL(&a, &a, &b);
    ty_limbs_to_words(x, a.v);
}

static void TY_WAY_FN(_mul_many)(uint32_t x[TY_AT_LEAST(8)], const uint32_t y[TY_AT_LEAST(8)],
                                 size_t n)
{
    ty_p_sm2 a, b, c;
    ty_limbs_from_words(a.v, x, TY_LIMBS);
    ty_limbs_from_words(b.v, y, TY_LIMBS);
    c = a;
    while (n-- > 0) {
        __asm__ volatile("" : : "r"(&a), "r"(&b), "r"(&c) : "memory");
        TY_WAY_MUL(&c, &a, &b);
    }
    ty_limbs_to_words(x, c.v);
}

#if defined(TY_WAY_INV)
static void TY_WAY_FN(_inv_chain)(uint32_t x[TY_AT_LEAST(8)], size_t n)
{
    ty_p_sm2 a;
    ty_limbs_from_words(a.v, x, TY_LIMBS);
    while (n-- > 0) ty_p_sm2_inv(&a, &a);
    ty_limbs_to_words(x, a.v);
}
#  define TY_WAY_INV_CHAIN TY_WAY_FN(_inv_chain)
#else
#  define TY_WAY_INV_CHAIN NULL
#endif

#define TY_WAY_QUOTE_(x) #x
#define TY_WAY_QUOTE(x)  TY_WAY_QUOTE_(x)
const ty_sm2_field_way TY_CAT(ty_p_sm2_way_, TY_WAY) = {
    TY_WAY_QUOTE(TY_WAY), TY_WAY_WHAT, TY_LIMB_BITS, TY_WAY_MONTGOMERY, TY_WAY_VARIABLE,
    TY_WAY_FN(_reduce), TY_WAY_FN(_reduce_chain), TY_WAY_FN(_reduce_many), TY_WAY_FN(_mul_chain),
    TY_WAY_FN(_mul_many), TY_WAY_INV_CHAIN,
};

#undef TY_WAY
#undef TY_WAY_WHAT
#undef TY_WAY_MONTGOMERY
#undef TY_WAY_VARIABLE
#undef TY_WAY_REDUCE
#undef TY_WAY_MUL
#undef TY_WAY_INV
#undef TY_WAY_INV_CHAIN
#undef TY_WAY_FN
#undef TY_WAY_QUOTE
#undef TY_WAY_QUOTE_
