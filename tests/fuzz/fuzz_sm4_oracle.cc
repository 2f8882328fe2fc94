// Input: mode, length of the nonce, of additional data, of the tag, size of the parts, then key,
// nonce, additional data, message. Every mode is compared with libgcrypt; ECB, CBC, CFB, OFB, CTR
// with libcrypto, too. XTS and the modes after it run in one call; all modes with a streaming
// interface run in parts. Built where both libraries are installed.
#include "fuzz/fuzz.hpp"
#include "tongyu/tongyu.h"
#include <gcrypt.h>
#include <openssl/evp.h>

namespace {

enum Mode { ECB, CBC, CFB, CFB8, OFB, CTR, XTS, GCM, CCM, OCB, GCM_SIV, CMAC, MODES };

struct Case {
    Mode mode;
    size_t tag_len, piece;
    Bytes key, nonce, aad, text;
};

size_t nonce_len(Mode mode, uint8_t wish)
{
    switch (mode) {
    case ECB: case CMAC: return 0;
    case GCM: return 1 + wish % 60;
    case CCM: return 7 + wish % 7;
    case OCB: return 8 + wish % 8;            // libgcrypt requires eight bytes
    case GCM_SIV: return 12;
    default: return 16;
    }
}

size_t tag_len(Mode mode, uint8_t wish)
{
    switch (mode) {
    case GCM: return 12 + wish % 5;
    case CCM: return 4 + 2 * (wish % 7);
    case OCB: return 8 + 4 * (wish % 3);     // libgcrypt has these three
    case CMAC: case GCM_SIV: return 16;
    default: return 0;
    }
}

bool parse(Case &c, const uint8_t *data, size_t size)
{
    if (size < 5) return false;
    c.mode = (Mode)(data[0] % MODES);
    const size_t key = c.mode == XTS ? 32 : 16, nonce = nonce_len(c.mode, data[1]);
    const size_t aad = c.mode >= GCM && c.mode < CMAC ? data[2] : 0;
    c.tag_len = tag_len(c.mode, data[3]);
    c.piece = 1 + data[4];
    if (size < 5 + key + nonce + aad) return false;
    const uint8_t *p = data + 5;
    c.key.assign(p, p + key);
    c.nonce.assign(p + key, p + key + nonce);
    c.aad.assign(p + key + nonce, p + key + nonce + aad);
    c.text.assign(p + key + nonce + aad, data + size);
    if (c.mode == ECB || c.mode == CBC) c.text.resize(c.text.size() / 16 * 16);
    return c.mode != XTS || (c.text.size() >= 16 && !same(p, 16, p + 16, 16));
}

// --- libgcrypt -----------------------------------------------------------------------------------

void gcrypt_tag(const Case &c, Bytes &tag)
{
    gcry_mac_hd_t h;
    size_t n = 16;
    tag.resize(16);
    HOLDS(gcry_mac_open(&h, GCRY_MAC_CMAC_SM4, 0, nullptr) == 0);
    HOLDS(gcry_mac_setkey(h, c.key.data(), 16) == 0);
    if (!c.text.empty()) HOLDS(gcry_mac_write(h, c.text.data(), c.text.size()) == 0);
    HOLDS(gcry_mac_read(h, tag.data(), &n) == 0);
    gcry_mac_close(h);
}

Bytes gcrypt(const Case &c, Bytes &tag)
{
    static const int modes[] = {
        GCRY_CIPHER_MODE_ECB, GCRY_CIPHER_MODE_CBC, GCRY_CIPHER_MODE_CFB,    GCRY_CIPHER_MODE_CFB8,
        GCRY_CIPHER_MODE_OFB, GCRY_CIPHER_MODE_CTR, GCRY_CIPHER_MODE_XTS,    GCRY_CIPHER_MODE_GCM,
        GCRY_CIPHER_MODE_CCM, GCRY_CIPHER_MODE_OCB, GCRY_CIPHER_MODE_GCM_SIV
    };
    gcry_cipher_hd_t h;
    Bytes out(c.text.size());
    HOLDS(gcry_cipher_open(&h, GCRY_CIPHER_SM4, modes[c.mode], 0) == 0);
    HOLDS(gcry_cipher_setkey(h, c.key.data(), c.key.size()) == 0);
    if (c.mode == OCB) {
        int len = (int)c.tag_len;
        HOLDS(gcry_cipher_ctl(h, GCRYCTL_SET_TAGLEN, &len, sizeof len) == 0);
    }
    if (c.mode == CTR) HOLDS(gcry_cipher_setctr(h, c.nonce.data(), 16) == 0);
    else if (c.mode != ECB) HOLDS(gcry_cipher_setiv(h, c.nonce.data(), c.nonce.size()) == 0);
    if (c.mode == CCM) {
        uint64_t lengths[3] = {c.text.size(), c.aad.size(), c.tag_len};
        HOLDS(gcry_cipher_ctl(h, GCRYCTL_SET_CCM_LENGTHS, lengths, sizeof lengths) == 0);
    }
    if (c.tag_len && !c.aad.empty())
        HOLDS(gcry_cipher_authenticate(h, c.aad.data(), c.aad.size()) == 0);
    if (c.tag_len) HOLDS(gcry_cipher_final(h) == 0);
    HOLDS(gcry_cipher_encrypt(h, out.data(), out.size(), c.text.data(), c.text.size()) == 0);
    tag.resize(c.tag_len);
    if (c.tag_len) HOLDS(gcry_cipher_gettag(h, tag.data(), c.tag_len) == 0);
    gcry_cipher_close(h);
    return out;
}

// --- libcrypto -----------------------------------------------------------------------------------

Bytes openssl(const Case &c)
{
    const EVP_CIPHER *cipher = c.mode == ECB   ? EVP_sm4_ecb()
                               : c.mode == CBC ? EVP_sm4_cbc()
                               : c.mode == CFB ? EVP_sm4_cfb128()
                               : c.mode == OFB ? EVP_sm4_ofb()
                                               : EVP_sm4_ctr();
    EVP_CIPHER_CTX *h = EVP_CIPHER_CTX_new();
    Bytes out(c.text.size() + 16);
    int n = 0;
    HOLDS(EVP_EncryptInit_ex(h, cipher, nullptr, c.key.data(), c.nonce.data()) == 1);
    EVP_CIPHER_CTX_set_padding(h, 0);
    HOLDS(EVP_EncryptUpdate(h, out.data(), &n, c.text.data(), (int)c.text.size()) == 1);
    EVP_CIPHER_CTX_free(h);
    out.resize((size_t)n);
    return out;
}

// --- ours ----------------------------------------------------------------------------------------

// Calls f(at, len) for every part
template <class F> void pieces(size_t len, size_t piece, F f)
{
    for (size_t at = 0; at < len; at += piece) f(at, std::min(piece, len - at));
}

Bytes stream(const Case &c, ty_sm4_mode mode, const Bytes &in)
{
    ty_sm4_key k;
    ty_sm4_stream s;
    Bytes out(in.size() + 16);
    size_t done = 0, n = 0;
    ty_sm4_init(&k, c.key.data());
    HOLDS(ty_sm4_start(&s, mode, TY_SM4_PAD_NONE, c.nonce.data(), &k) == TY_OK);
    pieces(in.size(), c.piece, [&](size_t at, size_t len) {
        HOLDS(ty_sm4_update(out.data() + done, &n, in.data() + at, len, &s) == TY_OK);
        done += n;
    });
    HOLDS(ty_sm4_final(out.data() + done, &n, &s) == TY_OK);
    out.resize(done + n);
    return out;
}

void plain(const Case &c, const Bytes &expected)
{
    static const ty_sm4_mode both[][2] = {
        {TY_SM4_ECB_ENCRYPT, TY_SM4_ECB_DECRYPT}, {TY_SM4_CBC_ENCRYPT, TY_SM4_CBC_DECRYPT},
        {TY_SM4_CFB_ENCRYPT, TY_SM4_CFB_DECRYPT}, {TY_SM4_CFB8_ENCRYPT, TY_SM4_CFB8_DECRYPT},
        {TY_SM4_OFB, TY_SM4_OFB}, {TY_SM4_CTR, TY_SM4_CTR}
    };
    if (c.mode != CFB8) HOLDS(openssl(c) == expected);
    HOLDS(stream(c, both[c.mode][0], c.text) == expected);
    HOLDS(stream(c, both[c.mode][1], expected) == c.text);
}

void xts(const Case &c, const Bytes &expected)
{
    ty_sm4_xts_key k;
    Bytes out(c.text.size());
    HOLDS(ty_sm4_xts_init(&k, c.key.data()) == TY_OK);
    HOLDS(ty_sm4_xts_ieee_encrypt(out.data(), c.text.data(), out.size(), c.nonce.data(), &k) ==
          TY_OK);
    HOLDS(out == expected);
    HOLDS(ty_sm4_xts_ieee_decrypt(out.data(), out.data(), out.size(), c.nonce.data(), &k) == TY_OK);
    HOLDS(out == c.text);
}

// seal(out, tag), open(out, in, tag) -> ty_err
template <class Seal, class Open>
void aead(const Case &c, const Bytes &expected, const Bytes &tag, Seal seal, Open open)
{
    Bytes out(c.text.size()), made(c.tag_len);
    HOLDS(seal(out.data(), made.data()) == TY_OK);
    HOLDS(out == expected && made == tag);
    HOLDS(open(out.data(), expected.data(), tag.data()) == TY_OK);
    HOLDS(out == c.text);
    made[c.piece % c.tag_len] ^= 1;
    HOLDS(open(out.data(), expected.data(), made.data()) == TY_ERR_VERIFY);
    HOLDS(out == Bytes(out.size()));
}

void gcm(const Case &c, const Bytes &expected, const Bytes &tag)
{
    ty_sm4_gcm_key k;
    ty_sm4_gcm_init(&k, c.key.data());
    aead(
        c, expected, tag,
        [&](uint8_t *out, uint8_t *t) {
            return ty_sm4_gcm_seal(out, t, c.tag_len, c.text.data(), c.text.size(), c.aad.data(),
                                   c.aad.size(), c.nonce.data(), c.nonce.size(), &k);
        },
        [&](uint8_t *out, const uint8_t *in, const uint8_t *t) {
            return ty_sm4_gcm_open(out, in, c.text.size(), t, c.tag_len, c.aad.data(), c.aad.size(),
                                   c.nonce.data(), c.nonce.size(), &k);
        });
    ty_sm4_gcm s;
    Bytes out(c.text.size());
    HOLDS(ty_sm4_gcm_start(&s, c.nonce.data(), c.nonce.size(), &k) == TY_OK);
    pieces(c.aad.size(), c.piece, [&](size_t at, size_t len) {
        HOLDS(ty_sm4_gcm_aad(&s, c.aad.data() + at, len) == TY_OK);
    });
    pieces(out.size(), c.piece, [&](size_t at, size_t len) {
        HOLDS(ty_sm4_gcm_decrypt(out.data() + at, expected.data() + at, len, &s) == TY_OK);
    });
    HOLDS(ty_sm4_gcm_verify(tag.data(), c.tag_len, &s) == TY_OK);
    HOLDS(out == c.text);
}

void ccm(const Case &c, const Bytes &expected, const Bytes &tag)
{
    ty_sm4_key k;
    ty_sm4_init(&k, c.key.data());
    aead(
        c, expected, tag,
        [&](uint8_t *out, uint8_t *t) {
            return ty_sm4_ccm_seal(out, t, c.tag_len, c.text.data(), c.text.size(), c.aad.data(),
                                   c.aad.size(), c.nonce.data(), c.nonce.size(), &k);
        },
        [&](uint8_t *out, const uint8_t *in, const uint8_t *t) {
            return ty_sm4_ccm_open(out, in, c.text.size(), t, c.tag_len, c.aad.data(), c.aad.size(),
                                   c.nonce.data(), c.nonce.size(), &k);
        });
    ty_sm4_ccm s;
    Bytes out(c.text.size());
    HOLDS(ty_sm4_ccm_start(&s, c.nonce.data(), c.nonce.size(), c.aad.size(), out.size(), c.tag_len,
                           &k) == TY_OK);
    pieces(c.aad.size(), c.piece, [&](size_t at, size_t len) {
        HOLDS(ty_sm4_ccm_aad(&s, c.aad.data() + at, len) == TY_OK);
    });
    pieces(out.size(), c.piece, [&](size_t at, size_t len) {
        HOLDS(ty_sm4_ccm_decrypt(out.data() + at, expected.data() + at, len, &s) == TY_OK);
    });
    HOLDS(ty_sm4_ccm_verify(tag.data(), c.tag_len, &s) == TY_OK);
    HOLDS(out == c.text);
}

void ocb(const Case &c, const Bytes &expected, const Bytes &tag)
{
    ty_sm4_ocb_key k;
    ty_sm4_ocb_init(&k, c.key.data());
    aead(
        c, expected, tag,
        [&](uint8_t *out, uint8_t *t) {
            return ty_sm4_ocb_seal(out, t, c.tag_len, c.text.data(), c.text.size(), c.aad.data(),
                                   c.aad.size(), c.nonce.data(), c.nonce.size(), &k);
        },
        [&](uint8_t *out, const uint8_t *in, const uint8_t *t) {
            return ty_sm4_ocb_open(out, in, c.text.size(), t, c.tag_len, c.aad.data(), c.aad.size(),
                                   c.nonce.data(), c.nonce.size(), &k);
        });
    ty_sm4_ocb s;
    Bytes out(c.text.size() + 16);
    size_t done = 0, n = 0;
    HOLDS(ty_sm4_ocb_start(&s, c.nonce.data(), c.nonce.size(), c.tag_len, &k) == TY_OK);
    pieces(c.aad.size(), c.piece, [&](size_t at, size_t len) {
        HOLDS(ty_sm4_ocb_aad(&s, c.aad.data() + at, len) == TY_OK);
    });
    pieces(c.text.size(), c.piece, [&](size_t at, size_t len) {
        HOLDS(ty_sm4_ocb_decrypt(out.data() + done, &n, expected.data() + at, len, &s) == TY_OK);
        done += n;
    });
    HOLDS(ty_sm4_ocb_verify(out.data() + done, &n, tag.data(), c.tag_len, &s) == TY_OK);
    out.resize(done + n);
    HOLDS(out == c.text);
}

void gcm_siv(const Case &c, const Bytes &expected, const Bytes &tag)
{
    ty_sm4_key k;
    ty_sm4_init(&k, c.key.data());
    aead(
        c, expected, tag,
        [&](uint8_t *out, uint8_t *t) {
            return ty_sm4_gcm_siv_seal(out, t, c.text.data(), c.text.size(), c.aad.data(),
                                       c.aad.size(), c.nonce.data(), &k);
        },
        [&](uint8_t *out, const uint8_t *in, const uint8_t *t) {
            return ty_sm4_gcm_siv_open(out, in, c.text.size(), t, c.aad.data(), c.aad.size(),
                                       c.nonce.data(), &k);
        });
}

void cmac(const Case &c, const Bytes &tag)
{
    ty_sm4_cmac_key k;
    ty_sm4_cmac s;
    Bytes made(16);
    ty_sm4_cmac_init(&k, c.key.data());
    HOLDS(ty_sm4_cmac_mac(made.data(), 16, c.text.data(), c.text.size(), &k) == TY_OK &&
          made == tag);
    ty_sm4_cmac_start(&s, &k);
    pieces(c.text.size(), c.piece, [&](size_t at, size_t len) {
        HOLDS(ty_sm4_cmac_update(&s, c.text.data() + at, len) == TY_OK);
    });
    HOLDS(ty_sm4_cmac_verify(tag.data(), 16, &s) == TY_OK);
}

}   // namespace

std::vector<Bytes> fuzz_seeds()
{
    std::vector<Bytes> s;
    TestRng r(11);
    for (uint8_t mode = 0; mode < MODES; mode++)
        for (const size_t len :
             { 150, 700, 2100 }) {   // at most 85 of them are not message
            Bytes in = r.bytes(len);
            in[0] = mode;
            in[1] = (uint8_t)(mode == GCM ? 11 : r.below(256));
            in[2] = (uint8_t)r.below(50);
            s.push_back(in);
        }
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const bool ready = gcry_check_version(nullptr) &&
                              gcry_control(GCRYCTL_DISABLE_SECMEM, 0) == 0 &&
                              gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0) == 0;
    HOLDS(ready);
    Case c;
    if (!parse(c, data, size)) return 0;
    Bytes tag, expected;
    if (c.mode == CMAC) gcrypt_tag(c, tag);
    else expected = gcrypt(c, tag);
    switch (c.mode) {
    case XTS: xts(c, expected); break;
    case GCM: gcm(c, expected, tag); break;
    case CCM: ccm(c, expected, tag); break;
    case OCB: ocb(c, expected, tag); break;
    case GCM_SIV: gcm_siv(c, expected, tag); break;
    case CMAC: cmac(c, tag); break;
    default: plain(c, expected);
    }
    return 0;
}
