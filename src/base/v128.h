/* 128-bit vectors in one set of words for x86-64 and AArch64, for kernels whose text serves both. They are macros, not
 * inline functions, so that each takes the target of the function that it is used in.
 * Bytes, words of 32 bits and halves are numbered from the lowest address. */
#ifndef TY_BASE_V128_H
#define TY_BASE_V128_H

#include "base/cpu.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define V128             __m128i
#define V_REGISTER       "+x"                      /* where it lives, in the words of asm */
#define V_LOAD(p)        _mm_loadu_si128((const __m128i *)(const void *)(p))
#define V_STORE(p, a)    _mm_storeu_si128((__m128i *)(void *)(p), a)
#define V_ZERO           _mm_setzero_si128()
#define V_XOR(a, b)      _mm_xor_si128(a, b)
#define V_AND(a, b)      _mm_and_si128(a, b)
#define V_OR(a, b)       _mm_or_si128(a, b)
#define V_SHUF(a, idx)   _mm_shuffle_epi8(a, idx)  /* byte i = a[idx[i]], idx[i] < 16; zero where it is 255 */
/* bytes */
#define V_BYTE(b)        _mm_set1_epi8((char)(b))
#define V_ADD8(a, b)     _mm_add_epi8(a, b)
#define V_UP8(a)         _mm_slli_si128(a, 1)      /* zero, then bytes 0 to 14 */
#define V_LAST8(a)       _mm_srli_si128(a, 15)     /* byte 15, then zeros */
#define V_ZIP_LO8(a, b)  _mm_unpacklo_epi8(a, b)   /* a0 b0 ... a7 b7 */
#define V_ZIP_HI8(a, b)  _mm_unpackhi_epi8(a, b)   /* a8 b8 ... a15 b15 */
#define V_HIGH4(a, mask) _mm_and_si128(_mm_srli_epi32(a, 4), mask)   /* upper nibbles; mask is V_BYTE(15) */
/* words */
#define V_WORD(w)        _mm_set1_epi32((int)(w))
#define V_COUNT32        _mm_setr_epi32(0, 1, 2, 3)
#define V_ADD32(a, b)    _mm_add_epi32(a, b)
#define V_SPLAT32(a, i)  _mm_shuffle_epi32(a, 0x55 * (i))            /* word i everywhere */
#define V_DOWN32(a)      _mm_srli_si128(a, 4)                        /* words 1 2 3, and zero */
#define V_GET32(a)       ((uint32_t)_mm_cvtsi128_si32(a))            /* word 0 */
#define V_SET32(a, w, i) _mm_insert_epi32(a, (int)(w), i)            /* a, but word i is w */
#define V_ZIP_LO32(a, b) _mm_unpacklo_epi32(a, b)                    /* a0 b0 a1 b1 */
#define V_ZIP_HI32(a, b) _mm_unpackhi_epi32(a, b)                    /* a2 b2 a3 b3 */
/* halves */
#define V_PAIR(hi, lo)   _mm_set_epi64x((long long)(hi), (long long)(lo))
#define V_ZIP_LO64(a, b) _mm_unpacklo_epi64(a, b)
#define V_ZIP_HI64(a, b) _mm_unpackhi_epi64(a, b)
#define V_SWAP64(a)      _mm_shuffle_epi32(a, 0x4e)
#define V_HIGH64(a)      _mm_shuffle_epi32(a, 0xee)                  /* the upper half in both */
#define V_UP64(a)        _mm_slli_si128(a, 8)                        /* the lower half moves up, zero follows */
#define V_DOWN64(a)      _mm_srli_si128(a, 8)
#define V_SPAN8(a, b, n) _mm_alignr_epi8(b, a, n)                    /* byte n of a and on, then bytes of b: n is constant */
#define V_SPAN64(a, b)   _mm_alignr_epi8(b, a, 8)                    /* the upper half of a, then the lower one of b */
#define V_SHL64(a, n)    _mm_slli_epi64(a, n)
#define V_SHR64(a, n)    _mm_srli_epi64(a, n)
#define V_SLV64(a, n)    _mm_sll_epi64(a, _mm_cvtsi32_si128((int)(n)))   /* by a number that is data, 64 and more give zero */
#define V_SRV64(a, n)    _mm_srl_epi64(a, _mm_cvtsi32_si128((int)(n)))
#define V_SUB64(a, b)    _mm_sub_epi64(a, b)
/* targets of their own: ShiftRows(SubBytes(a + b)) of AES; carry-less products of half i of a and half j of b */
#define V_AES_LAST(a, b) _mm_aesenclast_si128(_mm_xor_si128(a, b), _mm_setzero_si128())
#define V_CLMUL00(a, b)  _mm_clmulepi64_si128(a, b, 0x00)
#define V_CLMUL01(a, b)  _mm_clmulepi64_si128(a, b, 0x10)
#define V_CLMUL10(a, b)  _mm_clmulepi64_si128(a, b, 0x01)
#define V_CLMUL11(a, b)  _mm_clmulepi64_si128(a, b, 0x11)
#endif

#if defined(TY_AARCH64)
#include <arm_neon.h>
#define V128             uint8x16_t
#define V32_(a)          vreinterpretq_u32_u8(a)
#define V64_(a)          vreinterpretq_u64_u8(a)
#define VP_(a)           vreinterpretq_p64_u8(a)
#define OF32_(a)         vreinterpretq_u8_u32(a)
#define OF64_(a)         vreinterpretq_u8_u64(a)
#define V_REGISTER       "+w"
#define V_LOAD(p)        vld1q_u8((const uint8_t *)(const void *)(p))
#define V_STORE(p, a)    vst1q_u8((uint8_t *)(void *)(p), a)
#define V_ZERO           vdupq_n_u8(0)
#define V_XOR(a, b)      veorq_u8(a, b)
#define V_AND(a, b)      vandq_u8(a, b)
#define V_OR(a, b)       vorrq_u8(a, b)
#define V_SHUF(a, idx)   vqtbl1q_u8(a, idx)
#define V_BYTE(b)        vdupq_n_u8((uint8_t)(b))
#define V_ADD8(a, b)     vaddq_u8(a, b)
#define V_UP8(a)         vextq_u8(vdupq_n_u8(0), a, 15)
#define V_LAST8(a)       vextq_u8(a, vdupq_n_u8(0), 15)
#define V_ZIP_LO8(a, b)  vzip1q_u8(a, b)
#define V_ZIP_HI8(a, b)  vzip2q_u8(a, b)
#define V_HIGH4(a, mask) vshrq_n_u8(a, 4)
#define V_WORD(w)        OF32_(vdupq_n_u32((uint32_t)(w)))
#define V_COUNT32        OF32_(((uint32x4_t){ 0, 1, 2, 3 }))
#define V_ADD32(a, b)    OF32_(vaddq_u32(V32_(a), V32_(b)))
#define V_SPLAT32(a, i)  OF32_(vdupq_laneq_u32(V32_(a), i))
#define V_DOWN32(a)      vextq_u8(a, vdupq_n_u8(0), 4)
#define V_GET32(a)       vgetq_lane_u32(V32_(a), 0)
#define V_SET32(a, w, i) OF32_(vsetq_lane_u32(w, V32_(a), i))
#define V_ZIP_LO32(a, b) OF32_(vzip1q_u32(V32_(a), V32_(b)))
#define V_ZIP_HI32(a, b) OF32_(vzip2q_u32(V32_(a), V32_(b)))
#define V_PAIR(hi, lo)   OF64_(((uint64x2_t){ lo, hi }))
#define V_ZIP_LO64(a, b) OF64_(vzip1q_u64(V64_(a), V64_(b)))
#define V_ZIP_HI64(a, b) OF64_(vzip2q_u64(V64_(a), V64_(b)))
#define V_SWAP64(a)      vextq_u8(a, a, 8)
#define V_HIGH64(a)      OF64_(vdupq_laneq_u64(V64_(a), 1))
#define V_UP64(a)        vextq_u8(vdupq_n_u8(0), a, 8)
#define V_DOWN64(a)      vextq_u8(a, vdupq_n_u8(0), 8)
#define V_SPAN8(a, b, n) vextq_u8(a, b, n)
#define V_SPAN64(a, b)   vextq_u8(a, b, 8)
#if defined(__clang__)   /* its vshlq_n takes literals alone; where n is constant it makes the same instructions of these */
#  define V_SHL64(a, n)  V_SLV64(a, n)
#  define V_SHR64(a, n)  V_SRV64(a, n)
#else
#  define V_SHL64(a, n)  OF64_(vshlq_n_u64(V64_(a), n))
#  define V_SHR64(a, n)  OF64_(vshrq_n_u64(V64_(a), n))
#endif
#define V_SLV64(a, n)    OF64_(vshlq_u64(V64_(a), vdupq_n_s64((int64_t)(n))))
#define V_SRV64(a, n)    OF64_(vshlq_u64(V64_(a), vdupq_n_s64(-(int64_t)(n))))
#define V_SUB64(a, b)    OF64_(vsubq_u64(V64_(a), V64_(b)))
#define V_AES_LAST(a, b) vaeseq_u8(a, b)
#define V_CLMUL00(a, b)  vreinterpretq_u8_p128(vmull_p64(vgetq_lane_p64(VP_(a), 0), vgetq_lane_p64(VP_(b), 0)))
#define V_CLMUL01(a, b)  V_CLMUL11(V_SWAP64(a), b)
#define V_CLMUL10(a, b)  V_CLMUL00(V_SWAP64(a), b)
#define V_CLMUL11(a, b)  vreinterpretq_u8_p128(vmull_high_p64(VP_(a), VP_(b)))
#endif

#endif
