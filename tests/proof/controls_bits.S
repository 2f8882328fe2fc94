// Functions for test_tool.py, about bits: each is right, or wrong in one way, so that its theorem
// must not be proved. rdi = z, two limbs, rsi = x, rdx = y, one limb each. Not part of the library.
        .intel_syntax noprefix
        .text
        .macro CONTROL name
        .globl  \name
        .type   \name, @function
\name:
        endbr64
        mov     rax, [rsi]
        mov     rcx, [rdx]
        xor     r8d, r8d
        .endm
        .macro DONE name
        mov     [rdi], rax
        mov     [rdi + 8], r8
        ret
        .size   \name, . - \name
        .endm
CONTROL sum_right                       // of bits of different weights
        and     eax, 1
        and     ecx, 2
        add     rax, rcx
DONE    sum_right
CONTROL sum                             // of bits of the same weight: there is a carry
        and     eax, 1
        and     ecx, 1
        add     rax, rcx
DONE    sum
CONTROL vector_sum                      // the same in a vector
        and     eax, 1
        and     ecx, 1
        movq    xmm0, rax
        movq    xmm1, rcx
        paddq   xmm0, xmm1
        movq    rax, xmm0
DONE    vector_sum
        .macro  HOLES mask
        mov     r9, \mask
        and     rax, r9
        and     rcx, r9
        mov     rdx, rcx
        mul     rdx
        mov     r9, 0x1111111111111111
        and     rax, r9
        and     rdx, r9
        mov     r8, rdx
        .endm
CONTROL holes_right                     // fifteen bits, four apart: no column reaches sixteen
        HOLES   0x0111111111111111
DONE    holes_right
CONTROL holes                           // sixteen of them
        HOLES   0x1111111111111111
DONE    holes
CONTROL either_right
        and     eax, 0xff
        and     ecx, 0xff00
        or      rax, rcx
DONE    either_right
CONTROL either                          // OR is not a sum
        or      rax, rcx
DONE    either
        .macro  TABLE values:vararg
        .section .rodata
        .balign 16
6:      .byte   \values
        .text
        movq    xmm1, rax
        movdqa  xmm0, [rip + 6b]
        pshufb  xmm0, xmm1
        movq    rax, xmm0
        and     eax, 255
        .endm
CONTROL table_right                     // a zero after every bit
        and     eax, 15
        TABLE   0, 1, 4, 5, 16, 17, 20, 21, 64, 65, 68, 69, 80, 81, 84, 85
DONE    table_right
CONTROL table                           // its last value is wrong
        and     eax, 15
        TABLE   0, 1, 4, 5, 16, 17, 20, 21, 64, 65, 68, 69, 80, 81, 84, 84
DONE    table
CONTROL index                           // the top bit of the index makes it zero
        TABLE   0, 1, 4, 5, 16, 17, 20, 21, 64, 65, 68, 69, 80, 81, 84, 85
DONE    index
CONTROL negative_right                  // all bits are the lowest of x
        and     eax, 1
        neg     rax
DONE    negative_right
CONTROL negative
        and     eax, 3
        neg     rax
DONE    negative
CONTROL shift_right
        shr     rax, 3
DONE    shift_right
CONTROL shift                           // the sign is shifted in
        sar     rax, 3
DONE    shift
        .macro  PRODUCT which
        movq    xmm0, rax
        movq    xmm1, rcx
        pclmulqdq xmm0, xmm1, 0
        movq    rax, xmm0
        pextrq  r8, xmm0, \which
        .endm
CONTROL product_right
        PRODUCT 1
DONE    product_right
CONTROL product                         // its lower half twice
        PRODUCT 0
DONE    product
CONTROL square_right
        mov     rcx, rax
        PRODUCT 1
DONE    square_right
CONTROL square                          // times x shifted by one bit instead
        mov     rcx, rax
        shl     rcx, 1
        PRODUCT 1
DONE    square
CONTROL too_long_right
        shr     rax, 4
DONE    too_long_right
CONTROL too_long
        shr     rax, 3
DONE    too_long
CONTROL sum_of_three                    // an integer sum is not a sum over GF(2)
        lea     r9, [rcx + rcx]
        xor     rax, r9
        add     rax, rcx
DONE    sum_of_three
        .macro  BORROW
        mov     r9, rcx
        and     eax, 1
        and     ecx, 1
        sub     rax, rcx
        .endm
CONTROL borrow                          // the bits above the lowest one depend on it
        BORROW
DONE    borrow
CONTROL borrow_and
        BORROW
        and     rax, r9
DONE    borrow_and
CONTROL borrow_shift
        BORROW
        shl     rax, 1
DONE    borrow_shift
CONTROL borrow_mask
        BORROW
        shr     rax, 1
        and     eax, 1
        neg     rax
DONE    borrow_mask
CONTROL times_shifted_right             // a product of sums that share bits
        mov     rcx, rax
        shl     rcx, 1
        PRODUCT 1
DONE    times_shifted_right
CONTROL garbage_right                   // reads the unwritten frame, but nothing depends on it
        mov     r9, [rsp - 8]
        xor     rax, r9
        xor     rax, r9
DONE    garbage_right
CONTROL garbage
        mov     r9, [rsp - 8]
        xor     rax, r9
DONE    garbage
        .section .note.GNU-stack, "", %progbits
