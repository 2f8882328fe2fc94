/* CCM, OCB, GCM-SIV, CMAC, CBC-MAC and GMAC on poisoned keys, texts, additional data and tags, on
 * every tier. Nonces and lengths are public, and so is the verdict of open and verify, and nothing
 * else. */
#include "base/ct.h"
#include "sm4/sm4.h"
#include "tongyu/sm4_aead.h"
#include "tongyu/sm4_mac.h"

#include <stdio.h>
#include <string.h>

static uint8_t key_bytes[16], aad[50], text[700], sealed[720], out[720], tag[16];
static const uint8_t nonce[13] = { 1, 2, 3 };

/* 1 if out differs from text: this program looks at both, the library never does */
static int differs(size_t len)
{
    TY_PUBLIC(out, len);
    TY_PUBLIC(text, len);
    const int bad = memcmp(out, text, len) != 0;
    TY_SECRET(text, len);
    return bad;
}

static void spoil(int bit) { tag[5] ^= (uint8_t)bit; }

static int ccm(size_t len, size_t aad_len)
{
    ty_sm4_key key;
    ty_sm4_ccm c;
    int bad = 0;
    ty_sm4_init(&key, key_bytes);
    bad += ty_sm4_ccm_seal(sealed, tag, 16, text, len, aad, aad_len, nonce, 12, &key) != TY_OK;
    bad += ty_sm4_ccm_open(out, sealed, len, tag, 16, aad, aad_len, nonce, 12, &key) != TY_OK;
    bad += differs(len);
    spoil(1);
    bad +=
        ty_sm4_ccm_open(out, sealed, len, tag, 16, aad, aad_len, nonce, 12, &key) != TY_ERR_VERIFY;
    spoil(1);
    bad += ty_sm4_ccm_start(&c, nonce, 12, aad_len, len, 16, &key) != TY_OK;
    bad += ty_sm4_ccm_aad(&c, aad, aad_len) != TY_OK;
    bad += ty_sm4_ccm_decrypt(out, sealed, len / 3, &c) != TY_OK;
    bad += ty_sm4_ccm_decrypt(out + len / 3, sealed + len / 3, len - len / 3, &c) != TY_OK;
    bad += ty_sm4_ccm_verify(tag, 16, &c) != TY_OK;
    return bad + differs(len);
}

static int ocb(size_t len, size_t aad_len)
{
    ty_sm4_ocb_key key;
    ty_sm4_ocb c;
    size_t n, m;
    int bad = 0;
    ty_sm4_ocb_init(&key, key_bytes);
    bad += ty_sm4_ocb_seal(sealed, tag, 16, text, len, aad, aad_len, nonce, 12, &key) != TY_OK;
    bad += ty_sm4_ocb_open(out, sealed, len, tag, 16, aad, aad_len, nonce, 12, &key) != TY_OK;
    bad += differs(len);
    spoil(1);
    bad +=
        ty_sm4_ocb_open(out, sealed, len, tag, 16, aad, aad_len, nonce, 12, &key) != TY_ERR_VERIFY;
    spoil(1);
    bad += ty_sm4_ocb_start(&c, nonce, 12, 16, &key) != TY_OK;
    bad += ty_sm4_ocb_aad(&c, aad, aad_len) != TY_OK;
    bad += ty_sm4_ocb_decrypt(out, &n, sealed, len / 3, &c) != TY_OK;
    bad += ty_sm4_ocb_decrypt(out + n, &m, sealed + len / 3, len - len / 3, &c) != TY_OK;
    bad += ty_sm4_ocb_verify(out + n + m, &n, tag, 16, &c) != TY_OK;
    return bad + differs(len);
}

static int gcm_siv(size_t len, size_t aad_len)
{
    ty_sm4_key key;
    int bad = 0;
    ty_sm4_init(&key, key_bytes);
    bad += ty_sm4_gcm_siv_seal(sealed, tag, text, len, aad, aad_len, nonce, &key) != TY_OK;
    bad += ty_sm4_gcm_siv_open(out, sealed, len, tag, aad, aad_len, nonce, &key) != TY_OK;
    bad += differs(len);
    spoil(1);
    bad += ty_sm4_gcm_siv_open(out, sealed, len, tag, aad, aad_len, nonce, &key) != TY_ERR_VERIFY;
    return bad;
}

static int macs(size_t len)
{
    ty_sm4_key key;
    ty_sm4_cmac_key ckey;
    ty_sm4_gcm_key gkey;
    int bad = 0;
    ty_sm4_init(&key, key_bytes);
    ty_sm4_cmac_init(&ckey, key_bytes);
    ty_sm4_gcm_init(&gkey, key_bytes);
    bad += ty_sm4_cmac_mac(tag, 16, text, len, &ckey) != TY_OK;
    bad += ty_sm4_cmac_check(tag, 13, text, len, &ckey) != TY_OK;
    spoil(1);
    bad += ty_sm4_cmac_check(tag, 13, text, len, &ckey) != TY_ERR_VERIFY;
    for (ty_sm4_mac_pad pad = TY_SM4_MAC_ZEROS; pad <= TY_SM4_MAC_LENGTH; pad++) {
        bad += ty_sm4_cbc_mac_mac(tag, 16, text, len, pad, &key) != TY_OK;
        bad += ty_sm4_cbc_mac_check(tag, 8, text, len, pad, &key) != TY_OK;
        spoil(1);
        bad += ty_sm4_cbc_mac_check(tag, 8, text, len, pad, &key) != TY_ERR_VERIFY;
    }
    bad += ty_sm4_gmac_mac(tag, 16, text, len, nonce, 12, &gkey) != TY_OK;
    bad += ty_sm4_gmac_check(tag, 16, text, len, nonce, 12, &gkey) != TY_OK;
    spoil(1);
    bad += ty_sm4_gmac_check(tag, 16, text, len, nonce, 12, &gkey) != TY_ERR_VERIFY;
    return bad;
}

int main(void)
{
    const ty_cpu have = ty_cpu_have();
    int bad = 0;
    for (const ty_tier *t = ty_sm4_tiers; t->name; t++) {
        if (t->need & ~have) {
            printf("sm4 %s: not on this CPU\n", t->name);
            continue;
        }
        ty_cpu_assume(t->need);
        memset(key_bytes, 0x31, sizeof key_bytes);
        TY_SECRET(key_bytes, sizeof key_bytes);
        TY_SECRET(text, sizeof text);
        TY_SECRET(aad, sizeof aad);
        for (size_t len = 0; len <= sizeof text; len += len < 40 ? 7 : 83) {
            const size_t aad_len = len % sizeof aad;
            bad += ccm(len, aad_len) + ocb(len, aad_len) + gcm_siv(len, aad_len) + macs(len);
        }
        printf("sm4 %s: secrets stayed out of branches and addresses\n", t->name);
    }
    return bad != 0;
}
