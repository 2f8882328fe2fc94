/* For assembly on x86-64: a function's frame. Intel syntax, one function between TY_FUNC and TY_END, names hidden, each in a
 * section of its own, so that the linker can drop it; what the caller wants back between TY_KEEP and TY_GIVE_BACK: the first
 * `count` of rbx, rbp, r12, r13, r14, r15. */
        .intel_syntax noprefix
        .text
        .macro TY_FUNC name
        .section .text.\name, "ax", @progbits
        .balign 32
        .globl  \name
        .hidden \name
        .type   \name, @function
\name:
        .cfi_startproc
        endbr64
        .endm
        .macro TY_END name
        .cfi_endproc
        .size   \name, . - \name
        .endm
        .macro TY_KEEP count
        .set    TY_KEPT, 0
        .irp    r, rbx, rbp, r12, r13, r14, r15
        .if TY_KEPT < \count
        push    \r
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset \r, 0
        .endif
        .set    TY_KEPT, TY_KEPT + 1
        .endr
        .endm
        .macro TY_GIVE_BACK count
        .set    TY_KEPT, 5
        .irp    r, r15, r14, r13, r12, rbp, rbx
        .if TY_KEPT < \count
        pop     \r
        .cfi_adjust_cfa_offset -8
        .cfi_restore \r
        .endif
        .set    TY_KEPT, TY_KEPT - 1
        .endr
        .endm
