// Enveloped keys of GB/T 35276: one made by another library, and damaged ones, which are refused.
#include "key/fixtures.hpp"
#include "support/guard.hpp"
#include "support/hex.hpp"
#include "support/rng.hpp"
#include "tongyu/key.h"
#include <cstring>
#include <gtest/gtest.h>

static ty_sm2_key recipient(const std::string &d)
{
    ty_sm2_key k;
    EXPECT_EQ(ty_sm2_key_set(&k, unhex(d).data()), TY_OK);
    return k;
}

static ty_err open(ty_key *k, const Bytes &b, const std::string &d = fixture::d)
{
    const ty_sm2_key r = recipient(d);
    Guarded in(b.data(), b.size());
    std::memset(k, 0xee, sizeof *k);
    const ty_err err = ty_key_from_enveloped(k, in.data(), b.size(), &r);
    for (size_t i = 0; err != TY_OK && i < sizeof *k; i++) EXPECT_EQ(((const uint8_t *)k)[i], 0);
    return err;
}

TEST(Enveloped, MadeByGmsm)
{
    ty_key k;
    ASSERT_EQ(open(&k, unhex(fixture::enveloped)), TY_OK);
    EXPECT_EQ(hex(k.sm2.d, 32), std::string(59, '0') + "abcde");
    EXPECT_EQ(std::memcmp(&k.pub, &k.sm2.pub, sizeof k.pub), 0);
    EXPECT_EQ(k.private_key, 1);
    EXPECT_EQ(k.form, TY_KEY_ENVELOPED);
    EXPECT_EQ(k.coding, TY_KEY_DER);
    EXPECT_EQ(open(&k, unhex(fixture::enveloped), std::string(63, '0') + "5"), TY_ERR_VERIFY)
        << "for another recipient";
}

TEST(Enveloped, EachPartIsChecked)
{
    const std::string good = fixture::enveloped;
    const auto changed = [&](const std::string &from, const std::string &to) {
        std::string s = good;
        const size_t at = s.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        s.replace(at, from.size(), to);
        Bytes b = unhex(s);
        b[2] = (uint8_t)(b.size() - 3);   // 30 81 length
        return b;
    };
    const std::string alg = "300c06082a811ccf550168010500";
    const struct { const char *what; Bytes der; ty_err err; } rows[] = {
        {"without NULL", changed(alg, "300a06082a811ccf55016801"), TY_OK},
        {"SM4 without a mode", changed(alg, "300b06072a811ccf5501680500"), TY_OK},
        {"SM4-CBC", changed(alg, "300c06082a811ccf550168020500"), TY_ERR_UNSUPPORTED},
        {"AES", changed(alg, "300b0609608648016503040101"), TY_ERR_UNSUPPORTED},
        {"parameters", changed(alg, "300d06082a811ccf55016801020100"), TY_ERR_FORMAT},
        {"two NULL", changed(alg, "300e06082a811ccf5501680105000500"), TY_ERR_FORMAT},
        {"no algorithm", changed(alg, "3000"), TY_ERR_FORMAT},
        {"unused bits in the point", changed("03420004", "03420104"), TY_ERR_FORMAT},
        {"a point off the curve", changed("0342000461", "0342000462"), TY_ERR_VERIFY},
        {"a compressed point", changed("03420004", "03420002"), TY_ERR_VERIFY},
        {"unused bits in the key", changed("032100", "032101"), TY_ERR_FORMAT},
        {"a shorter key", changed("0321008f", "032000"), TY_ERR_FORMAT},
        {"a longer key", changed("0321008f", "0322008f00"), TY_ERR_FORMAT},
        {"another key", changed("0321008f", "0321008e"), TY_ERR_VERIFY},
    };
    for (const auto &r : rows) {
        ty_key k;
        EXPECT_EQ(open(&k, r.der), r.err) << r.what;
    }
    ty_key k;
    Bytes b = unhex(good);
    b.push_back(0);
    EXPECT_EQ(open(&k, b), TY_ERR_FORMAT) << "a byte after the end";
    b = unhex(good + "0500");
    b[2] = (uint8_t)(b.size() - 3);
    EXPECT_EQ(open(&k, b), TY_ERR_FORMAT) << "a fifth part";
}

TEST(Enveloped, EveryTruncationAndMutation)
{
    const Bytes good = unhex(fixture::enveloped);
    ty_key k;
    for (size_t n = 0; n < good.size(); n++)
        EXPECT_EQ(open(&k, Bytes(good.begin(), good.begin() + (long)n)), TY_ERR_FORMAT) << n;
    for (size_t i = 0; i < good.size(); i++) {
        Bytes m = good;
        m[i] ^= (uint8_t)(1 << i % 8);
        EXPECT_NE(open(&k, m), TY_OK) << i;
    }
}
