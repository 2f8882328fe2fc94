/* For assembly on x86-64: a function's frame. Intel syntax, one function between TY_FUNC and TY_END, names hidden. */
        .intel_syntax noprefix
        .text
        .macro TY_FUNC name
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
