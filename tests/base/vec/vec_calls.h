/* Every operation of base/vec.h as a function on bytes in memory, which tests/base/test_vec.cc
 * compares with a loop over bytes. A call loads vectors from in[0], in[1], in[2], and stores one to
 * out.
 *
 *   VEC_CALLS(X)   X(name, an expression of the vectors a, b, c of type V) for every operation
 *   VEC_CALL       defines the function of an operation; VEC_ENTRY is its entry in the table */
#ifndef TY_TESTS_VEC_CALLS_H
#define TY_TESTS_VEC_CALLS_H
#ifdef __cplusplus
extern "C" {
#endif
#include "base/bytes.h"
#include "base/levels.h"

typedef uint8_t vec_input[3][64];
typedef struct vec_call {
    const char *name;
    void (*run)(uint8_t *out, const uint8_t (*in)[64]);
} vec_call;
extern const vec_call vec_calls_v128[], vec_calls_v256[], vec_calls_v512[];

#define VEC_MATRIX 0x8f3e7cf9f2e5cb97   /* its rows all differ, and so do its columns */

/* rows[4 i] of v_load_rows: 16 bytes somewhere in in[0], in[1], in[2] for each part */
#define VEC_ROWS(in)                                                                               \
    ((const uint8_t *const[13]){ [0] = (in)[0], [4] = (in)[1] + 9, [8] = (in)[2] + 30,             \
                                 [12] = (in)[1] + 21 })

#define VEC_CALLS(X)                                                                               \
    X(move, a) X(zero, v_zero(V)) X(set8, v_set8(V, in[1][0]))                                     \
    X(set32, v_set32(V, (uint32_t)ty_get64le(in[1]))) X(set64, v_set64(V, ty_get64le(in[1])))      \
    X(row, v_row(V, in[1] + 3)) X(pair, v_pair(V, ty_get64le(in[1]), ty_get64le(in[2])))           \
    X(load_step, v_load_step(V, in[0] + 1, 15)) X(load_rows, v_load_rows(V, VEC_ROWS(in), 5))      \
    X(block_numbers, v_block_numbers(V))                                                           \
    X(and, a & b) X(or, a | b) X(xor, a ^ b) X(not, ~a)                                            \
    X(add8, v_add8(a, b)) X(sub8, v_sub8(a, b)) X(add32, v_add32(a, b))                            \
    X(shl32, v_shl32(a, 7)) X(shr32, v_shr32(a, 7))                                                \
    X(shl64, v_shl64(a, 45)) X(shr64, v_shr64(a, 45))                                              \
    X(add64, v_add64(a, b)) X(sub64, v_sub64(a, b))                                                \
    X(shl64_by, v_shl64_by(a, in[1][0] & 127)) X(shr64_by, v_shr64_by(a, in[1][0] & 127))          \
    X(pick64, v_pick64(a, b, v_zip_lo64(b, c)))                                                    \
    X(rotl32, v_rotl32(a, 19)) X(high4, v_high4(a))                                                \
    X(xor3, v_xor3(a, b, c)) X(maj, v_maj(a, b, c)) X(choose, v_choose(a, b, c))                   \
    X(shuf8, v_shuf8(a, b & v_set8(V, 0x8f))) X(span8, v_span8(V, a, b, 5))                        \
    X(span64, v_span64(a, b)) X(swap64, v_swap64(a))                                               \
    X(up8, v_up8(a)) X(last8, v_last8(a)) X(up64, v_up64(a)) X(down64, v_down64(a))                \
    X(low64, v_low64(a))                                                                           \
    X(zip_lo8, v_zip_lo8(a, b)) X(zip_hi8, v_zip_hi8(a, b))                                        \
    X(zip_lo32, v_zip_lo32(a, b)) X(zip_hi32, v_zip_hi32(a, b))                                    \
    X(zip_lo64, v_zip_lo64(a, b)) X(zip_hi64, v_zip_hi64(a, b))                                    \
    X(aes_last, v_aes_last(a, b))                                                                  \
    X(clmul_ll, v_clmul_ll(a, b)) X(clmul_lh, v_clmul_lh(a, b))                                    \
    X(clmul_hl, v_clmul_hl(a, b)) X(clmul_hh, v_clmul_hh(a, b))                                    \
    TY_ON_X86_64(X(gf8_affine, v_gf8_affine(V, a, v_set64(V, VEC_MATRIX), 0x5a))                   \
                 X(gf8_inv_affine, v_gf8_inv_affine(V, a, v_set64(V, VEC_MATRIX), 0xc3)))

/* operations that only some widths have */
#define VEC_CALLS_v128(X)                                                                          \
    X(splat32, v128_splat32(a, 2)) X(insert32, v128_insert32(a, v128_get32(b), 3))                 \
    X(down32, v128_down32(a))
#define VEC_CALLS_v256(X)                                                                          \
    VEC_CALLS_F64(X)                                                                               \
    X(swap128, v256_swap128(a)) X(halves, v256_join(v256_high(a), v256_low(b)))                    \
    X(sign64, v256_sign64(a)) X(blend, v256_blend(a, b)) X(of, v256_of(v256_high(a)))
#define VEC_CALLS_F64(X)                                                                           \
    X(add_f64, v_add_f64(v_set_f64(V, 0.1), v_set_f64(V, 0.2)))                                    \
    X(sub_f64, v_sub_f64(v_set_f64(V, 0.1), v_set_f64(V, 0.2)))                                    \
    X(fma_f64, v_fma_f64(v_set_f64(V, 0.1), v_set_f64(V, 10.0), v_set_f64(V, -1.0)))
#define VEC_CALLS_v512(X)                                                                          \
    VEC_CALLS_F64(X) X(of, v512_of(v512_part(a, 1)))                                               \
    X(ends, v512_join(v256_low(v512_low(a)), v256_high(v512_low(b)), v256_low(v512_high(a)),       \
                      v256_high(v512_high(b))))                                                    \
    X(parts, v512_join(v512_part(a, 3), v512_part(b, 2), v512_part(a, 1), v512_part(b, 0)))

#define VEC_CALL(name, expression)                                                                 \
    static void V_NAME(do_##name)(uint8_t *out, const uint8_t (*in)[64])                           \
    {                                                                                              \
        const V a = v_load(V, in[0]), b = v_load(V, in[1]), c = v_load(V, in[2]);                  \
        (void)a, (void)b, (void)c;                                                                 \
        v_store(out, expression);                                                                  \
    }
#define VEC_ENTRY(name, expression) { #name, V_NAME(do_##name) },

#ifdef __cplusplus
}
#endif
#endif
