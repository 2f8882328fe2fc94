#if defined(__x86_64__)
// Sixteen key schedules of SM4 with GFNI, a key in every 32-bit word of zmm, and, if it is needed,
// E(0) with each: every round key is used in the cipher's round as soon as it is computed. The
// algorithm of sm4_schedules.h, eight rounds an iteration, after which the 32 bytes of each key are
// put together and stored to it.
//
//   bound         one shuffle or GFNI of 512 bits starts in a cycle: 7 in a round, and for the keys
//                 of an iteration 32 shuffles and 16 extracts, (7 x 32 + 4 x 48) = 416 core cycles
//                 for sixteen keys; the latency of the rounds alone is 237, 7.4 each. Measured on
//                 Zen 4: 610, that is 26.5 cycles of the TSC for each key, and 34 with E(0);
//                 without the stores 23.6, without the rounds 10.8
//   registers     0 to 7 a ring of round keys; 8 to 11 the cipher's words; 20 to 23 matrices of
//                 the key round; 24 + 25 the newest round key, which the next round uses as a sum
//                 of two; 26 to 28 byte shuffles, 29 to 31 the shuffles that put keys together
// Nothing is stored on the stack.
#define TY_ASM_VECTORS
#include "base/asm_x86_64.h"
#include "mod/f8_sm4.inc"

        TY_RODATA
        .balign 16
up:     .byte   1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12
up2:    .byte   2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13
up3:    .byte   3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14
        // GB/T 32907-2016, 7.3: the system parameter
fk:     .byte   0xa3, 0xb1, 0xba, 0xc6, 0x56, 0xaa, 0x33, 0x50
        .byte   0x67, 0x7d, 0x91, 0x97, 0xb2, 0x70, 0x22, 0xdc
matrix: .quad   TY_F8_SM4_GFNI_KEY0, TY_F8_SM4_GFNI_KEY1, TY_F8_SM4_GFNI_KEY2
        .quad   TY_F8_SM4_GFNI_KEY3, TY_F8_SM4_GFNI_FIRST, TY_F8_SM4_GFNI_LAST
        .quad   TY_F8_SM4_GFNI_TO, TY_F8_SM4_GFNI_FROM
        // front and back make a_0 b_0 a_1 b_1 and a_2 b_2 a_3 b_3 of two vectors, where a_i is
        // 128-bit part i of a; turn reverses the words of each half
        .balign 64
front:  .quad   0, 1, 8, 9, 2, 3, 10, 11
back:   .quad   4, 5, 12, 13, 6, 7, 14, 15
turn:   .long   7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8

        .altmacro                                       // %(expression) as an argument is a number

// Transposes four words of four registers in every 128-bit part: t are four scratch registers; o
// may be the inputs.
        .macro TURN4 a, b, c, d, t0, t1, t2, t3, o0, o1, o2, o3
        vpunpckldq zmm\t0, zmm\a, zmm\b
        vpunpckhdq zmm\t1, zmm\a, zmm\b
        vpunpckldq zmm\t2, zmm\c, zmm\d
        vpunpckhdq zmm\t3, zmm\c, zmm\d
        vpunpcklqdq zmm\o0, zmm\t0, zmm\t2
        vpunpckhqdq zmm\o1, zmm\t0, zmm\t2
        vpunpcklqdq zmm\o2, zmm\t1, zmm\t3
        vpunpckhqdq zmm\o3, zmm\t1, zmm\t3
        .endm

// The round key after a, b, c and the newest one; `at` is the offset of its constant in AES form
        .macro KEY512 a, b, c, new, at
        vpxord  zmm12, zmm\b, dword ptr [rdx + \at]{1to16}
        vpxord  zmm12, zmm12, zmm\c
        vpternlogd zmm12, zmm24, zmm25, 0x96
        vgf2p8affineinvqb zmm13, zmm12, zmm21, TY_F8_SM4_GFNI_KEY1_ADD
        vgf2p8affineinvqb zmm14, zmm12, zmm22, TY_F8_SM4_GFNI_KEY2_ADD
        vgf2p8affineinvqb zmm15, zmm12, zmm23, TY_F8_SM4_GFNI_KEY3_ADD
        vgf2p8affineinvqb zmm12, zmm12, zmm20, TY_F8_SM4_GFNI_KEY0_ADD
        vpshufb zmm25, zmm13, zmm26
        vpshufb zmm14, zmm14, zmm27
        vpshufb zmm15, zmm15, zmm28
        vpternlogd zmm25, zmm14, zmm15, 0x96
        vpxord  zmm24, zmm12, zmm\a
        vpxord  zmm\new, zmm24, zmm25
        .endm

// w0 += L(S(w1 + w2 + w3 + key))
        .macro ZERO512 w0, w1, w2, w3, key
        vpxord  zmm16, zmm\w1, zmm\w2
        vpternlogd zmm16, zmm\w3, zmm\key, 0x96
        vgf2p8affineinvqb zmm17, zmm16, zmm19, TY_F8_SM4_GFNI_LAST_ADD
        vgf2p8affineinvqb zmm16, zmm16, zmm18, TY_F8_SM4_GFNI_FIRST_ADD
        vpshufb zmm17, zmm17, zmm26
        vpternlogd zmm\w0, zmm17, zmm16, 0x96
        vpxord  zmm17, zmm17, zmm16
        vpshufb zmm16, zmm17, zmm26
        vpshufb zmm17, zmm17, zmm27
        vpternlogd zmm\w0, zmm17, zmm16, 0x96
        .endm

        .macro EIGHT512 zero
        .if \zero
        vpbroadcastq zmm18, [rip + matrix + 32]
        vpbroadcastq zmm19, [rip + matrix + 40]
        .endif
        .set    i, 0
        .rept   8
        KEY512  %(i), %((i + 1) % 8), %((i + 2) % 8), %((i + 4) % 8), %(4*i)
        .if \zero
        ZERO512 %(8 + i % 4), %(8 + (i + 1) % 4), %(8 + (i + 2) % 4), %(8 + (i + 3) % 4), \
                %((i + 4) % 8)
        .endif
        .set    i, i + 1
        .endr
        .endm

// Stores the eight words of keys 4 i to 4 i + 3; `a` holds the first four of each, `b` the others.
// The last key is stored first, as unused pointers are equal to the first one.
        .macro PUT512 i, a, b
        vmovdqa64 zmm12, zmm\a
        vpermt2q zmm12, zmm29, zmm\b
        vpermt2q zmm\a, zmm30, zmm\b
        vpermd  zmm13, zmm31, zmm12
        vpermd  zmm14, zmm31, zmm\a
        mov     rax, [rdi + 32*\i + 24]
        vextracti64x4 [rax + r8], zmm\a, 1
        vextracti64x4 [rax + r9], zmm14, 1
        mov     rax, [rdi + 32*\i + 16]
        vmovdqu [rax + r8], ymm\a
        vmovdqu [rax + r9], ymm14
        mov     rax, [rdi + 32*\i + 8]
        vextracti64x4 [rax + r8], zmm12, 1
        vextracti64x4 [rax + r9], zmm13, 1
        mov     rax, [rdi + 32*\i]
        vmovdqu [rax + r8], ymm12
        vmovdqu [rax + r9], ymm13
        .endm

        .macro LEAVE512 i, word
        vgf2p8affineqb zmm12, zmm\word, zmm17, TY_F8_SM4_GFNI_FROM_ADD
        vmovdqu64 [rcx + 64*\i], zmm12
        .endm

//   rdi = keys    16 pointers to ty_sm4_key.enc, with .dec after it. Unused ones are equal to the
//                 first
//   rsi = bytes   the 16 keys, 256 bytes
//   rdx = ck      the constants CK_0 to CK_31 in AES form
//   rcx = h       NULL, or 256 bytes: E(0) of every key
//   time          constant
        .text
TY_FUNC ty_sm4_keys16_gfni512
        vbroadcasti32x4 zmm16, [rip + fk]
        vpbroadcastq zmm17, [rip + matrix + 48]
        .irp    i, 0, 1, 2, 3
        vpxord  zmm\i, zmm16, [rsi + 64*\i]
        vgf2p8affineqb zmm\i, zmm\i, zmm17, TY_F8_SM4_C
        .endr
        TURN4   0, 1, 2, 3, 12, 13, 14, 15, 0, 1, 2, 3
        vmovdqa64 zmm24, zmm3
        vpxord  xmm25, xmm25, xmm25
        .irp    i, 8, 9, 10, 11
        vpxor   xmm\i, xmm\i, xmm\i
        .endr
        .irp    i, 0, 1, 2, 3
        vpbroadcastq zmm2\i, [rip + matrix + 8*\i]
        .endr
        vbroadcasti32x4 zmm26, [rip + up]
        vbroadcasti32x4 zmm27, [rip + up2]
        vbroadcasti32x4 zmm28, [rip + up3]
        vmovdqa64 zmm29, [rip + front]
        vmovdqa64 zmm30, [rip + back]
        vmovdqa64 zmm31, [rip + turn]
        xor     r8d, r8d
        mov     r9d, 224
1:      test    rcx, rcx
        jz      2f
        EIGHT512 1
        jmp     3f
2:      EIGHT512 0
3:      TURN4   4, 5, 6, 7, 12, 13, 14, 15, 4, 5, 6, 7
        TURN4   0, 1, 2, 3, 12, 13, 14, 15, 16, 17, 18, 19
        .irp    i, 3, 2, 1, 0
        PUT512  \i, %(4 + \i), %(16 + \i)
        .endr
        add     rdx, 32
        add     r8, 32
        sub     r9, 32
        cmp     r9, 96
        ja      1b
        test    rcx, rcx
        jz      4f
        TURN4   11, 10, 9, 8, 12, 13, 14, 15, 8, 9, 10, 11
        vpbroadcastq zmm17, [rip + matrix + 56]
        LEAVE512 0, 8
        LEAVE512 1, 9
        LEAVE512 2, 10
        LEAVE512 3, 11
4:      vzeroupper
        ret
TY_END  ty_sm4_keys16_gfni512
        .noaltmacro
#endif
#include "base/asm_notes.h"
