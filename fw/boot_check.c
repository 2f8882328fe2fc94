/* An image's digest and signatures. The build determines which signatures it must have:
 * boot_keys.h, which tools/fw_sign.py writes, defines BOOT_KEY_ML_DSA, BOOT_KEY_SM2 or both, each
 * an encoded public key; all of them must have signed. */
#include "boot.h"
#include <boot_keys.h>

#include "tongyu/mldsa.h"
#include "tongyu/sha2.h"
#include "tongyu/sm2.h"

#include <string.h>

#if !defined(BOOT_KEY_ML_DSA) && !defined(BOOT_KEY_SM2)
#  error "boot_keys.h has no key: tools/fw_sign.py --keys writes it"
#endif

/* BOOT_OK if there is a signature and it names the key with this identifier. */
static boot_code by_key(const boot_signature *s, const uint8_t id[BOOT_KEY_ID])
{
    if (!s->sig) return BOOT_MISSING;
    return memcmp(s->key_id, id, BOOT_KEY_ID) == 0 ? BOOT_OK : BOOT_KEY;
}

#if defined(BOOT_KEY_ML_DSA)
static const uint8_t ml_dsa_key[] = BOOT_KEY_ML_DSA, ml_dsa_id[BOOT_KEY_ID] = BOOT_KEY_ML_DSA_ID;

static boot_code check_ml_dsa(const boot_image *image, const uint8_t *slot)
{
    const boot_signature *s = &image->ml_dsa;
    const boot_code code = by_key(s, ml_dsa_id);
    if (code != BOOT_OK) return code;
    if (s->set != BOOT_KEY_ML_DSA_SET) return BOOT_ALGORITHM;
    return ty_mldsa_verify_encoded(s->sig, s->len, slot, image->signed_len, NULL, 0, ml_dsa_key,
                                   sizeof ml_dsa_key) == TY_OK ? BOOT_OK : BOOT_SIGNATURE;
}
#else
static boot_code check_ml_dsa(const boot_image *image, const uint8_t *slot)
{
    (void)slot;
    return image->ml_dsa.sig ? BOOT_KEY : BOOT_OK;
}
#endif

#if defined(BOOT_KEY_SM2)
static const uint8_t sm2_key[] = BOOT_KEY_SM2, sm2_id[BOOT_KEY_ID] = BOOT_KEY_SM2_ID;

static boot_code check_sm2(const boot_image *image, const uint8_t *slot)
{
    const boot_signature *s = &image->sm2;
    ty_sm2_pub key;
    const boot_code code = by_key(s, sm2_id);
    if (code != BOOT_OK) return code;
    if (s->len != 64 || ty_sm2_pub_set(&key, sm2_key, sizeof sm2_key) != TY_OK)
        return BOOT_SIGNATURE;
    return ty_sm2_verify(s->sig, slot, image->signed_len, (const uint8_t *)TY_SM2_ID, TY_SM2_ID_LEN,
                         &key) == TY_OK ? BOOT_OK : BOOT_SIGNATURE;
}
#else
static boot_code check_sm2(const boot_image *image, const uint8_t *slot)
{
    (void)slot;
    return image->sm2.sig ? BOOT_KEY : BOOT_OK;
}
#endif

boot_code boot_check(boot_image *image, const uint8_t *slot, size_t slot_len)
{
    uint8_t digest[32];
    boot_code code = boot_image_read(image, slot, slot_len);
    if (code != BOOT_OK) return code;
    ty_sha256_hash(digest, slot, image->signed_len);
    if (memcmp(digest, image->digest, sizeof digest) != 0) return BOOT_DIGEST;
    code = check_ml_dsa(image, slot);
    return code == BOOT_OK ? check_sm2(image, slot) : code;
}
