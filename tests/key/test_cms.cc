// Messages of other programs: what is read from them, and refusals of input that is not DER or not
// such a message.
#include "cms/fixtures.hpp"
#include "support/guard.hpp"
#include "support/rng.hpp"
#include <cstring>
#include <gtest/gtest.h>

static std::string text_of(const ty_cert_part &oid)
{
    char out[128];
    ty_cert_oid_text(out, sizeof out, &oid);
    return out;
}

struct Read {
    ty_cms m;
    size_t where = 0;
    ty_err err;
    explicit Read(const Bytes &der) { err = ty_cms_read(&m, &where, der.data(), der.size()); }
};

static const char GM[] = "1.2.156.10197.6.1.4.2.1", DATA[] = "1.2.840.113549.1.7.1",
                  SM3[] = "1.2.156.10197.1.401", SHA512[] = "2.16.840.1.101.3.4.2.3",
                  SHAKE256[] = "2.16.840.1.101.3.4.2.12";

static ty_cert cert_of(const Bytes &der)
{
    ty_cert c;
    size_t where;
    EXPECT_EQ(ty_cert_read(&c, &where, der.data(), der.size()), TY_OK);
    return c;
}

static Bytes certificate(const std::string &name)
{
    const Bytes pem = read_file(name);
    Bytes der(pem.size());
    size_t n = der.size();
    EXPECT_EQ(ty_cert_from_pem(der.data(), &n, pem.data(), pem.size()), TY_OK);
    der.resize(n);
    return der;
}

TEST(Cms, WhatOthersSigned)
{
    static const struct {
        const char *file, *type, *algorithm, *digest;
        bool attributes, detached, by_key_id;
    } rows[] = {
        {"openssl-sm2.pem", DATA, "1.2.156.10197.1.501", SM3, true, false, false},
        {"openssl-sm2-id.pem", DATA, "1.2.156.10197.1.501", SM3, true, false, true},
        {"gmsm-signed.pem", GM, "1.2.156.10197.1.301.1", SM3, true, false, false},
        {"gmsm-signed-bare.pem", GM, "1.2.156.10197.1.301.1", SM3, false, false, false},
        {"gmsm-detached.pem", GM, "1.2.156.10197.1.301.1", SM3, true, true, false},
        {"bc-sm2.pem", DATA, "1.2.156.10197.1.501", SM3, true, false, false},
        {"openssl-mldsa.pem", DATA, "2.16.840.1.101.3.4.3.17", SHA512, true, true, false},
        {"bc-mldsa.pem", DATA, "2.16.840.1.101.3.4.3.17", SHAKE256, true, true, false},
    };
    const Bytes alice = certificate("alice.pem"), bob = certificate("bob.pem"),
                lattice = certificate("lattice.pem");
    const ty_cert of_alice = cert_of(alice), of_bob = cert_of(bob), of_lattice = cert_of(lattice);
    for (const auto &row : rows) {
        SCOPED_TRACE(row.file);
        const Bytes der = read_cms(row.file), letter = read_file("letter.txt");
        const Read r(der);
        ASSERT_EQ(r.err, TY_OK);
        EXPECT_EQ(r.m.kind, TY_CMS_SIGNED);
        EXPECT_EQ(r.m.gm, row.type == GM);
        EXPECT_EQ(text_of(r.m.content_type), row.type);
        EXPECT_EQ(r.m.detached, row.detached);
        EXPECT_EQ(hex(r.m.content.p, r.m.content.len),
                  row.detached ? "" : hex(letter.data(), letter.size()));
        ty_cms_signer s, none;
        ty_cert_part rest = r.m.signers;
        ASSERT_TRUE(ty_cms_next_signer(&s, &rest));
        EXPECT_FALSE(ty_cms_next_signer(&none, &rest));
        EXPECT_EQ(text_of(s.algorithm), row.algorithm);
        EXPECT_EQ(s.attributes.len != 0, row.attributes);
        EXPECT_EQ(s.whose.key_id.len != 0, row.by_key_id);
        EXPECT_EQ(std::strlen(s.signing_time), row.attributes ? 20u : 0u);
        EXPECT_EQ(text_of(s.content_type), row.attributes ? row.type : "");
        const bool by_lattice = std::strstr(row.file, "mldsa") != nullptr;
        EXPECT_EQ(s.message_digest.len, !row.attributes ? 0u : by_lattice ? 64u : 32u);
        EXPECT_EQ(text_of(s.digest), row.digest);
        EXPECT_EQ(ty_cms_is_of(&s.whose, &of_lattice), by_lattice);
        EXPECT_EQ(ty_cms_is_of(&s.whose, &of_alice), !by_lattice);
        EXPECT_EQ(ty_cms_is_of(&s.whose, &of_bob), 0);
    }
}

TEST(Cms, WhatOthersEncrypted)
{
    static const struct {
        const char *file;
        ty_cms_kind kind;
        int gm, recipients;
    } rows[] = {
        {"gmsm-enveloped.pem", TY_CMS_ENVELOPED, 1, 2},
        {"gmsm-enveloped-key-id.pem", TY_CMS_ENVELOPED, 1, 1},
        {"gmsm-enveloped-rfc.pem", TY_CMS_ENVELOPED, 0, 1},
        {"gmsm-both.pem", TY_CMS_SIGNED_ENVELOPED, 1, 1},
    };
    const Bytes bob = certificate("bob.pem");
    const ty_cert of_bob = cert_of(bob);
    for (const auto &row : rows) {
        SCOPED_TRACE(row.file);
        const Bytes der = read_cms(row.file);
        const Read r(der);
        ASSERT_EQ(r.err, TY_OK);
        EXPECT_EQ(r.m.kind, row.kind);
        EXPECT_EQ(r.m.gm, row.gm);
        EXPECT_EQ(text_of(r.m.cipher), "1.2.156.10197.1.104.2");
        EXPECT_EQ(r.m.content.len, 48u) << "33 bytes and their padding";
        EXPECT_EQ(r.m.parameters.len, 18u);
        int count = 0, for_bob = 0;
        ty_cms_recipient one;
        for (ty_cert_part rest = r.m.recipients; ty_cms_next_recipient(&one, &rest); count++)
            for_bob += ty_cms_is_of(&one.whose, &of_bob);
        EXPECT_EQ(count, row.recipients);
        EXPECT_EQ(for_bob, 1);
        EXPECT_EQ(r.m.signers.len != 0, row.kind == TY_CMS_SIGNED_ENVELOPED);
    }
}

// Every message that is cut short, or has a byte appended, is refused, and the place of the error
// is within the input.
TEST(Cms, CutAndLonger)
{
    for (const char *file : cms_files) {
        SCOPED_TRACE(file);
        Bytes der = read_cms(file);
        for (size_t n = 0; n < der.size(); n += n < 900 ? 1 : 97) {
            Guarded in(der.data(), n);
            ty_cms m;
            size_t where = 99999;
            ASSERT_EQ(ty_cms_read(&m, &where, in.data(), n), TY_ERR_FORMAT) << n;
            ASSERT_LE(where, n);
            ASSERT_EQ(m.kind, 0);
        }
        der.push_back(0);
        const Read r(der);
        EXPECT_EQ(r.err, TY_ERR_FORMAT);
        EXPECT_EQ(r.where, der.size() - 1);
    }
}

TEST(Cms, OtherKindsAndBer)
{
    const Read data(read_cms("openssl-data.pem"));
    EXPECT_EQ(data.err, TY_ERR_UNSUPPORTED);
    EXPECT_EQ(data.where, 2u) << "where its identifier begins";
    for (const char *file : {"bc-ber.pem", "openssl-stream.pem"}) {
        const Bytes der = read_cms(file);
        const Read r(der);
        EXPECT_EQ(r.err, TY_ERR_FORMAT);
        EXPECT_EQ(der[r.where + 1], 0x80) << "the indefinite length";
    }
    Bytes other = read_cms("gmsm-signed.pem");   // becomes GM/T 0010's encryptedData
    other[4 + 2 + 9] = 5;
    EXPECT_EQ(Read(other).err, TY_ERR_UNSUPPORTED);
    EXPECT_EQ(Read({}).err, TY_ERR_FORMAT);
}

// A copy of der with `to` written over the first occurrence of `from`, and over what follows it if
// `to` is longer; both are in hexadecimal.
static Bytes with(Bytes der, const std::string &from, const std::string &to)
{
    const Bytes what = unhex(from), other = unhex(to);
    for (size_t i = 0; i + what.size() <= der.size(); i++)
        if (std::memcmp(der.data() + i, what.data(), what.size()) == 0) {
            std::memcpy(der.data() + i, other.data(), other.size());
            return der;
        }
    ADD_FAILURE() << from << " was not found";
    return der;
}

TEST(Cms, AttributesAreInOrderAndOnce)
{
    const Bytes der = read_cms("gmsm-signed.pem");
    const std::string type = "06092a864886f70d010903", digest = "06092a864886f70d010904",
                      time = "06092a864886f70d010905";
    ASSERT_EQ(Read(der).err, TY_OK);
    EXPECT_EQ(Read(with(der, digest, "06092a864886f70d010909")).err, TY_ERR_FORMAT) << "no digest";
    EXPECT_EQ(Read(with(der, type, "06092a864886f70d010909")).err, TY_ERR_FORMAT)
        << "no type of the content";
    EXPECT_EQ(Read(with(der, time, digest)).err, TY_ERR_FORMAT) << "two digests";
    EXPECT_EQ(Read(with(der, time, "06092a864886f70d010902")).err, TY_OK)
        << "an attribute that the reader does not know";
    // The second attribute and the third swapped: the error is at the shorter, which belongs first.
    Bytes swapped = der;
    size_t at = 0;
    while (std::memcmp(swapped.data() + at, unhex(time).data(), 11) != 0) at++;
    const size_t second = at - 2, third = second + 2 + swapped[second + 1];
    const Bytes a(swapped.begin() + (long)second, swapped.begin() + (long)third);
    const Bytes b(swapped.begin() + (long)third,
                  swapped.begin() + (long)third + 2 + swapped[third + 1]);
    std::memcpy(&swapped[second], b.data(), b.size());
    std::memcpy(&swapped[second + b.size()], a.data(), a.size());
    const Read r(swapped);
    EXPECT_EQ(r.err, TY_ERR_FORMAT);
    EXPECT_EQ(r.where, second + b.size());
}

// An attribute that the reader does not know must be DER as well: at least one value, and the
// values in order.
TEST(Cms, ValuesOfUnknownAttributes)
{
    const Bytes der = read_cms("gmsm-signed.pem");
    const std::string time = "06092a864886f70d010905310f170d", other = "06092a864886f70d010902310f",
                      five = "04050102030405", six = "0406010203040506";
    size_t start = 0;
    while (std::memcmp(der.data() + start, unhex(time).data(), 15) != 0) start++;
    EXPECT_EQ(Read(with(der, time, other + five + six)).err, TY_OK);
    const Read swapped(with(der, time, other + six + five));
    EXPECT_EQ(swapped.err, TY_ERR_FORMAT);
    EXPECT_EQ(swapped.where, start + 11 + 2 + 8);
    const std::string longer = "06182a864886f70d010902010101010101010101010101010101";
    EXPECT_EQ(Read(with(der, time, longer + "3100")).err, TY_ERR_FORMAT) << "no value";
    EXPECT_EQ(Read(with(der, time, longer + "3100")).where, start + 26);
}

// After the ciphertext there may be unprotected attributes, and nothing else.
TEST(Cms, UnprotectedAttributes)
{
    const Bytes der = read_cms("gmsm-enveloped-rfc.pem");
    const auto with_end = [&](const std::string &end) {
        Bytes b = der;
        const Bytes more = unhex(end);
        // ContentInfo, [0] and EnvelopedData, whose lengths have two bytes each
        for (const size_t at : {size_t(0), size_t(4 + 11), size_t(4 + 11 + 4)}) {
            EXPECT_EQ(b[at + 1], 0x82);
            const size_t len = (size_t)(b[at + 2] << 8 | b[at + 3]) + more.size();
            b[at + 2] = (uint8_t)(len >> 8), b[at + 3] = (uint8_t)len;
        }
        b.insert(b.end(), more.begin(), more.end());
        return Read(b).err;
    };
    EXPECT_EQ(with_end(""), TY_OK);
    EXPECT_EQ(with_end("a10d300b06092a864886f70d010902"), TY_OK);
    EXPECT_EQ(with_end("0500"), TY_ERR_FORMAT);
    EXPECT_EQ(with_end("a10d300b06092a864886f70d0109020500"), TY_ERR_FORMAT);
}

// In GM/T 0010 the ciphertext may be absent although [1] or [2], for key agreement, is there; RFC
// 5652 has neither.
TEST(Cms, KeyAgreementWithoutCiphertext)
{
    for (const char *file : {"gmsm-enveloped.pem", "gmsm-enveloped-rfc.pem"}) {
        Bytes der = read_cms(file);
        uint8_t &tag = der[der.size() - 50];   // of the ciphertext, 48 bytes, which is the end
        ASSERT_EQ(tag, 0x80) << file;
        const bool gm = Read(der).m.gm;
        for (const uint8_t other : {0x81, 0x82, 0x83, 0xa0}) {
            SCOPED_TRACE(file + std::string(" ") + std::to_string(other));
            tag = other;
            const Read r(der);
            const bool good = gm && other <= 0x82;
            EXPECT_EQ(r.err, good ? TY_OK : TY_ERR_FORMAT);
            if (!good) { EXPECT_EQ(r.where, der.size() - 50); }
            EXPECT_EQ(r.m.detached, good);
            EXPECT_EQ(r.m.content.len, 0u);
            EXPECT_EQ(r.m.cipher.len != 0, good);
        }
    }
}

TEST(Cms, ExtensionOfACertificate)
{
    const Bytes der = certificate("bob.pem");
    const ty_cert c = cert_of(der);
    const ty_cert_part id = ty_cert_extension(&c, "\x55\x1d\x0e", 3),
                       none = ty_cert_extension(&c, "\x55\x1d\x0f", 3);
    EXPECT_EQ(id.len, 22u);
    EXPECT_EQ(none.len, 0u);
    const ty_cert_part basic =
        ty_cert_extension(&c, "\x55\x1d\x13", 3);   // critical: a BOOLEAN precedes it
    EXPECT_EQ(hex(basic.p, basic.len), "3000");
}

// Whichever byte is changed, nothing beyond the input is read.
TEST(Cms, EveryByteChanged)
{
    for (const char *file :
         {"gmsm-signed.pem", "gmsm-both.pem", "openssl-sm2-id.pem", "gmsm-enveloped-rfc.pem"}) {
        const Bytes der = read_cms(file);
        size_t taken = 0;
        Guarded in(der.data(), der.size());
        for (size_t i = 0; i < der.size(); i++)
            for (const uint8_t x : {0x01, 0x80, 0x20, 0x7f}) {
                ty_cms m;
                size_t where;
                in.data()[i] ^= x;
                taken += ty_cms_read(&m, &where, in.data(), der.size()) == TY_OK;
                in.data()[i] ^= x;
            }
        EXPECT_GT(taken, der.size()) << file << ": the contents may change";
        EXPECT_LT(taken, 4 * der.size() - 100) << file << ": the frame may not";
    }
}
