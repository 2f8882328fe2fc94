# kP on y^2 + xy = x^3 + ax^2 + b, both coordinates, by the Lopez-Dahab ladder; and R + kP, where R
# is the result of the run before.
#
# Statements have the meaning of sequential execution; the assembler (ucode.py) reorders them within
# a block by their dependences, and lets the iterations of a loop overlap. Operations:
#   add D A B     D = A + B                  mul D A B      D = A B
#   sum D A B     D = A + B, where A and B are products that nothing else reads: with two
#                 multipliers only D is written, from both at once; with one it is an add
#   sqr D A       D = A^2                    adds D A B     D = (A + B)^2
#   sel C D A B   D = B where C, else A      sels C D A B   the same, squared
#   sqn D A       D = A^(2^e), e the exponent of the inversion; no other statement overlaps it
#   inv D A       D = 1/A by the divider, where it is built; no other statement overlaps it
#   test F A      sets the flag F where A = 0 (infinite, negated) or A != 0 (offcurve, fault)
#   mov D A       D = A
#   key           the next bit of the scalar, most significant first
# C is key (the bit differs from the one before), last (the last bit), infinite or negated.
#
# A loop repeats for every bit of the scalar; a block does not repeat by itself. After either:
#   jump L              go to the block or loop L; "if", "unless" or "until" restricts it to the
#                       condition that follows: b1 (the curve has b = 1), divider (it is built), bit
#                       (the one that "exponent" appended), inverted (that was the last one), second
#                       (the block "sum" has begun)
#   exponent            append the next bit of m - 1 to e
#   end L               kP is complete; where R is to be added go on to L, with e and the bits of
#                       m - 1 as at the start. Before that, xk and yk keep R: what is written to
#                       them is dropped
#   end                 the sum is complete

# --- Registers -------------------------------------------------------------------------------
# The host has written x and y; the random port has written X0 = lambda and Z1 = mu, both nonzero.
# xk and yk are the result, and R until the sum is there.
.reg x 0
.reg y 1
.reg X0 2
.reg Z0 3
.reg X1 4
.reg Z1 5
.reg s 6
.reg t 7
.reg u 8
.reg v 9
.reg p 10
.reg q 11
.reg r 12
.reg B 13
.reg xk 14
.reg yk 15
# The curve memory, written once for each context; root is the square root of b.
.reg a 16
.reg b 17
.reg root 18

# --- P is on the curve: y (x + y) = x^2 (x + a) + b; infinity is (lambda, 0), P (mu x, mu) ------
block start
    add  s x y
    mul  s s y
    sqr  t x
    add  u x a
    mul  t t u
    add  t t b
    add  t t s
    test offcurve t
    add  Z0 x x
    mul  X1 x Z1

# --- The ladder: (X0, Z0) is twice the point that the bit selects, (X1, Z1) the sum -------------
jump rung1 if b1
loop rung
    key
    mul  s X0 Z1
    mul  t Z0 X1
    sels key u Z0 Z1
    sels key v X0 X1
    adds Z1 s t
    mul  p u root
    mul  Z0 u v
    mul  q s t
    mul  r x Z1
    adds X0 v p
    sum  X1 q r
jump choose

# The same where b = 1: the product with its square root is omitted.
loop rung1
    key
    mul  s X0 Z1
    mul  t Z0 X1
    sels key u Z0 Z1
    sels key v X0 X1
    adds Z1 s t
    mul  Z0 u v
    mul  q s t
    mul  r x Z1
    adds X0 v u
    sum  X1 q r

# --- kP = (s, t) and (k + 1)P = (u, v); r = x t v is to be inverted -------------------------------
block choose
    sel  last s X0 X1
    sel  last t Z0 Z1
    sel  last u X1 X0
    sel  last v Z1 Z0
    test infinite t
    test negated v
    mul  p t v
    mul  r p x
    mul  s s v
    mul  u u t
    mov  B r
jump divide if divider

# --- Itoh and Tsujii: B = r^(2^e - 1), e from 1 to m - 1 by the bits of m - 1 ---------------------
block double
    sqn  t B
    mul  B t B
exponent
jump same unless bit
block once
    sqr  B B
    mul  B B r
block same
jump double until inverted
block square
    sqr  B B
jump recover unless second

# --- The sum (s, u) of R = (xk, yk) and kP: v B is the slope, q = x1 + x2 + a --------------------
block total
    mul  v v B
    sqr  t v
    add  t t v
    add  t t q
    add  q xk t
    mul  q q v
    add  r yk t
    add  q q r
    sel  infinite s t xk
    sel  infinite u q yk
    add  t x x
    test infinite p
    sel  infinite xk s t
    sel  infinite yk u t
# Check that the sum is on the curve.
    add  p s u
    mul  p p u
    sqr  q s
    add  r s a
    mul  q q r
    add  q q b
    adds q q p
    test fault q
end

# --- y = (x + x0)((x + x0)(x + x1) + x^2 + y)/x + y; (k + 1)P infinite: kP = -P = (x, x + y) ------
block recover
    mul  t B x
    mul  p p B
    mul  s s t
    mul  u u t
    add  v s x
    add  u u x
    mul  u u v
    sqr  q x
    add  q q y
    add  u u q
    mul  u u v
    mul  u u p
    add  u u y
    add  q x y
    sel  negated s s x
    sel  negated u u q
    add  t x x
    sel  infinite xk s t
    sel  infinite yk u t
# Check that kP is on the curve. If kP is infinity, the flag is ignored.
    add  p s u
    mul  p p u
    sqr  q s
    add  r s a
    mul  q q r
    add  q q b
    adds q q p
    test fault q
end sum

# --- R = (x1, y1) and kP = (x2, y2): the slope is (y1 + y2)/(x1 + x2), or (x1^2 + y1)/x1 where they
# are equal. p = 0 where the sum is infinity: x1 = x2 and y1 + y2 = x1, which includes the double of
# the point with x1 = 0. kP may be infinite, and the sum is R then; p is b, which is not 0.
block sum
    add  t xk s
    add  v yk u
    sqr  q xk
    add  q q yk
    add  p v xk
    test negated t
    sel  negated r t xk
    sel  negated v v q
    sel  negated p t p
    sel  infinite p p b
    add  q t a
    mov  B r
jump divide if divider
jump double

# --- The same inverse by the divider -----------------------------------------------------------
block divide
    inv  B r
jump recover unless second
jump total
