/* SIGNATURES signatures of one set of ML-DSA in TY_MLDSA_RAM bytes of stack: tools/fw_signing.py
 * divides their modelled cycles into attempts and their parts. Key and messages are fixed, so that
 * every budget has the same attempts, which fw/attempts.c counts. */
#include "fw.h"

#include "tongyu/mldsa.h"

#if !defined(SIGNATURES)
#  define SIGNATURES 20
#endif
#define PASTE(a, b) a##b
#define SET_OF(number) PASTE(TY_MLDSA_, number)
static const ty_mldsa_set set = SET_OF(TY_MLDSA_LARGEST);

static uint8_t pub[TY_MLDSA_PUB_MAX], key[TY_MLDSA_KEY_MAX], sig[TY_MLDSA_SIG_MAX], digest[32];

__attribute__((noinline)) static int bench_sign(void)
{
    const int err = (int)ty_mldsa_sign_encoded(sig, ty_mldsa_sig_len(set), digest, 32, NULL, 0, key,
                                               ty_mldsa_key_len(set), NULL);
    __asm__ volatile("" ::: "memory");
    return err;
}

int main(void)
{
    const uint8_t seed[32] = { (uint8_t)set };
    int bad = ty_mldsa_keygen_encoded(pub, ty_mldsa_pub_len(set), key, ty_mldsa_key_len(set), seed,
                                      set) != TY_OK;
    for (int i = 0; i < SIGNATURES; i++) {
        digest[0] = (uint8_t)i, digest[1] = (uint8_t)(i >> 8);
        bad |= bench_sign();
        bad |= ty_mldsa_verify_encoded(sig, ty_mldsa_sig_len(set), digest, 32, NULL, 0, pub,
                                       ty_mldsa_pub_len(set)) != TY_OK;
    }
    fw_print(bad ? "signing: failed\n" : "signing: passed\n");
    return bad;
}
