// Keccak-f[1600] for ARM's DSP instructions: 24 rounds, which tools/gen_keccak_m4.py writes, on a
// state in the form that it describes: halves of even and odd bits, each rotated back by a
// constant. Constant time.
//
// bound: 371 instructions a round, 8904: 202 of logic for theta, chi and iota on both halves, 169
// loads and stores. Modelled cycles (tools/m4cycles): 9126 for 9052 instructions.
#include "base/asm_m4.h"

#if defined(TY_ARM_DSP) && !defined(TY_SMALL)
#include "keccak/keccak_m4.inc"

        .section .rodata.ty_keccak_rotations_m4, "a", %progbits
        .globl  ty_keccak_rotations_m4
        .hidden ty_keccak_rotations_m4
        .type   ty_keccak_rotations_m4, %object
ty_keccak_rotations_m4:
        KECCAK_ROTATIONS
        .size   ty_keccak_rotations_m4, . - ty_keccak_rotations_m4

        .section .text.ty_keccak_rounds_m4, "ax", %progbits
        .balign 4
9:                                      // the constants of iota, even and odd bits
        .word   0x00000001, 0x00000000, 0x00000000, 0x00000089, 0x00000000, 0x8000008b
        .word   0x00000000, 0x80008080, 0x00000001, 0x0000008b, 0x00000001, 0x00008000
        .word   0x00000001, 0x80008088, 0x00000001, 0x80000082, 0x00000000, 0x0000000b
        .word   0x00000000, 0x0000000a, 0x00000001, 0x00008082, 0x00000000, 0x00008003
        .word   0x00000001, 0x0000808b, 0x00000001, 0x8000000b, 0x00000001, 0x8000008a
        .word   0x00000001, 0x80000081, 0x00000000, 0x80000081, 0x00000000, 0x80000008
        .word   0x00000000, 0x00000083, 0x00000000, 0x80008003, 0x00000001, 0x80008088
        .word   0x00000000, 0x80000088, 0x00000001, 0x00008000, 0x00000000, 0x80008082
        .word   0xffffffff

// void ty_keccak_rounds_m4(uint32_t state[50]): all rounds, in place; what it leaves on the stack
// is wiped
TY_FUNC ty_keccak_rounds_m4
        TY_KEEP
        // ten D, five C, the address of the constants, at the generator's offsets
        sub     sp, sp, 64
        .cfi_adjust_cfa_offset 64
        adr.w   r1, 9b
        str     r1, [sp, 60]
        KECCAK_FOUR_ROUNDS
        ldr     r3, [sp, 60]
        ldr     r5, [r3, 32]!
        str     r3, [sp, 60]
        cmn     r5, 1                   // after the last constant
        bne.w   1b
        mov     r1, 0
        .irp    at, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
        str     r1, [sp, 4 * \at]
        .endr
        add     sp, sp, 64
        .cfi_adjust_cfa_offset -64
        TY_RETURN
TY_END ty_keccak_rounds_m4

        // EXCHANGE of keccak_halves.h; clobbers r10
        .macro EXCHANGE x, y, s, m
        eor     r10, \y, \x, lsr \s
        and     r10, r10, \m
        eor     \y, \y, r10
        eor     \x, \x, r10, lsl \s
        .endm
        // adds the word (lo, hi), converted as by apart(), to the state's word at r0; r0 and r1,
        // which points to the rotations, advance. Clobbers r6 to r12
        .macro ADD_WORD lo, hi
        ldrb    r8, [r1], 1
        ldrb    r9, [r1], 1
        ldr     r11, [r0]
        ldr     r12, [r0, 4]
        pkhbt   r6, \lo, \hi, lsl 16
        pkhtb   r7, \hi, \lo, asr 16
        EXCHANGE r6, r7, 8, 0x00ff00ff
        EXCHANGE r6, r7, 4, 0x0f0f0f0f
        EXCHANGE r6, r7, 2, 0x33333333
        EXCHANGE r6, r7, 1, 0x55555555
        rsb     r8, r8, 0               // rotations to the left: ROR uses the lowest byte
        rsb     r9, r9, 0
        ror     r6, r6, r8
        ror     r7, r7, r9
        eor     r6, r6, r11
        eor     r7, r7, r12
        str     r6, [r0], 4
        str     r7, [r0], 4
        .endm

// void ty_keccak_add_words_m4(uint32_t *half, const uint8_t *right, const uint8_t *in, size_t
// words): adds the bytes at `in` to the state's words at `half`, whose rotations are at `right`;
// `words` is not 0
TY_FUNC ty_keccak_add_words_m4
        TY_KEEP
        add     r3, r2, r3, lsl 3
        .balign 4
1:
        ldr     r4, [r2], 4
        ldr     r5, [r2], 4
        ADD_WORD r4, r5
        cmp     r2, r3
        bne     1b
        TY_RETURN
TY_END ty_keccak_add_words_m4

        // (lo, hi) = word `at` of the state at r1, whose rotations are at r11, as together() of
        // keccak_halves.h returns it; clobbers r9 and r10
        .macro TRUE_WORD lo, hi, at
        ldr     \lo, [r1, 8 * \at]
        ldr     r9, [r1, 8 * \at + 4]
        ldrb    r10, [r11, 2 * \at]
        ldrb    \hi, [r11, 2 * \at + 1]
        ror     \lo, \lo, r10
        ror     r9, r9, \hi
        EXCHANGE \lo, r9, 1, 0x55555555
        EXCHANGE \lo, r9, 2, 0x33333333
        EXCHANGE \lo, r9, 4, 0x0f0f0f0f
        EXCHANGE \lo, r9, 8, 0x00ff00ff
        pkhtb   \hi, r9, \lo, asr 16
        pkhbt   \lo, \lo, r9, lsl 16
        .endm
// void ty_keccak_get_words_m4(uint8_t *out, const uint32_t *half, const uint8_t *right, size_t
// words): the bytes of the state's words at `half`, whose rotations are at `right`
TY_FUNC ty_keccak_get_words_m4
        TY_KEEP
        mov     r11, r2
        add     r3, r0, r3, lsl 3
        .balign 4
1:
        TRUE_WORD r4, r5, 0
        add     r1, r1, 8
        str     r4, [r0], 4
        add     r11, r11, 2
        str     r5, [r0], 4
        cmp     r0, r3
        bne     1b
        TY_RETURN
TY_END ty_keccak_get_words_m4

        .macro TAKE                     // appends r10 if it is below r2
        cmp     r10, r2
        it      lt
        strlt   r10, [r0], 4
        .endm
        .macro TAKE_4 u, v, w           // four numbers of 3 bytes in three words
        ubfx    r10, \u, 0, 23
        TAKE
        lsr     r10, \u, 24
        bfi     r10, \v, 8, 15
        TAKE
        lsr     r10, \v, 16
        bfi     r10, \w, 16, 7
        TAKE
        ubfx    r10, \w, 8, 23
        TAKE
        .endm

#if defined(__OPTIMIZE_SIZE__)
        .macro SAMPLE
        ldr     r11, =ty_keccak_rotations_m4
        add     lr, r1, 168
1:
        TRUE_WORD r3, r4, 0
        TRUE_WORD r5, r6, 1
        TRUE_WORD r7, r8, 2
        TAKE_4  r3, r4, r5
        TAKE_4  r6, r7, r8
        add     r1, r1, 24
        add     r11, r11, 6
        cmp     r1, lr
        bne.w   1b
        .endm
#else
        .macro ROTATED r, right
        .if     \right
        ror     \r, \r, \right
        .endif
        .endm
        .macro KNOWN_WORD lo, hi, x, y, right_x, right_y  // TRUE_WORD of halves in registers
        ROTATED \x, \right_x
        ROTATED \y, \right_y
        EXCHANGE \x, \y, 1, 0x55555555
        EXCHANGE \x, \y, 2, 0x33333333
        EXCHANGE \x, \y, 4, 0x0f0f0f0f
        EXCHANGE \x, \y, 8, 0x00ff00ff
        pkhtb   \hi, \y, \x, asr 16
        pkhbt   \lo, \x, \y, lsl 16
        .endm
        .macro THREE at, a, b, c, d, e, f
        ldr     r3, [r1, \at]
        ldr     r9, [r1, \at + 4]
        ldr     r5, [r1, \at + 8]
        ldr     r11, [r1, \at + 12]
        ldr     r7, [r1, \at + 16]
        ldr     lr, [r1, \at + 20]
        KNOWN_WORD r3, r4, r3, r9, \a, \b
        KNOWN_WORD r5, r6, r5, r11, \c, \d
        KNOWN_WORD r7, r8, r7, lr, \e, \f
        TAKE_4  r3, r4, r5
        TAKE_4  r6, r7, r8
        .endm
        .macro SAMPLE                   // all 21 words, whose rotations are known
        KECCAK_THREES THREE
        .endm
#endif

// size_t ty_keccak_sample_vt_m4(int32_t *out, const uint64_t s[25], int32_t end): see keccak.h
TY_FUNC ty_keccak_sample_vt_m4
        TY_KEEP
        mov     r12, r0
        SAMPLE
        sub     r0, r0, r12
        lsr     r0, r0, 2
        TY_RETURN
        .ltorg
TY_END ty_keccak_sample_vt_m4
#endif
#include "base/asm_notes.h"
