/* Z/q of ML-DSA for ARM's DSP instructions: the transforms, products and use_hint are assembly, the
 * rest is portable C. */
#include "mod/q_mldsa.h"

#if defined(TY_ARM_DSP) && !defined(TY_SMALL)
#include <string.h>

void ty_q_ntt_m4(int32_t a[TY_AT_LEAST(256)]);
void ty_q_intt_m4(int32_t a[TY_AT_LEAST(256)]);

#define EACH_LENGTH(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)
#define DECLARE(n) \
    void ty_q_dot_##n##_m4(int32_t z[TY_AT_LEAST(256)], const ty_q_poly *x, const ty_q_poly *y);
EACH_LENGTH(DECLARE)

static void ty_q_dot_m4(int32_t z[TY_AT_LEAST(256)], const ty_q_poly *x, const ty_q_poly *y,
                        size_t n)
{
    switch (n) {
#define CASE(n) case n: ty_q_dot_##n##_m4(z, x, y); break;
    EACH_LENGTH(CASE)
    default: memset(z, 0, sizeof(ty_q_poly));
    }
}

void ty_q_use_hint_32_m4(int32_t w1[TY_AT_LEAST(256)], const int32_t a[TY_AT_LEAST(256)],
                         const uint32_t h[TY_AT_LEAST(8)]);
void ty_q_use_hint_88_m4(int32_t w1[TY_AT_LEAST(256)], const int32_t a[TY_AT_LEAST(256)],
                         const uint32_t h[TY_AT_LEAST(8)]);

static void ty_q_use_hint_m4(int32_t w1[TY_AT_LEAST(256)], const int32_t a[TY_AT_LEAST(256)],
                             const uint32_t h[TY_AT_LEAST(8)], int32_t gamma2)
{
#if defined(__OPTIMIZE_SIZE__)   /* C is shorter by 0.5 KB */
    ty_q_use_hint_c(w1, a, h, gamma2);
#else
    if (gamma2 == TY_Q_GAMMA2_88) ty_q_use_hint_88_m4(w1, a, h);
    else ty_q_use_hint_32_m4(w1, a, h);
#endif
}

const ty_q_ops ty_q_ops_m4 = {
    ty_q_ntt_m4, ty_q_intt_m4, ty_q_dot_m4, ty_q_add_c, ty_q_power2round_c, ty_q_decompose_c,
    ty_q_make_hint_c, ty_q_use_hint_m4 };
#else
typedef int ty_q_m4_is_empty;   /* ISO C requires a declaration in every file */
#endif
