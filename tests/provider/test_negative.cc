// Signatures that must not verify, as in Wycheproof: numbers at and beyond their limits, other
// encodings of a valid signature in DER and BER, ML-DSA's hints out of order, z at its bound. They
// are given to each provider that has the algorithm, and to the library's own functions.
#include "provider/keys.hpp"
#include "tongyu/key.h"
#include "tongyu/mldsa.h"
#include <functional>

// --- SM2 ----------------------------------------------------------------------------------------

static Bytes tlv(uint8_t tag, const Bytes &content)
{
    Bytes out = { tag, (uint8_t)content.size() };
    out.insert(out.end(), content.begin(), content.end());
    return out;
}

static Bytes joined(const Bytes &a, const Bytes &b)
{
    Bytes out = a;
    out.insert(out.end(), b.begin(), b.end());
    return out;
}

static Bytes integer(Bytes x) // the canonical encoding
{
    while (x.size() > 1 && x[0] == 0) x.erase(x.begin());
    if (x[0] & 0x80) x.insert(x.begin(), 0);
    return tlv(2, x);
}

static Bytes plus(Bytes x, const Bytes &y) // modulo 2^(8 n), for n bytes
{
    unsigned carry = 0;
    for (size_t i = x.size(); i-- > 0;) {
        carry += x[i] + y[i];
        x[i] = (uint8_t)carry;
        carry >>= 8;
    }
    return x;
}

static Bytes negative(Bytes x)
{
    for (uint8_t &b : x) b = (uint8_t)~b;
    Bytes one(x.size());
    one.back() = 1;
    return plus(x, one);
}

struct Case {
    const char *what;
    Bytes sig;
};

static std::vector<Case> sm2_cases(const Bytes &r, const Bytes &s)
{
    const Bytes order =
        unhex("00fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123");
    const Bytes zero(33), R = integer(r), S = integer(s);
    const auto pair = [](const Bytes &a, const Bytes &b) { return tlv(0x30, joined(a, b)); };
    const Bytes wide_r = joined(Bytes(1), r), wide_s = joined(Bytes(1), s), whole = pair(R, S);
    const Bytes body = joined(R, S), minus_r = plus(order, negative(wide_r));
    std::vector<Case> all = {
        { "r = 0", pair(integer(zero), S) },
        { "s = 0", pair(R, integer(zero)) },
        { "both 0", pair(integer(zero), integer(zero)) },
        { "r = n", pair(integer(order), S) },
        { "s = n", pair(R, integer(order)) },
        { "r + n", pair(integer(plus(wide_r, order)), S) },
        { "s + n", pair(R, integer(plus(wide_s, order))) },
        { "s = n - r, so that t = 0", pair(R, integer(minus_r)) },
        { "n - s", pair(R, integer(plus(order, negative(wide_s)))) },
        { "r and s in the other order", pair(S, R) },
        { "r negative", pair(tlv(2, negative(wide_r)), S) },
        { "s negative", pair(R, tlv(2, negative(wide_s))) },
        { "r of no bytes", pair(tlv(2, {}), S) },
        { "s of no bytes", pair(R, tlv(2, {})) },
        { "a zero before r", pair(tlv(2, joined(Bytes(2), r)), S) },
        { "a zero before s", pair(R, tlv(2, joined(Bytes(2), s))) },
        { "no sequence", body },
        { "a set", tlv(0x31, body) },
        { "r a bit string", pair(joined({ 3 }, Bytes(R.begin() + 1, R.end())), S) },
        { "one number", tlv(0x30, R) },
        { "three numbers", tlv(0x30, joined(body, S)) },
        { "NULL after s", tlv(0x30, joined(body, { 5, 0 })) },
        { "a byte after the sequence", joined(whole, { 0 }) },
        { "a second signature after it", joined(whole, whole) },
        { "nothing", {} },
        { "an empty sequence", { 0x30, 0 } },
        { "the length in two bytes", joined({ 0x30, 0x81, (uint8_t)body.size() }, body) },
        { "the length in three", joined({ 0x30, 0x82, 0, (uint8_t)body.size() }, body) },
        { "the length of r in two", pair(joined({ 2, 0x81, (uint8_t)(R.size() - 2) },
                                                Bytes(R.begin() + 2, R.end())),
                                         S) },
        { "an indefinite length", joined(joined({ 0x30, 0x80 }, body), { 0, 0 }) },
        { "a length of 2^32 more",
          joined({ 0x30, 0x85, 1, 0, 0, 0, (uint8_t)body.size() }, body) },
        { "raw, 64 bytes", joined(r, s) },
    };
    for (size_t i = 0; i < whole.size(); i++)
        all.push_back({ "cut", Bytes(whole.begin(), whole.begin() + (long)i) });
    return all;
}

TEST(Negative, Sm2Signatures)
{
    TestRng rng(1);
    for (int round = 0; round < 6; round++) {
        Pkey a = generate(ours(), "SM2"), b = moved(theirs(), "SM2", a.get());
        const Bytes msg = rng.bytes((size_t)round * 20), id = bytes("1234567812345678");
        const Params p = { octet_param("distid", id) };
        const Bytes sig = sign(ours(), a.get(), "SM3", msg, p), point = octets(a.get(), "pub");
        uint8_t raw[64];
        ty_sm2_pub pub;
        ASSERT_EQ(ty_sm2_sig_from_der(raw, sig.data(), sig.size()), TY_OK);
        ASSERT_EQ(ty_sm2_pub_set(&pub, point.data(), point.size()), TY_OK);
        EXPECT_EQ(verify(theirs(), b.get(), "SM3", msg, sig, p), 1);
        for (const Case &c : sm2_cases(Bytes(raw, raw + 32), Bytes(raw + 32, raw + 64))) {
            EXPECT_EQ(verify(ours(), a.get(), "SM3", msg, c.sig, p), 0) << c.what;
            EXPECT_NE(verify(theirs(), b.get(), "SM3", msg, c.sig, p), 1) << c.what;
            uint8_t got[64];
            EXPECT_TRUE(ty_sm2_sig_from_der(got, c.sig.data(), c.sig.size()) != TY_OK
                        || ty_sm2_verify(got, msg.data(), msg.size(), id.data(), id.size(), &pub)
                               != TY_OK)
                << c.what;
        }
    }
    ERR_clear_error();
}

// --- ML-DSA -------------------------------------------------------------------------------------

struct Set {
    const char *name;
    size_t z_bits, l, k, omega, commitment;
};

static std::vector<Case> mldsa_cases(const Bytes &sig, const Set &set)
{
    const size_t hint = sig.size() - set.omega - set.k, z = set.commitment;
    std::vector<Case> all;
    const auto add = [&](const char *what, const std::function<void(Bytes &)> &change) {
        Bytes s = sig;
        change(s);
        all.push_back({ what, s });
    };
    add("nothing", [](Bytes &s) { s.clear(); });
    add("a byte less", [](Bytes &s) { s.pop_back(); });
    add("a byte more", [](Bytes &s) { s.push_back(0); });
    add("twice as long", [](Bytes &s) { s.insert(s.end(), s.begin(), s.end()); });
    add("zeros", [](Bytes &s) { s.assign(s.size(), 0); });
    add("ones", [](Bytes &s) { s.assign(s.size(), 0xff); });
    add("another commitment", [](Bytes &s) { s[0] ^= 1; });
    add("z at its bound", [&](Bytes &s) { // gamma1 - x with x = 0: the largest there is
        for (size_t i = 0; i < set.z_bits; i++) s[z + i / 8] &= (uint8_t)~(1u << i % 8);
    });
    add("another z", [&](Bytes &s) { s[z + 100] ^= 4; });
    add("hints in descending order", [&](Bytes &s) { std::swap(s[hint], s[hint + 1]); });
    add("a hint twice", [&](Bytes &s) { s[hint + 1] = s[hint]; });
    add("more hints than there can be",
        [&](Bytes &s) { s.back() = (uint8_t)(set.omega + 1); });
    add("a decreasing count of hints",
        [&](Bytes &s) { s[hint + set.omega + 1] = (uint8_t)(s[hint + set.omega] - 1); });
    add("a hint after the last",
        [&](Bytes &s) { if (s.back() < set.omega) s[hint + set.omega - 1] = 1; });
    add("one hint less", [&](Bytes &s) { s.back()--; });
    return all;
}

TEST(Negative, MldsaSignatures)
{
    const Set sets[] = { { "ML-DSA-44", 18, 4, 4, 80, 32 },
                         { "ML-DSA-65", 20, 5, 6, 55, 48 },
                         { "ML-DSA-87", 20, 7, 8, 75, 64 } };
    for (const Set &set : sets) {
        Pkey a = generate(ours(), set.name), b = moved(theirs(), set.name, a.get());
        ERR_clear_error();
        ty_mldsa_pub pub;
        const Bytes key = octets(a.get(), "pub"), msg = bytes("a message");
        ASSERT_EQ(ty_mldsa_pub_set(&pub, key.data(), key.size()), TY_OK);
        // At least two hints in the first polynomial, one in the last, and fewer than omega in all.
        Bytes sig;
        const auto hints = [&](size_t i) { return sig[sig.size() - set.k + i]; };
        do sig = sign(ours(), a.get(), nullptr, msg);
        while (hints(0) < 2 || hints(set.k - 1) == set.omega
               || hints(set.k - 1) == hints(set.k - 2));
        size_t n = 0;
        for (const Case &c : mldsa_cases(sig, set)) {
            ASSERT_NE(c.sig, sig) << c.what;
            EXPECT_EQ(verify(ours(), a.get(), nullptr, msg, c.sig), 0) << set.name << " " << c.what;
            EXPECT_NE(ty_mldsa_verify(c.sig.data(), c.sig.size(), msg.data(), msg.size(), nullptr,
                                      0, &pub),
                      TY_OK)
                << set.name << " " << c.what;
            if (b) {
                EXPECT_NE(verify(theirs(), b.get(), nullptr, msg, c.sig), 1) << c.what;
            }
            n++;
        }
        EXPECT_EQ(n, 15u);
        EXPECT_EQ(verify(ours(), a.get(), nullptr, msg, sig,
                         { octet_param("context-string", bytes("x")) }),
                  0);
        EXPECT_EQ(verify(ours(), a.get(), nullptr, bytes("a messagf"), sig), 0);
        Pkey other = generate(ours(), set.name);
        EXPECT_EQ(verify(ours(), other.get(), nullptr, msg, sig), 0);
    }
    ERR_clear_error();
}
