/* For assembly on 32-bit ARM with Thumb-2: a function's frame. One function is between TY_FUNC and
 * TY_END; its name is hidden, and it has a section of its own, so that the linker can drop it.
 * There is no .cpu line: the same file serves ARMv7E-M, ARMv8-M with DSP and ARMv7-A, and the
 * compiler passes the processor to the assembler. Where __ARM_FP is defined, s0 to s15 may be used:
 * a callee need not preserve them. */
#include "base/cpu.h"

#if defined(TY_ARM_DSP)
        .syntax unified
        .thumb
        .macro TY_FUNC name
        .section .text.\name, "ax", %progbits
        .balign 4
        .globl  \name
        .hidden \name
        .type   \name, %function
        .thumb_func
\name:
        .cfi_startproc
        .endm
        .macro TY_END name
        .cfi_endproc
        .size   \name, . - \name
        .endm
        .macro TY_KEEP                          // r4 to r11, which a callee preserves, and lr
        push    {r4-r11, lr}
        .cfi_adjust_cfa_offset 36
        .irp    r, 4, 5, 6, 7, 8, 9, 10, 11
        .cfi_rel_offset r\r, 4 * (\r - 4)
        .endr
        .cfi_rel_offset lr, 32
        .endm
        .macro TY_RETURN                        // undoes TY_KEEP, and returns
        pop     {r4-r11, pc}
        .endm
#endif
