/* Vectors of 128 bits on AArch64: see base/vec.h, which includes this file. */
#include <arm_neon.h>

typedef uint8x16_t v128;

#define V128 static inline __attribute__((always_inline))
#define V128_CRYPTO static inline __attribute__((always_inline, target("+crypto")))

/* the same bits as words, halves, polynomials, and back */
#define V32_(a) vreinterpretq_u32_u8(a)
#define V64_(a) vreinterpretq_u64_u8(a)
#define VP_(a)  vreinterpretq_p64_u8(a)
#define U32_(a) vreinterpretq_u8_u32(a)
#define U64_(a) vreinterpretq_u8_u64(a)

V128 v128 v128_load(const void *p) { return vld1q_u8((const uint8_t *)p); }
V128 void v128_store(void *p, v128 a) { vst1q_u8((uint8_t *)p, a); }
V128 v128 v128_zero(void) { return vdupq_n_u8(0); }
V128 v128 v128_set8(unsigned b) { return vdupq_n_u8((uint8_t)b); }
V128 v128 v128_set32(uint32_t w) { return U32_(vdupq_n_u32(w)); }
V128 v128 v128_set64(uint64_t d) { return U64_(vdupq_n_u64(d)); }
V128 v128 v128_row(const void *p) { return v128_load(p); }
V128 v128 v128_pair(uint64_t hi, uint64_t lo) { return U64_(((uint64x2_t){ lo, hi })); }
V128 v128 v128_load_step(const uint8_t *p, size_t step) { return (void)step, v128_load(p); }
V128 v128 v128_load_rows(const uint8_t *const *rows, size_t at) { return v128_load(rows[0] + at); }
V128 v128 v128_block_numbers(void) { return U32_(((uint32x4_t){ 0, 1, 2, 3 })); }
V128 void v128_clear_upper(void) { }
V128 void v128_store_step(uint8_t *p, size_t step, v128 a) { (void)step, v128_store(p, a); }
V128 v128 v128_add8(v128 a, v128 b) { return vaddq_u8(a, b); }
V128 v128 v128_sub8(v128 a, v128 b) { return vsubq_u8(a, b); }
V128 v128 v128_add32(v128 a, v128 b) { return U32_(vaddq_u32(V32_(a), V32_(b))); }
V128 v128 v128_shl32(v128 a, int n) { return U32_(V32_(a) << vdupq_n_u32((uint32_t)n)); }
V128 v128 v128_shr32(v128 a, int n) { return U32_(V32_(a) >> vdupq_n_u32((uint32_t)n)); }
V128 v128 v128_shl64(v128 a, int n) { return U64_(V64_(a) << vdupq_n_u64((uint64_t)n)); }
V128 v128 v128_shr64(v128 a, int n) { return U64_(V64_(a) >> vdupq_n_u64((uint64_t)n)); }
V128 v128 v128_add64(v128 a, v128 b) { return U64_(vaddq_u64(V64_(a), V64_(b))); }
V128 v128 v128_sub64(v128 a, v128 b) { return U64_(vsubq_u64(V64_(a), V64_(b))); }
V128 v128 v128_shl64_by(v128 a, int n) { return U64_(vshlq_u64(V64_(a), vdupq_n_s64(n))); }
V128 v128 v128_shr64_by(v128 a, int n) { return U64_(vshlq_u64(V64_(a), vdupq_n_s64(-n))); }
V128 v128 v128_pick64(v128 a, v128 b, v128 c)
{
    return a & U64_(vceqq_u64(V64_(b), V64_(c)));
}
V128 v128 v128_high4(v128 a) { return vshrq_n_u8(a, 4); }
V128 v128 v128_xor3(v128 a, v128 b, v128 c) { return a ^ b ^ c; }
V128 v128 v128_maj(v128 a, v128 b, v128 c) { return vbslq_u8(a ^ b, c, b); }
V128 v128 v128_choose(v128 a, v128 b, v128 c) { return vbslq_u8(a, b, c); }
V128 v128 v128_shuf8(v128 a, v128 idx) { return vqtbl1q_u8(a, idx); }
V128 v128 v128_span64(v128 a, v128 b) { return vextq_u8(a, b, 8); }
V128 v128 v128_swap64(v128 a) { return vextq_u8(a, a, 8); }
V128 v128 v128_up8(v128 a) { return vextq_u8(vdupq_n_u8(0), a, 15); }
V128 v128 v128_last8(v128 a) { return vextq_u8(a, vdupq_n_u8(0), 15); }
V128 v128 v128_up64(v128 a) { return vextq_u8(vdupq_n_u8(0), a, 8); }
V128 v128 v128_down64(v128 a) { return vextq_u8(a, vdupq_n_u8(0), 8); }
V128 v128 v128_zip_lo8(v128 a, v128 b) { return vzip1q_u8(a, b); }
V128 v128 v128_zip_hi8(v128 a, v128 b) { return vzip2q_u8(a, b); }
V128 v128 v128_zip_lo32(v128 a, v128 b) { return U32_(vzip1q_u32(V32_(a), V32_(b))); }
V128 v128 v128_zip_hi32(v128 a, v128 b) { return U32_(vzip2q_u32(V32_(a), V32_(b))); }
V128 v128 v128_zip_lo64(v128 a, v128 b) { return U64_(vzip1q_u64(V64_(a), V64_(b))); }
V128 v128 v128_zip_hi64(v128 a, v128 b) { return U64_(vzip2q_u64(V64_(a), V64_(b))); }
V128 v128 v128_low64(v128 a) { return v128_zip_lo64(a, v128_zero()); }
V128_CRYPTO v128 v128_aes_last(v128 a, v128 b) { return vaeseq_u8(a, b); }
V128_CRYPTO v128 v128_clmul_ll(v128 a, v128 b)
{
    const poly64_t x = vgetq_lane_p64(VP_(a), 0), y = vgetq_lane_p64(VP_(b), 0);
    return vreinterpretq_u8_p128(vmull_p64(x, y));
}
V128_CRYPTO v128 v128_clmul_hh(v128 a, v128 b)
{
    return vreinterpretq_u8_p128(vmull_high_p64(VP_(a), VP_(b)));
}
V128_CRYPTO v128 v128_clmul_lh(v128 a, v128 b) { return v128_clmul_hh(v128_swap64(a), b); }
V128_CRYPTO v128 v128_clmul_hl(v128 a, v128 b) { return v128_clmul_ll(v128_swap64(a), b); }

V128 v128 v128_down32(v128 a) { return vextq_u8(a, vdupq_n_u8(0), 4); }
V128 uint32_t v128_get32(v128 a) { return vgetq_lane_u32(V32_(a), 0); }

/* --- Immediates: these operands must be constant expressions, so the operations are macros */
#define v128_rotl32(a, n)      U32_(vsriq_n_u32(vshlq_n_u32(V32_(a), n), V32_(a), 32 - (n)))
#define v128_splat32(a, i)     U32_(vdupq_laneq_u32(V32_(a), i))    /* word i everywhere */
#define v128_insert32(a, w, i) U32_(vsetq_lane_u32(w, V32_(a), i))  /* a, but word i is w */
#define v128_span8(a, b, n)    vextq_u8(a, b, n)

#define V_BY_WIDTH(a, op) v128_##op
