/* Random integers from the caller's source. */
#include "mp/mp_internal.h"

/* t[TY_MP_LIMBS(bits)] = `bits` random bits. The source's bytes are read as little-endian limbs, so
 * that they give the same limbs on every machine with this limb size. */
static ty_err draw(ty_limb *t, size_t bits, const ty_rng *rng)
{
    const size_t n = TY_MP_LIMBS(bits);
    for (size_t i = 0; i < n; i++) {
        uint8_t bytes[TY_LIMB_BITS / 8];
        if (rng->fill(rng->ctx, bytes, sizeof bytes)) return TY_ERR_RNG;
        t[i] = 0;
        for (size_t k = 0; k < sizeof bytes; k++) t[i] |= (ty_limb)bytes[k] << 8 * k;
        ty_wipe(bytes, sizeof bytes);
    }
    if (bits % TY_LIMB_BITS) t[n - 1] &= ((ty_limb)1 << bits % TY_LIMB_BITS) - 1;
    return TY_OK;
}

/* t[TY_MP_LIMBS(bits)] = a random number below m, which has `bits` bits, by rejection */
static ty_err below(ty_limb *t, size_t bits, const ty_limb *m, const ty_rng *rng)
{
    const size_t n = TY_MP_LIMBS(bits);
    for (int tries = 0; tries < 128; tries++) {
        TY_TRY(draw(t, bits, rng));
        ty_limb less = 0;
        for (size_t i = 0; i < n; i++) (void)ty_limb_sbb(t[i], m[i], &less);
        TY_PUBLIC(&less, sizeof less);   /* rejected draws are independent of the accepted one */
        if (less) return TY_OK;
    }
    return TY_ERR_RNG;
}

/* z = a random number below m, or of at most `bits` bits if m is NULL */
static ty_err fill(ty_mp *z, size_t bits, const ty_mp *m, const ty_rng *rng)
{
    const size_t n = TY_MP_LIMBS(bits);
    TY_TRY(ty_mp_grow(z, n));
    ty_limb own[TY_MP_SMALL], *t = ty_mp_take(own, TY_MP_SMALL, n, z->alloc);
    if (!t) return TY_ERR_MEM;
    const ty_err e = m ? below(t, bits, ty_mp_cd(m), rng) : draw(t, bits, rng);
    if (!e) {
        ty_mp_load(z, t, n);
        ty_mp_fix(z, n);
    }
    ty_mp_give(t, own, n, z->alloc);
    return e;
}

ty_err ty_mp_random_bits(ty_mp *z, size_t bits, const ty_rng *rng)
{
    return fill(z, bits, NULL, rng);
}

ty_err ty_mp_random_below(ty_mp *z, const ty_mp *m, const ty_rng *rng)
{
    size_t bits = ty_mp_bits(m);
    TY_PUBLIC(&bits, sizeof bits);   /* m's length is public: it says how much is drawn */
    if (bits == 0 || m->neg) return TY_ERR_ARG;
    return fill(z, bits, m, rng);
}
