/* SM4 on poisoned keys and texts, in every mode, on every tier: nothing but lengths may steer it.
 * A tier whose instructions the CPU or the tool lacks is left out and reported. */
#include "base/ct.h"
#include "sm4/sm4.h"
#include "tongyu/sm4.h"

#include <stdio.h>
#include <string.h>

static uint8_t key_bytes[16], iv[16], text[600], out[640];
static uint32_t sum;    /* over everything that a tier outputs; all tiers must agree */

static void take(size_t n)
{
    /* the result has left the library: this program looks at it, the library never does */
    TY_PUBLIC(out, n);
    for (size_t i = 0; i < n; i++) sum = sum * 16777619u + out[i];
}

static int one_shot(const ty_sm4_key *key, size_t len)
{
    const size_t whole = len - len % 16;
    int bad = 0;
    bad += ty_sm4_ecb_encrypt(out, text, whole, key) != TY_OK;
    take(whole);
    bad += ty_sm4_ecb_decrypt(out, text, whole, key) != TY_OK;
    take(whole);
    bad += ty_sm4_cbc_encrypt(out, text, whole, iv, key) != TY_OK;
    take(whole);
    bad += ty_sm4_cbc_decrypt(out, text, whole, iv, key) != TY_OK;
    take(whole);
    ty_sm4_ctr(out, text, len, iv, key);
    take(len);
    ty_sm4_ofb(out, text, len, iv, key);
    take(len);
    ty_sm4_cfb_encrypt(out, text, len, iv, key);
    take(len);
    ty_sm4_cfb_decrypt(out, text, len, iv, key);
    take(len);
    return bad;
}

/* Encrypts with padding, in two parts, and decrypts, once with a good padding, which the library
 * checks by reading every byte, and once with a bad one: that it is bad is public, but not
 * where. */
static int padded(const ty_sm4_key *key, size_t len)
{
    static uint8_t sealed[640];
    ty_sm4_stream c;
    size_t n, total;
    int bad = ty_sm4_start(&c, TY_SM4_CBC_ENCRYPT, TY_SM4_PAD_PKCS7, iv, key) != TY_OK;
    bad += ty_sm4_update(sealed, &total, text, len / 3, &c) != TY_OK;
    bad += ty_sm4_update(sealed + total, &n, text + len / 3, len - len / 3, &c) != TY_OK;
    total += n;
    bad += ty_sm4_final(sealed + total, &n, &c) != TY_OK;
    total += n;
    for (int broken = 0; broken < 2; broken++) {
        if (broken) sealed[total - 1] ^= 1;
        TY_SECRET(sealed, total);
        bad += ty_sm4_start(&c, TY_SM4_CBC_DECRYPT, TY_SM4_PAD_PKCS7, iv, key) != TY_OK;
        bad += ty_sm4_update(out, &n, sealed, total, &c) != TY_OK;
        const size_t so_far = n;
        const ty_err err = ty_sm4_final(out + so_far, &n, &c);
        bad += err != (broken ? TY_ERR_FORMAT : TY_OK);
        if (!broken) take(so_far + n);
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
        for (size_t i = 0; i < 16; i++) key_bytes[i] = (uint8_t)(i * 11 + 3);
        TY_SECRET(key_bytes, sizeof key_bytes);
        TY_SECRET(text, sizeof text);
        sum = 0;
        ty_sm4_key key;
        ty_sm4_init(&key, key_bytes);
        for (size_t len = 0; len <= sizeof text; len += len < 40 ? 3 : 71)
            bad += one_shot(&key, len) + padded(&key, len);
        if (first) expected = sum;
        first = 0;
        if (sum != expected) {
            printf("sm4 %s: disagrees with the first tier\n", t->name);
            bad++;
        }
        printf("sm4 %s: secrets stayed out of branches and addresses\n", t->name);
    }
    return bad != 0;
}
