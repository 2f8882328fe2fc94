/* PEM (src/key/pem.c), for CBMC */
#include "any.h"

#include "key/pem.c"

#ifndef CHARS
#define CHARS 12
#define ROOM 8
#endif

void ty_wipe(void *p, size_t n) { memset(p, 0, n); }

const char *ty_pbes2_cipher_name(ty_pbes2_cipher cipher)
{
    static const char *const names[] = { "SM4-CBC", "AES-128-CBC", "AES-192-CBC", "AES-256-CBC" };
    assert(cipher <= TY_PBES2_AES256);
    return names[cipher];
}

/* RFC 4648, 4: 64 characters, each with its own value; all others are recognized as such. */
void proof_base64(void)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t c = any_byte();
    const uint32_t x = from_base64(c), v = any_word();
    assert(x <= 127);
    assert(x >= 64 || (uint8_t)alphabet[x] == c);
    assume(v < 64);
    assert(to_base64(v) == (uint8_t)alphabet[v] && from_base64(to_base64(v)) == v);
}

/* A body of any characters: no byte outside the room is written, and the output of an accepted body
 * has the length that follows from its characters. */
void proof_body(void)
{
    const size_t len = any_size_to(CHARS), room = any_size_to(ROOM);
    const uint8_t *const in = any_bytes(len);
    uint8_t *const out = any_bytes(room);
    size_t out_len = 0;
    text t = { in, in + len };
    const ty_err err = read_body(out, &out_len, room, &t);
    assert(t.p >= in && t.p <= in + len);
    if (err != TY_OK) return;
    size_t chars = 0;
    for (const uint8_t *p = in; p < t.p; p++) chars += from_base64(*p) < 64;
    assert(out_len <= room && out_len == chars * 6 / 8);
}

void proof_iv(void)
{
    const size_t len = any_size_to(34);
    const uint8_t *const in = any_bytes(len);
    uint8_t iv[16];
    text t = { in, in + len };
    const int taken = take_iv(&t, iv);
    assert(t.p <= in + len);
    assert(!taken || t.p == in + 32);
}

/* The text has the size that ty_pem_size returned, for lengths around one line of 48 bytes. */
void proof_write(void)
{
    static const uint8_t lengths[] = { 0, 1, 2, 3, 47, 48, 49 };
    for (size_t k = 0; k < sizeof lengths; k++) {
        const size_t len = lengths[k];
        const uint8_t *const der = any_bytes(len);
        const size_t size = ty_pem_size(TY_KEY_SPKI, len);
        uint8_t *const out = any_bytes(size);
        ty_pem_write(out, TY_KEY_SPKI, der, len);
        assert(out[0] == '-' && out[size - 1] == '\n' && out[size - 2] == '-');
    }
}

/* Reading what was written gives the same DER. */
void proof_again(void)
{
    for (size_t len = 0; len <= 7; len++) {
        const uint8_t *const der = any_bytes(len);
        uint8_t text_of[100], again[9];
        size_t again_len = 0;
        const size_t size = ty_pem_size(TY_KEY_SPKI, len);
        assert(size <= sizeof text_of);
        ty_pem_write(text_of, TY_KEY_SPKI, der, len);
        text t = { text_of + 27, text_of + size };   /* after the first line */
        assert(read_body(again, &again_len, sizeof again, &t) == TY_OK && again_len == len);
        for (size_t i = 0; i < len; i++) assert(again[i] == der[i]);
    }
}
