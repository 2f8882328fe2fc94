/* GF(2^113), the field of sect113r1, sect113r2: the card.
 * modulus    m = x^113 + x^9 + 1          [SEC 2 v1, 3.1]
 * irreducible  m
 * identity   x^113 == x^9 + 1   (mod m)
 * fold       x^128 == x^24 + x^15   (mod m)
 * trace      Tr(x) = x_0, of a canonical x
 * loose      any polynomial of degree below 128, the 2 words it lives in
 * canonical  degree below 113 */
#ifndef TY_MOD_F2_113_H
#define TY_MOD_F2_113_H

#define F2_M  113
#define F2_K1 9
#define F2_K2 0
#define F2_K3 0
#define F2_T1 0
#define F2_T2 0

#endif
