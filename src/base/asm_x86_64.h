/* For assembly on x86-64: a function's frame. The syntax is Intel's, one function is between
 * TY_FUNC and TY_END. Between TY_KEEP and TY_GIVE_BACK it may use the registers that a callee
 * preserves: the first `count` of rbx, rbp, r12, r13, r14, r15.
 *
 * Functions take their arguments as in the System V ABI. On Windows a caller passes up to four in
 * rcx, rdx, r8, r9 and two on the stack above 32 bytes that are the callee's, and rdi, rsi and xmm6
 * to xmm15 are preserved: there TY_FUNC puts a wrapper before the function, which moves the
 * arguments and calls it. A file that uses those vectors defines TY_ASM_VECTORS before it includes
 * this. The wrapper cannot move vectors or structures: functions with such arguments begin with
 * TY_FUNC_SYSV, and their prototypes have TY_SYSV (base/cpu.h). So do functions that other assembly
 * calls or jumps to. */
        .intel_syntax noprefix
#include "base/asm_object.h"
        .text
        .macro TY_FUNC_SYSV name
        TY_CODE \name
        .balign 32
        TY_NAME \name
        .cfi_startproc
        endbr64
        .endm
#if !defined(_WIN32)
        .macro TY_FUNC name
        TY_FUNC_SYSV \name
        .endm
#else
        .macro TY_EACH_VECTOR save
        .set    TY_AT, 0
        .irp    x, xmm6, xmm7, xmm8, xmm9, xmm10, xmm11, xmm12, xmm13, xmm14, xmm15
        .if \save
        vmovaps [rsp + TY_AT], \x
        .else
        vmovaps \x, [rsp + TY_AT]
        .endif
        .set    TY_AT, TY_AT + 16
        .endr
        .endm
#if defined(TY_ASM_VECTORS)
/* with two registers and the return address, a multiple of 16 */
#define TY_ROOM 168
#else
#define TY_ROOM 8
#endif
        .macro TY_FUNC name
        TY_CODE \name
        .balign 32
        TY_NAME \name
        push    rdi
        push    rsi
        sub     rsp, TY_ROOM
#if defined(TY_ASM_VECTORS)
        TY_EACH_VECTOR 1
#endif
        mov     rdi, rcx
        mov     rsi, rdx
        mov     rdx, r8
        mov     rcx, r9
        mov     r8, [rsp + TY_ROOM + 56]
        mov     r9, [rsp + TY_ROOM + 64]
        call    .L\name
#if defined(TY_ASM_VECTORS)
        TY_EACH_VECTOR 0
#endif
        add     rsp, TY_ROOM
        pop     rsi
        pop     rdi
        ret
        .balign 32
.L\name:
        .cfi_startproc
        .endm
#endif
        .macro TY_END name
        .cfi_endproc
        TY_SIZE \name
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
