/* GF(2^163), the field of sect163k1, sect163r1, sect163r2: the card.
 * modulus    m = x^163 + x^7 + x^6 + x^3 + 1          [SEC 2 v1, 3.1]
 * irreducible  m
 * identity   x^163 == x^7 + x^6 + x^3 + 1   (mod m)
 * fold       x^192 == x^36 + x^35 + x^32 + x^29   (mod m)
 * fold       x^208 == x^52 + x^51 + x^48 + x^45, x^168 == x^12 + x^11 + x^8 + x^5   (mod m)
 * trace      Tr(x) = x_0 + x_157, of a canonical x
 * loose      any polynomial of degree below 192, the 3 words it lives in, in vectors below 168
 * canonical  degree below 163 */
#ifndef TY_MOD_F2_163_H
#define TY_MOD_F2_163_H

#define F2_M  163
#define F2_K1 7
#define F2_K2 6
#define F2_K3 3
#define F2_T1 157
#define F2_T2 0

#endif
