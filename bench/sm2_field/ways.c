/* The list of the implementations of the field of SM2, and the reduction that checks its input. */
#include "sm2_field/ways.h"

static const struct {
    ty_cpu need;
    const ty_sm2_field_way *way;
} rows[] = {
#if defined(__SIZEOF_INT128__)
    { TY_NEED_c64, &ty_p_sm2_way_fold64 },
#endif
    { TY_NEED_c, &ty_p_sm2_way_fold32 },
    { TY_NEED_c, &ty_p_sm2_way_sums32 },
#if defined(__SIZEOF_INT128__)
    { TY_NEED_c64, &ty_p_sm2_way_clear64 },
#endif
#if defined(TY_HAS_ADX)
    { TY_NEED_adx, &ty_p_sm2_way_adx64 },
#endif
#if defined(TY_AARCH64)
    { TY_NEED_neon, &ty_p_sm2_way_neon64 },
#endif
    { TY_NEED_c, &ty_p_sm2_way_clear32 },
#if defined(__SIZEOF_INT128__)
    { TY_NEED_c64, &ty_p_sm2_way_mont64 },
#endif
    { TY_NEED_c, &ty_p_sm2_way_mont32 },
    { TY_NEED_c, &ty_p_sm2_way_divide32 },
};

const ty_sm2_field_way *ty_sm2_field_way_at(size_t i)
{
    const ty_cpu have = ty_cpu_have();
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        if (rows[row].need & ~have) continue;
        if (i-- == 0) return rows[row].way;
    }
    return NULL;
}

/* 1 if v < p^2, else 0.   time: constant */
static uint32_t below_square(const uint32_t v[TY_AT_LEAST(16)])
{
    static const uint32_t square[16] = {
        0x00000001, 0x00000000, 0xfffffffe, 0x00000001, 0x00000001, 0xfffffffe,
        0x00000000, 0x00000002, 0xfffffffe, 0xfffffffd, 0x00000003, 0xfffffffe,
        0xffffffff, 0xffffffff, 0x00000000, 0xfffffffe,
    };
    uint64_t borrow = 0;
    for (int i = 0; i < 16; i++) borrow = ((uint64_t)v[i] - square[i] - borrow) >> 63;
    return (uint32_t)borrow;
}

ty_err ty_sm2_field_reduce(uint32_t z[TY_AT_LEAST(8)], const uint32_t v[TY_AT_LEAST(16)],
                           const ty_sm2_field_way *way)
{
    uint32_t fine = below_square(v);
    TY_PUBLIC(&fine, sizeof fine);   /* the error reveals it */
    if (!fine) {
        memset(z, 0, 8 * sizeof z[0]);
        return TY_ERR_ARG;
    }
    way->reduce(z, v);
    return TY_OK;
}
