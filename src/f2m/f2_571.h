/* GF(2^571), the field of sect571k1, sect571r1: the card.
 * modulus    m = x^571 + x^10 + x^5 + x^2 + 1          [SEC 2 v1, 3.1]
 * irreducible  m
 * identity   x^571 == x^10 + x^5 + x^2 + 1   (mod m)
 * fold       x^576 == x^15 + x^10 + x^7 + x^5   (mod m)
 * trace      Tr(x) = x_0 + x_561 + x_569, of a canonical x
 * loose      any polynomial of degree below 576, the 9 words it lives in
 * canonical  degree below 571 */
#ifndef TY_MOD_F2_571_H
#define TY_MOD_F2_571_H

#define F2_M  571
#define F2_K1 10
#define F2_K2 5
#define F2_K3 2
#define F2_T1 561
#define F2_T2 569

#endif
