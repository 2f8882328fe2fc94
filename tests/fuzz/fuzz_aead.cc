// CCM, OCB and GCM-SIV. Input: the mode (1 byte), a key of 16 bytes, nonce length, aad length, tag
// length, nonce, aad, ciphertext and tag. A text that opens is sealed to the same bytes, one that
// does not leaves zeros, and the verdict on CCM's tag is that of a reference implementation here.
#include "fuzz/fuzz.hpp"
#include "tongyu/sm4_aead.h"
#include "tongyu/sm4_mac.h"
#include <algorithm>

namespace {

struct Case {
    int which;
    const uint8_t *key, *nonce, *aad, *c, *tag;
    size_t nonce_len, aad_len, len, tag_len;
};

ty_err open(const Case &x, Bytes &out)
{
    ty_sm4_key key;
    ty_sm4_ocb_key ocb;
    out.assign(x.len, 0xee);
    ty_sm4_init(&key, x.key);
    switch (x.which) {
    case 0:
        return ty_sm4_ccm_open(out.data(), x.c, x.len, x.tag, x.tag_len, x.aad, x.aad_len, x.nonce,
                               x.nonce_len, &key);
    case 1:
        ty_sm4_ocb_init(&ocb, x.key);
        return ty_sm4_ocb_open(out.data(), x.c, x.len, x.tag, x.tag_len, x.aad, x.aad_len, x.nonce,
                               x.nonce_len, &ocb);
    default:
        if (x.nonce_len != 12 || x.tag_len != 16) return TY_ERR_ARG;
        return ty_sm4_gcm_siv_open(out.data(), x.c, x.len, x.tag, x.aad, x.aad_len, x.nonce, &key);
    }
}

ty_err seal(const Case &x, const Bytes &in, Bytes &out, Bytes &tag)
{
    ty_sm4_key key;
    ty_sm4_ocb_key ocb;
    out.assign(in.size(), 0);
    tag.assign(x.tag_len, 0);
    ty_sm4_init(&key, x.key);
    switch (x.which) {
    case 0:
        return ty_sm4_ccm_seal(out.data(), tag.data(), x.tag_len, in.data(), in.size(), x.aad,
                               x.aad_len, x.nonce, x.nonce_len, &key);
    case 1:
        ty_sm4_ocb_init(&ocb, x.key);
        return ty_sm4_ocb_seal(out.data(), tag.data(), x.tag_len, in.data(), in.size(), x.aad,
                               x.aad_len, x.nonce, x.nonce_len, &ocb);
    default:
        return ty_sm4_gcm_siv_seal(out.data(), tag.data(), in.data(), in.size(), x.aad, x.aad_len,
                                   x.nonce, &key);
    }
}

Bytes block(const ty_sm4_key &key, Bytes x)
{
    HOLDS(ty_sm4_ecb_encrypt(x.data(), x.data(), 16, &key) == TY_OK);
    return x;
}

// Whether CCM's tag is right, by its definition
bool ccm_is_good(const Case &x)
{
    ty_sm4_key key;
    ty_sm4_init(&key, x.key);
    const size_t q = 15 - x.nonce_len;
    Bytes counter(16), y(16), b(16);
    counter[0] = (uint8_t)(q - 1);
    std::copy(x.nonce, x.nonce + x.nonce_len, counter.begin() + 1);
    b = counter;
    b[0] = (uint8_t)(b[0] + (x.aad_len ? 64 : 0) + 4 * (x.tag_len - 2));
    b[15] = (uint8_t)x.len;
    b[14] = (uint8_t)(x.len >> 8);
    if (q > 2) b[13] = (uint8_t)(x.len >> 16);
    const Bytes mask = block(key, counter);
    if (x.aad_len) {
        b.push_back(0);
        b.push_back((uint8_t)x.aad_len);
        b.insert(b.end(), x.aad, x.aad + x.aad_len);
        b.resize((b.size() + 15) / 16 * 16);
    }
    for (size_t i = 0; i < x.len; i++) {
        if (i % 16 == 0) {
            const size_t n = i / 16 + 1;
            counter[15] = (uint8_t)n;
            counter[14] = (uint8_t)(n >> 8);
        }
        b.push_back(x.c[i] ^ block(key, counter)[i % 16]);
    }
    b.resize((b.size() + 15) / 16 * 16);
    for (size_t i = 0; i < b.size(); i += 16) {
        for (size_t j = 0; j < 16; j++) y[j] ^= b[i + j];
        y = block(key, y);
    }
    for (size_t j = 0; j < x.tag_len; j++)
        if ((y[j] ^ mask[j]) != x.tag[j]) return false;
    return true;
}

Bytes make(int which, size_t nonce, size_t aad, size_t len, size_t tag_len)
{
    TestRng r(nonce * 100 + aad + len);
    Bytes in{(uint8_t)which};
    const Bytes key = r.bytes(16), body = r.bytes(nonce + aad), text = r.bytes(len);
    in.insert(in.end(), key.begin(), key.end());
    for (size_t n : {nonce, aad, tag_len}) in.push_back((uint8_t)n);
    in.insert(in.end(), body.begin(), body.end());
    Case x{ which, key.data(), body.data(), body.data() + nonce, nullptr, nullptr, nonce,
            aad,   len,        tag_len };
    Bytes c, tag;
    HOLDS(seal(x, text, c, tag) == TY_OK);
    in.insert(in.end(), c.begin(), c.end());
    in.insert(in.end(), tag.begin(), tag.end());
    return in;
}

// CCM and OCB in parts of lengths that the key gives; CCM in place. Returns the verdict, which must
// be that of the one-shot call
ty_err in_pieces(const Case &x, Bytes &out)
{
    ty_sm4_key key;
    ty_sm4_ocb_key ocb_key;
    ty_sm4_init(&key, x.key);
    ty_sm4_ocb_init(&ocb_key, x.key);
    ty_sm4_ccm ccm;
    ty_sm4_ocb ocb;
    const bool is_ccm = x.which == 0;
    size_t total = 0, n = 0;
    out.assign(x.c, x.c + x.len);
    out.resize(x.len + 16);
    HOLDS((is_ccm ? ty_sm4_ccm_start(&ccm, x.nonce, x.nonce_len, x.aad_len, x.len, x.tag_len, &key)
                  : ty_sm4_ocb_start(&ocb, x.nonce, x.nonce_len, x.tag_len, &ocb_key)) == TY_OK);
    HOLDS((is_ccm ? ty_sm4_ccm_aad(&ccm, x.aad, x.aad_len)
                  : ty_sm4_ocb_aad(&ocb, x.aad, x.aad_len)) == TY_OK);
    for (size_t at = 0, i = 0; at < x.len; i++, at += n) {
        n = std::min<size_t>(x.len - at, 1 + x.key[i % 16] % 50);
        if (is_ccm) {
            HOLDS(ty_sm4_ccm_decrypt(&out[at], &out[at], n, &ccm) == TY_OK);
            total += n;
        } else {
            size_t wrote;
            HOLDS(ty_sm4_ocb_decrypt(&out[total], &wrote, x.c + at, n, &ocb) == TY_OK);
            total += wrote;
        }
    }
    n = 0;
    const ty_err err = is_ccm ? ty_sm4_ccm_verify(x.tag, x.tag_len, &ccm)
                              : ty_sm4_ocb_verify(&out[total], &n, x.tag, x.tag_len, &ocb);
    HOLDS(err != TY_OK || total + n == x.len);
    out.resize(x.len);
    return err;
}

}   // namespace

std::vector<Bytes> fuzz_seeds()
{
    return { make(0, 12, 0, 0, 16),    make(0, 13, 13, 64, 16),  make(0, 7, 0, 17, 4),
             make(0, 11, 20, 300, 10), make(1, 12, 0, 0, 16),    make(1, 1, 13, 64, 8),
             make(1, 15, 40, 17, 16),  make(1, 12, 20, 300, 12), make(2, 12, 0, 0, 16),
             make(2, 12, 13, 64, 16),  make(2, 12, 40, 17, 16),  make(2, 12, 20, 300, 16) };
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 20) return 0;
    Case x{ data[0] % 3, data + 1,       data + 20, nullptr, nullptr,
            nullptr,     data[17] % 20u, data[18],  0,       data[19] % 20u };
    if (size < 20 + x.nonce_len + x.aad_len + x.tag_len) return 0;
    x.aad = x.nonce + x.nonce_len;
    x.c = x.aad + x.aad_len;
    x.len = size - 20 - x.nonce_len - x.aad_len - x.tag_len;
    x.tag = x.c + x.len;
    Bytes out, back, tag, pieces;
    const ty_err err = open(x, out);
    if (err == TY_ERR_ARG || err == TY_ERR_SIZE) {
        const bool ccm = x.which == 0 && x.nonce_len >= 7 && x.nonce_len <= 13 && x.tag_len >= 4 &&
                         x.tag_len <= 16 && x.tag_len % 2 == 0;
        const bool ocb = x.which == 1 && x.nonce_len >= 1 && x.nonce_len <= 15 && x.tag_len >= 8 &&
                         x.tag_len <= 16;
        HOLDS(err == TY_ERR_SIZE ? ccm && x.nonce_len == 13 && x.len > 0xffff : !ccm && !ocb);
        HOLDS(out == Bytes(x.len, 0xee));
        return 0;
    }
    HOLDS(err == TY_OK || err == TY_ERR_VERIFY);
    if (err == TY_ERR_VERIFY) HOLDS(out == Bytes(x.len, 0));
    if (err == TY_OK) {
        HOLDS(seal(x, out, back, tag) == TY_OK);
        HOLDS(same(back.data(), x.len, x.c, x.len) &&
              same(tag.data(), x.tag_len, x.tag, x.tag_len));
    }
    if (x.which == 0 && x.len < 2000) HOLDS(ccm_is_good(x) == (err == TY_OK));
    if (x.which < 2) {
        HOLDS(in_pieces(x, pieces) == err);
        if (err == TY_OK) HOLDS(pieces == out);
    }
    // in the other direction: a sealed text opens
    const Bytes text(x.c, x.c + x.len);
    HOLDS(seal(x, text, back, tag) == TY_OK);
    Case y = x;
    y.c = back.data();
    y.tag = tag.data();
    HOLDS(open(y, out) == TY_OK && out == text);
    return 0;
}
