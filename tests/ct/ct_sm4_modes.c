/* The modes that do more than call a kernel, on poisoned keys and texts, on every tier: XTS, HCTR,
 * BC, OFBNLF, CFB with 8 and 1 bits, the streams, the paddings, key wrap. Nothing but lengths may
 * steer them. A tier that the CPU or the tool lacks is left out and reported. Prints a sum over all
 * output: it is the same on every machine. */
#include "base/ct.h"
#include "sm4/sm4.h"
#include "tongyu/sm4_hctr.h"
#include "tongyu/sm4_wrap.h"
#include "tongyu/sm4_xts.h"

#include <stdio.h>
#include <string.h>

static uint8_t key_bytes[32], iv[16], text[1200], out[1300], middle[1300];
static uint32_t sum;    /* over everything that a tier outputs; all tiers must agree */

static void take(const uint8_t *p, size_t n)
{
    memcpy(out, p, n);
    /* the result has left the library: this program looks at it, the library never does */
    TY_PUBLIC(out, n);
    for (size_t i = 0; i < n; i++) sum = sum * 16777619u + out[i];
}

typedef ty_err xts(uint8_t *, const uint8_t *, size_t, const uint8_t *, const ty_sm4_xts_key *);

static int tweakable(size_t len)
{
    static xts *const calls[] = { ty_sm4_xts_ieee_encrypt, ty_sm4_xts_ieee_decrypt,
                                  ty_sm4_xts_gb_encrypt, ty_sm4_xts_gb_decrypt };
    ty_sm4_xts_key x;
    ty_sm4_hctr_key h;
    int bad = ty_sm4_xts_init(&x, key_bytes) != TY_OK;
    ty_sm4_hctr_init(&h, key_bytes);
    for (int i = 0; i < 4; i++) {
        bad += calls[i](middle, text, len, iv, &x) != TY_OK;
        take(middle, len);
    }
    bad +=
        ty_sm4_xts_gb_encrypt_sectors(middle, text, 3, len / 3 < 16 ? 16 : len / 3, 5, &x) != TY_OK;
    take(middle, 48);
    bad += ty_sm4_hctr_encrypt(middle, text, len, iv, &h) != TY_OK;
    take(middle, len);
    bad += ty_sm4_hctr_decrypt(middle, text, len, iv, &h) != TY_OK;
    take(middle, len);
    return bad;
}

static int chains(size_t len, const ty_sm4_key *key)
{
    const size_t whole = len - len % 16, bits = len < 100 ? 8 * len + 3 : 800;
    int bad = ty_sm4_bc_encrypt(middle, text, whole, iv, key) != TY_OK;
    take(middle, whole);
    bad += ty_sm4_bc_decrypt(middle, text, whole, iv, key) != TY_OK;
    take(middle, whole);
    bad += ty_sm4_ofbnlf_encrypt(middle, text, whole, iv, key) != TY_OK;
    take(middle, whole);
    bad += ty_sm4_ofbnlf_decrypt(middle, text, whole, iv, key) != TY_OK;
    take(middle, whole);
    ty_sm4_cfb8_encrypt(middle, text, len, iv, key);
    take(middle, len);
    ty_sm4_cfb8_decrypt(middle, text, len, iv, key);
    take(middle, len);
    ty_sm4_cfb1_encrypt(middle, text, bits, iv, key);
    take(middle, (bits + 7) / 8);
    ty_sm4_cfb1_decrypt(middle, text, bits, iv, key);
    take(middle, (bits + 7) / 8);
    return bad;
}

static int streams(size_t len, const ty_sm4_key *key)
{
    int bad = 0;
    for (int mode = TY_SM4_CTR; mode <= TY_SM4_CFB_DECRYPT; mode++) {
        ty_sm4_stream c;
        size_t n;
        bad += ty_sm4_start(&c, (ty_sm4_mode)mode, TY_SM4_PAD_NONE, iv, key) != TY_OK;
        bad += ty_sm4_update(middle, &n, text, len / 3, &c) != TY_OK;
        bad += ty_sm4_update(middle + n, &n, text + n, len - n, &c) != TY_OK;
        take(middle, len);
        bad += ty_sm4_final(middle, &n, &c) != TY_OK;
    }
    return bad;
}

/* For every padding: encrypts and decrypts, then does so again and makes the padding wrong before
 * it decrypts. That it is wrong is public, but not where. */
static int padded(size_t len, const ty_sm4_key *key)
{
    int bad = 0;
    for (int pad = TY_SM4_PAD_PKCS7; pad <= TY_SM4_PAD_X923; pad++)
        for (int broken = 0; broken < 2; broken++) {
            ty_sm4_stream c;
            size_t n, last;
            uint8_t other[16];
            bad += ty_sm4_start(&c, TY_SM4_CBC_ENCRYPT, (ty_sm4_pad)pad, iv, key) != TY_OK;
            bad += ty_sm4_update(middle, &n, text, len, &c) != TY_OK;
            bad += ty_sm4_final(middle + n, &last, &c) != TY_OK;
            n += last;
            memcpy(other, iv, 16);
            /* the last byte of the plaintext becomes one that no padding has */
            if (broken) *(n > 16 ? &middle[n - 17] : &other[15]) ^= 0x40;
            TY_SECRET(middle, n);
            bad += ty_sm4_start(&c, TY_SM4_CBC_DECRYPT, (ty_sm4_pad)pad, other, key) != TY_OK;
            bad += ty_sm4_update(middle, &n, middle, n, &c) != TY_OK;
            bad += ty_sm4_final(middle + n, &last, &c) != (broken ? TY_ERR_FORMAT : TY_OK);
            if (!broken) take(middle, n + last);
        }
    return bad;
}

static int wrapped(size_t len, const ty_sm4_key *key)
{
    const size_t eights = len < 16 ? 16 : len - len % 8;
    int bad = 0;
    size_t n;
    for (int broken = 0; broken < 2; broken++) {
        const ty_err want = broken ? TY_ERR_VERIFY : TY_OK;
        bad += ty_sm4_kw_wrap(middle, text, eights, key) != TY_OK;
        take(middle, eights + 8);
        if (broken) middle[3] ^= 1;
        TY_SECRET(middle, eights + 8);
        bad += ty_sm4_kw_unwrap(middle, middle, eights + 8, key) != want;
        take(middle, eights);
        bad += ty_sm4_kwp_wrap(middle, text, len, key) != TY_OK;
        take(middle, TY_SM4_KWP_LEN(len));
        if (broken) middle[3] ^= 1;
        TY_SECRET(middle, TY_SM4_KWP_LEN(len));
        bad += ty_sm4_kwp_unwrap(middle, &n, middle, TY_SM4_KWP_LEN(len), key) != want;
        bad += n != (broken ? 0 : len);
        take(middle, len);
    }
    return bad;
}

int main(void)
{
    const ty_cpu have = ty_cpu_have();
    int bad = 0, first = 1;
    uint32_t expected = 0;
    for (const ty_tier *t = ty_sm4_tiers; t->name; t++) {
        if (t->need & ~have) {
            printf("sm4 %s: not on this CPU\n", t->name);
            continue;
        }
        ty_cpu_assume(t->need);
        for (size_t i = 0; i < sizeof text; i++) text[i] = (uint8_t)(i * 29 + 5);
        for (size_t i = 0; i < sizeof key_bytes; i++) key_bytes[i] = (uint8_t)(i * 11 + 3);
        for (size_t i = 0; i < sizeof iv; i++) iv[i] = (uint8_t)(i * 7 + 1);
        TY_SECRET(key_bytes, sizeof key_bytes);
        TY_SECRET(text, sizeof text);
        sum = 0;
        ty_sm4_key key;
        ty_sm4_init(&key, key_bytes);
        for (size_t len = 16; len <= sizeof text; len += len < 50 ? 5 : 383) bad += tweakable(len);
        for (size_t len = 0; len <= 300; len += len < 40 ? 7 : 119)
            bad += chains(len, &key) + streams(len, &key) + padded(len, &key);
        for (size_t len = 1; len <= 64; len += 9) bad += wrapped(len, &key);
        if (first) expected = sum;
        first = 0;
        if (sum != expected) {
            printf("sm4 %s: differs from the first tier\n", t->name);
            bad++;
        }
        printf("sm4 %s: modes done, sum %08x\n", t->name, (unsigned)sum);
        ty_cpu_assume(0);
    }
    return bad != 0;
}
