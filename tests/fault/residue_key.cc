// Secrets that reading an encrypted key leaves on the stack: the password, the states of HMAC that
// depend on it, the derived key and its round keys, and the private key. Each kind of file is made
// here, with a password that is long enough to be searched for.
#include "fault/residue_search.hpp"
#include "key/fixtures.hpp"
#include "support/rng.hpp"
#include "tongyu/key.h"
#include "tongyu/sm4.h"
extern "C" {
#include "kdf/scrypt.h"
#include "key/aes.h"
#include "key/file.h"
#include "key/md5.h"
#include "key/pbes2.h"
#include "key/pem.h"
#include "mac/hmac_any.h"
}

namespace {

Bytes tlv(int tag, const Bytes &body)
{
    Bytes v{(uint8_t)tag, 0x82, (uint8_t)(body.size() >> 8), (uint8_t)body.size()};
    if (body.size() < 256) v.erase(v.begin() + 1, v.begin() + 3);
    if (body.size() >= 128 && body.size() < 256) v.insert(v.begin() + 1, 0x81);
    v.insert(v.end(), body.begin(), body.end());
    return v;
}
Bytes operator+(Bytes a, const Bytes &b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

struct Kdf {
    ty_pbes2_kdf kdf;
    const ty_hash_kind *hash;   // NULL: scrypt
};
const Kdf kdfs[] = { { TY_PBES2_401_3_1, &ty_hash_sm3 },
                     { TY_PBES2_SHA1, &ty_hash_sha1 },
                     { TY_PBES2_SHA224, &ty_hash_sha224 },
                     { TY_PBES2_SHA256, &ty_hash_sha256 },
                     { TY_PBES2_SHA384, &ty_hash_sha384 },
                     { TY_PBES2_SHA512, &ty_hash_sha512 },
                     { TY_PBES2_SHA512_224, &ty_hash_sha512_224 },
                     { TY_PBES2_SHA512_256, &ty_hash_sha512_256 },
                     { TY_PBES2_SCRYPT, nullptr } };
const ty_pbes2_cipher ciphers[] = {TY_PBES2_SM4, TY_PBES2_AES128, TY_PBES2_AES192, TY_PBES2_AES256};

struct ResidueKey : testing::Test {
    TestRng r{34};
    ty_key key{}, got{};
    Bytes password = r.bytes(40), memory = Bytes(1 << 16);
    ty_key_limits limits = {1 << 16, nullptr, 0};
    void SetUp() override
    {
        limits.memory = memory.data();
        limits.memory_len = memory.size();
        ASSERT_EQ(ty_key_read(&key, fixture::pkcs8, sizeof fixture::pkcs8 - 1, nullptr, 0), TY_OK);
    }
    Bytes der(ty_key_form form)
    {
        Bytes out(TY_KEY_ENCODED_MAX);
        size_t n = out.size();
        EXPECT_EQ(ty_key_write(out.data(), &n, &key, form, TY_KEY_DER, nullptr, 0, 0, nullptr),
                  TY_OK);
        out.resize(n);
        return out;
    }
    Secrets secrets()
    {
        Secrets s;
        s.add("private key", key.sm2.d, 32)
            .add("1/(1 + d)", key.sm2.inv1d, 32)
            .add("password", password);
        return s;
    }
    void add_derived(Secrets &s, ty_pbes2_cipher cipher, const Bytes &derived)
    {
        s.add("derived key", derived);
        if (cipher == TY_PBES2_SM4) {
            ty_sm4_key c;
            ty_sm4_init(&c, derived.data());
            s.add("round keys", c.enc, sizeof c.enc);
        } else {
            ty_aes c;
            ty_aes_init(&c, derived.data(), derived.size());
            s.add("round keys", c.round_key, (c.rounds + 1) * sizeof c.round_key[0]);
        }
    }
    // adds the pads, and the states after them, with which MACs can be forged
    void add_hmac(Secrets &s, const ty_hash_kind *hash)
    {
        for (const uint8_t with : {0x36, 0x5c}) {
            Bytes pad = password;
            for (uint8_t &b : pad) b ^= with;
            s.add("pad", pad);
        }
        ty_hmac_any c;
        ty_hmac_any_init(&c, hash, password.data(), password.size());
        for (const ty_hash_state *state : {&c.inner, &c.outer}) {
            if (hash == &ty_hash_sm3) s.add("state", state->sm3.h, sizeof state->sm3.h);
            else if (hash->block == 128) s.add("state", state->sha512.h, sizeof state->sha512.h);
            else s.add("state", state->sha256.h, hash == &ty_hash_sha1 ? 20 : 32);
        }
    }
    Bytes derive(const ty_pbes2 &p, const Kdf &k)
    {
        Bytes out(ty_pbes2_key_len(p.cipher));
        EXPECT_EQ(k.hash ? ty_pbkdf2_any(out.data(), out.size(), password.data(), password.size(),
                                         p.salt, p.salt_len, p.iterations, k.hash)
                         : ty_scrypt(out.data(), out.size(), password.data(), password.size(),
                                     p.salt, p.salt_len, p.n, p.r, p.p, memory.data()),
                  TY_OK);
        return out;
    }
    void expect_clean(const Bytes &file, const Secrets &s)
    {
        at_every_level([&] {
            EXPECT_EQ(traces(
                          [&] {
                              MUST_GIVE(ty_key_read_limited(&got, file.data(), file.size(),
                                                            password.data(), password.size(),
                                                            &limits),
                                        TY_OK);
                          },
                          s),
                      0)
                << "read";
            EXPECT_EQ(std::memcmp(got.sm2.d, key.sm2.d, 32), 0);
            Bytes out(TY_KEY_DECRYPTED_MAX);
            EXPECT_EQ(traces([&] {
                size_t n = out.size();
                MUST_GIVE(ty_key_decrypt(out.data(), &n, file.data(), file.size(), password.data(),
                                         password.size(), &limits),
                          TY_OK);
            }, s), 0) << "decrypt";
        });
    }
    Bytes pbes2(Secrets &s, const Kdf &k, ty_pbes2_cipher cipher)
    {
        ty_pbes2 p{};
        p.kdf = k.kdf;
        p.cipher = cipher;
        p.iterations = 3;
        p.n = 16;
        p.r = 8;
        p.p = 2;
        p.salt_len = 8;
        r.fill(p.salt, 8);
        r.fill(p.iv, 16);
        const Bytes plain = der(TY_KEY_PKCS8), derived = derive(p, k);
        add_derived(s, cipher, derived);
        if (k.hash) {
            add_hmac(s, k.hash);
            at_every_level([&] {
                EXPECT_EQ(traces(
                              [&] {
                                  MUST_GIVE(ty_pbes2_encrypt(&p, plain.data(), plain.size(),
                                                             password.data(), password.size()),
                                            TY_OK);
                              },
                              s),
                          0)
                    << "encrypt";
            });
        }
        ty_pbes2_cbc_encrypt(p.secret, &p.secret_len, plain.data(), plain.size(), cipher,
                             derived.data(), p.iv);
        Bytes out(TY_PBES2_MAX);
        out.resize(ty_pbes2_encode(out.data(), out.size(), &p));
        return out;
    }
};

TEST_F(ResidueKey, Pbes2)
{
    for (const Kdf &k : kdfs)
        for (const ty_pbes2_cipher cipher : ciphers) {
            SCOPED_TRACE(std::string(ty_pbes2_kdf_name(k.kdf)) + ", " +
                         ty_pbes2_cipher_name(cipher));
            Secrets s = secrets();
            const Bytes file = pbes2(s, k, cipher);
            expect_clean(file, s);
        }
}

TEST_F(ResidueKey, Pkcs12)
{
    const Bytes data = unhex("06092a864886f70d010701"),
                shrouded = unhex("060b2a864886f70d010c0a0102");
    Secrets s = secrets();
    const Bytes bags =
        tlv(0x30, tlv(0x30, shrouded + tlv(0xa0, pbes2(s, kdfs[3], TY_PBES2_AES256))));
    const auto content = [&](const Bytes &inside) {
        return tlv(0x30, data + tlv(0xa0, tlv(0x04, inside)));
    };
    expect_clean(tlv(0x30, unhex("020103") + content(tlv(0x30, content(bags)))), s);
}

TEST_F(ResidueKey, ProcType)
{
    for (const ty_pbes2_cipher cipher : ciphers) {
        SCOPED_TRACE(ty_pbes2_cipher_name(cipher));
        const Bytes iv = r.bytes(16), plain = der(TY_KEY_SEC1);
        Bytes derived(32), body(plain.size() + 16);
        for (size_t i = 0; i < 32; i += 16) {   // EVP_BytesToKey
            ty_md5 c;
            ty_md5_init(&c);
            if (i) ty_md5_update(&c, derived.data(), 16);
            ty_md5_update(&c, password.data(), password.size());
            ty_md5_update(&c, iv.data(), 8);
            ty_md5_final(derived.data() + i, &c);
        }
        derived.resize(ty_pbes2_key_len(cipher));
        size_t n;
        ty_pbes2_cbc_encrypt(body.data(), &n, plain.data(), plain.size(), cipher, derived.data(),
                             iv.data());
        std::string pem(ty_pem_size(TY_KEY_SEC1, n), 0);
        ty_pem_write((uint8_t *)pem.data(), TY_KEY_SEC1, body.data(), n);
        pem.insert(pem.find('\n') + 1, std::string("Proc-Type: 4,ENCRYPTED\nDEK-Info: ") +
                                           ty_pbes2_cipher_name(cipher) + "," + hex(iv) + "\n\n");
        Secrets s = secrets();
        add_derived(s, cipher, derived);
        expect_clean(Bytes(pem.begin(), pem.end()), s);
        static ty_key_file opened;   // alone, so that no later call writes over the stack
        EXPECT_EQ(traces(
                      [&] {
                          MUST_GIVE(ty_key_open(&opened, pem.data(), pem.size(), password.data(),
                                                password.size(), &limits),
                                    TY_OK);
                      },
                      s),
                  0)
            << "open";
    }
}

// The kernels alone, so that no later call writes over what they leave
TEST_F(ResidueKey, AesAndMd5)
{
    for (const size_t len : {16, 24, 32}) {
        const Bytes k = r.bytes(len), zero(16), plain = r.bytes(16);
        Bytes out(16), back(16);
        ty_aes c;
        ty_aes_init(&c, k.data(), len);
        Secrets s;
        s.add("key", k)
            .add("plain", plain)
            .add("round keys", c.round_key, (c.rounds + 1) * sizeof c.round_key[0]);
        EXPECT_EQ(traces([&] { ty_aes_init(&c, k.data(), len); }, s), 0) << "init";
        EXPECT_EQ(
            traces([&] { ty_aes_cbc_encrypt(out.data(), plain.data(), 16, zero.data(), &c); }, s),
            0)
            << "encrypt";
        EXPECT_EQ(
            traces([&] { ty_aes_cbc_decrypt(back.data(), out.data(), 16, zero.data(), &c); }, s), 0)
            << "decrypt";
        EXPECT_EQ(back, plain);
    }
    uint8_t digest[16];
    const auto md5 = [&] {
        ty_md5 c;
        ty_md5_init(&c);
        ty_md5_update(&c, password.data(), password.size());
        ty_md5_final(digest, &c);
    };
    md5();
    Secrets s = secrets();
    s.add("digest", digest, 16);
    EXPECT_EQ(traces(md5, s), 0);
}

// CBC of the contents alone: the round keys of every cipher
TEST_F(ResidueKey, Ciphers)
{
    const Bytes iv = r.bytes(16), plain = r.bytes(100);
    for (const ty_pbes2_cipher cipher : ciphers) {
        SCOPED_TRACE(ty_pbes2_cipher_name(cipher));
        const Bytes k = r.bytes(ty_pbes2_key_len(cipher));
        Bytes out(128), back(128);
        size_t n, m;
        Secrets s;
        add_derived(s, cipher, k);
        EXPECT_EQ(traces(
                      [&] {
                          ty_pbes2_cbc_encrypt(out.data(), &n, plain.data(), plain.size(), cipher,
                                               k.data(), iv.data());
                      },
                      s),
                  0);
        EXPECT_EQ(traces(
                      [&] {
                          MUST_GIVE(ty_pbes2_cbc_decrypt(back.data(), &m, out.data(), n, cipher,
                                                         k.data(), iv.data()),
                                    TY_OK);
                      },
                      s),
                  0);
    }
}

// scrypt alone: the block that it mixes is as random as a key
TEST_F(ResidueKey, Scrypt)
{
    const Bytes salt = r.bytes(8);
    Bytes out(64), block(2 * 8 * 128);
    ASSERT_EQ(ty_pbkdf2_any(block.data(), block.size(), password.data(), password.size(),
                            salt.data(), 8, 1, &ty_hash_sha256),
              TY_OK);
    const auto run = [&] {
        return ty_scrypt(out.data(), 64, password.data(), password.size(), salt.data(), 8, 16, 8, 2,
                         memory.data());
    };
    ASSERT_EQ(run(), TY_OK);
    Secrets s = secrets();
    s.add("result", out).add("first blocks", block);
    add_hmac(s, &ty_hash_sha256);
    at_every_level([&] { EXPECT_EQ(traces([&] { MUST_GIVE(run(), TY_OK); }, s), 0); });
}

}
