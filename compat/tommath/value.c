/* Conversion from and to machine integers and doubles. */
#include "ltm.h"

#include <math.h>

mp_bool mp_iseven(const mp_int *a) { return a->used == 0 || (a->dp[0] & 1) == 0 ? MP_YES : MP_NO; }
mp_bool mp_isodd(const mp_int *a) { return mp_iseven(a) == MP_YES ? MP_NO : MP_YES; }

int mp_count_bits(const mp_int *a)
{
    if (a->used == 0) return 0;
    return (a->used - 1) * LTM_BITS + ltm_bits(a->dp[a->used - 1]);
}

/* --- Set -------------------------------------------------------------------------------------- */

/* Every initialised integer has room for MP_PREC digits. */
static void set(mp_int *a, uint64_t v, int neg)
{
    size_t n = 0;
    for (; v; v >>= LTM_BITS) a->dp[n++] = (mp_digit)v & MP_MASK;
    ltm_fit(a, n, neg ? MP_NEG : MP_ZPOS);
}

static void set_signed(mp_int *a, int64_t v)
{
    set(a, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, v < 0);
}

void mp_set(mp_int *a, mp_digit b)
{
    b &= MP_MASK;
    for (int i = 1; i < a->used; i++) a->dp[i] = 0;
    a->dp[0] = b;
    a->used = b != 0;
    a->sign = MP_ZPOS;
}
void mp_set_u32(mp_int *a, uint32_t b) { set(a, b, 0); }
void mp_set_u64(mp_int *a, uint64_t b) { set(a, b, 0); }
void mp_set_ul(mp_int *a, unsigned long b) { set(a, b, 0); }
void mp_set_ull(mp_int *a, unsigned long long b) { set(a, b, 0); }
void mp_set_i32(mp_int *a, int32_t b) { set_signed(a, b); }
void mp_set_i64(mp_int *a, int64_t b) { set_signed(a, b); }
void mp_set_l(mp_int *a, long b) { set_signed(a, b); }
void mp_set_ll(mp_int *a, long long b) { set_signed(a, b); }

#define INIT(name, type, setter) \
    mp_err name(mp_int *a, type b) \
    { \
        LTM_TRY(mp_init(a)); \
        setter(a, b); \
        return MP_OKAY; \
    }
INIT(mp_init_set, mp_digit, mp_set)
INIT(mp_init_u32, uint32_t, mp_set_u32)
INIT(mp_init_u64, uint64_t, mp_set_u64)
INIT(mp_init_ul, unsigned long, mp_set_u64)
INIT(mp_init_ull, unsigned long long, mp_set_u64)
INIT(mp_init_i32, int32_t, mp_set_i32)
INIT(mp_init_i64, int64_t, mp_set_i64)
INIT(mp_init_l, long, mp_set_i64)
INIT(mp_init_ll, long long, mp_set_i64)

/* --- Get: modulo 2^64, truncated for smaller types -------------------------------------------- */

uint64_t mp_get_mag_u64(const mp_int *a)
{
    uint64_t v = 0;
    for (int i = 0; i < a->used && i * LTM_BITS < 64; i++) v |= (uint64_t)a->dp[i] << i * LTM_BITS;
    return v;
}

static uint64_t two_complement(const mp_int *a)
{
    return a->sign == MP_NEG ? 0 - mp_get_mag_u64(a) : mp_get_mag_u64(a);
}

uint32_t mp_get_mag_u32(const mp_int *a) { return (uint32_t)mp_get_mag_u64(a); }
unsigned long mp_get_mag_ul(const mp_int *a) { return (unsigned long)mp_get_mag_u64(a); }
unsigned long long mp_get_mag_ull(const mp_int *a) { return mp_get_mag_u64(a); }
int32_t mp_get_i32(const mp_int *a) { return (int32_t)(uint32_t)two_complement(a); }
int64_t mp_get_i64(const mp_int *a) { return (int64_t)two_complement(a); }
long mp_get_l(const mp_int *a) { return (long)(unsigned long)two_complement(a); }
long long mp_get_ll(const mp_int *a) { return (long long)two_complement(a); }

/* --- Doubles ---------------------------------------------------------------------------------- */

mp_err mp_set_double(mp_int *a, double b)
{
    int exponent;
    if (!isfinite(b)) return MP_VAL;
#if defined(__DBL_MANT_DIG__) && __DBL_MANT_DIG__ == 53
    /* by the layout of IEEE 754, without calls */
    const union { double d; uint64_t bits; } u = { fabs(b) };
    const int field = (int)(u.bits >> 52);
    const uint64_t v = (u.bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)(field != 0) << 52;
    exponent = (field ? field : 1) - 1022;   /* b = v 2^(exponent - 53) */
#else
    const double fraction = frexp(fabs(b), &exponent);   /* 0, or in [1/2, 1) */
    const uint64_t v = (uint64_t)ldexp(fraction, 53);
#endif
    const int shift = exponent - 53;
    if (shift <= 0) {
        set(a, shift > -64 ? v >> -shift : 0, b < 0);
        return MP_OKAY;
    }
    size_t at = (size_t)shift / LTM_BITS;
    const unsigned low = (unsigned)(shift % LTM_BITS);
    LTM_TRY(ltm_room(a, at + 2 + 53 / LTM_BITS));
    memset(a->dp, 0, at * sizeof *a->dp);
    a->dp[at++] = (mp_digit)(v << low) & MP_MASK;
    for (uint64_t rest = v >> (LTM_BITS - low); rest; rest >>= LTM_BITS)
        a->dp[at++] = (mp_digit)rest & MP_MASK;
    ltm_fit(a, at, b < 0 ? MP_NEG : MP_ZPOS);
    return MP_OKAY;
}

/* The top 64 bits, the lowest of them set if any bit below them is (a sticky bit), round like the
 * whole number. */
double mp_get_double(const mp_int *a)
{
    const int bits = mp_count_bits(a), drop = bits > 64 ? bits - 64 : 0;
    uint64_t top = 0;
    int sticky = 0;
    for (int i = a->used - 1; i >= 0; i--) {
        const int at = i * LTM_BITS - drop;   /* position of the digit's lowest bit in top */
        const uint64_t d = a->dp[i];
        if (at >= 0) top |= d << at;
        else if (at > -LTM_BITS) top |= d >> -at, sticky |= d << (64 + at) != 0;
        else sticky |= d != 0;
    }
    const double x = ldexp((double)(top | (uint64_t)sticky), drop);
    return a->sign == MP_NEG ? -x : x;
}
