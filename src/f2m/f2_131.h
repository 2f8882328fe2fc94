/* GF(2^131), the field of sect131r1, sect131r2: the card.
 * modulus    m = x^131 + x^8 + x^3 + x^2 + 1          [SEC 2 v1, 3.1]
 * irreducible  m
 * identity   x^131 == x^8 + x^3 + x^2 + 1   (mod m)
 * fold       x^192 == x^69 + x^64 + x^63 + x^61   (mod m)
 * fold       x^144 == x^21 + x^16 + x^15 + x^13, x^136 == x^13 + x^8 + x^7 + x^5   (mod m)
 * trace      Tr(x) = x_0 + x_123 + x_129, of a canonical x
 * loose      any polynomial of degree below 192, the 3 words it lives in, in vectors below 136
 * canonical  degree below 131 */
#ifndef TY_MOD_F2_131_H
#define TY_MOD_F2_131_H

#define F2_M  131
#define F2_K1 8
#define F2_K2 3
#define F2_K3 2
#define F2_T1 123
#define F2_T2 129

#endif
