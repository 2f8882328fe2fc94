// Input: a key of 16 bytes, nonce length, aad length, nonce, aad, ciphertext and tag. A ciphertext
// that opens is sealed to the same bytes; and any text that is sealed, in several parts, opens.
#include "fuzz/fuzz.hpp"
#include "tongyu/sm4.h"

static Bytes make(size_t nonce, size_t aad, size_t len)
{
    TestRng r(nonce * 100 + aad);
    Bytes in = r.bytes(16), body = r.bytes(nonce + aad + len), tag(16);
    in.push_back((uint8_t)nonce);
    in.push_back((uint8_t)aad);
    ty_sm4_gcm_key k;
    ty_sm4_gcm_init(&k, in.data());
    uint8_t *c = body.data() + nonce + aad;
    HOLDS(ty_sm4_gcm_seal(c, tag.data(), 16, c, len, body.data() + nonce, aad, body.data(), nonce,
                          &k) == TY_OK);
    in.insert(in.end(), body.begin(), body.end());
    in.insert(in.end(), tag.begin(), tag.end());
    return in;
}

std::vector<Bytes> fuzz_seeds()
{
    return { make(12, 0, 0), make(12, 13, 64), make(1, 0, 17), make(60, 20, 200),
             make(16, 40, 300) };
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 34 || size < 34u + data[16] + data[17]) return 0;
    const size_t nonce_len = data[16], aad_len = data[17],
                 len = size - 18 - nonce_len - aad_len - 16;
    const uint8_t *nonce = data + 18, *aad = nonce + nonce_len, *c = aad + aad_len, *tag = c + len;
    ty_sm4_gcm_key k;
    ty_sm4_gcm_init(&k, data);
    Bytes out(len, 0xee), back(len), sealed_tag(16);
    const ty_err err =
        ty_sm4_gcm_open(out.data(), c, len, tag, 16, aad, aad_len, nonce, nonce_len, &k);
    if (nonce_len == 0) {
        HOLDS(err == TY_ERR_ARG && out == Bytes(len, 0xee));
        return 0;
    }
    HOLDS(err == TY_OK || err == TY_ERR_VERIFY);
    if (err == TY_ERR_VERIFY) HOLDS(out == Bytes(len, 0));
    if (err == TY_OK) {
        HOLDS(ty_sm4_gcm_seal(back.data(), sealed_tag.data(), 16, out.data(), len, aad, aad_len,
                              nonce, nonce_len, &k) == TY_OK);
        HOLDS(same(back.data(), len, c, len) && same(sealed_tag.data(), 16, tag, 16));
    }
    // in the other direction, in parts of lengths that the key gives
    ty_sm4_gcm s;
    HOLDS(ty_sm4_gcm_start(&s, nonce, nonce_len, &k) == TY_OK);
    HOLDS(ty_sm4_gcm_aad(&s, aad, aad_len) == TY_OK);
    for (size_t at = 0, i = 0; at < len; i++) {
        const size_t n = std::min<size_t>(len - at, 1 + data[i % 16] % 50);
        HOLDS(ty_sm4_gcm_encrypt(back.data() + at, c + at, n, &s) == TY_OK);
        at += n;
    }
    HOLDS(ty_sm4_gcm_final(sealed_tag.data(), 16, &s) == TY_OK);
    HOLDS(ty_sm4_gcm_open(out.data(), back.data(), len, sealed_tag.data(), 16, aad, aad_len, nonce,
                          nonce_len, &k) == TY_OK);
    HOLDS(same(out.data(), len, c, len));
    return 0;
}
