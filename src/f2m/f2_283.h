/* GF(2^283), the field of sect283k1, sect283r1: the card.
 * modulus    m = x^283 + x^12 + x^7 + x^5 + 1          [SEC 2 v1, 3.1]
 * irreducible  m
 * identity   x^283 == x^12 + x^7 + x^5 + 1   (mod m)
 * fold       x^320 == x^49 + x^44 + x^42 + x^37   (mod m)
 * fold       x^288 == x^17 + x^12 + x^10 + x^5   (mod m)
 * trace      Tr(x) = x_0 + x_271, of a canonical x
 * loose      any polynomial of degree below 320, the 5 words it lives in, in vectors below 288
 * canonical  degree below 283 */
#ifndef TY_MOD_F2_283_H
#define TY_MOD_F2_283_H

#define F2_M  283
#define F2_K1 12
#define F2_K2 7
#define F2_K3 5
#define F2_T1 271
#define F2_T2 0

#endif
