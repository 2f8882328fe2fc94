// ML-DSA keys in every form: what OpenSSL wrote, our own, and everything that must be refused.
#include "key/fixtures.hpp"
#include "support/guard.hpp"
#include "support/hex.hpp"
#include "support/rng.hpp"
#include "tongyu/tongyu.h"
#include <gtest/gtest.h>
#include <memory>

namespace {

using Key = std::unique_ptr<ty_mldsa_key>;   // 7.6 KB

// The seed of RFC 9881, appendix C: 00 01 02 ... 1f. The PEM is what OpenSSL 4.0 writes for it, and
// spki the SHA-256 of the public key that it writes in DER.
const struct Set {
    ty_mldsa_set set;
    const char *pem, *spki;
    size_t sizes[3];   // of PrivateKeyInfo: seed, expanded, both
    const char *heads[3];
    const char *pub_head;
} sets[] = {
    { TY_MLDSA_44,
      "-----BEGIN PRIVATE KEY-----\n"
      "MDQCAQAwCwYJYIZIAWUDBAMRBCKAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZ\n"
      "GhscHR4f\n"
      "-----END PRIVATE KEY-----\n",
      "837832708c5236d951581f1fddf2b79991b3424a0486d16da1ddad0fd69701be",
      { 54, 2588, 2626 },
      { "3034020100300b060960864801650304031104228020",
        "30820a18020100300b060960864801650304031104820a0404820a00",
        "30820a3e020100300b060960864801650304031104820a2a30820a260420" },
      "30820532300b060960864801650304031103820521"
      "00" },
    { TY_MLDSA_65,
      "-----BEGIN PRIVATE KEY-----\n"
      "MDQCAQAwCwYJYIZIAWUDBAMSBCKAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZ\n"
      "GhscHR4f\n"
      "-----END PRIVATE KEY-----\n",
      "b8b62131bfbe84433efb2273d7f5b87f7a22854a2cfd366fc2aead86d837c52d",
      { 54, 4060, 4098 },
      { "3034020100300b060960864801650304031204228020",
        "30820fd8020100300b060960864801650304031204820fc404820fc0",
        "30820ffe020100300b060960864801650304031204820fea30820fe60420" },
      "308207b2300b0609608648016503040312038207a1"
      "00" },
    { TY_MLDSA_87,
      "-----BEGIN PRIVATE KEY-----\n"
      "MDQCAQAwCwYJYIZIAWUDBAMTBCKAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZ\n"
      "GhscHR4f\n"
      "-----END PRIVATE KEY-----\n",
      "07e57c4f14dbad1267f621ec3777b4e2e6c4fbc4c22fbb87510ff8e0b3c6a642",
      { 54, 4924, 4962 },
      { "3034020100300b060960864801650304031304228020",
        "30821338020100300b0609608648016503040313048213240482"
        "1320",
        "3082135e020100300b060960864801650304031304"
        "82134a308213460420" },
      "30820a32300b060960864801650304031303820a21"
      "00" },
};

Key from_seed(ty_mldsa_set set)
{
    Key k(new ty_mldsa_key);
    uint8_t seed[32];
    for (int i = 0; i < 32; i++) seed[i] = (uint8_t)i;
    EXPECT_EQ(ty_mldsa_key_from_seed(k.get(), seed, set), TY_OK);
    return k;
}

bool all_zero(const void *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (((const uint8_t *)p)[i]) return false;
    return true;
}

struct Read {
    Key key{new ty_mldsa_key};
    ty_mldsa_file file;
    ty_err err;
    explicit Read(const Bytes &b, const char *password = nullptr)
    {
        Guarded in(b.data(), b.size());
        std::memset(key.get(), 0xee, sizeof *key);
        err = ty_mldsa_key_read(key.get(), &file, in.data(), in.size(), password,
                                password ? std::strlen(password) : 0);
        if (err != TY_OK) {
            EXPECT_TRUE(all_zero(key.get(), sizeof *key) && all_zero(&file, sizeof file));
        }
    }
};

Bytes write(const ty_mldsa_key &k, ty_mldsa_content content, ty_key_form form, ty_key_coding coding)
{
    TestRng r(5);
    const ty_rng rng = r.ty();
    size_t need = 0, len;
    const auto call = [&](void *out, size_t *n) {
        return form == TY_KEY_SPKI
                   ? ty_mldsa_pub_write(out, n, &k.pub, coding)
                   : ty_mldsa_key_write(out, n, &k, content, form, coding, "secret", 6, 10, &rng);
    };
    EXPECT_EQ(call(nullptr, &need), TY_ERR_SIZE);
    EXPECT_LE(need, (size_t)TY_MLDSA_ENCODED_MAX);
    Guarded out(need);
    len = need - 1;
    EXPECT_EQ(call(out.data(), &len), TY_ERR_SIZE);
    EXPECT_EQ(call(out.data(), &len), TY_OK);
    EXPECT_EQ(len, need);
    return Bytes(out.data(), out.data() + len);
}

Bytes der(const ty_mldsa_key &k, ty_mldsa_content content)
{
    return write(k, content, TY_KEY_PKCS8, TY_KEY_DER);
}

const ty_mldsa_content contents[] = {TY_MLDSA_SEED, TY_MLDSA_EXPANDED, TY_MLDSA_BOTH};

}   // namespace

TEST(MldsaKey, AsOpensslWritesThem)
{
    for (const Set &s : sets) {
        SCOPED_TRACE(s.set);
        const Key k = from_seed(s.set);
        const Read r(bytes(s.pem));
        ASSERT_EQ(r.err, TY_OK);
        EXPECT_EQ(r.file.private_key, 1);
        EXPECT_EQ(r.file.form, TY_KEY_PKCS8);
        EXPECT_EQ(r.file.coding, TY_KEY_PEM);
        EXPECT_EQ(r.file.content, TY_MLDSA_SEED);
        EXPECT_EQ(std::memcmp(r.key.get(), k.get(), sizeof *k), 0);
        EXPECT_EQ(write(*k, TY_MLDSA_SEED, TY_KEY_PKCS8, TY_KEY_PEM), bytes(s.pem));
        for (int c = 0; c < 3; c++) {
            const Bytes b = der(*k, contents[c]);
            EXPECT_EQ(b.size(), s.sizes[c]);
            EXPECT_EQ(hex(b).substr(0, std::strlen(s.heads[c])), s.heads[c]);
        }
        const Bytes spki = write(*k, TY_MLDSA_SEED, TY_KEY_SPKI, TY_KEY_DER);
        uint8_t digest[32];
        ty_sha256_hash(digest, spki.data(), spki.size());
        EXPECT_EQ(hex(digest, 32), s.spki);
        EXPECT_EQ(hex(spki).substr(0, std::strlen(s.pub_head)), s.pub_head);
    }
}

TEST(MldsaKey, RoundTripOfEveryForm)
{
    for (const Set &s : sets) {
        const Key k = from_seed(s.set);
        for (ty_key_form form :
             { TY_KEY_PKCS8, TY_KEY_PKCS8_PBES2, TY_KEY_PKCS8_PBES2_SHA256, TY_KEY_SPKI })
            for (ty_mldsa_content content : contents)
                for (ty_key_coding coding : {TY_KEY_PEM, TY_KEY_DER}) {
                    SCOPED_TRACE(std::to_string(s.set) + " form " + std::to_string(form) +
                                 " content " + std::to_string(content));
                    const Read r(write(*k, content, form, coding), "secret");
                    ASSERT_EQ(r.err, TY_OK);
                    EXPECT_EQ(r.file.form, form);
                    EXPECT_EQ(r.file.coding, coding);
                    EXPECT_EQ(r.file.private_key, form != TY_KEY_SPKI);
                    EXPECT_EQ(std::memcmp(&r.key->pub, &k->pub, sizeof k->pub), 0);
                    if (form == TY_KEY_SPKI) {
                        EXPECT_TRUE(all_zero(&r.key->has_seed, sizeof *k - sizeof k->pub));
                        continue;
                    }
                    EXPECT_EQ(r.file.content, content);
                    EXPECT_EQ(r.key->has_seed, content == TY_MLDSA_EXPANDED ? 0u : 1u);
                    EXPECT_EQ(std::memcmp(r.key->bytes, k->bytes, sizeof k->bytes), 0);
                }
    }
}

TEST(MldsaKey, PasswordsAndOtherKeys)
{
    const Key k = from_seed(TY_MLDSA_44);
    for (ty_mldsa_content content : contents) {
        const Bytes locked = write(*k, content, TY_KEY_PKCS8_PBES2, TY_KEY_PEM);
        EXPECT_EQ(Read(locked).err, TY_ERR_ARG);
        EXPECT_EQ(Read(locked, "Secret").err, TY_ERR_VERIFY);
        for (const uint64_t iterations : {9, 10}) {
            const ty_key_limits limits = {iterations, nullptr, 0};
            const Key got = std::make_unique<ty_mldsa_key>();
            ty_mldsa_file file;
            ASSERT_EQ(ty_mldsa_key_read_limited(got.get(), &file, locked.data(), locked.size(),
                                                "secret", 6, &limits),
                      iterations < 10 ? TY_ERR_UNSUPPORTED : TY_OK);
            if (iterations == 10) { EXPECT_EQ(file.content, content); }
        }
        ty_key sm2;
        EXPECT_EQ(ty_key_read(&sm2, locked.data(), locked.size(), "secret", 6), TY_ERR_UNSUPPORTED)
            << "not on the SM2 curve";
        const Bytes open = der(*k, content);
        EXPECT_EQ(ty_key_read(&sm2, open.data(), open.size(), nullptr, 0), TY_ERR_UNSUPPORTED);
    }
    for (const char *pem : { fixture::pkcs8, fixture::sec1, fixture::spki, fixture::encrypted,
                             fixture::p256, fixture::rsa_spki })
        EXPECT_EQ(Read(bytes(pem), "secret").err, TY_ERR_UNSUPPORTED) << pem;
    std::string label = "-----BEGIN PUBLIC KEY-----\n", text(sets[0].pem);
    text.replace(0, text.find('\n') + 1, label);
    text.replace(text.find("-----END"), std::string::npos, "-----END PUBLIC KEY-----\n");
    EXPECT_EQ(Read(bytes(text)).err, TY_ERR_FORMAT)
        << "a private key under the label of a public one";
    EXPECT_EQ(Read(Bytes()).err, TY_ERR_FORMAT);
}

// A change in any part of an expanded key is detected if the file has the seed too; without the
// seed, a change in K is not.
TEST(MldsaKey, DamagedKeysAreRefused)
{
    for (const Set &s : sets) {
        SCOPED_TRACE(s.set);
        const Key k = from_seed(s.set);
        const Bytes expanded = der(*k, TY_MLDSA_EXPANDED), both = der(*k, TY_MLDSA_BOTH);
        const size_t len = ty_mldsa_key_len(s.set), at = expanded.size() - len,
                     at_both = both.size() - len;
        const struct { const char *part; size_t offset; ty_err alone; } parts[] = {
            {"rho", 5, TY_ERR_KEY}, {"K", 40, TY_OK},   // nothing else depends on K
            {"tr", 70, TY_ERR_KEY}, {"s1", 130, TY_ERR_KEY}, {"t0", len - 1, TY_ERR_KEY},
        };
        for (const auto &p : parts) {
            Bytes b = expanded;
            b[at + p.offset] ^= 1;
            EXPECT_EQ(Read(b).err, p.alone) << p.part;
            b = both;
            b[at_both + p.offset] ^= 1;
            EXPECT_EQ(Read(b).err, TY_ERR_KEY) << p.part;
        }
        Bytes b = both;                                 // another seed
        b[at_both - 4 - 32] ^= 1;
        EXPECT_EQ(Read(b).err, TY_ERR_KEY);
    }
}

// No bit of the frame may change, no byte may be missing, and none may follow.
TEST(MldsaKey, TheFrameIsChecked)
{
    const Key k = from_seed(TY_MLDSA_44);
    struct Row { Bytes der; size_t head; };
    const Bytes spki = write(*k, TY_MLDSA_SEED, TY_KEY_SPKI, TY_KEY_DER);
    const Row rows[] = { { der(*k, TY_MLDSA_SEED), 22 },
                         { der(*k, TY_MLDSA_EXPANDED), 28 },
                         { der(*k, TY_MLDSA_BOTH), 30 },
                         { spki, 22 } };
    for (const Row &r : rows) {
        SCOPED_TRACE(r.der.size());
        ASSERT_EQ(Read(r.der).err, TY_OK);
        for (size_t i = 0; i < r.head; i++)
            for (int bit = 0; bit < 8; bit++) {
                Bytes b = r.der;
                b[i] ^= (uint8_t)(1 << bit);
                // the OID of ML-DSA-87, which has seeds of the same length
                if (r.head == 22 && r.der.size() == 54 && b[17] == 19) continue;
                EXPECT_NE(Read(b).err, TY_OK) << "byte " << i << " bit " << bit;
            }
        for (size_t n : { size_t(0), size_t(1), r.head - 1, r.head, r.der.size() - 1 })
            EXPECT_NE(Read(Bytes(r.der.begin(), r.der.begin() + (long)n)).err, TY_OK) << n;
        Bytes longer = r.der;
        longer.push_back(0);
        EXPECT_EQ(Read(longer).err, TY_ERR_FORMAT);
    }
}

TEST(MldsaKey, OtherShapes)
{
    const Bytes seed(32, 7), oid = unhex("0609608648016503040312"), version = unhex("020100");
    const auto tlv = [](int tag, Bytes body) {
        Bytes v{(uint8_t)tag};
        if (body.size() >= 128) v.push_back(0x81);
        v.push_back((uint8_t)body.size());
        v.insert(v.end(), body.begin(), body.end());
        return v;
    };
    const auto join = [](std::initializer_list<Bytes> parts) {
        Bytes v;
        for (const Bytes &p : parts) v.insert(v.end(), p.begin(), p.end());
        return v;
    };
    const Bytes algorithm = tlv(0x30, oid), inner = tlv(4, tlv(0x80, seed));
    const struct { const char *what; Bytes der; ty_err err;
    } rows[] = {
        { "as it should be", tlv(0x30, join({ version, algorithm, inner })), TY_OK },
        { "version 1", tlv(0x30, join({ unhex("020101"), algorithm, inner })), TY_ERR_UNSUPPORTED },
        { "version of two bytes", tlv(0x30, join({ unhex("02020000"), algorithm, inner })),
          TY_ERR_FORMAT },
        { "a version and nothing else", tlv(0x30, version), TY_ERR_FORMAT },
        { "attributes", tlv(0x30, join({ version, algorithm, inner, unhex("a000") })),
          TY_ERR_UNSUPPORTED },
        { "parameters",
          tlv(0x30, join({ version, tlv(0x30, join({ oid, unhex("0500") })), inner })),
          TY_ERR_FORMAT },
        { "HashML-DSA",
          tlv(0x30, join({ version, tlv(0x30, unhex("0609608648016503040321")), inner })),
          TY_ERR_UNSUPPORTED },
        { "bare seed", tlv(0x30, join({ version, algorithm, tlv(4, seed) })), TY_ERR_FORMAT },
        { "seed without its tag", tlv(0x30, join({ version, algorithm, tlv(4, tlv(4, seed)) })),
          TY_ERR_FORMAT },
        { "constructed [0]",
          tlv(0x30, join({ version, algorithm, tlv(4, tlv(0xa0, tlv(4, seed))) })), TY_ERR_FORMAT },
        { "seed of 31 bytes",
          tlv(0x30, join({ version, algorithm, tlv(4, tlv(0x80, Bytes(31, 7))) })), TY_ERR_FORMAT },
        { "no seed", tlv(0x30, join({ version, algorithm, tlv(4, tlv(0x80, {})) })),
          TY_ERR_FORMAT },
        { "nothing", tlv(0x30, join({ version, algorithm, tlv(4, {}) })), TY_ERR_FORMAT },
        { "both, the expanded key missing",
          tlv(0x30, join({ version, algorithm, tlv(4, tlv(0x30, tlv(4, seed))) })), TY_ERR_FORMAT },
        { "both, the expanded key empty",
          tlv(0x30,
              join({ version, algorithm, tlv(4, tlv(0x30, join({ tlv(4, seed), tlv(4, {}) }))) })),
          TY_ERR_FORMAT },
        { "two seeds",
          tlv(0x30,
              join({ version, algorithm, tlv(4, join({ tlv(0x80, seed), tlv(0x80, seed) })) })),
          TY_ERR_FORMAT },
        { "a public key too short", tlv(0x30, join({ algorithm, tlv(3, Bytes(33, 0)) })),
          TY_ERR_FORMAT },
        { "a certificate", tlv(0x30, tlv(0x30, tlv(0x30, oid))), TY_ERR_FORMAT },
    };
    for (const auto &r : rows) EXPECT_EQ(Read(r.der).err, r.err) << r.what;
}

TEST(MldsaKey, WhatCannotBeWritten)
{
    const Key k = from_seed(TY_MLDSA_44), bare(new ty_mldsa_key), none(new ty_mldsa_key{});
    TestRng r(1);
    FailingRng fails(0);
    const ty_rng rng = r.ty(), failing = fails.ty();
    ASSERT_EQ(ty_mldsa_key_set(bare.get(), k->bytes, ty_mldsa_key_len(TY_MLDSA_44)), TY_OK);
    Bytes out(TY_MLDSA_ENCODED_MAX, 7);
    size_t n = out.size();
    const auto write = [&](const Key &key, ty_mldsa_content c, ty_key_form f, const char *password,
                           uint32_t iterations, const ty_rng *g) {
        n = out.size();
        return ty_mldsa_key_write(out.data(), &n, key.get(), c, f, TY_KEY_PEM, password,
                                  password ? 6 : 0, iterations, g);
    };
    EXPECT_EQ(write(bare, TY_MLDSA_SEED, TY_KEY_PKCS8, nullptr, 0, nullptr), TY_ERR_ARG);
    EXPECT_EQ(write(bare, TY_MLDSA_BOTH, TY_KEY_PKCS8, nullptr, 0, nullptr), TY_ERR_ARG);
    EXPECT_EQ(write(none, TY_MLDSA_EXPANDED, TY_KEY_PKCS8, nullptr, 0, nullptr), TY_ERR_ARG);
    EXPECT_EQ(write(k, TY_MLDSA_SEED, TY_KEY_SEC1, nullptr, 0, nullptr), TY_ERR_ARG);
    EXPECT_EQ(write(k, TY_MLDSA_SEED, TY_KEY_SPKI, nullptr, 0, nullptr), TY_ERR_ARG);
    EXPECT_EQ(write(k, TY_MLDSA_SEED, TY_KEY_PKCS8_PBES2, nullptr, 10, &rng), TY_ERR_ARG);
    EXPECT_EQ(write(k, TY_MLDSA_SEED, TY_KEY_PKCS8_PBES2, "secret", 0, &rng), TY_ERR_ARG);
    EXPECT_EQ(write(k, TY_MLDSA_SEED, TY_KEY_PKCS8_PBES2, "secret", 10, nullptr), TY_ERR_ARG);
    EXPECT_EQ(write(k, TY_MLDSA_SEED, TY_KEY_PKCS8_PBES2, "secret", 10, &failing), TY_ERR_RNG);
    EXPECT_EQ(ty_mldsa_pub_write(out.data(), &n, &none->pub, TY_KEY_PEM), TY_ERR_ARG);
    for (uint8_t b : out) ASSERT_EQ(b, 7) << "untouched by all of these";
    EXPECT_EQ(write(bare, TY_MLDSA_EXPANDED, TY_KEY_PKCS8, nullptr, 0, nullptr), TY_OK);
}
