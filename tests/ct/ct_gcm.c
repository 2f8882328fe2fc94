/* SM4-GCM on poisoned keys, texts, additional data and tags, on every pair of tiers. The verdict of
 * open is public, and nothing else. */
#include "base/ct.h"
#include "mod/f2_128.h"
#include "sm4/sm4.h"
#include "tongyu/sm4.h"

#include <stdio.h>
#include <string.h>

static uint8_t key_bytes[16], aad[50], text[1300], sealed[1300], out[1300], tag[16];
static const uint8_t nonce[20] = { 1, 2, 3 };

static int once(size_t len, size_t nonce_len)
{
    ty_sm4_gcm_key key;
    ty_sm4_gcm c;
    int bad = 0;
    ty_sm4_gcm_init(&key, key_bytes);
    bad += ty_sm4_gcm_seal(sealed, tag, 16, text, len, aad, len % sizeof aad, nonce, nonce_len,
                           &key) != TY_OK;
    bad += ty_sm4_gcm_open(out, sealed, len, tag, 16, aad, len % sizeof aad, nonce, nonce_len,
                           &key) != TY_OK;
    TY_PUBLIC(out, len);    /* the result has left the library: this program looks at it */
    TY_PUBLIC(text, len);
    bad += memcmp(out, text, len) != 0;
    TY_SECRET(text, len);
    bad += ty_sm4_gcm_start(&c, nonce, nonce_len, &key) != TY_OK;
    bad += ty_sm4_gcm_aad(&c, aad, len % sizeof aad) != TY_OK;
    bad += ty_sm4_gcm_decrypt(out, sealed, len / 2, &c) != TY_OK;
    bad += ty_sm4_gcm_decrypt(out + len / 2, sealed + len / 2, len - len / 2, &c) != TY_OK;
    bad += ty_sm4_gcm_verify(tag, 13, &c) != TY_OK;
    tag[5] ^= 1;
    bad += ty_sm4_gcm_open(out, sealed, len, tag, 16, aad, len % sizeof aad, nonce, nonce_len,
                           &key) != TY_ERR_VERIFY;
    return bad;
}

int main(void)
{
    const ty_cpu have = ty_cpu_have();
    int bad = 0;
    for (const ty_tier *t = ty_sm4_tiers; t->name; t++)
        for (const ty_tier *g = ty_f2_128_tiers; g->name; g++) {
            if ((t->need | g->need) & ~have) {
                printf("sm4 %s with f2_128 %s: not on this CPU\n", t->name, g->name);
                continue;
            }
            ty_cpu_assume(t->need | g->need);
            memset(key_bytes, 0x31, sizeof key_bytes);
            TY_SECRET(key_bytes, sizeof key_bytes);
            TY_SECRET(text, sizeof text);
            TY_SECRET(aad, sizeof aad);
            for (size_t len = 0; len <= sizeof text; len += len < 40 ? 7 : 83)
                bad += once(len, len % 2 ? 12 : 20);
            printf("sm4 %s with f2_128 %s: secrets stayed out of branches and addresses\n", t->name,
                   g->name);
        }
    return bad != 0;
}
