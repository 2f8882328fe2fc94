// Signatures and ciphertexts in DER: only the one valid encoding is accepted.
#include "support/guard.hpp"
#include "support/hex.hpp"
#include "support/rng.hpp"
#include "support/vectors.hpp"
#include "tongyu/key.h"
#include <gtest/gtest.h>

static const std::string n_hex = "fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123";

static Bytes sig_der(const Bytes &sig)
{
    Bytes out(TY_SM2_SIG_DER_MAX);
    size_t len = 0;
    ty_sm2_sig_to_der(out.data(), &len, sig.data());
    EXPECT_LE(len, out.size());
    out.resize(len);
    return out;
}

static ty_err sig_raw(Bytes &sig, const Bytes &der)
{
    Guarded in(der.data(), der.size());
    sig.assign(64, 0xee);
    return ty_sm2_sig_from_der(sig.data(), in.data(), in.size());
}

static Bytes integer(const Bytes &value)
{
    Bytes v{2, (uint8_t)value.size()};
    for (uint8_t b : value) v.push_back(b);
    return v;
}
static Bytes sequence(const Bytes &a, const Bytes &b)
{
    Bytes v{0x30, (uint8_t)(a.size() + b.size())};
    for (uint8_t x : a) v.push_back(x);
    for (uint8_t x : b) v.push_back(x);
    return v;
}

TEST(SignatureDer, OpensslsSignature)
{
    const Bytes der = unhex("304502202d7e71727ce04a1a485c28600115ea7302f20a74864ca367b3cba2649ca1dc"
                            "93022100d7d15ab1434b79"
                            "1f7ae5386d20fbea13651e8fb0bbed42787dd28089fada81cb");
    Bytes sig;
    ASSERT_EQ(sig_raw(sig, der), TY_OK);
    EXPECT_EQ(hex(sig), "2d7e71727ce04a1a485c28600115ea7302f20a74864ca367b3cba2649ca1dc93"
                        "d7d15ab1434b791f7ae5386d20fbea13651e8fb0bbed42787dd28089fada81cb");
    EXPECT_EQ(sig_der(sig), der);
}

TEST(SignatureDer, SharedVectors)
{
    const auto v = load_vectors("sm2.json");
    if (!v) GTEST_SKIP() << "no vector files";
    int ran = 0;
    for (const char *part : {"published", "differential"})
        for (const auto &c : v->at(part)) {
            if (!c.contains("der") || !c.contains("r")) continue;
            Bytes sig = field(c, "r"), s = field(c, "s"), got;
            sig.insert(sig.end(), s.begin(), s.end());
            ASSERT_EQ(sig.size(), 64u);
            EXPECT_EQ(sig_der(sig), field(c, "der"));
            EXPECT_EQ(sig_raw(got, field(c, "der")), TY_OK);
            EXPECT_EQ(got, sig);
            ran++;
        }
    EXPECT_GT(ran, 0);
}

TEST(SignatureDer, RoundTripOfEveryLength)
{
    TestRng rng(3);
    for (int zeros_r = 0; zeros_r < 32; zeros_r++)
        for (int zeros_s = 0; zeros_s < 32; zeros_s++) {
            Bytes sig = rng.bytes(64), got;
            sig[31] |= 1;
            sig[63] |= 1;
            std::fill(sig.begin(), sig.begin() + zeros_r, (uint8_t)0);
            std::fill(sig.begin() + 32, sig.begin() + 32 + zeros_s, (uint8_t)0);
            if (zeros_r == 0) sig[0] &= 0x7f;   // below n
            if (zeros_s == 0) sig[32] &= 0x7f;
            const Bytes der = sig_der(sig);
            ASSERT_EQ(sig_raw(got, der), TY_OK) << hex(sig);
            EXPECT_EQ(got, sig);
        }
}

TEST(SignatureDer, RangeOfRAndS)
{
    const Bytes n = unhex(n_hex), one = unhex(std::string(63, '0') + "1"), zero(32, 0),
                ones(32, 0xff);
    Bytes n1 = n, sig;
    n1[31]--;
    const struct {
        Bytes x;
        ty_err err;
    } rows[] = { { zero, TY_ERR_FORMAT },
                 { one, TY_OK },
                 { n1, TY_OK },
                 { n, TY_ERR_FORMAT },
                 { ones, TY_ERR_FORMAT } };
    for (const auto &r : rows)
        for (const auto &s : rows) {
            Bytes rs = r.x;
            rs.insert(rs.end(), s.x.begin(), s.x.end());
            const ty_err want = r.err == TY_OK ? s.err : r.err;
            EXPECT_EQ(sig_raw(sig, sig_der(rs)), want) << hex(rs);
            EXPECT_EQ(sig, want == TY_OK ? rs : Bytes(64, 0xee)) << "untouched after an error";
        }
}

TEST(SignatureDer, EveryOtherEncodingIsRefused)
{
    const Bytes r = unhex("11"), s = unhex("0081");
    Bytes sig;
    ASSERT_EQ(sig_raw(sig, sequence(integer(r), integer(s))), TY_OK);
    const struct { const char *what; Bytes der;
    } rows[] = {
        { "empty", {} },
        { "leading zero", sequence(integer({ 0, 0x11 }), integer(s)) },
        { "two leading zeros", sequence(integer(r), integer({ 0, 0, 0x81 })) },
        { "negative", sequence(integer(r), integer({ 0x81 })) },
        { "negative r", sequence(integer({ 0xff }), integer(s)) },
        { "zero", sequence(integer({ 0 }), integer(s)) },
        { "empty INTEGER", sequence(integer({}), integer(s)) },
        { "long form length of the SEQUENCE", unhex("3081070201110202 0081") },
        { "long form length with a leading zero", unhex("308200070201110202 0081") },
        { "long form length of an INTEGER", unhex("300802810111 02020081") },
        { "indefinite length", unhex("308002011102020081 0000") },
        { "length byte ff", unhex("30ff02011102020081") },
        { "length that wraps", unhex("3088ffffffffffffffff02011102020081") },
        { "trailing byte", unhex("300702011102020081 00") },
        { "trailing byte inside", unhex("300802011102020081 00") },
        { "a third INTEGER", unhex("300a02011102020081 020101") },
        { "one INTEGER", unhex("3003020111") },
        { "SET", unhex("310702011102020081") },
        { "primitive SEQUENCE", unhex("100702011102020081") },
        { "constructed INTEGER", unhex("300722011102020081") },
        { "ENUMERATED", unhex("30070a011102020081") },
        { "high tag number", unhex("3f1e0702011102020081") },
        { "33 bytes of value", sequence(integer(r), integer(unhex("01" + std::string(64, '0')))) },
        { "34 bytes with leading zero",
          sequence(integer(r), integer(unhex("0081" + std::string(64, '0')))) },
    };
    for (const auto &row : rows) EXPECT_EQ(sig_raw(sig, row.der), TY_ERR_FORMAT) << row.what;
}

// Each changed byte of `valid` is refused, or the result, written again, is the changed encoding;
// every truncation and every appended byte is refused.
template <class Read, class Write> static void mutate(const Bytes &valid, Read read, Write write)
{
    int same = 0;
    for (size_t i = 0; i < valid.size(); i++)
        for (int x = 1; x < 256; x = valid.size() < 64 ? x + 1 : x == 128 ? 255 : 2 * x) {
            Bytes m = valid, value;
            m[i] ^= (uint8_t)x;
            if (read(value, m) == TY_OK) {
                ASSERT_EQ(write(value), m) << "byte " << i;
                same++;
            }
        }
    EXPECT_GT(same, 0) << "some changes make another valid encoding";
    for (size_t n = 0; n < valid.size(); n++) {
        Bytes value;
        ASSERT_NE(read(value, Bytes(valid.begin(), valid.begin() + (long)n)), TY_OK) << n;
    }
    for (int x : {0, 1, 2, 4, 5, 0x30, 255}) {
        Bytes m = valid, value;
        m.push_back((uint8_t)x);
        ASSERT_NE(read(value, m), TY_OK);
    }
}

TEST(SignatureDer, EveryMutationIsRefusedOrIsWhatWeWouldWrite)
{
    for (const char *h : { "304502202d7e71727ce04a1a485c28600115ea7302f20a74864ca367b3cba2649ca1dc9"
                           "3022100d7d15ab1434b791f7ae538"
                           "6d20fbea13651e8fb0bbed42787dd28089fada81cb",
                           "300702011102020081", "3006020101020101", "300902030080000202 7fff" })
        mutate(unhex(h), sig_raw, sig_der);
}

// --- ciphertexts

static Bytes ct_der(const Bytes &c)
{
    Guarded in(c.data(), c.size());
    size_t need = 0;
    EXPECT_EQ(ty_sm2_ct_to_der(nullptr, &need, in.data(), in.size()), TY_ERR_SIZE);
    Guarded out(need);   // exactly: a write of one more byte crashes
    size_t len = need - 1;
    EXPECT_EQ(ty_sm2_ct_to_der(out.data(), &len, in.data(), in.size()), TY_ERR_SIZE);
    EXPECT_EQ(len, need);
    EXPECT_EQ(ty_sm2_ct_to_der(out.data(), &len, in.data(), in.size()), TY_OK);
    EXPECT_EQ(len, need);
    return Bytes(out.data(), out.data() + len);
}

static ty_err ct_raw(Bytes &c, const Bytes &der)
{
    Guarded in(der.data(), der.size());
    size_t need = 0;
    ty_err err = ty_sm2_ct_from_der(nullptr, &need, in.data(), in.size());
    if (err != TY_ERR_SIZE) return err;
    Guarded out(need);
    size_t len = need - 1;
    EXPECT_EQ(ty_sm2_ct_from_der(out.data(), &len, in.data(), in.size()), TY_ERR_SIZE);
    EXPECT_EQ(len, need);
    err = ty_sm2_ct_from_der(out.data(), &len, in.data(), in.size());
    EXPECT_EQ(len, need);
    c.assign(out.data(), out.data() + len);
    return err;
}

static const char openssl_ct[] = "306f022100bae97955efedd47e600736b68c1e99c5b4c049fe979cc1b63c66130"
                                 "6b396523b02210081ea7d76fc5620e1e7fd9a79b6b5bb4b2848"
                                 "2e5587fa156bc89098a0da9bdd780420cd75d8c345da1c2be58df7e9ec801c0df"
                                 "d2dda06751d9e526f053f2ad9a0a57e0405a2679194b9";

TEST(CiphertextDer, OpensslsCiphertext)
{
    Bytes c;
    ASSERT_EQ(ct_raw(c, unhex(openssl_ct)), TY_OK);
    EXPECT_EQ(hex(c), "04bae97955efedd47e600736b68c1e99c5b4c049fe979cc1b63c661306b396523b81ea7d76fc"
                      "5620e1e7fd9a79b6b5bb4b"
                      "28482e5587fa156bc89098a0da9bdd78cd75d8c345da1c2be58df7e9ec801c0dfd2dda06751d"
                      "9e526f053f2ad9a0a57e"
                      "a2679194b9");
    EXPECT_EQ(hex(ct_der(c)), openssl_ct);
}

TEST(CiphertextDer, ShortCoordinatesAndEveryLengthOfLength)
{
    TestRng rng(4);
    for (size_t msg : { 1u, 21u, 22u, 23u, 24u, 127u, 128u, 129u, 143u, 150u, 255u, 256u, 257u,
                        65330u, 65535u, 65536u, 70000u })
        for (int zeros = 0; zeros <= 32; zeros += zeros < 3 ? 1 : 29) {
            Bytes c = rng.bytes(97 + msg), got;
            c[0] = 4;
            std::fill(c.begin() + 1, c.begin() + 1 + zeros, (uint8_t)0);
            std::fill(c.begin() + 33, c.begin() + 33 + zeros, (uint8_t)0);
            ASSERT_EQ(ct_raw(got, ct_der(c)), TY_OK);
            ASSERT_EQ(got, c);
        }
}

TEST(CiphertextDer, RefusesMalformedCiphertexts)
{
    Bytes out(400);
    size_t len = out.size();
    for (size_t n : { 0u, 1u, 96u, 97u })
        EXPECT_EQ(ty_sm2_ct_to_der(out.data(), &len, Bytes(98, 4).data(), n), TY_ERR_FORMAT) << n;
    for (int lead : {0, 2, 3, 5, 6, 7}) {
        len = out.size();
        EXPECT_EQ(ty_sm2_ct_to_der(out.data(), &len, Bytes(120, (uint8_t)lead).data(), 120),
                  TY_ERR_FORMAT)
            << lead;
    }
    const std::string x = "020101", y = "020102", c3 = "0420" + std::string(64, 'a');
    Bytes got;
    EXPECT_EQ(ct_raw(got, unhex("302b" + x + y + c3 + "040111")), TY_OK);
    EXPECT_EQ(ct_raw(got, unhex("302a" + x + y + c3 + "0400")), TY_ERR_FORMAT) << "no message";
    EXPECT_EQ(ct_raw(got, unhex("302a" + x + y + "041f" + std::string(62, 'a') + "040111")),
              TY_ERR_FORMAT)
        << "short C3";
    EXPECT_EQ(ct_raw(got, unhex("302c" + x + y + "0421" + std::string(66, 'a') + "040111")),
              TY_ERR_FORMAT)
        << "long C3";
    EXPECT_EQ(ct_raw(got, unhex("304b0221"
                                "01" +
                                std::string(64, '0') + y + c3 + "040111")),
              TY_ERR_FORMAT)
        << "x of 33 bytes";
    EXPECT_EQ(ct_raw(got, unhex("302b" + x + y + c3 + "240111")), TY_ERR_FORMAT)
        << "constructed OCTET STRING";
    EXPECT_EQ(ct_raw(got, unhex("302b" + x + y + c3 + "04011100")), TY_ERR_FORMAT)
        << "a trailing byte";
    EXPECT_EQ(ct_raw(got, unhex("302b" + x + y + c3 + "048401000000")), TY_ERR_FORMAT)
        << "a length beyond the end";
}

TEST(CiphertextDer, EveryMutationIsRefusedOrIsWhatWeWouldWrite)
{
    mutate(unhex(openssl_ct), ct_raw, ct_der);
    mutate(unhex("302b0201010201020420" + std::string(64, 'a') + "040111"), ct_raw, ct_der);
}
