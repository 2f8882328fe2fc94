/* Integers from and to bytes. */
#include "mp/mp_internal.h"

enum { LIMB_BYTES = TY_LIMB_BITS / 8 };

/* z = in[in_len], most significant byte first if `big`, else last */
static ty_err set(ty_mp *z, const uint8_t *in, size_t in_len, int big)
{
    const size_t n = in_len / LIMB_BYTES + (in_len % LIMB_BYTES != 0);
    TY_TRY(ty_mp_grow(z, n));
    ty_limb *d = ty_mp_d(z);
    for (size_t i = 0; i < n; i++) {
        ty_limb limb = 0;
        for (size_t k = i * LIMB_BYTES, s = 0; k < in_len && s < TY_LIMB_BITS; k++, s += 8)
            limb |= (ty_limb)in[big ? in_len - 1 - k : k] << s;
        d[i] = limb;
    }
    ty_mp_fix(z, n);
    return TY_OK;
}

/* out[out_len] = x in the same order of bytes */
static ty_err get(uint8_t *out, size_t out_len, const ty_mp *x, int big)
{
    const ty_limb *d = ty_mp_cd(x);
    ty_limb over = 0;   /* the bits that do not fit */
    for (size_t i = out_len / LIMB_BYTES; i < x->len; i++)
        over |= i == out_len / LIMB_BYTES ? d[i] >> out_len % LIMB_BYTES * 8 : d[i];
    TY_PUBLIC(&over, sizeof over);   /* the returned error reveals this */
    if (over) return TY_ERR_SIZE;
    for (size_t k = 0; k < out_len; k++) {
        const size_t i = k / LIMB_BYTES;
        out[big ? out_len - 1 - k : k] = (uint8_t)(i < x->len ? d[i] >> k % LIMB_BYTES * 8 : 0);
    }
    return TY_OK;
}

ty_err ty_mp_set_be(ty_mp *z, const uint8_t *in, size_t in_len) { return set(z, in, in_len, 1); }
ty_err ty_mp_set_le(ty_mp *z, const uint8_t *in, size_t in_len) { return set(z, in, in_len, 0); }
ty_err ty_mp_get_be(uint8_t *out, size_t out_len, const ty_mp *x)
{
    return get(out, out_len, x, 1);
}
ty_err ty_mp_get_le(uint8_t *out, size_t out_len, const ty_mp *x)
{
    return get(out, out_len, x, 0);
}
