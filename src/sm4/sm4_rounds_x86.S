#if defined(__x86_64__)
// The 32 rounds of SM4 on two and on four chains of eight blocks, for the tiers "vaes" and "avx2".
//
//   rdi = x       the chains, hatted: word i of chain c at x + 32 (chains i + c); 32-byte aligned; rounds replace it
//   rsi = rk      32 round keys, hatted
//   time          constant
//
// The text of sm4_lanes.inc and sm4_sbox_aesni.inc in another order: compilers move the running words through the stack
// in the middle of the chain of latencies, which costs 1.2 to 1.4 times the time. Two chains go in step; where there are
// four, one pair fills the gaps of the other.
//
// Bound, per round of one chain: 2 XOR for the next input, AESENCLAST, a shift, 2 AND, 4 lookups, 2 XOR, a shuffle, XOR,
// 3 shuffles, 4 XOR = 21 instructions. With four vector ports 5.25 cycles, 1.31 cycles per byte; 9 of them want one of two
// shuffle ports. Measured on Zen 3: 7.3 cycles, and 6.9 when rounds do not wait for each other, in any order of
// the instructions.
#include "base/asm_x86_64.h"
#include "mod/f8_sm4.inc"

#define T0      ymm0
#define T1      ymm1
#define KEY     ymm10
#define NIBBLE  ymm11
#define LASTLO  ymm12
#define LASTHI  ymm13
#define FIRSTLO ymm14
#define FIRSTHI ymm15

        .section .rodata
        .balign 32
        .macro TWICE bytes:vararg
        .byte   \bytes
        .byte   \bytes
        .endm
nibble: .fill   32, 1, 15
zero:   .fill   32, 1, 0
lastlo: TWICE   TY_F8_SM4_LAST_LO
lasthi: TWICE   TY_F8_SM4_LAST_HI
firstlo: TWICE  TY_F8_SM4_FIRST_LO
firsthi: TWICE  TY_F8_SM4_FIRST_HI
                                        // the byte moves of sm4_sbox_aesni.inc
shifted_up:  TWICE 13, 14, 15, 12, 1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8
unshift:     TWICE 0, 13, 10, 7, 4, 1, 14, 11, 8, 5, 2, 15, 12, 9, 6, 3
unshift_up:  TWICE 13, 10, 7, 0, 1, 14, 11, 4, 5, 2, 15, 8, 9, 6, 3, 12
unshift_up2: TWICE 10, 7, 0, 13, 14, 11, 4, 1, 2, 15, 8, 5, 6, 3, 12, 9

// AESENCLAST of two chains: at once, or by halves
        .macro INVERT_vaes a, b
        vaesenclast y\a, y\a, [rip + zero]
        vaesenclast y\b, y\b, [rip + zero]
        .endm
        .macro INVERT_avx2 a, b
        vextracti128 xmm4, y\a, 1
        vextracti128 xmm5, y\b, 1
        vaesenclast x\a, x\a, [rip + zero]
        vaesenclast x\b, x\b, [rip + zero]
        vaesenclast xmm4, xmm4, [rip + zero]
        vaesenclast xmm5, xmm5, [rip + zero]
        vinserti128 y\a, y\a, xmm4, 1
        vinserti128 y\b, y\b, xmm5, 1
        .endm

// One round of chains c and c + 1 of n: word w0 becomes w0 + L(S(t)), and t becomes the next round's input
        .macro ROUND tier, n, w0, w2, w3, c, a, b
        INVERT_\tier \a, \b
        vpsrlw  ymm4, y\a, 4
        vpsrlw  ymm5, y\b, 4
        vpand   y\a, y\a, NIBBLE
        vpand   y\b, y\b, NIBBLE
        vpand   ymm4, ymm4, NIBBLE
        vpand   ymm5, ymm5, NIBBLE
        vpshufb ymm6, LASTLO, y\a
        vpshufb ymm7, LASTLO, y\b
        vpshufb ymm8, LASTHI, ymm4
        vpshufb ymm9, LASTHI, ymm5
        vpshufb y\a, FIRSTLO, y\a
        vpshufb y\b, FIRSTLO, y\b
        vpshufb ymm4, FIRSTHI, ymm4
        vpshufb ymm5, FIRSTHI, ymm5
        vpxor   ymm6, ymm6, ymm8                        // LAST
        vpxor   ymm7, ymm7, ymm9
        vpxor   y\a, y\a, ymm4                          // FIRST
        vpxor   y\b, y\b, ymm5
        vpshufb ymm6, ymm6, [rip + shifted_up]
        vpshufb ymm7, ymm7, [rip + shifted_up]
        vpxor   ymm8, KEY, [rdi + 32*(\n*\w2 + \c)]     // what the next input has waited for
        vpxor   ymm9, KEY, [rdi + 32*(\n*\w2 + \c + 1)]
        vpxor   ymm8, ymm8, [rdi + 32*(\n*\w3 + \c)]
        vpxor   ymm9, ymm9, [rdi + 32*(\n*\w3 + \c + 1)]
        vpxor   ymm6, ymm6, y\a                         // w
        vpxor   ymm7, ymm7, y\b
        vpshufb y\a, ymm6, [rip + unshift]
        vpshufb y\b, ymm7, [rip + unshift]
        vpshufb ymm4, ymm6, [rip + unshift_up]
        vpshufb ymm5, ymm7, [rip + unshift_up]
        vpshufb ymm6, ymm6, [rip + unshift_up2]
        vpshufb ymm7, ymm7, [rip + unshift_up2]
        vpxor   y\a, y\a, [rdi + 32*(\n*\w0 + \c)]
        vpxor   y\b, y\b, [rdi + 32*(\n*\w0 + \c + 1)]
        vpxor   ymm4, ymm4, ymm6
        vpxor   ymm5, ymm5, ymm7
        vpxor   y\a, y\a, ymm4
        vpxor   y\b, y\b, ymm5
        vmovdqa [rdi + 32*(\n*\w0 + \c)], y\a
        vmovdqa [rdi + 32*(\n*\w0 + \c + 1)], y\b
        vpxor   y\a, y\a, ymm8
        vpxor   y\b, y\b, ymm9
        .endm

        .macro CHAINS tier, n, w0, w2, w3
        ROUND   \tier, \n, \w0, \w2, \w3, 0, mm0, mm1
        .if \n == 4
        ROUND   \tier, \n, \w0, \w2, \w3, 2, mm2, mm3
        .endif
        .endm

        .macro INPUT t, n, c                            // of the first round
        vpxor   \t, KEY, [rdi + 32*(\n + \c)]
        vpxor   \t, \t, [rdi + 32*(2*\n + \c)]
        vpxor   \t, \t, [rdi + 32*(3*\n + \c)]
        .endm

        .macro ROUNDS tier, n
        vpbroadcastd KEY, [rsi]
        vmovdqa NIBBLE, [rip + nibble]
        vmovdqa LASTLO, [rip + lastlo]
        vmovdqa LASTHI, [rip + lasthi]
        vmovdqa FIRSTLO, [rip + firstlo]
        vmovdqa FIRSTHI, [rip + firsthi]
        INPUT   ymm0, \n, 0
        INPUT   ymm1, \n, 1
        .if \n == 4
        INPUT   ymm2, \n, 2
        INPUT   ymm3, \n, 3
        .endif
        lea     rax, [rsi + 4*28]                       // the last four rounds' keys
1:      vpbroadcastd KEY, [rsi + 4]
        CHAINS  \tier, \n, 0, 2, 3
        vpbroadcastd KEY, [rsi + 8]
        CHAINS  \tier, \n, 1, 3, 0
        vpbroadcastd KEY, [rsi + 12]
        CHAINS  \tier, \n, 2, 0, 1
        cmp     rsi, rax
        je      2f                                      // there is no round behind the last one
        vpbroadcastd KEY, [rsi + 16]
2:      CHAINS  \tier, \n, 3, 1, 2
        add     rsi, 16
        cmp     rsi, rax
        jbe     1b
        ret
        .endm

        .text
TY_FUNC ty_sm4_rounds4_vaes
        ROUNDS  vaes, 4
TY_END  ty_sm4_rounds4_vaes

TY_FUNC ty_sm4_rounds2_vaes
        ROUNDS  vaes, 2
TY_END  ty_sm4_rounds2_vaes

TY_FUNC ty_sm4_rounds4_avx2
        ROUNDS  avx2, 4
TY_END  ty_sm4_rounds4_avx2

TY_FUNC ty_sm4_rounds2_avx2
        ROUNDS  avx2, 2
TY_END  ty_sm4_rounds2_avx2
#endif
        .section .note.GNU-stack,"",%progbits
