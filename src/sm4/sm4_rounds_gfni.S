#if defined(__x86_64__)
// The 32 rounds of SM4 with GFNI, on four chains, two or one: of sixteen blocks in zmm for the tier
// "gfni512", of eight in ymm for "gfni". sm4_bytes_gfni512.S has those of 64 blocks with one key.
//
// The algorithm of sm4_lanes.h and sm4_sbox_gfni.h. Compilers store and load the words in the
// middle of the dependency chain or, if chains are unrolled, spill them: 1.2 to 1.4 times the time.
// Here a round's input t stays in a register from one round to the next, and with 32 registers so
// do the words: only keys are loaded.
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

// --- AVX-512 -------------------------------------------------------------------------------------
// Word i of chain c is in register 4 i + c, t in 16 + c, a key for all in 27, tables in 28 to 31.
//   bound         ten instructions for a round of a chain, two of 512 bits a cycle: 5 cycles.
//                 Measured on Zen 4: 6.2 for each of four, with what is around them. The latency is
//                 10
        .macro STEP512 t, w0, w2, w3, l, f, key
        vgf2p8affineinvqb zmm\l, zmm\t, zmm28, TY_F8_SM4_GFNI_LAST_ADD
        vgf2p8affineinvqb zmm\f, zmm\t, zmm29, TY_F8_SM4_GFNI_FIRST_ADD
        vpxord  zmm\t, zmm\w2, \key
        vpshufb zmm\l, zmm\l, zmm30
        vpternlogd zmm\w0, zmm\l, zmm\f, 0x96
        vpxord  zmm\l, zmm\l, zmm\f                     // w
        vpshufb zmm\f, zmm\l, zmm30
        vpshufb zmm\l, zmm\l, zmm31
        vpternlogd zmm\w0, zmm\l, zmm\f, 0x96
        vpternlogd zmm\t, zmm\w3, zmm\w0, 0x96
        .endm

// own: 0 one key for all, 1 a key for every block, 2 a key for every word, the same in all chains
        .macro ONE_KEY512 own, key
        .if \own == 0
        vpbroadcastd zmm27, [\key]
        .elseif \own == 2
        vmovdqa64 zmm27, [\key]
        .endif
        .endm

        .macro ROUND512 n, own, i, key
        ONE_KEY512 \own, \key
        .set    c, 0
        .rept   \n
        .if \own == 1
        STEP512 %(16 + c), %(4*\i + c), %(4*((\i + 2) % 4) + c), %(4*((\i + 3) % 4) + c), \
                %(20 + c), %(24 + c % 2), [\key + 64*c]
        .else
        STEP512 %(16 + c), %(4*\i + c), %(4*((\i + 2) % 4) + c), %(4*((\i + 3) % 4) + c), \
                %(20 + c), %(24 + c % 2), zmm27
        .endif
        .set    c, c + 1
        .endr
        .endm

        .macro LOAD512 word, at
        vmovdqa64 zmm\word, [\at]
        .endm
        .macro STORE512 word, at
        vmovdqa64 [\at], zmm\word
        .endm
        .macro WORDS512 move, n
        .set    i, 0
        .rept   4
        .set    c, 0
        .rept   \n
        \move   %(4*i + c), rdi + 64*(\n*i + c)
        .set    c, c + 1
        .endr
        .set    i, i + 1
        .endr
        .endm

        .macro INPUT512 t, w1, w2, w3, key
        vpxord  zmm\t, zmm\w1, \key
        vpternlogd zmm\t, zmm\w2, zmm\w3, 0x96
        .endm

        .macro ROUNDS512 n, own, row
        vpbroadcastq zmm28, [rip + last]
        vpbroadcastq zmm29, [rip + first]
        vbroadcasti32x4 zmm30, [rip + up]
        vbroadcasti32x4 zmm31, [rip + up2]
        ONE_KEY512 \own, rsi
        WORDS512 LOAD512, \n
        .set    c, 0
        .rept   \n
        .if \own == 1
        INPUT512 %(16 + c), %(4 + c), %(8 + c), %(12 + c), [rsi + 64*c]
        .else
        INPUT512 %(16 + c), %(4 + c), %(8 + c), %(12 + c), zmm27
        .endif
        .set    c, c + 1
        .endr
        TURNS   ROUND512, \n, \own, \row
        WORDS512 STORE512, \n
        ret
        .endm

// --- AVX2 ----------------------------------------------------------------------------------------
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
TY_FUNC ty_sm4_rounds2_gfni512
        ROUNDS512 2, 0, 4
TY_END  ty_sm4_rounds2_gfni512

TY_FUNC ty_sm4_rounds2_own_gfni512
        ROUNDS512 2, 1, 128
TY_END  ty_sm4_rounds2_own_gfni512

// The same, where all chains have the same keys, one for each word: rk + 64 r + 4 i
TY_FUNC ty_sm4_rounds4_grid_gfni512
        ROUNDS512 4, 2, 64
TY_END  ty_sm4_rounds4_grid_gfni512

TY_FUNC ty_sm4_rounds2_grid_gfni512
        ROUNDS512 2, 2, 64
TY_END  ty_sm4_rounds2_grid_gfni512

TY_FUNC ty_sm4_rounds1_grid_gfni512
        ROUNDS512 1, 2, 64
TY_END  ty_sm4_rounds1_grid_gfni512

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
