/* GF(2^239), the field of sect239k1: the card.
 * modulus    m = x^239 + x^158 + 1          [SEC 2 v1, 3.1]
 * irreducible  m
 * identity   x^239 == x^158 + 1   (mod m)
 * fold       x^256 == x^175 + x^17   (mod m)
 * trace      Tr(x) = x_0 + x_81 + x_162, of a canonical x
 * loose      any polynomial of degree below 256, the 4 words it lives in
 * canonical  degree below 239 */
#ifndef TY_MOD_F2_239_H
#define TY_MOD_F2_239_H

#define F2_M  239
#define F2_K1 158
#define F2_K2 0
#define F2_K3 0
#define F2_T1 81
#define F2_T2 162

#endif
