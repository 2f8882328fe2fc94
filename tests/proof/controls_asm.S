// asm statements with their records (src/base/asm_record.h), for test_tool.py: sums of two limbs,
// a1:a0 = a1:a0 + y1:y0, t the carry. A function has one or two copies of a statement; names end in
// _right where all copies are right. Not part of the library.
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
        .macro  RECORD name, operands
6022:   .pushsection .ty.asm, "e", @progbits
        .quad   6021b, 6022b - 6021b
        .asciz  "\name \operands"
        .popsection
        .endm
        .macro  FIRST name, more
6021:   add     %rcx, %rax
        adc     %rsi, %rdx
        mov     $0, %rdi
        adc     $0, %rdi
        \more
        RECORD  \name, "%rax %rdx %rcx %rsi %rdi"
        .endm
CONTROL sum_right                       // one copy with registers, one with memory in two places
        FIRST   sum_right
6021:   add     8(%rsp), %r8
        adc     -16(%rbx), %r9
        mov     $0, %r15
        adc     $0, %r15
        RECORD  sum_right, "%r8 %r9 8(%rsp) -16(%rbx) %r15"
DONE    sum_right
CONTROL second_copy                     // no carry between its words
        FIRST   second_copy
6021:   add     %rcx, %rax
        add     %rsi, %rdx
        mov     $0, %rdi
        adc     $0, %rdi
        RECORD  second_copy, "%rax %rdx %rcx %rsi %rdi"
DONE    second_copy
CONTROL changes_register
        FIRST   changes_register, "mov $1, %r11d"
DONE    changes_register
CONTROL changes_operand                 // which is only an input
        FIRST   changes_operand, "mov %rdi, %rcx"
DONE    changes_operand
CONTROL changes_vector
        FIRST   changes_vector, "vpxor %xmm3, %xmm3, %xmm3"
DONE    changes_vector
CONTROL changes_memory
        FIRST   changes_memory, "mov %rdi, -8(%rsp)"
DONE    changes_memory
CONTROL changes_stack
        FIRST   changes_stack, "lea 8(%rsp), %rsp"
DONE    changes_stack
CONTROL other_operands                  // the record names another register
6021:   add     %rcx, %rax
        adc     %rsi, %rdx
        mov     $0, %rdi
        adc     $0, %rdi
        RECORD  other_operands, "%rax %rdx %rcx %rsi %r8"
DONE    other_operands
CONTROL lost_copy                       // the second has no record
6021:   mov     $0, %rdi
        add     %rcx, %rax
        adc     %rsi, %rdx
        adc     $0, %rdi
        RECORD  lost_copy, "%rax %rdx %rcx %rsi %rdi"
        mov     $0, %r10
        add     %r8, %rax
        adc     %r9, %rdx
        adc     $0, %r10
DONE    lost_copy
CONTROL leaves                          // the statement and jumps back
6021:   add     %rcx, %rax
        adc     %rsi, %rdx
        mov     $0, %rdi
        adc     $0, %rdi
        jmp     1f
2:      nop
        RECORD  leaves, "%rax %rdx %rcx %rsi %rdi"
        nop
1:      jmp     2b
DONE    leaves
        .section .note.GNU-stack, "", %progbits
