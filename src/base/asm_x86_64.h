// Entry and exit of an x86-64 assembly function; Intel syntax, assembled alike by GCC and Clang.
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
