/* For assembly on AArch64: a function's frame. One function is between TY_FUNC and TY_END. Between
 * TY_KEEP and TY_RETURN it may use x19 to x28, which a callee preserves; x18 is reserved. */
#include "base/asm_object.h"
        .text
        .macro TY_FUNC name
        .balign 32
        TY_NAME \name
        .cfi_startproc
        hint    34                              // BTI c
        .endm
        .macro TY_END name
        .cfi_endproc
        TY_SIZE \name
        .endm
        .macro TY_EACH_PAIR what
        \what   x19, x20, 16
        \what   x21, x22, 32
        \what   x23, x24, 48
        \what   x25, x26, 64
        \what   x27, x28, 80
        .endm
        .macro TY_KEEP_PAIR r, s, at
        stp     \r, \s, [sp, \at]
        .cfi_rel_offset \r, \at
        .cfi_rel_offset \s, \at + 8
        .endm
        .macro TY_KEEP                          // and 16 bytes of room at sp + 96
        stp     x29, x30, [sp, -112]!
        .cfi_adjust_cfa_offset 112
        .cfi_rel_offset x29, 0
        .cfi_rel_offset x30, 8
        mov     x29, sp
        TY_EACH_PAIR TY_KEEP_PAIR
        .endm
        .macro TY_GIVE_PAIR r, s, at
        ldp     \r, \s, [sp, \at]
        .cfi_restore \r
        .cfi_restore \s
        .endm
        .macro TY_RETURN                        // undoes TY_KEEP, and returns
        TY_EACH_PAIR TY_GIVE_PAIR
        ldp     x29, x30, [sp], 112
        .cfi_adjust_cfa_offset -112
        .cfi_restore x29
        .cfi_restore x30
        ret
        .endm
