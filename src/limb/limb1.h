/* One limb: its type, and addition, subtraction and multiplication with a carry. C11 and C++17.
 * Template, which limb/limb256.h and limb/limb.h include; parameter:
 *   TY_LIMB_BITS   32 or 64 */
#if TY_LIMB_BITS == 64
typedef uint64_t ty_limb;
/* holds a product and two more limbs: see ty_limb_mac */
__extension__ typedef unsigned __int128 ty_limb2;
#elif TY_LIMB_BITS == 32
typedef uint32_t ty_limb;
typedef uint64_t ty_limb2;
#else
#  error "TY_LIMB_BITS is 32 or 64"
#endif

/* x y */
static inline ty_limb2 ty_limb_product(ty_limb x, ty_limb y)
{
#if TY_LIMB_BITS == 64
    return (ty_limb2)x * y;
#else
    return ty_mul32(x, y);
#endif
}

/* all ones if bit is 1, zero if it is 0 */
static inline ty_limb ty_limb_mask(ty_limb bit)
{
#if TY_LIMB_BITS == 64
    return ty_mask_bit64(bit);
#else
    return ty_mask_bit32(bit);
#endif
}

/* x + y + *c; *c, 0 or 1, becomes the carry out */
static inline ty_limb ty_limb_adc(ty_limb x, ty_limb y, ty_limb *c)
{
#if defined(TY_SHORT_PRODUCTS)
    y = ty_barrier32(y);   /* x + x of 64 bits would become 2 x by a long multiplication */
#endif
    const ty_limb2 t = (ty_limb2)x + y + *c;
    *c = (ty_limb)(t >> TY_LIMB_BITS);
    return (ty_limb)t;
}

/* x - y - *b; *b, 0 or 1, becomes the borrow out */
static inline ty_limb ty_limb_sbb(ty_limb x, ty_limb y, ty_limb *b)
{
    /* wraps below zero: the upper half is then all ones */
    const ty_limb2 t = (ty_limb2)x - y - *b;
    *b = (ty_limb)(t >> TY_LIMB_BITS) & 1;
    return (ty_limb)t;
}

/* a + xy + *c; *c becomes the upper limb. With B = 2^TY_LIMB_BITS: (B-1)^2 + 2(B-1) = B^2 - 1 fits
 * exactly. */
static inline ty_limb ty_limb_mac(ty_limb a, ty_limb x, ty_limb y, ty_limb *c)
{
    const ty_limb2 t = ty_limb_product(x, y) + a + *c;
    *c = (ty_limb)(t >> TY_LIMB_BITS);
    return (ty_limb)t;
}
