/* GF(2^193), the field of sect193r1, sect193r2: the card.
 * modulus    m = x^193 + x^15 + 1          [SEC 2 v1, 3.1]
 * irreducible  m
 * identity   x^193 == x^15 + 1   (mod m)
 * fold       x^256 == x^78 + x^63   (mod m)
 * trace      Tr(x) = x_0, of a canonical x
 * loose      any polynomial of degree below 256, the 4 words it lives in
 * canonical  degree below 193 */
#ifndef TY_MOD_F2_193_H
#define TY_MOD_F2_193_H

#define F2_M  193
#define F2_K1 15
#define F2_K2 0
#define F2_K3 0
#define F2_T1 0
#define F2_T2 0

#endif
