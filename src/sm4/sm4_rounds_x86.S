#if defined(__x86_64__)
// The 32 rounds of SM4 on two and on four chains of eight blocks, and on one block, for the tiers "vaes" and "avx2".
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
apart:  .fill   8, 4, 0xf4f4f400                        // bytes 1 to 3 of each word: z* + S(0) = 0x97 + 0x63
lastlo: TWICE   TY_F8_SM4_LAST_LO
lasthi: TWICE   TY_F8_SM4_LAST_HI
firstlo: TWICE  TY_F8_SM4_FIRST_LO
firsthi: TWICE  TY_F8_SM4_FIRST_HI
unshift_up3: TWICE 7, 0, 13, 10, 11, 4, 1, 14, 15, 8, 5, 2, 3, 12, 9, 6
middlelo: TWICE TY_F8_SM4_MIDDLE_LO
middlehi: TWICE TY_F8_SM4_MIDDLE_HI
                                        // the byte moves of sm4_aesni.inc and sm4_sbox_aesni.inc
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
        .macro ROUND tier, n, w0, w2, w3, c, a, b, key
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
        vpxor   ymm8, KEY, [rdi + 32*(\n*\w2 + \c)]     // what the next input has waited for
        vpxor   ymm9, KEY, [rdi + 32*(\n*\w2 + \c + 1)]
        .else
        vmovdqa ymm8, [\key + 32*\c]
        vmovdqa ymm9, [\key + 32*\c + 32]
        vpxor   ymm8, ymm8, [rdi + 32*(\n*\w2 + \c)]
        vpxor   ymm9, ymm9, [rdi + 32*(\n*\w2 + \c + 1)]
        .endif
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

        .macro CHAINS tier, n, w0, w2, w3, key
        ROUND   \tier, \n, \w0, \w2, \w3, 0, mm0, mm1, \key
        .if \n == 4
        ROUND   \tier, \n, \w0, \w2, \w3, 2, mm2, mm3, \key
        .endif
        .endm

        .macro INPUT t, n, c, key                       // of the first round
        .ifb \key
        vpxor   \t, KEY, [rdi + 32*(\n + \c)]
        .else
        vmovdqa \t, [\key + 32*\c]
        vpxor   \t, \t, [rdi + 32*(\n + \c)]
        .endif
        vpxor   \t, \t, [rdi + 32*(2*\n + \c)]
        vpxor   \t, \t, [rdi + 32*(3*\n + \c)]
        .endm

        .macro TABLES
        vmovdqa NIBBLE, [rip + nibble]
        vmovdqa LASTLO, [rip + lastlo]
        vmovdqa LASTHI, [rip + lasthi]
        vmovdqa FIRSTLO, [rip + firstlo]
        vmovdqa FIRSTHI, [rip + firsthi]
        .endm

        .macro ROUNDS tier, n
        vpbroadcastd KEY, [rsi]
        TABLES
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

// The same with a key for every block: a row of 32 keys for each round, in the order of the blocks
        .macro ROUNDS_OWN tier, n
        TABLES
        INPUT   ymm0, \n, 0, rsi
        INPUT   ymm1, \n, 1, rsi
        .if \n == 4
        INPUT   ymm2, \n, 2, rsi
        INPUT   ymm3, \n, 3, rsi
        .endif
        lea     rax, [rsi + 128*28]                     // the last four rounds' keys
1:      CHAINS  \tier, \n, 0, 2, 3, rsi + 128
        CHAINS  \tier, \n, 1, 3, 0, rsi + 256
        CHAINS  \tier, \n, 2, 0, 1, rsi + 384
        lea     rdx, [rsi + 512]
        cmp     rsi, rax
        cmove   rdx, rsi                                // there is no round behind the last one: any key
        CHAINS  \tier, \n, 3, 1, 2, rdx
        add     rsi, 512
        cmp     rsi, rax
        jbe     1b
        ret
        .endm

//   rdi = x       the chains, hatted: word i of chain c at x + 32 (chains i + c); 32-byte aligned; rounds replace it
//   rsi = rk      32 round keys, hatted; "own": 32 x 32 of them, the key of round r and block i at rk + 128 r + 4 i, 32-byte aligned
//   time          constant
        .text
TY_FUNC ty_sm4_rounds4_vaes
        ROUNDS  vaes, 4
TY_END  ty_sm4_rounds4_vaes

TY_FUNC ty_sm4_rounds4_own_vaes
        ROUNDS_OWN vaes, 4
TY_END  ty_sm4_rounds4_own_vaes

TY_FUNC ty_sm4_rounds2_vaes
        ROUNDS  vaes, 2
TY_END  ty_sm4_rounds2_vaes

TY_FUNC ty_sm4_rounds2_own_vaes
        ROUNDS_OWN vaes, 2
TY_END  ty_sm4_rounds2_own_vaes

TY_FUNC ty_sm4_rounds4_avx2
        ROUNDS  avx2, 4
TY_END  ty_sm4_rounds4_avx2

TY_FUNC ty_sm4_rounds4_own_avx2
        ROUNDS_OWN avx2, 4
TY_END  ty_sm4_rounds4_own_avx2

TY_FUNC ty_sm4_rounds2_avx2
        ROUNDS  avx2, 2
TY_END  ty_sm4_rounds2_avx2

TY_FUNC ty_sm4_rounds2_own_avx2
        ROUNDS_OWN avx2, 2
TY_END  ty_sm4_rounds2_own_avx2

// --- One chain ----------------------------------------------------------------------------------------------------
// Alone a chain takes its latency,
//   AESENCLAST 4, shift 1, AND 1, lookup 1, XOR 1, shuffle 1, XOR 1, XOR 1 = 11 cycles a round,
// if what comes last is short: MIDDLE gets its own table, and FIRST = MIDDLE + LAST has time.
//   r = x: four blocks in xmm      r = y: eight in ymm

        .macro INVERT1_whole r
        vaesenclast \r\()mm0, \r\()mm0, [rip + zero]
        .endm
        .macro INVERT1_halves r
        vextracti128 xmm15, ymm0, 1
        vaesenclast xmm0, xmm0, [rip + zero]
        vaesenclast xmm15, xmm15, [rip + zero]
        vinserti128 ymm0, ymm0, xmm15, 1
        .endm

        .macro STEP invert, r, w0, w2, w3, key, load, row
        INVERT1_\invert \r
        vpsrlw  \r\()mm5, \r\()mm0, 4
        vpand   \r\()mm5, \r\()mm5, \r\()mm9
        vpand   \r\()mm0, \r\()mm0, \r\()mm9
        vpshufb \r\()mm7, \r\()mm11, \r\()mm5
        vpshufb \r\()mm6, \r\()mm10, \r\()mm0
        vpxor   \r\()mm6, \r\()mm6, \r\()mm7             // MIDDLE
        vpshufb \r\()mm8, \r\()mm13, \r\()mm5
        vpshufb \r\()mm7, \r\()mm12, \r\()mm0
        vpxor   \r\()mm7, \r\()mm7, \r\()mm8             // LAST
        \load  \r\()mm8, [rdi + \row*\key]
        vpxor   \r\()mm8, \r\()mm8, \r\w2
        vpxor   \r\()mm14, \r\()mm6, \r\()mm7            // FIRST
        vpshufb \r\()mm5, \r\()mm6, [rip + unshift_up]
        vpshufb \r\()mm6, \r\()mm6, [rip + unshift_up2]
        vpshufb \r\()mm14, \r\()mm14, [rip + unshift]
        vpshufb \r\()mm7, \r\()mm7, [rip + unshift_up3]
        vpxor   \r\w0, \r\w0, \r\()mm14
        vpxor   \r\w0, \r\w0, \r\()mm7
        vpxor   \r\()mm8, \r\()mm8, \r\w3
        vpxor   \r\()mm0, \r\()mm8, \r\w0
        vpxor   \r\()mm5, \r\()mm5, \r\()mm6
        vpxor   \r\w0, \r\w0, \r\()mm5
        vpxor   \r\()mm0, \r\()mm0, \r\()mm5             // the next input
        .endm

        .macro CHAIN_TABLES r
        vmovdqa \r\()mm9, [rip + nibble]
        vmovdqa \r\()mm10, [rip + middlelo]
        vmovdqa \r\()mm11, [rip + middlehi]
        vmovdqa \r\()mm12, [rip + lastlo]
        vmovdqa \r\()mm13, [rip + lasthi]
        .endm

        .macro CHAIN invert, r, load, row                // row: bytes of a round's keys
        CHAIN_TABLES \r
        \load  \r\()mm0, [rdi]
        vpxor   \r\()mm5, \r\()mm2, \r\()mm3
        vpxor   \r\()mm0, \r\()mm0, \r\()mm4
        vpxor   \r\()mm0, \r\()mm0, \r\()mm5
        lea     rax, [rdi + \row*28]                     // the last four rounds' keys
1:      STEP \invert, \r, mm1, mm3, mm4, 1, \load, \row
        STEP \invert, \r, mm2, mm4, mm1, 2, \load, \row
        STEP \invert, \r, mm3, mm1, mm2, 3, \load, \row
        cmp     rdi, rax
        je      2f
        STEP \invert, \r, mm4, mm2, mm3, 4, \load, \row
        add     rdi, 4*\row
        jmp     1b
2:      STEP \invert, \r, mm4, mm2, mm3, 0, \load, \row    // its "next input" is of no use
        .endm

//   rdi = rk      32 round keys, hatted; "own": 32 rows as above, of which the first four or eight keys count
//   rsi = x       a chain, hatted: four words in vectors of 16 or 32 bytes, aligned; rounds replace it
//   time          constant
        .macro CHAIN_IN_MEMORY invert, r, size, load, row
        vmovdqa \r\()mm1, [rsi]
        vmovdqa \r\()mm2, [rsi + \size]
        vmovdqa \r\()mm3, [rsi + 2*\size]
        vmovdqa \r\()mm4, [rsi + 3*\size]
        CHAIN   \invert, \r, \load, \row
        vmovdqa [rsi], \r\()mm1
        vmovdqa [rsi + \size], \r\()mm2
        vmovdqa [rsi + 2*\size], \r\()mm3
        vmovdqa [rsi + 3*\size], \r\()mm4
        ret
        .endm

TY_FUNC ty_sm4_rounds1_128_avx2
        CHAIN_IN_MEMORY whole, x, 16, vpbroadcastd, 4
TY_END  ty_sm4_rounds1_128_avx2

TY_FUNC ty_sm4_rounds1_own_128_avx2
        CHAIN_IN_MEMORY whole, x, 16, vmovdqa, 128
TY_END  ty_sm4_rounds1_own_128_avx2

TY_FUNC ty_sm4_rounds1_256_avx2
        CHAIN_IN_MEMORY halves, y, 32, vpbroadcastd, 4
TY_END  ty_sm4_rounds1_256_avx2

TY_FUNC ty_sm4_rounds1_own_256_avx2
        CHAIN_IN_MEMORY halves, y, 32, vmovdqa, 128
TY_END  ty_sm4_rounds1_own_256_avx2

TY_FUNC ty_sm4_rounds1_256_vaes
        CHAIN_IN_MEMORY whole, y, 32, vpbroadcastd, 4
TY_END  ty_sm4_rounds1_256_vaes

TY_FUNC ty_sm4_rounds1_own_256_vaes
        CHAIN_IN_MEMORY whole, y, 32, vmovdqa, 128
TY_END  ty_sm4_rounds1_own_256_vaes
// --- One block ----------------------------------------------------------------------------------------------------
// The bytes of a word stand apart, each in a word of its own with zeros above it: in row 0 of the AES state, which ShiftRows
// does not move, so that turning L's bytes is turning words. And the upper nibbles need no AND: what the shift brings down on
// top of them is the byte above, which is known. AESENCLAST adds "apart" to its S(0), and makes it z* = 0x97, where MIDDLE
// and LAST are zero (so zeros stay zeros) and whose bit 3, the only one that a lookup would mind, is zero.
//
// With e = k + w2 + w3 the next input is t = w0 + e + L, and the new word t + e. Bound: AESENCLAST 4, shift 1, lookup 1, XOR 1,
// shuffle 1, XOR 1, XOR 1 = 10 cycles a round; with two shuffle ports the four lookups take two of them, and LAST joins in the
// eleventh. Measured 13.0 on Zen 3 in a CBC chain, in the best of two thousand orders of these 22 instructions and of
// their sums; the worst took 14.6, and bytes in their places, where it is an AND more, 13.8. Which port an instruction goes to is
// decided long before it runs, so that the order decides which of them meet.

        .macro STEP_apart w0, w2, w3, key
        vaesenclast xmm0, xmm0, [rip + apart]
        vpsrlw  xmm5, xmm0, 4
        vpand   xmm0, xmm0, xmm9
        vpmovzxbd xmm6, dword ptr [rdi + 4*\key]
        vpshufb xmm7, xmm10, xmm0
        vpshufb xmm0, xmm12, xmm0
        vpxor   xmm6, xmm6, \w2
        vpxor   xmm6, xmm6, \w3                         // e
        vpshufb xmm8, xmm11, xmm5
        vpxor   xmm8, xmm7, xmm8                        // MIDDLE
        vpshufd xmm7, xmm8, 0x39                        // one place up
        vpshufb xmm5, xmm13, xmm5
        vpxor   xmm5, xmm0, xmm5                        // LAST
        vpxor   xmm0, xmm6, \w0
        vpshufd xmm14, xmm8, 0x4e                       // two
        vpxor   xmm8, xmm0, xmm8
        vpxor   xmm8, xmm8, xmm5
        vpshufd xmm5, xmm5, 0x93                        // three
        vpxor   xmm14, xmm7, xmm14
        vpxor   xmm5, xmm8, xmm5
        vpxor   xmm0, xmm5, xmm14                       // t
        vpxor   \w0, xmm0, xmm6
        .endm

//   xmm0 = block  hatted; returns its encryption, hatted
//   rdi = rk      32 round keys, hatted
//   time          constant
TY_FUNC ty_sm4_one_avx2
        vpmovzxbd xmm1, xmm0
        vpsrldq xmm2, xmm0, 4
        vpsrldq xmm3, xmm0, 8
        vpsrldq xmm4, xmm0, 12
        vpmovzxbd xmm2, xmm2
        vpmovzxbd xmm3, xmm3
        vpmovzxbd xmm4, xmm4
        CHAIN_TABLES x
        vpmovzxbd xmm0, dword ptr [rdi]
        vpxor   xmm5, xmm2, xmm3
        vpxor   xmm0, xmm0, xmm4
        vpxor   xmm0, xmm0, xmm5
        lea     rax, [rdi + 4*28]                       // the last four rounds' keys
        .balign 16
1:      STEP_apart xmm1, xmm3, xmm4, 1
        STEP_apart xmm2, xmm4, xmm1, 2
        STEP_apart xmm3, xmm1, xmm2, 3
        cmp     rdi, rax
        je      2f
        STEP_apart xmm4, xmm2, xmm3, 4
        add     rdi, 16
        jmp     1b
2:      STEP_apart xmm4, xmm2, xmm3, 0                  // whatever key: it leaves the word again
        vpackusdw xmm4, xmm4, xmm3                      // the words leave in the opposite order
        vpackusdw xmm2, xmm2, xmm1
        vpackuswb xmm0, xmm4, xmm2
        ret
TY_END  ty_sm4_one_avx2
#endif
        .section .note.GNU-stack,"",%progbits
