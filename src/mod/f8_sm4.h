/* GF(2^8), the field of the SM4 S-box.
 * card       cards/f8_sm4.card: m = x^8 + x^7 + x^6 + x^5 + x^4 + x^2 + 1
 * S-box      S(x) = A inv(A x + c) + c, inv(0) = 0, c = 0xd3, row i of A (which computes bit i) is
 *            0xa7 <<< i
 *            The standard prints S as a table; this is its algebra [Liu, Ji, Hu, Ding, Lv, Pyshkin,
 *            Weinmann: Analysis of the SMS4 block cipher, ACISP 2007]. The tests compare it
 *            with the published table.
 * inversion  all fields with 256 elements are isomorphic. phi, which sends the root of this
 *            modulus to a root of it in the AES field (x^8 + x^4 + x^3 + x + 1), is linear over
 *            bits, so inv = phi^-1 inv_AES phi and the CPU's AES instructions compute it:
 *            S(x) = (A phi^-1) inv_AES(phi A x + phi c) + c
 * AES form   nothing forces the cipher's words to leave the AES field: every step around the
 *            inversion is linear over bits byte by byte or moves whole bytes. Let x^ = phi A x.
 *            Then the S-box's input, phi (A x + c), is a sum of words in AES form and a round key
 *            that includes phi c, and L splits into linear maps of the byte s = S(x): with byte
 *            0 the least significant, L sends s + s<<2 to its own place, s<<2 + s>>6 to the next
 *            two, s + s>>6 to the one after. FIRST, MIDDLE = FIRST + LAST, and LAST are these maps,
 *            in AES form, as functions of what the CPU's instruction returns. So a round is one
 *            instruction and two maps; TO and FROM are applied once per block, not per round.
 *            KEY0 .. KEY3 do the same for L' of the key schedule: s, s<<5, s>>3 + s<<7, s>>1
 * constants  f8_sm4.inc, and the circuit of sm4_sbox.inc, by tools/gen.py */
#ifndef TY_MOD_F8_SM4_H
#define TY_MOD_F8_SM4_H
#include "mod/f8_sm4.inc"
#endif
