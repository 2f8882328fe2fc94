/* GF(2^409), the field of sect409k1, sect409r1: the card.
 * modulus    m = x^409 + x^87 + 1          [SEC 2 v1, 3.1]
 * irreducible  m
 * identity   x^409 == x^87 + 1   (mod m)
 * fold       x^448 == x^126 + x^39   (mod m)
 * trace      Tr(x) = x_0, of a canonical x
 * loose      any polynomial of degree below 448, the 7 words it lives in
 * canonical  degree below 409 */
#ifndef TY_MOD_F2_409_H
#define TY_MOD_F2_409_H

#define F2_M  409
#define F2_K1 87
#define F2_K2 0
#define F2_K3 0
#define F2_T1 0
#define F2_T2 0

#endif
