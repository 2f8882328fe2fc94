/* GF(2^233), the field of sect233k1, sect233r1: the card.
 * modulus    m = x^233 + x^74 + 1          [SEC 2 v1, 3.1]
 * irreducible  m
 * identity   x^233 == x^74 + 1   (mod m)
 * fold       x^256 == x^97 + x^23   (mod m)
 * trace      Tr(x) = x_0 + x_159, of a canonical x
 * loose      any polynomial of degree below 256, the 4 words it lives in
 * canonical  degree below 233 */
#ifndef TY_MOD_F2_233_H
#define TY_MOD_F2_233_H

#define F2_M  233
#define F2_K1 74
#define F2_K2 0
#define F2_K3 0
#define F2_T1 159
#define F2_T2 0

#endif
