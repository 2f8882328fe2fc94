/* The arena's interface to wolfSSL's ML-DSA: keys from a seed, and calls for one message with an
 * empty context. */
#include <wolfssl/wolfcrypt/settings.h>

#include <wolfssl/version.h>
#include <wolfssl/wolfcrypt/wc_mldsa.h>

#include <stdlib.h>
#include <string.h>

const char *arena_wolf_version(void) { return LIBWOLFSSL_VERSION_STRING; }

static int start(wc_MlDsaKey *key, int set)
{
    const byte level = set == 44 ? WC_ML_DSA_44 : set == 65 ? WC_ML_DSA_65 : WC_ML_DSA_87;
    return wc_MlDsaKey_Init(key, NULL, INVALID_DEVID) == 0 &&
           wc_MlDsaKey_SetParams(key, level) == 0;
}

void arena_wolf_free(void *key)
{
    if (key) wc_MlDsaKey_Free(key);
    free(key);
}

/* A key that was exported and imported, as one that is used many times would be; NULL on failure */
void *arena_wolf_key(int set, const byte *seed)
{
    wc_MlDsaKey *made = calloc(1, sizeof *made), *key = calloc(1, sizeof *key);
    byte public[2592], private[4896];
    word32 public_len = sizeof public, private_len = sizeof private;
    int fine = made && key && start(made, set) && start(key, set) &&
               wc_MlDsaKey_MakeKeyFromSeed(made, seed) == 0 &&
               wc_MlDsaKey_ExportPubRaw(made, public, &public_len) == 0 &&
               wc_MlDsaKey_ExportPrivRaw(made, private, &private_len) == 0 &&
               wc_MlDsaKey_ImportPubRaw(key, public, public_len) == 0 &&
               wc_MlDsaKey_ImportPrivRaw(key, private, private_len) == 0;
    arena_wolf_free(made);
    if (fine) return key;
    arena_wolf_free(key);
    return NULL;
}

int arena_wolf_keygen(void *key, const byte *seed)
{
    return wc_MlDsaKey_MakeKeyFromSeed(key, seed) == 0;
}

int arena_wolf_public(byte *out, word32 len, void *key)
{
    return wc_MlDsaKey_ExportPubRaw(key, out, &len) == 0;
}

int arena_wolf_sign(byte *sig, word32 sig_len, const byte *msg, word32 msg_len, void *key)
{
    static const byte zeros[32];
    return wc_MlDsaKey_SignCtxWithSeed(key, NULL, 0, sig, &sig_len, msg, msg_len, zeros) == 0;
}

int arena_wolf_verify(const byte *sig, word32 sig_len, const byte *msg, word32 msg_len, void *key)
{
    int accepted = 0;
    return wc_MlDsaKey_VerifyCtx(key, sig, sig_len, NULL, 0, msg, msg_len, &accepted) == 0 &&
           accepted == 1;
}
