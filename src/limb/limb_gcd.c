/* Greatest common divisors of public numbers of two limbs or fewer: the difference of two odd
 * numbers is even (Stein, J. Comput. Phys. 1 (1967)). The smaller one is kept, and the larger one
 * replaced by the difference without its factors of two. The only branches other than the ends of
 * loops are rarely taken. Numbers of n bits take 0.7 n iterations. */
#include "limb/limb.h"

/* the trailing zeros of x > 0 */
static unsigned twos(ty_limb x)
{
    return (unsigned)(TY_LIMB_BITS == 64 ? __builtin_ctzll(x) : __builtin_ctz((unsigned)x));
}

/* gcd(x, y) for odd x, y; odd_2 the same for two limbs */
static ty_limb odd_1(ty_limb x, ty_limb y)
{
    while (x != y) {
        const ty_limb d = x - y, less = 0 - (ty_limb)(x < y);
        y += d & less;
        x = ((d ^ less) - less) >> twos(d);
    }
    return x;
}

/* x without its factors of two, x > 0 */
static ty_limb2 odd_part(ty_limb2 x)
{
    if (!(ty_limb)x) return (ty_limb)(x >> TY_LIMB_BITS) >> twos((ty_limb)(x >> TY_LIMB_BITS));
    const unsigned s = twos((ty_limb)x);
    /* x >> s, but faster */
    const ty_limb low = (ty_limb)x, high = (ty_limb)(x >> TY_LIMB_BITS);
    return (ty_limb2)(high >> s) << TY_LIMB_BITS | (low >> s | high << 1 << (TY_LIMB_BITS - 1 - s));
}

static ty_limb2 odd_2(ty_limb2 x, ty_limb2 y)
{
    while ((x | y) >> TY_LIMB_BITS) {
        if (x == y) return x;
        const ty_limb2 d = x - y, less = 0 - (ty_limb2)(x < y);
        y += d & less;
        x = odd_part((d ^ less) - less);
    }
    return odd_1((ty_limb)x, (ty_limb)y);
}

ty_limb2 ty_limb_gcd_2_vt(ty_limb2 x, ty_limb2 y)
{
    if (!x || !y) return x | y;
    const ty_limb_ops *ops = ty_limb_best();
    const ty_limb2 both = x | y;
    const unsigned s =
        (ty_limb)both ? twos((ty_limb)both) : TY_LIMB_BITS + twos((ty_limb)(both >> TY_LIMB_BITS));
    x = odd_part(x), y = odd_part(y);
    return (ops->gcd_2_vt ? ops->gcd_2_vt(x, y) : odd_2(x, y)) << s;
}
