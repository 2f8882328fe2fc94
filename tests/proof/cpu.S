// Runs one instruction on a given state, for test_rows.py. Not part of the library.
//   tongyu_cpu_run(state, code): loads general registers, flags, opmasks and vectors from the
//   state and jumps to code, which returns through tongyu_cpu_back or, after a branch that is
//   taken, tongyu_cpu_taken; both write them back. state: State of test_rows.py
        .intel_syntax noprefix
        .text
#define FLAGS   128
#define TAKEN   136
#define MASKS   144
#define VECTORS 208
#if defined(WIDE)
#define EACH  0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
#else
#define EACH  0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
#endif
        .macro AT r
        .set    where, -1
        .set    n, 0
        .irp    s, rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15
        .ifc    \s, \r
        .set    where, 8*n
        .endif
        .set    n, n + 1
        .endr
        .endm
        .globl  tongyu_cpu_run, tongyu_cpu_back, tongyu_cpu_taken
        .type   tongyu_cpu_run, @function
tongyu_cpu_run:
        push    rbx
        push    rbp
        push    r12
        push    r13
        push    r14
        push    r15
        mov     [rip + host_stack], rsp
        mov     [rip + host_state], rdi
        mov     [rip + host_code], rsi
        mov     qword ptr [rdi + TAKEN], 0
        .irp    n, EACH
#if defined(WIDE)
        vmovdqu64 zmm\n, [rdi + VECTORS + 64*\n]
#else
        vmovdqu ymm\n, [rdi + VECTORS + 64*\n]
#endif
        .endr
#if defined(WIDE)
        .irp    n, 0,1,2,3,4,5,6,7
        kmovq   k\n, [rdi + MASKS + 8*\n]
        .endr
#endif
        push    qword ptr [rdi + FLAGS]
        popfq
        .irp    r, rax, rcx, rdx, rbx, rsp, rbp, rsi, r8, r9, r10, r11, r12, r13, r14, r15
        AT      \r
        mov     \r, [rdi + where]
        .endr
        mov     rdi, [rdi + 56]
        jmp     [rip + host_code]
tongyu_cpu_taken:
        mov     byte ptr [rip + taken], 1
tongyu_cpu_back:
        mov     [rip + own_rdi], rdi
        mov     rdi, [rip + host_state]
        mov     [rdi + 32], rsp
        mov     rsp, [rip + host_stack]
        pushfq
        pop     qword ptr [rdi + FLAGS]
        .irp    r, rax, rcx, rdx, rbx, rbp, rsi, r8, r9, r10, r11, r12, r13, r14, r15
        AT      \r
        mov     [rdi + where], \r
        .endr
        mov     rax, [rip + own_rdi]
        mov     [rdi + 56], rax
        movzx   eax, byte ptr [rip + taken]
        mov     [rdi + TAKEN], rax
        mov     byte ptr [rip + taken], 0
        .irp    n, EACH
#if defined(WIDE)
        vmovdqu64 [rdi + VECTORS + 64*\n], zmm\n
#else
        vmovdqu [rdi + VECTORS + 64*\n], ymm\n
#endif
        .endr
#if defined(WIDE)
        .irp    n, 0,1,2,3,4,5,6,7
        kmovq   [rdi + MASKS + 8*\n], k\n
        .endr
#endif
        vzeroupper
        pop     r15
        pop     r14
        pop     r13
        pop     r12
        pop     rbp
        pop     rbx
        ret
        .data
        .balign 8
host_stack: .quad 0
host_state: .quad 0
host_code:  .quad 0
own_rdi:    .quad 0
taken:      .byte 0
        .section .note.GNU-stack, "", %progbits
