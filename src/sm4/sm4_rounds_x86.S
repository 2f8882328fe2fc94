#if defined(__x86_64__)
// The 32 rounds of SM4 on four chains of eight blocks, on two and on one, on one chain of four
// blocks, and on one block or two, for the tiers "vaes" and "avx2".
//
// The algorithm of sm4_lanes.h and sm4_sbox_aes.h in another order: compilers store and load the
// words on the stack in the middle of the dependency chain, which takes 1.2 to 1.4 times the time.
// Of four chains two are interleaved, and one pair fills the gaps of the other.
//
// Bound, per round of one chain: 2 XOR for the next input, AESENCLAST, a shift, 2 AND, 4 lookups, 2
// XOR, a shuffle, XOR, 3 shuffles, 4 XOR = 21 instructions. With four vector ports 5.25 cycles,
// 1.31 cycles per byte; 9 of them, lookups, shuffles and the shift, need one of two shuffle ports.
// Measured on Zen 3: 7.3 cycles, and 6.9 if rounds do not depend on each other, in any order of the
// instructions.
#define TY_ASM_VECTORS
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

        TY_RODATA
        .balign 32
        .macro TWICE bytes:vararg
        .byte   \bytes
        .byte   \bytes
        .endm
nibble: .fill   32, 1, 15
zero:   .fill   32, 1, 0
// bytes 1 to 3 of each word: z* + S(0) = 0x97 + 0x63
apart:  .fill   8, 4, 0xf4f4f400
spread: TWICE   0, 128, 128, 128, 1, 128, 128, 128, 2, 128, 128, 128, 3, 128, 128, 128
lastlo: TWICE   TY_F8_SM4_LAST_LO
lasthi: TWICE   TY_F8_SM4_LAST_HI
firstlo: TWICE  TY_F8_SM4_FIRST_LO
firsthi: TWICE  TY_F8_SM4_FIRST_HI
unshift_up3: TWICE 7, 0, 13, 10, 11, 4, 1, 14, 15, 8, 5, 2, 3, 12, 9, 6
middlelo: TWICE TY_F8_SM4_MIDDLE_LO
middlehi: TWICE TY_F8_SM4_MIDDLE_HI
                                        // the byte shuffles of sm4_aes.h
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

// One round of chains c and c + 1 of four: word w0 becomes w0 + L(S(t)), and t becomes the next
// round's input
        .macro ROUND tier, w0, w2, w3, c, a, b, key
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
        .ifb \key
        vpxor   ymm8, KEY, [rdi + 32*(4*\w2 + \c)]     // known before, for the next input
        vpxor   ymm9, KEY, [rdi + 32*(4*\w2 + \c + 1)]
        .else
        vmovdqa ymm8, [\key + 32*\c]
        vmovdqa ymm9, [\key + 32*\c + 32]
        vpxor   ymm8, ymm8, [rdi + 32*(4*\w2 + \c)]
        vpxor   ymm9, ymm9, [rdi + 32*(4*\w2 + \c + 1)]
        .endif
        vpxor   ymm8, ymm8, [rdi + 32*(4*\w3 + \c)]
        vpxor   ymm9, ymm9, [rdi + 32*(4*\w3 + \c + 1)]
        vpxor   ymm6, ymm6, y\a                         // w
        vpxor   ymm7, ymm7, y\b
        vpshufb y\a, ymm6, [rip + unshift]
        vpshufb y\b, ymm7, [rip + unshift]
        vpshufb ymm4, ymm6, [rip + unshift_up]
        vpshufb ymm5, ymm7, [rip + unshift_up]
        vpshufb ymm6, ymm6, [rip + unshift_up2]
        vpshufb ymm7, ymm7, [rip + unshift_up2]
        vpxor   y\a, y\a, [rdi + 32*(4*\w0 + \c)]
        vpxor   y\b, y\b, [rdi + 32*(4*\w0 + \c + 1)]
        vpxor   ymm4, ymm4, ymm6
        vpxor   ymm5, ymm5, ymm7
        vpxor   y\a, y\a, ymm4
        vpxor   y\b, y\b, ymm5
        vmovdqa [rdi + 32*(4*\w0 + \c)], y\a
        vmovdqa [rdi + 32*(4*\w0 + \c + 1)], y\b
        vpxor   y\a, y\a, ymm8
        vpxor   y\b, y\b, ymm9
        .endm

        .macro CHAINS tier, w0, w2, w3, key
        ROUND   \tier, \w0, \w2, \w3, 0, mm0, mm1, \key
        ROUND   \tier, \w0, \w2, \w3, 2, mm2, mm3, \key
        .endm

// The same round of four blocks beside the chains, in xmm, unless rdx is NULL: their words are at
// rdx, followed by t. They are not interleaved with the chains, but fill gaps: 5.6 cycles, where
// alone they take 14.
        .macro BESIDE w0, w2, w3
        test    rdx, rdx
        jz      9f
        vmovdqa xmm4, [rdx + 64]
        vaesenclast xmm4, xmm4, [rip + zero]
        vpsrlw  xmm5, xmm4, 4
        vpand   xmm4, xmm4, xmm11
        vpand   xmm5, xmm5, xmm11
        vpshufb xmm6, xmm12, xmm4
        vpshufb xmm7, xmm13, xmm5
        vpshufb xmm4, xmm14, xmm4
        vpshufb xmm5, xmm15, xmm5
        vpxor   xmm6, xmm6, xmm7                        // LAST
        vpxor   xmm4, xmm4, xmm5                        // FIRST
        vpshufb xmm6, xmm6, [rip + shifted_up]
        vpxor   xmm8, xmm10, [rdx + 16*\w2]
        vpxor   xmm8, xmm8, [rdx + 16*\w3]
        vpxor   xmm6, xmm6, xmm4                        // w
        vpshufb xmm4, xmm6, [rip + unshift]
        vpshufb xmm5, xmm6, [rip + unshift_up]
        vpshufb xmm6, xmm6, [rip + unshift_up2]
        vpxor   xmm4, xmm4, [rdx + 16*\w0]
        vpxor   xmm5, xmm5, xmm6
        vpxor   xmm4, xmm4, xmm5
        vmovdqa [rdx + 16*\w0], xmm4
        vpxor   xmm4, xmm4, xmm8
        vmovdqa [rdx + 64], xmm4
9:
        .endm

        .macro INPUT t, c, key                          // of the first round
        .ifb \key
        vpxor   \t, KEY, [rdi + 32*(4 + \c)]
        .else
        vmovdqa \t, [\key + 32*\c]
        vpxor   \t, \t, [rdi + 32*(4 + \c)]
        .endif
        vpxor   \t, \t, [rdi + 32*(8 + \c)]
        vpxor   \t, \t, [rdi + 32*(12 + \c)]
        .endm

        .macro TABLES
        vmovdqa NIBBLE, [rip + nibble]
        vmovdqa LASTLO, [rip + lastlo]
        vmovdqa LASTHI, [rip + lasthi]
        vmovdqa FIRSTLO, [rip + firstlo]
        vmovdqa FIRSTHI, [rip + firsthi]
        .endm

        .macro ROUNDS tier
        vpbroadcastd KEY, [rsi]
        TABLES
        INPUT   ymm0, 0
        INPUT   ymm1, 1
        INPUT   ymm2, 2
        INPUT   ymm3, 3
        test    rdx, rdx
        jz      9f
        vpxor   xmm4, xmm10, [rdx + 16]
        vpxor   xmm4, xmm4, [rdx + 32]
        vpxor   xmm4, xmm4, [rdx + 48]
        vmovdqa [rdx + 64], xmm4
9:      lea     rax, [rsi + 4*28]                       // the last four rounds' keys
1:      vpbroadcastd KEY, [rsi + 4]
        CHAINS  \tier, 0, 2, 3
        BESIDE  0, 2, 3
        vpbroadcastd KEY, [rsi + 8]
        CHAINS  \tier, 1, 3, 0
        BESIDE  1, 3, 0
        vpbroadcastd KEY, [rsi + 12]
        CHAINS  \tier, 2, 0, 1
        BESIDE  2, 0, 1
        cmp     rsi, rax
        je      2f                                      // there is no round after the last one
        vpbroadcastd KEY, [rsi + 16]
2:      CHAINS  \tier, 3, 1, 2
        BESIDE  3, 1, 2
        add     rsi, 16
        cmp     rsi, rax
        jbe     1b
        ret
        .endm

// The same with a key for every block: a row of 32 keys for each round, in the order of the blocks
        .macro ROUNDS_OWN tier
        TABLES
        INPUT   ymm0, 0, rsi
        INPUT   ymm1, 1, rsi
        INPUT   ymm2, 2, rsi
        INPUT   ymm3, 3, rsi
        lea     rax, [rsi + 128*28]                     // the last four rounds' keys
1:      CHAINS  \tier, 0, 2, 3, rsi + 128
        CHAINS  \tier, 1, 3, 0, rsi + 256
        CHAINS  \tier, 2, 0, 1, rsi + 384
        lea     rdx, [rsi + 512]
        cmp     rsi, rax
        // there is no round after the last one: any key
        cmove   rdx, rsi
        CHAINS  \tier, 3, 1, 2, rdx
        add     rsi, 512
        cmp     rsi, rax
        jbe     1b
        ret
        .endm

//   rdi = x       n chains, in AES form: word i of chain c is vector n i + c of x; vectors have 32
//                 bytes, those of "small" 16, and are aligned; the rounds overwrite them
//   rsi = rk      32 round keys, in AES form; "own": 32 x 32 of them, the key of round r and
//                 block i at rk + 128 r + 4 i, aligned as x
//   rdx = beside  of rounds4 with one key for all: NULL, or a chain of four more blocks, word i at
//                 beside + 16 i, 16-byte aligned, with room for 16 bytes after the words
//   time          constant
        .text
TY_FUNC ty_sm4_rounds4_vaes
        ROUNDS  vaes
TY_END  ty_sm4_rounds4_vaes

TY_FUNC ty_sm4_rounds4_own_vaes
        ROUNDS_OWN vaes
TY_END  ty_sm4_rounds4_own_vaes

TY_FUNC ty_sm4_rounds4_avx2
        ROUNDS  avx2
TY_END  ty_sm4_rounds4_avx2

TY_FUNC ty_sm4_rounds4_own_avx2
        ROUNDS_OWN avx2
TY_END  ty_sm4_rounds4_own_avx2

// --- One chain and two ---------------------------------------------------------------------------
// One chain is bound by its latency, and so are two. The latency is shortest if MIDDLE and LAST are
// looked up in parallel, and if what is known before is added before: with e = k + w2 + w3 the next
// input is t = (w0 + e) + L, and the new word is t + e.
//   AESENCLAST 4, shift 1, AND 1, lookup 1, XOR 1, shuffle 2 (four, on two ports), XOR 1, XOR 1 =
//   12 cycles a round. Measured on Zen 3: 14.9 for one chain, 17.2 for two; two interleaved as the
//   four above took 20.9.
//   r = x: four blocks in xmm
//   r = y: eight in ymm
//   n = 1, 2: chains
//   t, w, h, m, l, v: registers of the chain

        .macro INVERT1_whole r, t, h
        vaesenclast \r\()mm\t, \r\()mm\t, [rip + zero]
        .endm
        .macro INVERT1_halves r, t, h
        vextracti128 xmm\h, ymm\t, 1
        vaesenclast xmm\t, xmm\t, [rip + zero]
        vaesenclast xmm\h, xmm\h, [rip + zero]
        vinserti128 ymm\t, ymm\t, xmm\h, 1
        .endm

// For chain c: t is the round's input and becomes the next one's, w is w3 and becomes the new word.
        .macro STEP invert, r, size, n, own, w0, w2, key, c, t, w, h, m, l, v
        .if \own
        vpxor   \r\()mm\w, \r\()mm\w, [\key + \size*\c]
        .else
        vpbroadcastd \r\()mm\h, [\key]
        vpxor   \r\()mm\w, \r\()mm\w, \r\()mm\h
        .endif
        INVERT1_\invert \r, \t, \h
        vpsrlw  \r\()mm\h, \r\()mm\t, 4
        vpand   \r\()mm\t, \r\()mm\t, [rip + nibble]
        vpand   \r\()mm\h, \r\()mm\h, [rip + nibble]
        vpshufb \r\()mm\m, \r\()mm12, \r\()mm\t
        vpshufb \r\()mm\l, \r\()mm14, \r\()mm\t
        vpxor   \r\()mm\w, \r\()mm\w, [rdi + \size*(\n*\w2 + \c)]   // e
        vpshufb \r\()mm\v, \r\()mm13, \r\()mm\h
        vpshufb \r\()mm\h, \r\()mm15, \r\()mm\h
        vpxor   \r\()mm\m, \r\()mm\m, \r\()mm\v             // MIDDLE
        vpshufb \r\()mm\v, \r\()mm\m, [rip + unshift_up]
        vpxor   \r\()mm\t, \r\()mm\w, [rdi + \size*(\n*\w0 + \c)]
        vpxor   \r\()mm\l, \r\()mm\l, \r\()mm\h             // LAST
        vpshufb \r\()mm\h, \r\()mm\m, [rip + unshift_up2]
        vpxor   \r\()mm\m, \r\()mm\m, \r\()mm\l             // FIRST
        vpshufb \r\()mm\m, \r\()mm\m, [rip + unshift]
        vpshufb \r\()mm\l, \r\()mm\l, [rip + unshift_up3]
        vpxor   \r\()mm\h, \r\()mm\h, \r\()mm\l
        vpxor   \r\()mm\v, \r\()mm\v, \r\()mm\t
        vpxor   \r\()mm\v, \r\()mm\v, \r\()mm\h
        vpxor   \r\()mm\t, \r\()mm\v, \r\()mm\m             // t
        vpxor   \r\()mm\w, \r\()mm\w, \r\()mm\t
        vmovdqa [rdi + \size*(\n*\w0 + \c)], \r\()mm\w
        .endm

        .macro STEPS invert, r, size, n, own, w0, w2, key
        STEP    \invert, \r, \size, \n, \own, \w0, \w2, \key, 0, 0, 1, 2, 3, 4, 5
        .if \n == 2
        STEP    \invert, \r, \size, \n, \own, \w0, \w2, \key, 1, 6, 7, 8, 9, 10, 11
        .endif
        .endm

        .macro FIRST_INPUT r, size, n, own, c, t, w
        .if \own
        vmovdqa \r\()mm\t, [rsi + \size*\c]
        .else
        vpbroadcastd \r\()mm\t, [rsi]
        .endif
        vmovdqa \r\()mm\w, [rdi + \size*(3*\n + \c)]
        vpxor   \r\()mm\t, \r\()mm\t, \r\()mm\w
        vpxor   \r\()mm\t, \r\()mm\t, [rdi + \size*(2*\n + \c)]
        vpxor   \r\()mm\t, \r\()mm\t, [rdi + \size*(\n + \c)]
        .endm

        .macro CHAIN_TABLES r
        vmovdqa \r\()mm12, [rip + middlelo]
        vmovdqa \r\()mm13, [rip + middlehi]
        vmovdqa \r\()mm14, [rip + lastlo]
        vmovdqa \r\()mm15, [rip + lasthi]
        .endm

// row: bytes of a round's keys. After the last round any key will do: it cancels out.
        .macro FEW_CHAINS invert, r, size, n, own, row
        CHAIN_TABLES \r
        FIRST_INPUT \r, \size, \n, \own, 0, 0, 1
        .if \n == 2
        FIRST_INPUT \r, \size, \n, \own, 1, 6, 7
        .endif
        lea     rax, [rsi + 28*\row]                    // the last four rounds' keys
1:      STEPS   \invert, \r, \size, \n, \own, 0, 2, rsi + \row
        STEPS   \invert, \r, \size, \n, \own, 1, 3, rsi + 2*\row
        STEPS   \invert, \r, \size, \n, \own, 2, 0, rsi + 3*\row
        lea     rdx, [rsi + 4*\row]
        cmp     rsi, rax
        cmove   rdx, rsi
        STEPS   \invert, \r, \size, \n, \own, 3, 1, rdx
        add     rsi, 4*\row
        cmp     rsi, rax
        jbe     1b
        ret
        .endm

TY_FUNC ty_sm4_rounds2_vaes
        FEW_CHAINS whole, y, 32, 2, 0, 4
TY_END  ty_sm4_rounds2_vaes

TY_FUNC ty_sm4_rounds2_own_vaes
        FEW_CHAINS whole, y, 32, 2, 1, 128
TY_END  ty_sm4_rounds2_own_vaes

TY_FUNC ty_sm4_rounds1_vaes
        FEW_CHAINS whole, y, 32, 1, 0, 4
TY_END  ty_sm4_rounds1_vaes

TY_FUNC ty_sm4_rounds1_own_vaes
        FEW_CHAINS whole, y, 32, 1, 1, 128
TY_END  ty_sm4_rounds1_own_vaes

TY_FUNC ty_sm4_rounds2_avx2
        FEW_CHAINS halves, y, 32, 2, 0, 4
TY_END  ty_sm4_rounds2_avx2

TY_FUNC ty_sm4_rounds2_own_avx2
        FEW_CHAINS halves, y, 32, 2, 1, 128
TY_END  ty_sm4_rounds2_own_avx2

TY_FUNC ty_sm4_rounds1_avx2
        FEW_CHAINS halves, y, 32, 1, 0, 4
TY_END  ty_sm4_rounds1_avx2

TY_FUNC ty_sm4_rounds1_own_avx2
        FEW_CHAINS halves, y, 32, 1, 1, 128
TY_END  ty_sm4_rounds1_own_avx2

TY_FUNC ty_sm4_small_avx2
        FEW_CHAINS whole, x, 16, 1, 0, 4
TY_END  ty_sm4_small_avx2

TY_FUNC ty_sm4_small_own_avx2
        FEW_CHAINS whole, x, 16, 1, 1, 128
TY_END  ty_sm4_small_own_avx2

// --- One block, and two --------------------------------------------------------------------------
// The bytes of a word are apart, each in a word of its own with zeros above it: in row 0 of the AES
// state, which ShiftRows does not move, so that the byte rotations of L are moves of words. And the
// upper nibbles need no AND: the bits that the shift moves in above them are those of the byte
// above, which is known. AESENCLAST adds "apart" to its S(0), which makes it z* = 0x97, for which
// MIDDLE and LAST are zero (so zeros stay zeros), and whose bit 3, the only one that would affect a
// lookup, is zero.
//
// With e = k + w2 + w3 the next input is t = w0 + e + L, and the new word t + e. Bound: AESENCLAST
// 4, shift 1, lookup 1, XOR 1, shuffle 1, XOR 1, XOR 1 = 10 cycles a round; with two shuffle ports
// the four lookups take two cycles, and LAST is added in an eleventh. Measured 13.0 on Zen 3 in a
// CBC chain, in the best of two thousand orders of these 22 instructions and of the terms of their
// sums; the worst took 14.6, and bytes that are not apart, with one AND more, 13.8. The port of an
// instruction is chosen long before it executes, so that the order determines which of them compete
// for a port.

// r = x: one block      r = y: two, one in each half, in the same time
        .macro KEY_apart r, at
        .ifc \r, x
        vpmovzxbd xmm6, dword ptr [\at]
        .else
        vpbroadcastd ymm6, [\at]
        vpshufb ymm6, ymm6, [rip + spread]
        .endif
        .endm

        .macro STEP_apart r, w0, w2, w3, key
        vaesenclast \r\()mm0, \r\()mm0, [rip + apart]
        vpsrlw  \r\()mm5, \r\()mm0, 4
        vpand   \r\()mm0, \r\()mm0, \r\()mm9
        KEY_apart \r, rdi + 4*\key
        vpshufb \r\()mm7, \r\()mm12, \r\()mm0
        vpshufb \r\()mm0, \r\()mm14, \r\()mm0
        vpxor   \r\()mm6, \r\()mm6, \r\w2
        vpxor   \r\()mm6, \r\()mm6, \r\w3              // e
        vpshufb \r\()mm8, \r\()mm13, \r\()mm5
        vpxor   \r\()mm8, \r\()mm7, \r\()mm8            // MIDDLE
        vpshufd \r\()mm7, \r\()mm8, 0x39               // one place up
        vpshufb \r\()mm5, \r\()mm15, \r\()mm5
        vpxor   \r\()mm5, \r\()mm0, \r\()mm5            // LAST
        vpxor   \r\()mm0, \r\()mm6, \r\w0
        vpshufd \r\()mm10, \r\()mm8, 0x4e              // two
        vpxor   \r\()mm8, \r\()mm0, \r\()mm8
        vpxor   \r\()mm8, \r\()mm8, \r\()mm5
        vpshufd \r\()mm5, \r\()mm5, 0x93               // three
        vpxor   \r\()mm10, \r\()mm7, \r\()mm10
        vpxor   \r\()mm5, \r\()mm8, \r\()mm5
        vpxor   \r\()mm0, \r\()mm5, \r\()mm10           // t
        vpxor   \r\w0, \r\()mm0, \r\()mm6
        .endm

        .macro APART r
        vmovdqa \r\()mm8, [rip + spread]
        vpsrldq \r\()mm2, \r\()mm0, 4
        vpsrldq \r\()mm3, \r\()mm0, 8
        vpsrldq \r\()mm4, \r\()mm0, 12
        vpshufb \r\()mm1, \r\()mm0, \r\()mm8
        vpshufb \r\()mm2, \r\()mm2, \r\()mm8
        vpshufb \r\()mm3, \r\()mm3, \r\()mm8
        vpshufb \r\()mm4, \r\()mm4, \r\()mm8
        CHAIN_TABLES \r
        vmovdqa \r\()mm9, [rip + nibble]
        KEY_apart \r, rdi
        vpxor   \r\()mm5, \r\()mm2, \r\()mm3
        vpxor   \r\()mm0, \r\()mm6, \r\()mm4
        vpxor   \r\()mm0, \r\()mm0, \r\()mm5
        lea     rax, [rdi + 4*28]                       // the last four rounds' keys
        .balign 16
1:      STEP_apart \r, mm1, mm3, mm4, 1
        STEP_apart \r, mm2, mm4, mm1, 2
        STEP_apart \r, mm3, mm1, mm2, 3
        cmp     rdi, rax
        je      2f
        STEP_apart \r, mm4, mm2, mm3, 4
        add     rdi, 16
        jmp     1b
2:      STEP_apart \r, mm4, mm2, mm3, 0                 // any key: it cancels out
        vpackusdw \r\()mm4, \r\()mm4, \r\()mm3          // the words are output in reverse order
        vpackusdw \r\()mm2, \r\()mm2, \r\()mm1
        vpackuswb \r\()mm0, \r\()mm4, \r\()mm2
        ret
        .endm

//   mm0 = blocks  in AES form; returns their encryption, in AES form
//   rdi = rk      32 round keys, in AES form
//   time          constant
TY_FUNC_SYSV ty_sm4_one_avx2
        APART   x
TY_END  ty_sm4_one_avx2

TY_FUNC_SYSV ty_sm4_pair_vaes
        APART   y
TY_END  ty_sm4_pair_vaes
#endif
#include "base/asm_notes.h"
