/* How far each attempt of many signatures gets, counted in the library's own code on the host:
 *     attempts SET SIGNATURES
 * prints a line for each signature that fw/signing.c makes, with the number of parts of the
 * response that each of its attempts computes: rows of w - c s2, polynomials of z, rows of the
 * hint. An attempt ends with the first part that has to be rejected; the last attempt computes all
 * parts. These numbers depend neither on TY_MLDSA_RAM nor on the machine: tools/fw_signing.py
 * compares the first lines with what the cycle model sees, and multiplies the counts of all lines
 * by modelled cycles. This file includes the library's lean_rows.c, which is not compiled by itself
 * here. */
#include "mldsa/lean_sign.h"

static unsigned parts;

/* ty_lean_rejected, which is called once for each part and then for the number of hints */
static int counted(uint32_t large)
{
    parts++;
    return ty_lean_rejected(large);
}

#define ty_lean_rejected counted
#define ty_lean_answer answer
int answer(ty_lean_signing *g);
#include "mldsa/lean_rows.c"
#undef ty_lean_answer

#include <stdio.h>
#include <stdlib.h>

int ty_lean_answer(ty_lean_signing *g)
{
    parts = 0;
    const int accepted = answer(g);
    const unsigned all = 2u * g->s.row->k + g->s.row->l;
    printf("%u ", parts < all ? parts : all);   /* the last check is of the number of hints */
    return accepted;
}

int main(int argc, char **argv)
{
    static uint8_t pub[TY_MLDSA_PUB_MAX], key[TY_MLDSA_KEY_MAX], sig[TY_MLDSA_SIG_MAX];
    const ty_mldsa_row *row = argc == 3 ? ty_mldsa_find((ty_mldsa_set)atoi(argv[1])) : NULL;
    if (!row) return fputs("usage: attempts SET SIGNATURES; SET is 44, 65 or 87\n", stderr), 2;
    const uint8_t seed[32] = { (uint8_t)row->set };
    uint8_t digest[32] = { 0 };
    int bad = ty_mldsa_keygen_encoded(pub, row->pub_len, key, row->key_len, seed, row->set) !=
              TY_OK;
    for (int i = 0; i < atoi(argv[2]); i++) {
        digest[0] = (uint8_t)i, digest[1] = (uint8_t)(i >> 8);
        bad |= ty_mldsa_sign_encoded(sig, row->sig_len, digest, 32, NULL, 0, key, row->key_len,
                                     NULL) != TY_OK;
        bad |= ty_mldsa_verify_encoded(sig, row->sig_len, digest, 32, NULL, 0, pub, row->pub_len) !=
               TY_OK;
        puts("");
    }
    return bad;
}
