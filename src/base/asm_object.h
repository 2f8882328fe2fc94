/* For assembly on ELF, Mach-O and COFF: the section, the name and the end of a function, which is
 * not visible outside the library; the section of constants; and with TY_GLOBAL the name of a
 * function as its callers write it. In ELF and COFF on x86-64 a function has a section of its own,
 * so that linkers can drop it. */
#if defined(__APPLE__)
#define TY_GLOBAL(name) _##name
/* No frames are described: here a local label is a symbol like any other, across which a frame
 * cannot be described. */
        .irp    d, startproc, endproc, remember_state, restore_state
        .macro  .cfi_\d
        .endm
        .endr
        .irp    d, adjust_cfa_offset, restore
        .macro  .cfi_\d a
        .endm
        .endr
        .macro  .cfi_rel_offset r, at
        .endm
        .macro TY_CODE name
        .text
        .endm
        .macro TY_NAME name
        .globl  _\name
        .private_extern _\name
_\name:
        .endm
        .macro TY_SIZE name
        .endm
        .macro TY_RODATA
        .section __TEXT, __const
        .endm
#elif defined(_WIN32)
#define TY_GLOBAL(name) name
        .macro TY_CODE name
        .section .text.\name, "x"
        .endm
        .macro TY_NAME name
        .globl  \name
\name:
        .endm
        .macro TY_SIZE name
        .endm
        .macro TY_RODATA
        .section .rdata, "dr"
        .endm
#else
#define TY_GLOBAL(name) name
        .macro TY_CODE name
#if defined(__x86_64__)
        .section .text.\name, "ax", @progbits
#else
        .text
#endif
        .endm
        .macro TY_NAME name
        .globl  \name
        .hidden \name
#if defined(__x86_64__)
        .type   \name, @function
#else
        .type   \name, %function
#endif
\name:
        .endm
        .macro TY_SIZE name
        .size   \name, . - \name
        .endm
        .macro TY_RODATA
        .section .rodata
        .endm
#endif
