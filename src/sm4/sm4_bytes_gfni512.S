#if defined(__x86_64__)
// 64 blocks of SM4 in zmm registers, byte by byte, for the tier "gfni512": register 4 i + b holds
// byte b of word i of all blocks. The byte moves of L then only rename registers, where words in
// lanes need three shuffles for each round of sixteen blocks.
//
// One round, for every b mod 4: w_b = FIRST_b + LAST_(b+1), then byte b of word 0 becomes itself +
// w_b + w_(b+1) + w_(b+2). The next input is that + bytes b of words 2 and 3 + the key's, summed
// beforehand. After the last round it is not used, so any key will do.
//
//   bound         28 instructions of 512 bits for a round of 64 blocks, two a cycle: 14 cycles; the
//                 latency from input to input is 8 instructions of one port, 3 cycles, and 3 sums:
//                 12. On Zen 4, which does 1.8 a cycle, 15.5; measured there: 19.7, where words in
//                 lanes take 24.8. On Granite Rapids 17, as the first sums take 3 cycles (see
//                 sm4_words_gfni512.S). Transposing 64 blocks takes 64 shuffles, 44 cycles, twice
//   layout        lane l of register k is block 4 k + l when loaded from memory; after the
//                 transposition block 4 p + l is at byte p of lane l
#define TY_ASM_VECTORS
#include "base/asm_x86_64.h"
#include "mod/f8_sm4.inc"

        TY_RODATA
        .balign 64
numbers:                                                // of the blocks, in that layout
        .set    l, 0
        .rept   4
        .set    p, 0
        .rept   16
        .byte   4*p + l
        .set    p, p + 1
        .endr
        .set    l, l + 1
        .endr
matrices:
        .quad   TY_F8_SM4_GFNI_LAST, TY_F8_SM4_GFNI_FIRST, TY_F8_SM4_GFNI_TO, TY_F8_SM4_GFNI_FROM
        .balign 16
up:     .byte   1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12
up2:    .byte   2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13

        .altmacro                                       // %(expression) as an argument is a number

// --- Rounds --------------------------------------------------------------------------------------
// Inputs are in 16 to 19 and in 20 to 23 alternately, LAST in 24 to 27; 28 and 29 are for the
// blocks at `beside`, 30 and 31 are the matrices.
        .macro GF_LAST l, t
        vgf2p8affineinvqb zmm\l, zmm\t, zmm30, TY_F8_SM4_GFNI_LAST_ADD
        .endm
        .macro GF_FIRST t
        vgf2p8affineinvqb zmm\t, zmm\t, zmm31, TY_F8_SM4_GFNI_FIRST_ADD
        .endm
        .macro ADD1 x, y
        vpxord  zmm\x, zmm\x, zmm\y
        .endm
        .macro ADD2 x, y, z
        vpternlogd zmm\x, zmm\y, zmm\z, 0x96
        .endm
        .macro SUM2 x, y, z
        vpxord  zmm\x, zmm\y, zmm\z
        .endm
// rows = 1: a byte of sixteen keys takes sixteen bytes, and r10 is where the keys of the next
// iteration are
        .macro SUM u, y, z, key
        .if rows == 0
        vpbroadcastd zmm\u, [r8 + \key]
        .elseif \key < 64
        vbroadcasti32x4 zmm\u, [r8 + 4*\key]
        .else
        vbroadcasti32x4 zmm\u, [r10 + 4*\key - 256]
        .endif
        ADD2    \u, \y, \z
        .endm

// The round of word i; p is the word of the round before. a to d are the four bytes, d the last one
// whose input is ready. Inputs are in t, and so is w afterwards; the next round's inputs are in u,
// where w of the round before is until then. Sums of two are shared; word i is replaced by
//     a + (w_a + w_b) + w_c,  b + w_b + (w_c + w_d),  c + w_a + (w_c + w_d),  d + (w_a + w_b) + w_d
// Four sums of each round are made in the next one, where they fill gaps: the inputs of its bytes c
// and d, and bytes a and b of p. The order was found by random exchanges, measured on Granite
// Rapids: 64 blocks take 0.95 of the time that they take with all w first, then all sums.
        .macro BYTES_OF i, p, t, u, key, a, b, c, d
        GF_LAST  %(24 + \b), %(\t + \b)
        ADD1    %(\t + \c), %(4*\p + \c)
        GF_LAST  %(24 + \a), %(\t + \a)
        GF_LAST  %(24 + \c), %(\t + \c)
        GF_FIRST %(\t + \b)
        ADD1    %(\t + \b), %(24 + \c)                 // w_b
        GF_FIRST %(\t + \a)
        ADD1    %(\t + \d), %(4*\p + \d)
        ADD1    %(4*\p + \a), %(\u + \a)
        SUM     %(\u + \a), %(4*((\i + 2) % 4) + \a), %(4*\p + \a), %(\key + 4*\a)
        GF_LAST  %(24 + \d), %(\t + \d)
        GF_FIRST %(\t + \c)
        GF_FIRST %(\t + \d)
        ADD1    %(\t + \a), %(24 + \b)                 // w_a
        ADD1    %(\t + \c), %(24 + \d)                 // w_c
        ADD1    %(\t + \d), %(24 + \a)                 // w_d
        ADD1    %(4*\p + \b), %(\u + \d)
        SUM     %(\u + \d), %(4*((\i + 2) % 4) + \d), %(4*\p + \d), %(\key + 4*\d)
        SUM2    %(24 + \b), %(\t + \a), %(\t + \b)
        ADD1    %(4*\i + \d), %(24 + \b)
        ADD1    %(4*\i + \a), %(24 + \b)
        SUM2    %(24 + \c), %(\t + \c), %(\t + \d)
        ADD2    %(\u + \a), %(4*\i + \a), %(\t + \c)
        ADD2    %(\u + \d), %(4*\i + \d), %(\t + \d)
        ADD2    %(4*\i + \c), %(\t + \a), %(24 + \c)
        SUM     %(\u + \c), %(4*((\i + 2) % 4) + \c), %(4*\p + \c), %(\key + 4*\c)
        SUM     %(\u + \b), %(4*((\i + 2) % 4) + \b), %(4*\p + \b), %(\key + 4*\b)
        ADD2    %(4*\i + \b), %(\t + \b), %(24 + \c)
        .endm
        .macro BYTES i, t, u, key
        BYTES_OF \i, %((\i + 3) % 4), \t, \u, \key, \
                %((4 - \i) % 4), %((5 - \i) % 4), %((6 - \i) % 4), %(3 - \i)
        .endm

// A round of the four blocks at `beside`, in words in xmm, unless r9 is NULL: the words are at r9,
// t in 28
        .macro BESIDE w0, w2, w3, key
        test    r9, r9
        jz      9f
        vgf2p8affineinvqb xmm29, xmm28, xmm30, TY_F8_SM4_GFNI_LAST_ADD
        vgf2p8affineinvqb xmm28, xmm28, xmm31, TY_F8_SM4_GFNI_FIRST_ADD
        vpshufb xmm29, xmm29, [rip + up]
        vpxord  xmm28, xmm28, xmm29                     // w
        vpshufb xmm29, xmm28, [rip + up]
        vpternlogd xmm29, xmm28, [r9 + \w0], 0x96
        vpshufb xmm28, xmm28, [rip + up2]
        vpxord  xmm29, xmm29, xmm28
        vmovdqa32 [r9 + \w0], xmm29
        vpbroadcastd xmm28, [r10 + \key]
        vpternlogd xmm28, xmm29, [r9 + \w2], 0x96
        vpxord  xmm28, xmm28, [r9 + \w3]
9:
        .endm

// Bytes of the keys at r8, 16 for each round, followed by the keys' words. r9 as above; kind: with
// BLOCKS_BESIDE, or WITHOUT, where r9 is not used; or WITH_ROWS, of sixteen messages with a key
// each, whose keys take 64 bytes for each round, with nothing after them
        .set    WITHOUT, 0
        .set    BLOCKS_BESIDE, 1
        .set    WITH_ROWS, 2
        .macro ROUNDS kind
        .set    beside, \kind % 2
        .set    rows, \kind / 2
        vpbroadcastq zmm30, [rip + matrices]
        vpbroadcastq zmm31, [rip + matrices + 8]
        .irp    b, 0, 1, 2, 3
        SUM     %(16 + \b), %(4 + \b), %(8 + \b), %(4*\b)
        .endr
        ADD1    16, 12
        ADD1    17, 13
        vpxord  xmm20, xmm20, xmm20                     // for the sums that are made later
        vpxord  xmm23, xmm23, xmm23
        lea     rax, [r8 + 512 + 1536*rows]
        .if beside
        lea     r10, [r8 + 512]
        test    r9, r9
        jz      9f
        vpbroadcastd xmm28, [r10]
        vpxord  xmm28, xmm28, [r9 + 16]
        vpxord  xmm28, xmm28, [r9 + 32]
        vpxord  xmm28, xmm28, [r9 + 48]
9:
        .endif
        .balign 32
1:
        BYTES   0, 16, 20, 16
        .if beside
        BESIDE  0, 32, 48, 4
        .endif
        BYTES   1, 20, 16, 32
        .if beside
        BESIDE  16, 48, 0, 8
        .endif
        BYTES   2, 16, 20, 48
        .if beside
        BESIDE  32, 0, 16, 12
        .endif
        .if rows
        lea     r10, [r8 + 256]
        cmp     r10, rax
        cmove   r10, r8                                 // after the last keys any will do
        .endif
        BYTES   3, 20, 16, 64
        .if beside
        BESIDE  48, 16, 32, 16
        add     r10, 16
        .endif
        add     r8, 64 + 192*rows
        cmp     r8, rax
        jb      1b
        ADD1    12, 20
        ADD1    13, 23
        .endm

// --- Transposition -------------------------------------------------------------------------------
// PAIR interleaves the bytes of two registers: x gets the lower halves, y the upper ones. TURN1
// does that for sixteen registers, from \from to \to, in pairs whose numbers differ in one bit;
// four steps, the highest bit first, exchange the register's number with the byte's place in a
// lane. opposite: the two of each pair are exchanged, too
        .macro PAIR x, y, a, b
        vpunpcklbw zmm\x, zmm\a, zmm\b
        vpunpckhbw zmm\y, zmm\a, zmm\b
        .endm
        .macro TURN1 to, from, bit, opposite
        .set    r, 0
        .rept   16
        .if r / \bit % 2 == 0
        .if \opposite
        PAIR    %(\to + r), %(\to + r + \bit), %(\from + r + \bit), %(\from + r)
        .else
        PAIR    %(\to + r), %(\to + r + \bit), %(\from + r), %(\from + r + \bit)
        .endif
        .endif
        .set    r, r + 1
        .endr
        .endm
// reverse: the words of a block, last one first
        .macro TURN reverse
        TURN1   16, 0, 8, \reverse
        TURN1   0, 16, 4, \reverse
        TURN1   16, 0, 2, 0
        TURN1   0, 16, 1, 0
        .endm

        .macro ENTER1 k, masked
        vmovdqu64 zmm\k, [rsi + 64*\k]
        .if \masked
        vpternlogd zmm\k, zmm30, [rdx + 64*\k], 0x96
        .endif
        vgf2p8affineqb zmm\k, zmm\k, zmm31, TY_F8_SM4_GFNI_TO_ADD
        .endm
// 64 blocks of rows: four from each of the 16 addresses at rsi, plus rcx
        .macro ENTER_ROW k
        mov     rax, [rsi + 8*\k]
        vmovdqu64 zmm\k, [rax + rcx]
        vgf2p8affineqb zmm\k, zmm\k, zmm31, TY_F8_SM4_GFNI_TO_ADD
        .endm
        .macro ENTER_ROWS
        vpbroadcastq zmm31, [rip + matrices + 16]
        .set    k, 0
        .rept   16
        ENTER_ROW %(k)
        .set    k, k + 1
        .endr
        TURN    0
        .endm
// Loads 64 blocks from rsi; masked: adds those at rdx, and to each the block at r9
        .macro ENTER masked
        vpbroadcastq zmm31, [rip + matrices + 16]
        .if \masked
        vbroadcasti32x4 zmm30, [r9]
        .endif
        .set    k, 0
        .rept   16
        ENTER1  %(k), \masked
        .set    k, k + 1
        .endr
        TURN    0
        .endm

        .macro LEAVE1 k, add
        vgf2p8affineqb zmm\k, zmm\k, zmm31, TY_F8_SM4_GFNI_FROM_ADD
        .if \add == 1
        vpxord  zmm\k, zmm\k, [rdx + 64*\k]
        .elseif \add == 2
        vpternlogd zmm\k, zmm30, [rdx + 64*\k], 0x96
        .endif
        vmovdqu64 [rdi + 64*\k], zmm\k
        .endm
// Stores 64 blocks to rdi. add: 0 as they are, 1 + those at rdx, 2 + those and the block at r9
        .macro LEAVE add
        TURN    1
        vpbroadcastq zmm31, [rip + matrices + 24]
        .if \add == 2
        vbroadcasti32x4 zmm30, [r9]
        .endif
        .set    k, 0
        .rept   16
        LEAVE1  %(k), \add
        .set    k, k + 1
        .endr
        .endm

// The same for the rows at the addresses rdi, with the addresses of what is added at rdx, plus rcx
        .macro LEAVE_ROW k
        mov     rax, [rdx + 8*\k]
        mov     r9, [rdi + 8*\k]
        vgf2p8affineqb zmm\k, zmm\k, zmm31, TY_F8_SM4_GFNI_FROM_ADD
        vpxord  zmm\k, zmm\k, [rax + rcx]
        vmovdqu64 [r9 + rcx], zmm\k
        .endm
        .macro LEAVE_ROWS
        TURN    1
        vpbroadcastq zmm31, [rip + matrices + 24]
        .set    k, 0
        .rept   16
        LEAVE_ROW %(k)
        .set    k, k + 1
        .endr
        .endm

// --- Counters ------------------------------------------------------------------------------------
// The j-th word at rsi is byte j of the counter block, in AES form, four times. ecx is the counter:
// its bytes, from the lowest on, are bytes first, first + step, ... of the block. They are computed
// one by one, with carries as masks.
        .macro CONSTANT j
        vpbroadcastd zmm\j, [rsi + 4*\j]
        .endm
        .macro CARRY x, into, from
        shr     ecx, 8
        vpbroadcastb zmm\x, ecx
        vpsubb  zmm\x{\from}, zmm\x, zmm29              // + 1
        .ifnb \into
        vptestnmb \into{\from}, zmm\x, zmm\x
        .endif
        vgf2p8affineqb zmm\x, zmm\x, zmm31, TY_F8_SM4_GFNI_TO_ADD
        .endm
        .macro COUNTERS first, step
        .set    j, 0
        .rept   16
        .if (j - \first) * \step < 0 || (j - \first) * \step > 3
        CONSTANT %(j)
        .endif
        .set    j, j + 1
        .endr
        vpbroadcastq zmm31, [rip + matrices + 16]
        vpternlogd zmm29, zmm29, zmm29, 0xff
        vpbroadcastb zmm28, ecx
        vpaddb  zmm\first, zmm28, [rip + numbers]
        vpcmpub k1, zmm\first, zmm28, 1                 // lower: a carry
        vgf2p8affineqb zmm\first, zmm\first, zmm31, TY_F8_SM4_GFNI_TO_ADD
        CARRY   %(\first + \step), k2, k1
        CARRY   %(\first + 2*\step), k3, k2
        CARRY   %(\first + 3*\step), , k3
        .endm

//   rdi = out     64 blocks: E(those at `in`). All of `in` is read before anything is written
//   rsi = in
//   rdx = add     of _add: 64 blocks that are added. Of _xex: masks, added before and after, each
//                 plus the block at offset; not the same as out
//   rcx           not used
//   r8  = keys    512 bytes: the 128 bytes of the round keys in AES form, each four times; 16 more
//                 bytes after them must be readable
//   r9  = offset  of _xex: a block
//   time          constant
        .text
TY_FUNC ty_sm4_bytes64_gfni512
        ENTER   0
        ROUNDS  WITHOUT
        LEAVE   0
        vzeroupper
        ret
TY_END  ty_sm4_bytes64_gfni512

TY_FUNC ty_sm4_bytes64_add_gfni512
        ENTER   0
        ROUNDS  WITHOUT
        LEAVE   1
        vzeroupper
        ret
TY_END  ty_sm4_bytes64_add_gfni512

TY_FUNC ty_sm4_bytes64_xex_gfni512
        ENTER   1
        ROUNDS  WITHOUT
        LEAVE   2
        vzeroupper
        ret
TY_END  ty_sm4_bytes64_xex_gfni512

//   rdi = out     64 blocks: those at add + E(counters)
//   rsi = first   64 bytes: the 16 bytes of the first counter block in AES form, each four times
//   rdx = add     the same as out, or disjoint from it
//   ecx = n       the counter: the last four bytes, big-endian, of ctr32; the first four,
//                 little-endian, of ctr32le. It wraps
//   r8  = keys    as above; after them the round keys themselves, 128 bytes, and 16 more bytes that
//                 must be readable
//   r9  = beside  of ctr32: NULL, or four blocks in words in AES form, aligned, word i at beside +
//                 16 i; the rounds overwrite them
//   time          constant
TY_FUNC ty_sm4_bytes64_ctr32_gfni512
        COUNTERS 15, -1
        ROUNDS  BLOCKS_BESIDE
        LEAVE   1
        vzeroupper
        ret
TY_END  ty_sm4_bytes64_ctr32_gfni512

TY_FUNC ty_sm4_bytes64_ctr32le_gfni512
        COUNTERS 0, 1
        ROUNDS  WITHOUT
        LEAVE   1
        vzeroupper
        ret
TY_END  ty_sm4_bytes64_ctr32le_gfni512

// --- Sixteen messages with a key each, four blocks of each
//   rdi = to      16 addresses of the output
//   rsi = in      16 addresses of the input, all of which is read before anything is written. Of
//                 ctr32: the counter blocks in AES form, byte b of word w, w < 3, at in + 64 w +
//                 16 b; and that of word 3, for each of the four blocks, at in + 192 + 64 b
//   rdx = add     16 addresses of what is added; it is read before the message's output is written
//   rcx = at      bytes, added to all these addresses
//   r8  = keys    of round r at keys + 64 r: byte b of all keys at + 16 b, aligned
//   time          constant
TY_FUNC ty_sm4_bytes_rows_gfni512
        ENTER_ROWS
        ROUNDS  WITH_ROWS
        LEAVE_ROWS
        vzeroupper
        ret
TY_END  ty_sm4_bytes_rows_gfni512

        .macro BROADCAST k
        vbroadcasti32x4 zmm\k, [rsi + 16*\k]
        .endm
        .macro LAST_BYTES k
        vmovdqa64 zmm\k, [rsi + 64*\k - 576]
        .endm
TY_FUNC ty_sm4_bytes_rows_ctr32_gfni512
        .set    k, 0
        .rept   12
        BROADCAST %(k)
        .set    k, k + 1
        .endr
        .rept   4
        LAST_BYTES %(k)
        .set    k, k + 1
        .endr
        ROUNDS  WITH_ROWS
        LEAVE_ROWS
        vzeroupper
        ret
TY_END  ty_sm4_bytes_rows_ctr32_gfni512
        .noaltmacro
#endif
#include "base/asm_notes.h"
