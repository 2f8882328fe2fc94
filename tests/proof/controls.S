// Functions for test_tool.py: sums of two limbs z = x + y, each wrong in one way, so that its
// theorem must not be proved, and a few that are right. rdi = z, rsi = x, rdx = y.
// Not part of the library.
        .intel_syntax noprefix
        .text
        .macro CONTROL name
        .globl  \name
        .type   \name, @function
\name:
        endbr64
        .endm
        .macro DONE name
        ret
        .size   \name, . - \name
        .endm
        .macro  LOAD
        mov     rax, [rsi]
        mov     rcx, [rsi + 8]
        .endm
        .macro  SUM
        add     rax, [rdx]
        adc     rcx, [rdx + 8]
        .endm
        .macro  STORE
        mov     [rdi], rax
        mov     [rdi + 8], rcx
        setb    al
        movzx   eax, al
        .endm
CONTROL right
        LOAD
        SUM
        STORE
DONE    right
CONTROL right_by_halves                 // the carry through a register, and a store in the red zone
        LOAD
        mov     [rsp - 128], rcx
        add     rax, [rdx]
        setb    r8b
        mov     [rdi], rax
        movzx   r8d, r8b
        xor     eax, eax
        mov     rcx, [rdx + 8]
        add     rcx, r8
        adc     rax, 0
        add     rcx, [rsp - 128]
        adc     rax, 0
        mov     [rdi + 8], rcx
DONE    right_by_halves
CONTROL right_when_apart                // not if z is y: the carry is kept in the upper limb of z
        mov     rax, [rsi]
        add     rax, [rdx]
        setb    r8b
        movzx   r8d, r8b
        mov     [rdi + 8], r8
        mov     rcx, [rsi + 8]
        xor     r9d, r9d
        add     rcx, [rdx + 8]
        adc     r9, 0
        add     rcx, r8
        adc     r9, 0
        mov     [rdi], rax
        mov     [rdi + 8], rcx
        mov     rax, r9
DONE    right_when_apart
CONTROL no_carry
        LOAD
        add     rax, [rdx]
        mov     r8, [rdx + 8]
        lea     rcx, [rcx + r8]
        STORE
DONE    no_carry
CONTROL carry_of_no_sum                 // AND clears the carry
        LOAD
        add     rax, [rdx]
        and     r8, r8
        adc     rcx, [rdx + 8]
        STORE
DONE    carry_of_no_sum
CONTROL undefined_flag                  // MUL's carry, which the table leaves undefined
        LOAD
        mov     r8, rdx
        add     rax, [r8]
        adc     rcx, [r8 + 8]
        STORE
        mov     r9, rax
        mov     rax, [rsi]
        mul     rax
        mov     rax, r9
        adc     rax, 0
DONE    undefined_flag
CONTROL branch_on_data
        LOAD
        SUM
        mov     r8d, 0
        jnc     1f
        mov     r8d, 1
1:      mov     [rdi], rax
        mov     [rdi + 8], rcx
        mov     eax, r8d
DONE    branch_on_data
CONTROL branch_on_zero
        LOAD
        SUM
        mov     [rdi], rax
        mov     [rdi + 8], rcx
        mov     eax, 0
        setb    al
        sub     rcx, rcx
        cmp     qword ptr [rsi], 0
        je      1f
1:
DONE    branch_on_zero
CONTROL address_of_data
        LOAD
        SUM
        STORE
        mov     r8, [rsi]
        and     r8d, 1
        mov     r8, [rsi + 8*r8]
DONE    address_of_data
CONTROL shift_by_data
        LOAD
        SUM
        STORE
        mov     r8, [rsi]
        shlx    r9, rsi, r8
DONE    shift_by_data
CONTROL reads_past
        LOAD
        SUM
        STORE
        mov     r8, [rsi + 16]
DONE    reads_past
CONTROL reads_before
        LOAD
        SUM
        STORE
        mov     r8, [rsi - 8]
DONE    reads_before
CONTROL writes_before
        LOAD
        SUM
        STORE
        mov     dword ptr [rdi - 4], 0
DONE    writes_before
CONTROL writes_past
        LOAD
        SUM
        STORE
        mov     dword ptr [rdi + 16], 0
DONE    writes_past
CONTROL writes_input
        LOAD
        SUM
        STORE
        mov     r8, [rsi]
        mov     [rsi], r8
DONE    writes_input
CONTROL half_unwritten
        LOAD
        SUM
        mov     [rdi], rax
        mov     eax, 0
        setb    al
DONE    half_unwritten
CONTROL clobbers_rbx
        mov     rbx, [rsi]
        LOAD
        SUM
        STORE
DONE    clobbers_rbx
CONTROL clobbers_r12
        LOAD
        SUM
        STORE
        xor     r12d, r12d
DONE    clobbers_r12
CONTROL stack_pointer
        LOAD
        SUM
        STORE
        pop     r8
        sub     rsp, 16
        mov     [rsp], r8
DONE    stack_pointer
CONTROL stack_pointer_32                // a write of 32 bits clears the upper half
        LOAD
        SUM
        STORE
        lea     esp, [rsp]
DONE    stack_pointer_32
CONTROL below_red_zone
        LOAD
        SUM
        STORE
        mov     [rsp - 136], rsi
DONE    below_red_zone
CONTROL callers_frame
        LOAD
        SUM
        STORE
        mov     [rsp + 8], rsi
DONE    callers_frame
CONTROL uses_undefined
        LOAD
        SUM
        STORE
        add     r10, r11
DONE    uses_undefined
CONTROL reads_unwritten_stack
        LOAD
        SUM
        STORE
        mov     r8, [rsp - 64]
DONE    reads_unwritten_stack
CONTROL misaligned
        LOAD
        SUM
        STORE
        movdqa  xmm0, [rsp - 24 + 8]
        movdqa  [rsp - 32], xmm0
DONE    misaligned
        .section .note.GNU-stack, "", %progbits
