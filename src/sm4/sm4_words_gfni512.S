#if defined(__x86_64__)
// Up to 32 blocks of SM4 with GFNI, words in lanes, for the tier "gfni512": four in xmm registers,
// eight in ymm, sixteen in zmm, or two chains of sixteen. With one key, blocks are read and written
// through masks: nothing is copied, and nothing is left on the stack.
//
// So few blocks wait for the latency of 32 rounds. On Intel's cores GFNI takes three cycles, and an
// instruction of another kind that reads its result takes two more, however much later it runs
// (measured on Granite Rapids; AESENCLAST is the same). So the results of GFNI are read once, side
// by side, and MIDDLE = FIRST + LAST is computed directly. With w0 the word that is replaced:
//
//   w0 + FIRST; MIDDLE one and two places up; LAST three places up;  then the sum of these, and
//   that + the words and the key that were known before
//
//   bound     GFNI 3, its readers 3, 2 sums: 8 core cycles for a round; 10 in zmm, where one GFNI
//             and one shuffle start in a cycle. Measured on Granite Rapids: 9 and 9.5, and 12.5 for
//             two chains; with FIRST and LAST only, as in sm4_rounds_gfni.S, 13 and 17
#define TY_ASM_VECTORS
#include "base/asm_x86_64.h"
#include "mod/f8_sm4.inc"

        TY_RODATA
        .balign 64
numbers:                                                // of the blocks, in their last words
        .set    k, 0
        .rept   32
        .long   0, 0, 0, k
        .set    k, k + 1
        .endr
words:                                                  // byte i of row b is byte b of word i
        .set    k, 0
        .rept   16
        .byte   k, 16 + k, 32 + k, 48 + k
        .set    k, k + 1
        .endr
up2:    .byte   2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13
up3:    .byte   3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14
swap32: .byte   3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12
matrices:
        .quad   TY_F8_SM4_GFNI_LAST, TY_F8_SM4_GFNI_FIRST, TY_F8_SM4_GFNI_MIDDLE
        .quad   TY_F8_SM4_GFNI_TO, TY_F8_SM4_GFNI_FROM

        .altmacro                                       // %(expression) as an argument is a number

// --- Rounds --------------------------------------------------------------------------------------
// v: x, y or z, the vectors' width. Chain c has its words in registers 10 c to 10 c + 3, a round's
// input alternately in 10 c + 4 and + 5, and three scratch registers after them. 26 is a matrix, 27
// to 31 are constants.
        .macro GF v, d, s, matrix, add
        vgf2p8affineinvqb \v\()mm\d, \v\()mm\s, \v\()mm\matrix, \add
        .endm
// own: 0 one key for all; 1 a key for every block; 2 a key for every word, the same in all chains,
// with its bytes in four rows of sixteen
        .set    own, 0
        .macro KEY v, d, at
        .if own == 0
        vpbroadcastd \v\()mm\d, [\at]
        .elseif own == 1
        vmovdqa64 \v\()mm\d, [\at + 64*c]
        .else
        vpermb  \v\()mm\d, \v\()mm26, [\at]
        .endif
        .endm
        .macro ROR8 v, d, s
        vprord  \v\()mm\d, \v\()mm\s, 8
        .endm
        .macro SHUF v, d, places
        vpshufb \v\()mm\d, \v\()mm\d, \v\()mm\places
        .endm
        .macro ADD1 v, d, s
        vpxord  \v\()mm\d, \v\()mm\d, \v\()mm\s
        .endm
        .macro ADD2 v, d, s, t
        vpternlogd \v\()mm\d, \v\()mm\s, \v\()mm\t, 0x96
        .endm

// The same instruction for each of n chains; registers are those of chain 0
        .macro ALLGF n, v, d, s, matrix, add
        .set    c, 0
        .rept   \n
        GF      \v, %(10*c + \d), %(10*c + \s), \matrix, \add
        .set    c, c + 1
        .endr
        .endm
        .macro ALL2 n, v, op, d, s
        .set    c, 0
        .rept   \n
        \op     \v, %(10*c + \d), %(10*c + \s)
        .set    c, c + 1
        .endr
        .endm
        .macro ALL1 n, v, op, d, more
        .set    c, 0
        .rept   \n
        \op     \v, %(10*c + \d), \more
        .set    c, c + 1
        .endr
        .endm
        .macro ALL3 n, v, op, d, s, t
        .set    c, 0
        .rept   \n
        \op     \v, %(10*c + \d), %(10*c + \s), %(10*c + \t)
        .set    c, c + 1
        .endr
        .endm

        .macro ROUND n, v, i, t, u, key
        ALLGF   \n, \v, 8, \t, 28, TY_F8_SM4_GFNI_LAST_ADD
        ALLGF   \n, \v, 6, \t, 30, TY_F8_SM4_GFNI_MIDDLE_ADD
        ALL1    \n, \v, KEY, \u, \key
        ALLGF   \n, \v, 7, \t, 29, TY_F8_SM4_GFNI_FIRST_ADD
        ALL3    \n, \v, ADD2, \u, %((\i + 2) % 4), %((\i + 3) % 4)
        ALL2    \n, \v, ROR8, \t, 6
        ALL1    \n, \v, SHUF, 6, 27
        ALL1    \n, \v, SHUF, 8, 31
        ALL3    \n, \v, ADD2, 8, \t, 6
        ALL2    \n, \v, ADD1, \i, 7
        ALL3    \n, \v, ADD2, \u, \i, 8
        ALL2    \n, \v, ADD1, \i, 8
        .endm

// r8 = the round keys, `row` bytes for each round. A round prepares the next one's input, so it
// uses the key after its own; after the last key any will do, as that input is not used.
        .macro ROUNDS n, v, row
        vpbroadcastq \v\()mm28, [rip + matrices]
        vpbroadcastq \v\()mm29, [rip + matrices + 8]
        vpbroadcastq \v\()mm30, [rip + matrices + 16]
        .ifc    \v, x
        vmovdqa64 xmm27, [rip + up2]
        vmovdqa64 xmm31, [rip + up3]
        .else
        vbroadcasti32x4 \v\()mm27, [rip + up2]
        vbroadcasti32x4 \v\()mm31, [rip + up3]
        .endif
        ALL1    \n, \v, KEY, 4, r8
        ALL2    \n, \v, ADD1, 4, 1
        ALL3    \n, \v, ADD2, 4, 2, 3
        lea     rax, [r8 + 28*\row]                     // the last four rounds' keys
        .balign 32
1:      ROUND   \n, \v, 0, 4, 5, r8 + \row
        ROUND   \n, \v, 1, 5, 4, r8 + 2*\row
        ROUND   \n, \v, 2, 4, 5, r8 + 3*\row
        lea     r10, [r8 + 4*\row]
        cmp     r8, rax
        cmove   r10, r8
        ROUND   \n, \v, 3, 5, 4, r10
        add     r8, 4*\row
        cmp     r8, rax
        jbe     1b
        .endm

// The rounds alone, for the functions below: words in registers, r8 as there
        .text
TY_FUNC_SYSV ty_sm4_chain8_gfni512
        ROUNDS  1, y, 4
        ret
TY_END  ty_sm4_chain8_gfni512

TY_FUNC_SYSV ty_sm4_chain16_gfni512
        ROUNDS  1, z, 4
        ret
TY_END  ty_sm4_chain16_gfni512

TY_FUNC_SYSV ty_sm4_chain32_gfni512
        ROUNDS  2, z, 4
        ret
TY_END  ty_sm4_chain32_gfni512

// --- Blocks --------------------------------------------------------------------------------------
// Word i of every four blocks <-> the blocks, in every 128-bit part. d: the chain's first register;
// s0 to s3: where the words are
        .macro TURN4 v, d, s0, s1, s2, s3
        vpunpckldq \v\()mm22, \v\()mm\s0, \v\()mm\s1
        vpunpckhdq \v\()mm23, \v\()mm\s0, \v\()mm\s1
        vpunpckldq \v\()mm24, \v\()mm\s2, \v\()mm\s3
        vpunpckhdq \v\()mm25, \v\()mm\s2, \v\()mm\s3
        TURN2   \v, %(\d), %(\d + 1), %(\d + 2), %(\d + 3)
        .endm
        .macro TURN2 v, d0, d1, d2, d3
        vpunpcklqdq \v\()mm\d0, \v\()mm22, \v\()mm24
        vpunpckhqdq \v\()mm\d1, \v\()mm22, \v\()mm24
        vpunpcklqdq \v\()mm\d2, \v\()mm23, \v\()mm25
        vpunpckhqdq \v\()mm\d3, \v\()mm23, \v\()mm25
        .endm

        .macro AFFINE v, d, add
        vgf2p8affineqb \v\()mm\d, \v\()mm\d, \v\()mm26, \add
        .endm
// d = the vector at from + at, as far as there are blocks. Vectors have masks 1 to 4; with two
// chains, those of the first have none
        .macro LOAD v, d, mask, from, at
        .if \mask
        vmovdqu64 \v\()mm\d{k\mask}{z}, [\from + \at]
        .else
        vmovdqu64 \v\()mm\d, [\from + \at]
        .endif
        .endm
        .macro STORE v, d, mask, to, at
        .if \mask
        vmovdqu64 [\to + \at]{k\mask}, \v\()mm\d
        .else
        vmovdqu64 [\to + \at], \v\()mm\d
        .endif
        .endm
// The same of the blocks before those at rsi: the first one is at rdx
        .macro BEFORE v, d, mask, at
        .if \at == 0
        .if \mask
        kmovd   eax, k\mask
        .else
        mov     eax, 0xff
        .endif
        and     eax, 0xfc
        kmovd   k5, eax
        vmovdqu64 \v\()mm\d{k5}{z}, [rsi - 16]
        vmovdqu64 xmm22, [rdx]
        ADD1     \v, \d, 22
        .else
        LOAD    \v, \d, \mask, rsi, %(\at - 16)
        .endif
        .endm
// d = counter blocks, from number \at/16 on: 24 is the first one, with its words in bytes swapped
        .macro COUNT v, d, at
        vpaddd  \v\()mm\d, \v\()mm24, [rip + numbers + \at]
        vpshufb \v\()mm\d, \v\()mm\d, \v\()mm25
        .endm

// how: 0 ECB, 1 CTR, 2 CBC decryption, 3 CFB decryption. bytes: of a vector
        .macro ENTER1 how, v, d, mask, at
        .if \how == 1
        COUNT   \v, \d, \at
        .elseif \how == 3
        BEFORE  \v, \d, \mask, \at
        .else
        LOAD    \v, \d, \mask, rsi, \at
        .endif
        AFFINE  \v, \d, TY_F8_SM4_GFNI_TO_ADD
        .endm
        .macro LEAVE1 how, v, d, mask, at
        AFFINE  \v, \d, TY_F8_SM4_GFNI_FROM_ADD
        .if \how == 1
        LOAD    \v, 21, \mask, rdx, \at
        .elseif \how == 2
        BEFORE  \v, 21, \mask, \at
        .elseif \how == 3
        LOAD    \v, 21, \mask, rsi, \at
        .endif
        .if \how
        ADD1     \v, \d, 21
        .endif
        .endm

        .macro EACH n, op, how, v, bytes
        .set    c, 0
        .rept   \n
        .set    i, 0
        .rept   4
        .if c == \n - 1
        \op     \how, \v, %(10*c + i), %(i + 1), %(\bytes*(4*c + i))
        .else
        \op     \how, \v, %(10*c + i), 0, %(\bytes*(4*c + i))
        .endif
        .set    i, i + 1
        .endr
        .set    c, c + 1
        .endr
        .endm
        .macro PUT1 how, v, d, mask, at
        STORE   \v, \d, \mask, rdi, \at
        .endm

        .macro TURNS n, v, reverse
        .set    c, 0
        .rept   \n
        .if \reverse
        TURN4   \v, %(10*c), %(10*c + 3), %(10*c + 2), %(10*c + 1), %(10*c)
        .else
        TURN4   \v, %(10*c), %(10*c), %(10*c + 1), %(10*c + 2), %(10*c + 3)
        .endif
        .set    c, c + 1
        .endr
        .endm

// rax: two bits for each block, those of the last chain lowest; words: of 64 bits, of a vector
        .macro MASKS words
        kmovd   k1, eax
        shr     eax, \words
        kmovd   k2, eax
        shr     eax, \words
        kmovd   k3, eax
        shr     eax, \words
        kmovd   k4, eax
        .endm

        .macro SOME how, n, v, bytes, rounds
        MASKS   %(\bytes/8)
        vpbroadcastq \v\()mm26, [rip + matrices + 24]
        .if \how == 1
        vbroadcasti32x4 \v\()mm25, [rip + swap32]
        vbroadcasti32x4 \v\()mm24, [rsi]
        vpbroadcastd \v\()mm23, r9d
        mov     eax, 0x8888
        kmovd   k5, eax
        vpshufb \v\()mm24, \v\()mm24, \v\()mm25
        vmovdqa32 \v\()mm24{k5}, \v\()mm23
        .endif
        EACH    \n, ENTER1, \how, \v, \bytes
        TURNS   \n, \v, 0
        call    \rounds
        TURNS   \n, \v, 1
        vpbroadcastq \v\()mm26, [rip + matrices + 32]
        EACH    \n, LEAVE1, \how, \v, \bytes
        EACH    \n, PUT1, \how, \v, \bytes
        vzeroupper
        ret
        .endm

        .macro ANY how
        lea     ecx, [2*rcx]
        mov     rax, -1
        bzhi    rax, rax, rcx
        cmp     ecx, 16
        ja      1f
        SOME    \how, 1, y, 32, TY_GLOBAL(ty_sm4_chain8_gfni512)
1:      cmp     ecx, 32
        ja      2f
        SOME    \how, 1, z, 64, TY_GLOBAL(ty_sm4_chain16_gfni512)
2:      shr     rax, 32
        SOME    \how, 2, z, 64, TY_GLOBAL(ty_sm4_chain32_gfni512)
        .endm

//   rdi = out     the blocks, the same as in or disjoint from it
//   rsi = in      of ctr32: the counter block, whose last four bytes are not used
//   rdx = iv      of cbc and cfb: the block before the first one. Of ctr32: the blocks that are
//                 added, the same as out or disjoint from it
//   rcx = blocks  1 to 32
//   r8  = rk      32 round keys, in AES form
//   r9d = n       of ctr32: the first counter. It wraps
//   time          depends on the number of blocks
TY_FUNC ty_sm4_short_gfni512
        ANY     0
TY_END  ty_sm4_short_gfni512

TY_FUNC ty_sm4_short_ctr32_gfni512
        ANY     1
TY_END  ty_sm4_short_ctr32_gfni512

TY_FUNC ty_sm4_short_cbc_gfni512
        ANY     2
TY_END  ty_sm4_short_cbc_gfni512

TY_FUNC ty_sm4_short_cfb_gfni512
        ANY     3
TY_END  ty_sm4_short_cfb_gfni512

//   xmm0          a block in AES form; it becomes E of it, in AES form
//   rdi = rk      as above
//   time          constant
TY_FUNC_SYSV ty_sm4_one_gfni512
        vpshufd xmm1, xmm0, 0x55
        vpshufd xmm2, xmm0, 0xaa
        vpshufd xmm3, xmm0, 0xff
        mov     r8, rdi
        ROUNDS  1, x, 4
        vpunpckldq xmm2, xmm3, xmm2
        vpunpckldq xmm0, xmm1, xmm0
        vpunpcklqdq xmm0, xmm2, xmm0
        ret
TY_END  ty_sm4_one_gfni512

// --- Keys of their own
        .macro WORDS n, v, bytes, op
        .set    i, 0
        .rept   4
        .set    c, 0
        .rept   \n
        \op     \v, %(10*c + i), %(\bytes*(\n*i + c))
        .set    c, c + 1
        .endr
        .set    i, i + 1
        .endr
        .endm
        .macro GET v, word, at
        vmovdqa64 \v\()mm\word, [rdi + \at]
        .endm
        .macro PUT v, word, at
        vmovdqa64 [rdi + \at], \v\()mm\word
        .endm
        .macro CHAINS n, v, bytes, keys, row
        .set    own, \keys
        .if own == 2
        vmovdqa64 zmm26, [rip + words]
        .endif
        mov     r8, rsi
        WORDS   \n, \v, \bytes, GET
        ROUNDS  \n, \v, \row
        WORDS   \n, \v, \bytes, PUT
        ret
        .endm

//   rdi = x       n chains, in AES form: word i of chain c is vector n i + c of x, which is
//                 aligned; the rounds overwrite it. Of small: vectors of 128 bits, else of 512
//   rsi = rk      32 x 32 round keys, in AES form: that of round r and block i at rk + 128 r + 4 i;
//                 of grid, 32 x 16: byte b of that of round r and word i at rk + 64 r + 16 b + i.
//                 Aligned as x
//   time          constant
TY_FUNC ty_sm4_small_own_gfni512
        CHAINS  1, x, 16, 1, 128
TY_END  ty_sm4_small_own_gfni512

TY_FUNC ty_sm4_rounds1_own_gfni512
        CHAINS  1, z, 64, 1, 128
TY_END  ty_sm4_rounds1_own_gfni512

TY_FUNC ty_sm4_rounds2_own_gfni512
        CHAINS  2, z, 64, 1, 128
TY_END  ty_sm4_rounds2_own_gfni512

TY_FUNC ty_sm4_rounds1_grid_gfni512
        CHAINS  1, z, 64, 2, 64
TY_END  ty_sm4_rounds1_grid_gfni512

TY_FUNC ty_sm4_rounds2_grid_gfni512
        CHAINS  2, z, 64, 2, 64
TY_END  ty_sm4_rounds2_grid_gfni512
        .noaltmacro
#endif
#include "base/asm_notes.h"
