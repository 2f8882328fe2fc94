#if defined(__x86_64__)
// The 32 rounds of SM4 with GFNI for the tier "gfni", on four chains or two of eight blocks in ymm
// registers. sm4_words_gfni512.S and sm4_bytes_gfni512.S have those of "gfni512".
//
// The algorithm of sm4_lanes.h and sm4_sbox_gfni.h. Compilers store and load the words in the
// middle of the dependency chain or, if chains are unrolled, spill them: 1.2 to 1.4 times the time.
// Here a round's input t stays in a register from one round to the next.
//
// One round of a chain: with w = FIRST + (LAST one place up), w0 becomes w0 + w + (w one up) + (w
// two up), and t the next round's input. Chain after chain or interleaved, these instructions take
// the same time on Zen 4.
#define TY_ASM_VECTORS
#include "base/asm_x86_64.h"
#include "mod/f8_sm4.inc"

        TY_RODATA
        .balign 32
up:     .rept   2
        .byte   1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12
        .endr
up2:    .rept   2
        .byte   2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13
        .endr
first:  .rept   4
        .quad   TY_F8_SM4_GFNI_FIRST
        .endr
last:   .rept   4
        .quad   TY_F8_SM4_GFNI_LAST
        .endr

        .altmacro                                       // %(expression) as an argument is a number

// Eight iterations of four rounds. row: bytes of a round's keys. A round prepares the next one's
// input, so it uses the key after its own. After the last key there is none, and any will do: that
// input is not used.
        .macro TURNS round, n, own, row
        lea     rax, [rsi + 28*\row]                    // the last four rounds' keys
1:      \round  \n, \own, 0, rsi + \row
        \round  \n, \own, 1, rsi + 2*\row
        \round  \n, \own, 2, rsi + 3*\row
        lea     rdx, [rsi + 4*\row]
        cmp     rsi, rax
        cmove   rdx, rsi
        \round  \n, \own, 3, rdx
        add     rsi, 4*\row
        cmp     rsi, rax
        jbe     1b
        .endm

// The words stay in memory.
//   bound         twelve instructions for a round of a chain, four a cycle: 3 cycles. Measured on
//                 Zen 4: 4.4 for each of four, and 4.1 without memory operands
        .macro WORD256 i, c, n                          // t += word i of chain c
        vpxor   ymm\c, ymm\c, [rdi + 32*(\n*\i + \c)]
        .endm

        .macro STEP256 n, own, i, c, l, f, key
        vgf2p8affineinvqb ymm\l, ymm\c, ymm12, TY_F8_SM4_GFNI_LAST_ADD
        vgf2p8affineinvqb ymm\f, ymm\c, ymm13, TY_F8_SM4_GFNI_FIRST_ADD
        .if \own
        vmovdqa ymm\c, [\key + 32*\c]
        WORD256 %((\i + 2) % 4), \c, \n
        .else
        vpxor   ymm\c, ymm11, [rdi + 32*(\n*((\i + 2) % 4) + \c)]
        .endif
        WORD256 %((\i + 3) % 4), \c, \n
        vpshufb ymm\l, ymm\l, ymm14
        vpxor   ymm\l, ymm\l, ymm\f                     // w
        vpshufb ymm\f, ymm\l, ymm14
        vpxor   ymm\f, ymm\f, [rdi + 32*(\n*\i + \c)]
        vpxor   ymm\f, ymm\f, ymm\l
        vpshufb ymm\l, ymm\l, ymm15
        vpxor   ymm\l, ymm\l, ymm\f
        vmovdqa [rdi + 32*(\n*\i + \c)], ymm\l
        vpxor   ymm\c, ymm\c, ymm\l
        .endm

// A round of four blocks beside the chains, in xmm, unless r8 is NULL: their words are at r8, t in
// 10
        .macro BESIDE256 w0, w2, w3
        test    r8, r8
        jz      9f
        vgf2p8affineinvqb xmm4, xmm10, xmm12, TY_F8_SM4_GFNI_LAST_ADD
        vgf2p8affineinvqb xmm8, xmm10, xmm13, TY_F8_SM4_GFNI_FIRST_ADD
        vpxor   xmm10, xmm11, [r8 + \w2]
        vpxor   xmm10, xmm10, [r8 + \w3]
        vpshufb xmm4, xmm4, xmm14
        vpxor   xmm4, xmm4, xmm8                        // w
        vpshufb xmm8, xmm4, xmm14
        vpxor   xmm8, xmm8, [r8 + \w0]
        vpxor   xmm8, xmm8, xmm4
        vpshufb xmm4, xmm4, xmm15
        vpxor   xmm4, xmm4, xmm8
        vmovdqa [r8 + \w0], xmm4
        vpxor   xmm10, xmm10, xmm4
9:
        .endm

        .macro ROUND256 n, own, i, key
        .if \own == 0
        vpbroadcastd ymm11, [\key]
        .endif
        .set    c, 0
        .rept   \n
        STEP256 \n, \own, \i, %(c), %(4 + c), %(8 + c % 2), \key
        .set    c, c + 1
        .endr
        .if \n == 4 && \own == 0
        BESIDE256 %(16*\i), %(16*((\i + 2) % 4)), %(16*((\i + 3) % 4))
        .endif
        .endm

        .macro INPUT256 n, own, c
        .if \own
        vmovdqa ymm\c, [rsi + 32*\c]
        .else
        vpbroadcastd ymm\c, [rsi]
        .endif
        WORD256 1, \c, \n
        WORD256 2, \c, \n
        WORD256 3, \c, \n
        .endm

        .macro ROUNDS256 n, own, row
        vmovdqa ymm12, [rip + last]
        vmovdqa ymm13, [rip + first]
        vmovdqa ymm14, [rip + up]
        vmovdqa ymm15, [rip + up2]
        .set    c, 0
        .rept   \n
        INPUT256 \n, \own, %(c)
        .set    c, c + 1
        .endr
        .if \n == 4 && \own == 0
        vpbroadcastd ymm11, [rsi]
        mov     r8, rdx
        test    r8, r8
        jz      9f
        vpxor   xmm10, xmm11, [r8 + 16]
        vpxor   xmm10, xmm10, [r8 + 32]
        vpxor   xmm10, xmm10, [r8 + 48]
9:
        .endif
        TURNS   ROUND256, \n, \own, \row
        ret
        .endm

//   rdi = x       n chains, in AES form: word i of chain c is vector n i + c of x, which is
//                 aligned; the rounds overwrite it
//   rsi = rk      32 round keys, in AES form; "own": 32 x 32 of them, the key of round r and
//                 block i at rk + 128 r + 4 i, aligned as x
//   rdx = beside  of rounds4 with one key for all: NULL, or a chain of four more blocks, word i at
//                 beside + 16 i, aligned. It takes a third of the time that it would take alone
//   time          constant
        .text
TY_FUNC ty_sm4_rounds4_gfni
        ROUNDS256 4, 0, 4
TY_END  ty_sm4_rounds4_gfni

TY_FUNC ty_sm4_rounds2_gfni
        ROUNDS256 2, 0, 4
TY_END  ty_sm4_rounds2_gfni

TY_FUNC ty_sm4_rounds4_own_gfni
        ROUNDS256 4, 1, 128
TY_END  ty_sm4_rounds4_own_gfni

TY_FUNC ty_sm4_rounds2_own_gfni
        ROUNDS256 2, 1, 128
TY_END  ty_sm4_rounds2_own_gfni
        .noaltmacro
#endif
#include "base/asm_notes.h"
