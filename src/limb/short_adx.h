// Rows of products without loops, for limb/short_adx.S; and the square that they are part of, for
// limb/mont_adx.S, where it is on the stack from t(0) on, and its lower half stays in registers.
// rsi = x, TY_N limbs; rax, rdx, rdi are used.
#ifndef TY_LIMB_SHORT_ADX_H
#define TY_LIMB_SHORT_ADX_H

// Row TY_I of the products: x[TY_I] times the limbs after it, from limb 2 TY_I + 1 on. The lowest
// two limbs are complete then, and are stored.
        .macro ALONG a, b, rest:vararg
        .if TY_J < TY_N - 1
        mulx    rdi, rax, [rsi + 8*TY_J]
        adcx    \a, rax
        adox    \b, rdi
        .set    TY_J, TY_J + 1
        ALONG   \b, \rest
        .else
        mulx    \b, rax, [rsi + 8*TY_J]
        adcx    \a, rax
        mov     eax, 0
        adcx    \b, rax
        adox    \b, rax
        .endif
        .endm
        .macro ROWS a, b, rest:vararg
        mov     rdx, [rsi + 8*TY_I]
        .set    TY_J, TY_I + 1
        .if TY_I == 0
        mulx    \b, \a, [rsi + 8]
        .set    TY_J, 2
        .set    TY_FIRST, 2
        FIRST   \b, \rest
        .else
        xor     eax, eax
        ALONG   \a, \b, \rest
        .endif
        mov     t(2*TY_I + 1), \a
        mov     t(2*TY_I + 2), \b
        .set    TY_I, TY_I + 1
        .if TY_I < TY_N - 1
        ROWS    \rest, \a, \b
        .endif
        .endm
        .macro FIRST b, c, rest:vararg          // a first row, to which nothing is added
        mulx    \c, rax, [rsi + 8*TY_J]
        .if TY_J == TY_FIRST
        add     \b, rax
        .else
        adc     \b, rax
        .endif
        .set    TY_J, TY_J + 1
        .if TY_J < TY_N
        FIRST   \c, \rest
        .else
        adc     \c, 0
        .endif
        .endm

// Limb TY_I of twice the rows plus the squares; the first n limbs stay in registers
        .macro LIMB r
        .if TY_I % 2 == 0
        mov     rdx, [rsi + 4*TY_I]
        mulx    rdi, rax, rdx
        .endif
        .if TY_I == 0
        mov     \r, rax
        .elseif TY_I == 2*TY_N - 1
        mov     \r, 0
        adcx    \r, \r
        adox    \r, rdi
        .else
        mov     \r, t(TY_I)
        adcx    \r, \r
        .if TY_I % 2 == 0
        adox    \r, rax
        .else
        adox    \r, rdi
        .endif
        .endif
        .if TY_I >= TY_N
        mov     t(TY_I), \r
        .endif
        .set    TY_I, TY_I + 1
        .endm
        .macro LIMBS a, rest:vararg
        .if TY_I < TY_N
        LIMB    \a
        LIMBS   \rest
        .elseif TY_I < 2*TY_N
        LIMB    \a
        LIMBS   \a
        .endif
        .endm

#endif
