/* Vectors of 128, 256 and 512 bits on x86-64: see base/vec.h, which includes this file. Every
 * function names the instructions it needs, and is compiled into callers whose level has them. */
#include <immintrin.h>

typedef __m128i v128;
typedef __m256i v256;
typedef __m512i v512;

#define TY_IN(isa) static inline __attribute__((always_inline, target(isa)))

/* --- 128 bits */
#define V128 TY_IN("sse4.1")
V128 v128 v128_load(const void *p) { return _mm_loadu_si128((const __m128i *)p); }
V128 void v128_store(void *p, v128 a) { _mm_storeu_si128((__m128i *)p, a); }
V128 v128 v128_zero(void) { return _mm_setzero_si128(); }
V128 v128 v128_set8(unsigned b) { return _mm_set1_epi8((char)b); }
V128 v128 v128_set32(uint32_t w) { return _mm_set1_epi32((int)w); }
V128 v128 v128_set64(uint64_t d) { return _mm_set1_epi64x((long long)d); }
V128 v128 v128_row(const void *p) { return v128_load(p); }
V128 v128 v128_pair(uint64_t hi, uint64_t lo)
{
    return _mm_set_epi64x((long long)hi, (long long)lo);
}
V128 v128 v128_load_step(const uint8_t *p, size_t step) { return (void)step, v128_load(p); }
V128 v128 v128_load_rows(const uint8_t *const *rows, size_t at) { return v128_load(rows[0] + at); }
V128 v128 v128_block_numbers(void) { return _mm_setr_epi32(0, 1, 2, 3); }
V128 void v128_clear_upper(void) { }
V128 void v128_store_step(uint8_t *p, size_t step, v128 a) { (void)step, v128_store(p, a); }
V128 v128 v128_add8(v128 a, v128 b) { return _mm_add_epi8(a, b); }
V128 v128 v128_sub8(v128 a, v128 b) { return _mm_sub_epi8(a, b); }
V128 v128 v128_add32(v128 a, v128 b) { return _mm_add_epi32(a, b); }
V128 v128 v128_shl32(v128 a, int n) { return _mm_slli_epi32(a, n); }
V128 v128 v128_shr32(v128 a, int n) { return _mm_srli_epi32(a, n); }
V128 v128 v128_shl64(v128 a, int n) { return _mm_slli_epi64(a, n); }
V128 v128 v128_shr64(v128 a, int n) { return _mm_srli_epi64(a, n); }
V128 v128 v128_rotl32(v128 a, int n) { return v128_shl32(a, n) | v128_shr32(a, 32 - n); }
V128 v128 v128_add64(v128 a, v128 b) { return _mm_add_epi64(a, b); }
V128 v128 v128_sub64(v128 a, v128 b) { return _mm_sub_epi64(a, b); }
V128 v128 v128_shl64_by(v128 a, int n) { return _mm_sll_epi64(a, _mm_cvtsi32_si128(n)); }
V128 v128 v128_shr64_by(v128 a, int n) { return _mm_srl_epi64(a, _mm_cvtsi32_si128(n)); }
V128 v128 v128_pick64(v128 a, v128 b, v128 c) { return a & _mm_cmpeq_epi64(b, c); }
V128 v128 v128_high4(v128 a) { return v128_shr32(a, 4) & v128_set8(15); }
V128 v128 v128_xor3(v128 a, v128 b, v128 c) { return a ^ b ^ c; }
V128 v128 v128_maj(v128 a, v128 b, v128 c) { return ((a ^ b) & (b ^ c)) ^ b; }
V128 v128 v128_choose(v128 a, v128 b, v128 c) { return ((b ^ c) & a) ^ c; }
V128 v128 v128_shuf8(v128 a, v128 idx) { return _mm_shuffle_epi8(a, idx); }
V128 v128 v128_span64(v128 a, v128 b) { return _mm_alignr_epi8(b, a, 8); }
V128 v128 v128_swap64(v128 a) { return _mm_shuffle_epi32(a, 0x4e); }
V128 v128 v128_up8(v128 a) { return _mm_slli_si128(a, 1); }
V128 v128 v128_last8(v128 a) { return _mm_srli_si128(a, 15); }
V128 v128 v128_up64(v128 a) { return _mm_slli_si128(a, 8); }
V128 v128 v128_down64(v128 a) { return _mm_srli_si128(a, 8); }
V128 v128 v128_zip_lo8(v128 a, v128 b) { return _mm_unpacklo_epi8(a, b); }
V128 v128 v128_zip_hi8(v128 a, v128 b) { return _mm_unpackhi_epi8(a, b); }
V128 v128 v128_zip_lo32(v128 a, v128 b) { return _mm_unpacklo_epi32(a, b); }
V128 v128 v128_zip_hi32(v128 a, v128 b) { return _mm_unpackhi_epi32(a, b); }
V128 v128 v128_zip_lo64(v128 a, v128 b) { return _mm_unpacklo_epi64(a, b); }
V128 v128 v128_zip_hi64(v128 a, v128 b) { return _mm_unpackhi_epi64(a, b); }
V128 v128 v128_low64(v128 a) { return v128_zip_lo64(a, v128_zero()); }
TY_IN("sse4.1,aes") v128 v128_aes_last(v128 a, v128 b)
{
    return _mm_aesenclast_si128(a ^ b, v128_zero());
}
TY_IN("sse4.1,pclmul") v128 v128_clmul_ll(v128 a, v128 b)
{
    return _mm_clmulepi64_si128(a, b, 0x00);
}
TY_IN("sse4.1,pclmul") v128 v128_clmul_lh(v128 a, v128 b)
{
    return _mm_clmulepi64_si128(a, b, 0x10);
}
TY_IN("sse4.1,pclmul") v128 v128_clmul_hl(v128 a, v128 b)
{
    return _mm_clmulepi64_si128(a, b, 0x01);
}
TY_IN("sse4.1,pclmul") v128 v128_clmul_hh(v128 a, v128 b)
{
    return _mm_clmulepi64_si128(a, b, 0x11);
}

/* for this width only */
V128 v128 v128_down32(v128 a) { return _mm_srli_si128(a, 4); }
V128 uint32_t v128_get32(v128 a) { return (uint32_t)_mm_cvtsi128_si32(a); }

/* doubles */
V128 v128 v128_set_f64(double x) { return _mm_castpd_si128(_mm_set1_pd(x)); }
V128 v128 v128_add_f64(v128 a, v128 b)
{
    return _mm_castpd_si128(_mm_add_pd(_mm_castsi128_pd(a), _mm_castsi128_pd(b)));
}
V128 v128 v128_sub_f64(v128 a, v128 b)
{
    return _mm_castpd_si128(_mm_sub_pd(_mm_castsi128_pd(a), _mm_castsi128_pd(b)));
}
TY_IN("sse4.1,fma") v128 v128_fma_f64(v128 a, v128 b, v128 c)
{
    return _mm_castpd_si128(
        _mm_fmadd_pd(_mm_castsi128_pd(a), _mm_castsi128_pd(b), _mm_castsi128_pd(c)));
}

/* --- 256 bits */
#define V256 TY_IN("avx2")
V256 v256 v256_load(const void *p) { return _mm256_loadu_si256((const __m256i *)p); }
V256 void v256_store(void *p, v256 a) { _mm256_storeu_si256((__m256i *)p, a); }
V256 v256 v256_zero(void) { return _mm256_setzero_si256(); }
V256 v256 v256_set8(unsigned b) { return _mm256_set1_epi8((char)b); }
V256 v256 v256_set32(uint32_t w) { return _mm256_set1_epi32((int)w); }
V256 v256 v256_set64(uint64_t d) { return _mm256_set1_epi64x((long long)d); }
V256 v128 v256_low(v256 a) { return _mm256_castsi256_si128(a); }
V256 v128 v256_high(v256 a) { return _mm256_extracti128_si256(a, 1); }
V256 v256 v256_join(v128 low, v128 high)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}
/* all ones in every half whose top bit is set, else zero */
V256 v256 v256_sign64(v256 a) { return _mm256_cmpgt_epi64(v256_zero(), a); }
/* the low part of a, the high part of b */
V256 v256 v256_blend(v256 a, v256 b) { return _mm256_blend_epi32(a, b, 0xf0); }
V256 v256 v256_swap128(v256 a) { return _mm256_permute2x128_si256(a, a, 1); }
/* a, and zeros above */
V256 v256 v256_of(v128 a) { return _mm256_zextsi128_si256(a); }
V256 v256 v256_row(const void *p) { return _mm256_broadcastsi128_si256(v128_load(p)); }
V256 v256 v256_pair(uint64_t hi, uint64_t lo)
{
    return _mm256_broadcastsi128_si256(v128_pair(hi, lo));
}
V256 v256 v256_load_step(const uint8_t *p, size_t step)
{
    return v256_join(v128_load(p), v128_load(p + step));
}
V256 v256 v256_load_rows(const uint8_t *const *rows, size_t at)
{
    return v256_join(v128_load(rows[0] + at), v128_load(rows[4] + at));
}
V256 v256 v256_block_numbers(void) { return _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7); }
V256 void v256_clear_upper(void) { }
V256 void v256_store_step(uint8_t *p, size_t step, v256 a)
{
    v128_store(p, v256_low(a));
    v128_store(p + step, v256_high(a));
}
V256 v256 v256_add8(v256 a, v256 b) { return _mm256_add_epi8(a, b); }
V256 v256 v256_sub8(v256 a, v256 b) { return _mm256_sub_epi8(a, b); }
V256 v256 v256_add32(v256 a, v256 b) { return _mm256_add_epi32(a, b); }
V256 v256 v256_shl32(v256 a, int n) { return _mm256_slli_epi32(a, n); }
V256 v256 v256_shr32(v256 a, int n) { return _mm256_srli_epi32(a, n); }
V256 v256 v256_shl64(v256 a, int n) { return _mm256_slli_epi64(a, n); }
V256 v256 v256_shr64(v256 a, int n) { return _mm256_srli_epi64(a, n); }
V256 v256 v256_rotl32(v256 a, int n) { return v256_shl32(a, n) | v256_shr32(a, 32 - n); }
V256 v256 v256_add64(v256 a, v256 b) { return _mm256_add_epi64(a, b); }
V256 v256 v256_sub64(v256 a, v256 b) { return _mm256_sub_epi64(a, b); }
V256 v256 v256_shl64_by(v256 a, int n) { return _mm256_sll_epi64(a, _mm_cvtsi32_si128(n)); }
V256 v256 v256_shr64_by(v256 a, int n) { return _mm256_srl_epi64(a, _mm_cvtsi32_si128(n)); }
V256 v256 v256_pick64(v256 a, v256 b, v256 c) { return a & _mm256_cmpeq_epi64(b, c); }
V256 v256 v256_high4(v256 a) { return v256_shr32(a, 4) & v256_set8(15); }
V256 v256 v256_xor3(v256 a, v256 b, v256 c) { return a ^ b ^ c; }
V256 v256 v256_maj(v256 a, v256 b, v256 c) { return ((a ^ b) & (b ^ c)) ^ b; }
V256 v256 v256_choose(v256 a, v256 b, v256 c) { return ((b ^ c) & a) ^ c; }
V256 v256 v256_shuf8(v256 a, v256 idx) { return _mm256_shuffle_epi8(a, idx); }
V256 v256 v256_span64(v256 a, v256 b) { return _mm256_alignr_epi8(b, a, 8); }
V256 v256 v256_swap64(v256 a) { return _mm256_shuffle_epi32(a, 0x4e); }
V256 v256 v256_up8(v256 a) { return _mm256_slli_si256(a, 1); }
V256 v256 v256_last8(v256 a) { return _mm256_srli_si256(a, 15); }
V256 v256 v256_up64(v256 a) { return _mm256_slli_si256(a, 8); }
V256 v256 v256_down64(v256 a) { return _mm256_srli_si256(a, 8); }
V256 v256 v256_zip_lo8(v256 a, v256 b) { return _mm256_unpacklo_epi8(a, b); }
V256 v256 v256_zip_hi8(v256 a, v256 b) { return _mm256_unpackhi_epi8(a, b); }
V256 v256 v256_zip_lo32(v256 a, v256 b) { return _mm256_unpacklo_epi32(a, b); }
V256 v256 v256_zip_hi32(v256 a, v256 b) { return _mm256_unpackhi_epi32(a, b); }
V256 v256 v256_zip_lo64(v256 a, v256 b) { return _mm256_unpacklo_epi64(a, b); }
V256 v256 v256_zip_hi64(v256 a, v256 b) { return _mm256_unpackhi_epi64(a, b); }
V256 v256 v256_low64(v256 a) { return v256_zip_lo64(a, v256_zero()); }
TY_IN("avx2,vaes") v256 v256_aes_last(v256 a, v256 b)
{
    return _mm256_aesenclast_epi128(a ^ b, v256_zero());
}
TY_IN("avx2,vpclmulqdq") v256 v256_clmul_ll(v256 a, v256 b)
{
    return _mm256_clmulepi64_epi128(a, b, 0x00);
}
TY_IN("avx2,vpclmulqdq") v256 v256_clmul_lh(v256 a, v256 b)
{
    return _mm256_clmulepi64_epi128(a, b, 0x10);
}
TY_IN("avx2,vpclmulqdq") v256 v256_clmul_hl(v256 a, v256 b)
{
    return _mm256_clmulepi64_epi128(a, b, 0x01);
}
TY_IN("avx2,vpclmulqdq") v256 v256_clmul_hh(v256 a, v256 b)
{
    return _mm256_clmulepi64_epi128(a, b, 0x11);
}

/* doubles */
V256 v256 v256_set_f64(double x) { return _mm256_castpd_si256(_mm256_set1_pd(x)); }
V256 v256 v256_add_f64(v256 a, v256 b)
{
    return _mm256_castpd_si256(_mm256_add_pd(_mm256_castsi256_pd(a), _mm256_castsi256_pd(b)));
}
V256 v256 v256_sub_f64(v256 a, v256 b)
{
    return _mm256_castpd_si256(_mm256_sub_pd(_mm256_castsi256_pd(a), _mm256_castsi256_pd(b)));
}
TY_IN("avx2,fma") v256 v256_fma_f64(v256 a, v256 b, v256 c)
{
    return _mm256_castpd_si256(
        _mm256_fmadd_pd(_mm256_castsi256_pd(a), _mm256_castsi256_pd(b), _mm256_castsi256_pd(c)));
}

/* --- 512 bits */
#define V512_ISA "avx512f,avx512bw,avx512dq,avx512vl"
#define V512 TY_IN(V512_ISA)
V512 v512 v512_load(const void *p) { return _mm512_loadu_si512(p); }
V512 void v512_store(void *p, v512 a) { _mm512_storeu_si512(p, a); }
V512 v512 v512_zero(void) { return _mm512_setzero_si512(); }
V512 v512 v512_set8(unsigned b) { return _mm512_set1_epi8((char)b); }
V512 v512 v512_set32(uint32_t w) { return _mm512_set1_epi32((int)w); }
V512 v512 v512_set64(uint64_t d) { return _mm512_set1_epi64((long long)d); }
V512 v256 v512_low(v512 a) { return _mm512_castsi512_si256(a); }
V512 v256 v512_high(v512 a) { return _mm512_extracti64x4_epi64(a, 1); }
V512 v512 v512_join(v128 a, v128 b, v128 c, v128 d)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(v256_join(a, b)), v256_join(c, d), 1);
}
/* a, and zeros above */
V512 v512 v512_of(v128 a) { return _mm512_zextsi128_si512(a); }
V512 v512 v512_row(const void *p) { return _mm512_broadcast_i32x4(v128_load(p)); }
V512 v512 v512_pair(uint64_t hi, uint64_t lo) { return _mm512_broadcast_i32x4(v128_pair(hi, lo)); }
V512 v512 v512_load_step(const uint8_t *p, size_t step)
{
    const v512 low = _mm512_castsi256_si512(v256_load_step(p, step));
    return _mm512_inserti64x4(low, v256_load_step(p + 2 * step, step), 1);
}
V512 v512 v512_load_rows(const uint8_t *const *rows, size_t at)
{
    const v512 low = _mm512_castsi256_si512(v256_load_rows(rows, at));
    return _mm512_inserti64x4(low, v256_load_rows(rows + 8, at), 1);
}
V512 v512 v512_block_numbers(void)
{
    return _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
}
/* vzeroupper, which compilers insert by themselves only from -O2 on. Until it is executed, the
 * emulator of the tests runs the program in single steps. */
V512 void v512_clear_upper(void) { _mm256_zeroupper(); }
V512 void v512_store_step(uint8_t *p, size_t step, v512 a)
{
    v256_store_step(p, step, v512_low(a));
    v256_store_step(p + 2 * step, step, v512_high(a));
}
V512 v512 v512_add8(v512 a, v512 b) { return _mm512_add_epi8(a, b); }
V512 v512 v512_sub8(v512 a, v512 b) { return _mm512_sub_epi8(a, b); }
V512 v512 v512_add32(v512 a, v512 b) { return _mm512_add_epi32(a, b); }
V512 v512 v512_shl32(v512 a, int n) { return (v512)((__v16su)a << n); }
V512 v512 v512_shr32(v512 a, int n) { return (v512)((__v16su)a >> n); }
V512 v512 v512_shl64(v512 a, int n) { return (v512)((__v8du)a << n); }
V512 v512 v512_shr64(v512 a, int n) { return (v512)((__v8du)a >> n); }
V512 v512 v512_rotl32(v512 a, int n) { return (v512)((__v16su)a << n | (__v16su)a >> (32 - n)); }
V512 v512 v512_add64(v512 a, v512 b) { return _mm512_add_epi64(a, b); }
V512 v512 v512_sub64(v512 a, v512 b) { return _mm512_sub_epi64(a, b); }
V512 v512 v512_shl64_by(v512 a, int n) { return _mm512_sll_epi64(a, _mm_cvtsi32_si128(n)); }
V512 v512 v512_shr64_by(v512 a, int n) { return _mm512_srl_epi64(a, _mm_cvtsi32_si128(n)); }
V512 v512 v512_pick64(v512 a, v512 b, v512 c)
{
    return _mm512_maskz_mov_epi64(_mm512_cmpeq_epi64_mask(b, c), a);
}
V512 v512 v512_high4(v512 a) { return v512_shr32(a, 4) & v512_set8(15); }
V512 v512 v512_xor3(v512 a, v512 b, v512 c) { return _mm512_ternarylogic_epi32(a, b, c, 0x96); }
V512 v512 v512_maj(v512 a, v512 b, v512 c) { return _mm512_ternarylogic_epi32(a, b, c, 0xe8); }
V512 v512 v512_choose(v512 a, v512 b, v512 c) { return _mm512_ternarylogic_epi32(a, b, c, 0xca); }
V512 v512 v512_shuf8(v512 a, v512 idx) { return _mm512_shuffle_epi8(a, idx); }
V512 v512 v512_span64(v512 a, v512 b) { return _mm512_alignr_epi8(b, a, 8); }
V512 v512 v512_swap64(v512 a) { return _mm512_shuffle_epi32(a, (_MM_PERM_ENUM)0x4e); }
V512 v512 v512_up8(v512 a) { return _mm512_bslli_epi128(a, 1); }
V512 v512 v512_last8(v512 a) { return _mm512_bsrli_epi128(a, 15); }
V512 v512 v512_up64(v512 a) { return _mm512_bslli_epi128(a, 8); }
V512 v512 v512_down64(v512 a) { return _mm512_bsrli_epi128(a, 8); }
V512 v512 v512_zip_lo8(v512 a, v512 b) { return _mm512_unpacklo_epi8(a, b); }
V512 v512 v512_zip_hi8(v512 a, v512 b) { return _mm512_unpackhi_epi8(a, b); }
V512 v512 v512_zip_lo32(v512 a, v512 b) { return _mm512_unpacklo_epi32(a, b); }
V512 v512 v512_zip_hi32(v512 a, v512 b) { return _mm512_unpackhi_epi32(a, b); }
V512 v512 v512_zip_lo64(v512 a, v512 b) { return _mm512_unpacklo_epi64(a, b); }
V512 v512 v512_zip_hi64(v512 a, v512 b) { return _mm512_unpackhi_epi64(a, b); }
V512 v512 v512_low64(v512 a) { return v512_zip_lo64(a, v512_zero()); }
TY_IN(V512_ISA ",vaes") v512 v512_aes_last(v512 a, v512 b)
{
    return _mm512_aesenclast_epi128(a ^ b, v512_zero());
}
TY_IN(V512_ISA ",vpclmulqdq") v512 v512_clmul_ll(v512 a, v512 b)
{
    return _mm512_clmulepi64_epi128(a, b, 0x00);
}
TY_IN(V512_ISA ",vpclmulqdq") v512 v512_clmul_lh(v512 a, v512 b)
{
    return _mm512_clmulepi64_epi128(a, b, 0x10);
}
TY_IN(V512_ISA ",vpclmulqdq") v512 v512_clmul_hl(v512 a, v512 b)
{
    return _mm512_clmulepi64_epi128(a, b, 0x01);
}
TY_IN(V512_ISA ",vpclmulqdq") v512 v512_clmul_hh(v512 a, v512 b)
{
    return _mm512_clmulepi64_epi128(a, b, 0x11);
}

/* doubles */
V512 v512 v512_set_f64(double x) { return _mm512_castpd_si512(_mm512_set1_pd(x)); }
V512 v512 v512_add_f64(v512 a, v512 b)
{
    return _mm512_castpd_si512(_mm512_add_pd(_mm512_castsi512_pd(a), _mm512_castsi512_pd(b)));
}
V512 v512 v512_sub_f64(v512 a, v512 b)
{
    return _mm512_castpd_si512(_mm512_sub_pd(_mm512_castsi512_pd(a), _mm512_castsi512_pd(b)));
}
V512 v512 v512_fma_f64(v512 a, v512 b, v512 c)
{
    return _mm512_castpd_si512(
        _mm512_fmadd_pd(_mm512_castsi512_pd(a), _mm512_castsi512_pd(b), _mm512_castsi512_pd(c)));
}

/* --- Immediates: these operands must be constant expressions, so the operations are macros */
#define v128_splat32(a, i)           _mm_shuffle_epi32(a, 0x55 * (i))     /* word i everywhere */
#define v128_insert32(a, w, i)       _mm_insert_epi32(a, (int)(w), i)     /* a, but word i is w */
#define v512_part(a, i)              _mm512_extracti32x4_epi32(a, i)
#define v128_span8(a, b, n)          _mm_alignr_epi8(b, a, n)
#define v256_span8(a, b, n)          _mm256_alignr_epi8(b, a, n)
#define v512_span8(a, b, n)          _mm512_alignr_epi8(b, a, n)
#define v128_gf8_affine(a, m, c)     _mm_gf2p8affine_epi64_epi8(a, m, c)
#define v256_gf8_affine(a, m, c)     _mm256_gf2p8affine_epi64_epi8(a, m, c)
#define v512_gf8_affine(a, m, c)     _mm512_gf2p8affine_epi64_epi8(a, m, c)
#define v128_gf8_inv_affine(a, m, c) _mm_gf2p8affineinv_epi64_epi8(a, m, c)
#define v256_gf8_inv_affine(a, m, c) _mm256_gf2p8affineinv_epi64_epi8(a, m, c)
#define v512_gf8_inv_affine(a, m, c) _mm512_gf2p8affineinv_epi64_epi8(a, m, c)

#define V_BY_WIDTH(a, op) _Generic((a), v128: v128_##op, v256: v256_##op, v512: v512_##op)
