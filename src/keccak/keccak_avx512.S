#if defined(__x86_64__)
// Keccak-f[1600] on eight states in zmm registers and on one in words, for the tier "avx512": a
// round of the one runs between the instructions of a round of the eight, in units that these leave
// idle.
//
//   eight         word k of all of them is zmm k before and after each round. Theta adds to column
//                 x the parity of column x - 1 and the rotated one of x + 1 at once: 10 operations
//                 for the parities, 5 + 24 rotations, 25 for theta, 25 for chi and one constant,
//                 90, and 15 moves, which use no unit. Rho and pi move words along their cycle, in
//                 which 31 holds word 10 until its place is free. 25 to 29 are parities of columns
//                 0 to 4, 30 a rotated one
//   one           from memory to memory, in the caller's words and in the frame alternately, as in
//                 keccak_round.h: 130 operations, 25 loads, 28 stores. Registers hold the parities
//                 C, which are summed as the words of the next state appear, two of the five sums D
//                 of theta, the others being in the frame, and a plane B
//   bound         by instructions: 289 a round, six a cycle: 48 core cycles. By units: 220
//                 operations on five, of which those of 512 bits have two: 45. 24 rounds: 1160.
//                 Measured on Granite Rapids: 1670; 2060 one after the other, of which the eight
//                 take 1240. That is a limit of throughput: with all operands made independent the
//                 same instructions take 1650, and 1300 if none of them accesses memory. How finely
//                 the two are interleaved, and whether one is half a round ahead, made no
//                 difference, nor did keeping four of the sums D in registers
#define TY_ASM_VECTORS
#include "base/asm_x86_64.h"

        .altmacro                                       // %(expression) as an argument is a number

// --- Eight states --------------------------------------------------------------------------------

        .macro COPY to, x
        vmovdqa64 zmm\to, zmm\x
        .endm
        .macro XOR3 x, y, z
        vpternlogq zmm\x, zmm\y, zmm\z, 0x96
        .endm
        .macro ROL to, x, n
        vprolq  zmm\to, zmm\x, \n
        .endm
// x + (1 + y) z
        .macro CHI x, y, z
        vpternlogq zmm\x, zmm\y, zmm\z, 0xd2
        .endm

        .macro PARITY c, x
        COPY    \c, \x
        XOR3    \c, %(\x + 5), %(\x + 10)
        XOR3    \c, %(\x + 15), %(\x + 20)
        .endm
// column x += c + d
        .macro COLUMN x, c, d
        XOR3    \x, \c, \d
        XOR3    %(\x + 5), \c, \d
        XOR3    %(\x + 10), \c, \d
        XOR3    %(\x + 15), \c, \d
        XOR3    %(\x + 20), \c, \d
        .endm
// The plane of words w to w + 4, in place; t is a copy of the first, u is overwritten
        .macro PLANE w, t, u
        COPY    \u, %(\w + 1)
        CHI     \w, %(\w + 1), %(\w + 2)
        CHI     %(\w + 1), %(\w + 2), %(\w + 3)
        CHI     %(\w + 2), %(\w + 3), %(\w + 4)
        CHI     %(\w + 3), %(\w + 4), \t
        CHI     %(\w + 4), \t, \u
        .endm
        .macro PLANE_COPIED w, t, u
        COPY    \t, \w
        PLANE   \w, \t, \u
        .endm

        .macro EACH move
        .set    k, 0
        .rept   25
        \move   %(k)
        .set    k, k + 1
        .endr
        .endm
        .macro LOAD8 k
        vmovdqa64 zmm\k, [rdi + 64*\k]
        .endm
        .macro STORE8 k
        vmovdqa64 [rdi + 64*\k], zmm\k
        .endm

// --- One state -----------------------------------------------------------------------------------

#define ONE     rsi
#define RC      rdx             // the constant of the next round
#define C0      rax
#define C1      rbx
#define C2      rcx
#define C3      rdi
#define C4      rbp
#define B0      r8
#define B1      r9
#define B2      r10
#define B3      r11
#define B4      r12
#define T       r13
#define D0      r14
#define D1      r15
// the frame: 25 words of the state after every other round, then
#define D2      [rsp+200]
#define D3      [rsp+208]
#define D4      [rsp+216]
#define SECRET  224             // bytes up to here
#define END     [rsp+224]       // of the constants
#define EIGHT   [rsp+232]
#define FRAME   248             // with six registers and the return address, a multiple of 16

// c = the parity of column k of the caller's words
        .macro PARITY1 c, k
        mov     \c, [ONE + 8*\k]
        xor     \c, [ONE + 8*\k + 40]
        xor     \c, [ONE + 8*\k + 80]
        xor     \c, [ONE + 8*\k + 120]
        xor     \c, [ONE + 8*\k + 160]
        .endm
// d = x + (y rotated by 1)
        .macro SUM1 d, x, y
        rorx    \d, \y, 63
        xor     \d, \x
        .endm
        .macro THETA1
        SUM1    B2, C1, C3
        mov     D2, B2
        SUM1    B3, C2, C4
        mov     D3, B3
        SUM1    B4, C3, C0
        mov     D4, B4
        SUM1    D0, C4, C1
        SUM1    D1, C0, C2
        .endm
// b = word k + d, rotated by n
        .macro IN1 b, from, k, d, n
        mov     \b, [\from + 8*\k]
        xor     \b, \d
        .if     \n
        rorx    \b, \b, 64 - \n
        .endif
        .endm
// word k of the result = x + (1 + y) z, which is added to c, the parity of its column; OUT1_FIRST
// begins the parity with it
        .macro OUT1 c, to, k, x, y, z
        andn    T, \y, \z
        xor     T, \x
        mov     [\to + 8*\k], T
        xor     \c, T
        .endm
        .macro OUT1_FIRST c, to, k, x, y, z
        andn    \c, \y, \z
        xor     \c, \x
        .if     \k == 0
        xor     \c, [RC]
        .endif
        mov     [\to + 8*\k], \c
        .endm
        .macro PLANE1 out, to, w
        \out    C0, \to, %(\w), B0, B1, B2
        \out    C1, \to, %(\w + 1), B1, B2, B3
        \out    C2, \to, %(\w + 2), B2, B3, B4
        \out    C3, \to, %(\w + 3), B3, B4, B0
        \out    C4, \to, %(\w + 4), B4, B0, B1
        .endm

// --- Both ----------------------------------------------------------------------------------------
// In each paragraph the eight come first. Parities of the one are in C.
        .macro ROUND from, to
        PARITY  25, 0
        PARITY  26, 1
        PARITY  29, 4
        PARITY  27, 2
        THETA1

        ROL     30, 26, 1
        COLUMN  0, 29, 30
        ROL     29, 29, 1
        IN1     B0, \from, 0, D0, 0
        IN1     B1, \from, 6, D1, 44
        IN1     B2, \from, 12, D2, 43
        IN1     B3, \from, 18, D3, 21
        IN1     B4, \from, 24, D4, 14

        PARITY  28, 3
        COLUMN  3, 27, 29
        ROL     27, 27, 1
        PLANE1  OUT1_FIRST, \to, 0

        COLUMN  1, 25, 27
        ROL     25, 25, 1
        COLUMN  4, 28, 25
        ROL     28, 28, 1
        IN1     B0, \from, 3, D3, 28
        IN1     B1, \from, 9, D4, 20
        IN1     B2, \from, 10, D0, 3
        IN1     B3, \from, 16, D1, 45
        IN1     B4, \from, 22, D2, 61

        COLUMN  2, 26, 28
        ROL     31, 1, 1
        PLANE1  OUT1, \to, 5

        ROL     1, 6, 44
        ROL     6, 9, 20
        ROL     9, 22, 61
        ROL     22, 14, 39
        ROL     14, 20, 18
        ROL     20, 2, 62
        IN1     B0, \from, 1, D1, 1
        IN1     B1, \from, 7, D2, 6
        IN1     B2, \from, 13, D3, 25
        IN1     B3, \from, 19, D4, 8
        IN1     B4, \from, 20, D0, 18

        ROL     2, 12, 43
        ROL     12, 13, 25
        ROL     13, 19, 8
        ROL     19, 23, 56
        ROL     23, 15, 41
        ROL     15, 4, 27
        ROL     4, 24, 14
        ROL     24, 21, 2
        ROL     21, 8, 55
        ROL     8, 16, 45
        PLANE1  OUT1, \to, 10

        ROL     16, 5, 36
        ROL     5, 3, 28
        ROL     3, 18, 21
        ROL     18, 17, 15
        ROL     17, 11, 10
        ROL     11, 7, 6
        ROL     7, 10, 3
        IN1     B0, \from, 4, D4, 27
        IN1     B1, \from, 5, D0, 36
        IN1     B2, \from, 11, D1, 10
        IN1     B3, \from, 17, D2, 15
        IN1     B4, \from, 23, D3, 56

        PLANE_COPIED 0, 25, 26
        vpxorq  zmm0, zmm0, qword ptr [RC]{1to8}
        PLANE1  OUT1, \to, 15

        PLANE_COPIED 5, 27, 28
        COPY    10, 31
        PLANE   10, 31, 29
        IN1     B0, \from, 2, D2, 62
        IN1     B1, \from, 8, D3, 55
        IN1     B2, \from, 14, D4, 39
        IN1     B3, \from, 15, D0, 41
        IN1     B4, \from, 21, D1, 2

        PLANE_COPIED 15, 25, 26
        PLANE1  OUT1, \to, 20

        PLANE_COPIED 20, 27, 28
        add     RC, 8
        .endm

// All 24 rounds, in place. The frame is wiped.
//   rdi = a       word k of state i is a[k][i], 25 rows of 8; aligned to 64 bytes
//   rsi = s       25 words
//   rdx = rc      the 24 constants of iota
//   time          constant
        .text
TY_FUNC ty_keccak_rounds_x8_x1_avx512
        TY_KEEP 6
        sub     rsp, FRAME
        .cfi_adjust_cfa_offset FRAME
        EACH    LOAD8
        mov     EIGHT, rdi
        lea     rax, [RC + 192]
        mov     END, rax
        PARITY1 C0, 0
        PARITY1 C1, 1
        PARITY1 C2, 2
        PARITY1 C3, 3
        PARITY1 C4, 4
        .balign 64
1:      ROUND   ONE, rsp
        ROUND   rsp, ONE
        cmp     RC, END
        jne     1b
        mov     rdi, EIGHT
        EACH    STORE8
        vpxor   xmm0, xmm0, xmm0
        .set    at, 0
        .rept   SECRET/32
        vmovdqu [rsp + at], ymm0
        .set    at, at + 32
        .endr
        vzeroupper
        add     rsp, FRAME
        .cfi_adjust_cfa_offset -FRAME
        TY_GIVE_BACK 6
        ret
TY_END  ty_keccak_rounds_x8_x1_avx512
        .noaltmacro
#endif
#include "base/asm_notes.h"
