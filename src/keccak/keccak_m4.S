// Keccak-f[1600] for ARM's DSP instructions: 24 rounds on a state in the form that tools/gen_keccak_m4.py describes and
// writes: halves of even and odd bits, each turned back by a constant. Constant time.
//
// bound: 374 instructions a round, 8976: 180 of logic for theta and chi of either half, 194 loads and stores.
#include "base/asm_m4.h"

#if defined(TY_ARM_DSP)
#include "keccak/keccak_m4.inc"

        .section .rodata.ty_keccak_frames_m4, "a", %progbits
        .globl  ty_keccak_frames_m4
        .hidden ty_keccak_frames_m4
        .type   ty_keccak_frames_m4, %object
ty_keccak_frames_m4:
        KECCAK_FRAMES
        .size   ty_keccak_frames_m4, . - ty_keccak_frames_m4

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

// void ty_keccak_rounds_m4(uint32_t state[50]): all rounds, in place; what it leaves on the stack is wiped
TY_FUNC ty_keccak_rounds_m4
        TY_KEEP
        sub     sp, sp, 64              // ten D, five C, the place among the constants: offsets of the generator
        .cfi_adjust_cfa_offset 64
        adr.w   r1, 9b
        str     r1, [sp, 60]
        KECCAK_FOUR_ROUNDS
        ldr     r3, [sp, 60]
        ldr     r5, [r3, 32]!
        str     r3, [sp, 60]
        cmn     r5, 1                   // behind the last constant
        bne.w   1b
        mov     r1, 0
        mov     r2, 0
        mov     r3, 0
        mov     r4, 0
        mov     r5, 0
        mov     r6, sp
        stm     r6!, {r1-r5}
        stm     r6!, {r1-r5}
        stm     r6!, {r1-r5}
        add     sp, sp, 64
        .cfi_adjust_cfa_offset -64
        TY_GIVE_BACK
TY_END ty_keccak_rounds_m4
#endif
        .section .note.GNU-stack,"",%progbits
