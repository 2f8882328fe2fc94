// Certificates and requests: what is read from them, and refusals of what is not valid DER.
#include "key/fixtures.hpp"
#include "support/guard.hpp"
#include "support/hex.hpp"
#include "support/rng.hpp"
#include "tongyu/cert.h"
#include "tongyu/key.h"
#include <gtest/gtest.h>

static Bytes tlv(int tag, const Bytes &body)
{
    Bytes v{(uint8_t)tag};
    if (body.size() >= 256) v.insert(v.end(), {0x82, (uint8_t)(body.size() >> 8)});
    else if (body.size() >= 128) v.push_back(0x81);
    v.push_back((uint8_t)body.size());
    v.insert(v.end(), body.begin(), body.end());
    return v;
}

static Bytes operator+(Bytes a, const Bytes &b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

static Bytes der_of(const std::string &pem)
{
    Bytes out(pem.size());
    size_t n = out.size();
    EXPECT_EQ(ty_cert_from_pem(out.data(), &n, pem.data(), pem.size()), TY_OK);
    out.resize(n);
    return out;
}

static std::string name_of(const ty_cert_part &p)
{
    char out[256];
    const size_t n = ty_cert_name_text(out, sizeof out, &p);
    EXPECT_EQ(n, std::strlen(out));
    return out;
}

static std::string oid_of(const Bytes &b)
{
    char out[256];
    const ty_cert_part p = {b.data(), b.size()};
    ty_cert_oid_text(out, sizeof out, &p);
    return out;
}

static void expect_key(const ty_cert &c)
{
    ty_key k;
    uint8_t point[65];
    ASSERT_EQ(ty_key_read(&k, c.key.p, c.key.len, nullptr, 0), TY_OK);
    ty_sm2_pub_get(point, &k.pub);
    EXPECT_EQ(hex(point, 65), fixture::pub);
}

TEST(Cert, WhatOpensslIssued)
{
    ty_cert c;
    size_t where;
    const Bytes cert = der_of(fixture::certificate), request = der_of(fixture::request);
    Guarded in(cert.data(), cert.size());
    ASSERT_EQ(ty_cert_read(&c, &where, in.data(), cert.size()), TY_OK);
    expect_key(c);
    EXPECT_EQ(c.request, 0);
    EXPECT_EQ(c.version, 3u);
    EXPECT_EQ(hex(c.serial.p, c.serial.len), "1234");
    EXPECT_EQ(name_of(c.subject), "C=CN, OU=Keys + O=Acme\\, Inc, CN=\u540c\u4f59");
    EXPECT_EQ(name_of(c.issuer), name_of(c.subject));
    EXPECT_EQ(std::strlen(c.not_before), 20u);
    EXPECT_LT(std::string("2026-11-"), c.not_before);
    EXPECT_LT(std::string("2126-"), c.not_after);
    EXPECT_EQ(oid_of(Bytes(c.algorithm.p, c.algorithm.p + c.algorithm.len)), "1.2.156.10197.1.501");
    EXPECT_GT(c.extensions.len, 40u);
    EXPECT_GT(c.signature.len, 68u);
    EXPECT_EQ(c.message.len + 4 + 2 + c.algorithm.len + 2 + 3 + c.signature.len, cert.size() - 0u)
        << "header, algorithm, BIT STRING";

    ASSERT_EQ(ty_cert_read(&c, &where, request.data(), request.size()), TY_OK);
    expect_key(c);
    EXPECT_EQ(c.request, 1);
    EXPECT_EQ(name_of(c.subject), "CN=Alice");
    EXPECT_EQ(c.issuer.len, 0u);
    EXPECT_STREQ(c.not_before, "");
}

TEST(Cert, Pem)
{
    const std::string cert = fixture::certificate, key = fixture::pkcs8;
    const Bytes der = der_of(cert);
    EXPECT_EQ(der_of(key + cert), der);
    EXPECT_EQ(der_of("text\n" + cert + fixture::request), der) << "the first one";
    std::string other = cert;
    for (size_t at; (at = other.find("N CERT")) != std::string::npos;)
        other.replace(at, 6, "N X509 CERT");
    for (size_t at; (at = other.find("D CERT")) != std::string::npos;)
        other.replace(at, 6, "D X509 CERT");
    EXPECT_EQ(der_of(other), der);
    Bytes out(der.size());
    size_t n = der.size() - 1;
    EXPECT_EQ(ty_cert_from_pem(out.data(), &n, cert.data(), cert.size()), TY_ERR_SIZE);
    n = der.size();
    EXPECT_EQ(ty_cert_from_pem(out.data(), &n, cert.data(), cert.size()), TY_OK);
    for (const std::string &bad :
         { std::string(), key, cert.substr(0, cert.size() - 20), cert.substr(1), " " + cert }) {
        n = der.size();
        EXPECT_EQ(ty_cert_from_pem(out.data(), &n, bad.data(), bad.size()), TY_ERR_FORMAT) << bad;
    }
}

namespace part {
const Bytes null = unhex("0500"), sig = tlv(0x30, unhex("06082a811ccf55018375")),
            bits = tlv(3, unhex("00aabb"));
const Bytes spki = tlv(0x30, tlv(0x30, unhex("0603550403")) + tlv(3, unhex("00"))),
            cn = unhex("0603550403");
Bytes rdn(const Bytes &value) { return tlv(0x31, tlv(0x30, cn + value)); }
const Bytes alice = tlv(0x30, rdn(tlv(0x0c, bytes("Alice")))), empty = tlv(0x30, {});
const Bytes dates =
    tlv(0x30, tlv(0x17, bytes("260131235959Z")) + tlv(0x18, bytes("20500101000000Z")));
const Bytes v2 = unhex("a003020101"), v3 = unhex("a003020102"), serial = unhex("020105");
const Bytes ext = tlv(0x30, unhex("0603551d0f") + tlv(4, null)), exts = tlv(0xa3, tlv(0x30, ext));
const Bytes other_ext = tlv(0x30, unhex("0603551d0e") + tlv(4, null)),
            asks = unhex("06092a864886f70d01090e");   // extensionRequest of PKCS #9
Bytes cert(const Bytes &tbs) { return tlv(0x30, tlv(0x30, tbs) + sig + bits); }
}   // namespace part

struct Case { const char *what; Bytes der; long where; };   // where: the error's offset; -1: valid

static void run(const std::vector<Case> &rows)
{
    for (const auto &r : rows) {
        SCOPED_TRACE(r.what);
        ty_cert c;
        size_t where = 99;
        Guarded in(r.der.data(), r.der.size());
        EXPECT_EQ(ty_cert_read(&c, &where, in.data(), r.der.size()),
                  r.where < 0 ? TY_OK : TY_ERR_FORMAT);
        if (r.where < 0) continue;
        EXPECT_EQ((long)where, r.where) << hex(r.der);
        for (size_t i = 0; i < sizeof c; i++) ASSERT_EQ(((const uint8_t *)&c)[i], 0);
    }
}

TEST(Cert, EachPartOfACertificateIsChecked)
{
    using namespace part;
    const Bytes head = serial + sig + alice + dates, body = head + alice + spki;
    const auto dated = [&](const char *from) {
        return cert(serial + sig + alice +
                    tlv(0x30, tlv(0x17, bytes(from)) + tlv(0x17, bytes("491231235959Z"))) + alice +
                    spki);
    };
    const auto named = [&](const Bytes &subject) {
        return cert(serial + sig + empty + dates + subject + spki);
    };
    const auto with_date = [&](int tag, const char *t) {
        return cert(serial + sig + alice +
                    tlv(0x30, tlv(tag, bytes(t)) + tlv(0x18, bytes("99991231235959Z"))) + alice +
                    spki);
    };
    const long date = 4 + 3 + 12 + 18 + 2, subject = 4 + 3 + 12 + 2 + 34;
    run({
        { "version 1", cert(body), -1 },
        { "version 3", cert(v3 + body + exts), -1 },
        { "version 3 without extensions", cert(v3 + body), -1 },
        { "unique identifiers", cert(v2 + body + unhex("81020011 82020022")), -1 },
        { "version 1, encoded explicitly", cert(unhex("a003020100") + body), 4 + 2 },
        { "version 4", cert(unhex("a003020103") + body), 4 + 2 },
        { "a NULL after the version", cert(unhex("a0050201020500") + body), 4 + 5 },
        { "extensions in version 2", cert(v2 + body + exts), (long)(5 + 5 + body.size()) },
        { "a negative serial number", cert(unhex("0201ff") + Bytes(body.begin() + 3, body.end())),
          -1 },
        { "a serial number with a leading zero",
          cert(unhex("02020005") + Bytes(body.begin() + 3, body.end())), 4 },
        { "an empty serial number", cert(unhex("0200") + Bytes(body.begin() + 3, body.end())), 4 },
        { "another algorithm outside",
          tlv(0x30, tlv(0x30, body) + tlv(0x30, unhex("06082a811ccf55018374")) + bits),
          (long)(2 + tlv(0x30, body).size()) },
        { "other parameters outside",
          tlv(0x30, tlv(0x30, body) + tlv(0x30, unhex("06082a811ccf550183750500")) + bits),
          (long)(2 + tlv(0x30, body).size()) },
        { "two parameters",
          tlv(0x30, tlv(0x30, body) + tlv(0x30, unhex("06082a811ccf5501837505000500")) + bits),
          (long)(2 + tlv(0x30, body).size() + 14) },
        { "a truncated identifier",
          named(tlv(0x30, tlv(0x31, tlv(0x30, unhex("06035504830c0141"))))), subject + 6 },
        { "an identifier with leading zeros",
          named(tlv(0x30, tlv(0x31, tlv(0x30, unhex("06048055040 30c0141"))))), subject + 6 },
        { "an empty name", named(empty), -1 },
        { "an empty part of a name", named(tlv(0x30, tlv(0x31, {}))), subject + 2 },
        { "two values in order",
          named(tlv(0x30, tlv(0x31, tlv(0x30, cn + tlv(0x0c, bytes("a"))) +
                                        tlv(0x30, cn + tlv(0x0c, bytes("b")))))),
          -1 },
        { "two values out of order",
          named(tlv(0x30, tlv(0x31, tlv(0x30, cn + tlv(0x0c, bytes("b"))) +
                                        tlv(0x30, cn + tlv(0x0c, bytes("a")))))),
          subject + 4 + 10 },
        { "a value with a tag of many bytes", named(tlv(0x30, rdn(unhex("1f0141")))),
          subject + 6 + 5 },
        { "a value with the tag zero", named(tlv(0x30, rdn(unhex("0000")))), subject + 6 + 5 },
        { "29 February 2000", dated("000229000000Z"), -1 },
        { "29 February 2001", dated("010229000000Z"), date },
        { "month 13", dated("261301000000Z"), date },
        { "day 0", dated("260100000000Z"), date },
        { "hour 24", dated("260101240000Z"), date },
        { "minute 60", dated("260101006000Z"), date },
        { "second 60", dated("260101000060Z"), date },
        { "no seconds", dated("2601010000Z"), date },
        { "another zone", dated("260101000000+0800"), date },
        { "a letter", dated("26010100000xZ"), date },
        { "years of four digits", with_date(0x18, "20260101000000Z"), -1 },
        { "fractions", with_date(0x18, "20260101000000.5Z"), date },
        { "29 February 1900", with_date(0x18, "19000229000000Z"), date },
        { "a date of another type", with_date(0x16, "260101000000Z"), date },
        { "no key", cert(head + alice), (long)(4 + head.size() + alice.size()) },
        { "an empty list of extensions", cert(v3 + body + tlv(0xa3, tlv(0x30, {}))),
          (long)(4 + 5 + body.size() + 2) },
        { "a critical extension",
          cert(v3 + body +
               tlv(0xa3, tlv(0x30, tlv(0x30, unhex("0603551d0f0101ff") + tlv(4, null))))),
          -1 },
        { "FALSE in an extension",
          cert(v3 + body +
               tlv(0xa3, tlv(0x30, tlv(0x30, unhex("0603551d0f010100") + tlv(4, null))))),
          (long)(5 + 5 + body.size() + 2 + 2 + 2 + 5) },
        { "two extensions", cert(v3 + body + tlv(0xa3, tlv(0x30, ext + other_ext))), -1 },
        { "the same extension twice", cert(v3 + body + tlv(0xa3, tlv(0x30, ext + other_ext + ext))),
          (long)(6 + 5 + body.size() + 4 + ext.size() + other_ext.size()) },
        { "the same twice, with other contents",
          cert(v3 + body +
               tlv(0xa3, tlv(0x30, ext + tlv(0x30, unhex("0603551d0f0101ff") + tlv(4, null))))),
          (long)(6 + 5 + body.size() + 4 + ext.size()) },
        { "years of four digits until 2049", with_date(0x18, "20491231235959Z"), -1 },
        { "a NULL after the key", cert(body + null), (long)(4 + body.size()) },
        { "a NULL after the signature", tlv(0x30, tlv(0x30, body) + sig + bits + null),
          (long)(2 + tlv(0x30, body).size() + 12 + 5) },
        { "a NULL after the end", cert(body) + null, (long)cert(body).size() },
        { "unused bits", tlv(0x30, tlv(0x30, body) + sig + tlv(3, unhex("01aa"))),
          (long)(2 + tlv(0x30, body).size() + 12) },
        { "no bits at all", tlv(0x30, tlv(0x30, body) + sig + tlv(3, {})),
          (long)(2 + tlv(0x30, body).size() + 12) },
        { "indefinite length", unhex("3080") + tlv(0x30, body) + sig + bits + unhex("0000"), 0 },
        { "a long length", unhex("308100"), 0 },
        { "nothing", {}, 0 },
        { "an empty SEQUENCE", unhex("3000"), 2 },
    });
}

TEST(Cert, EachPartOfARequestIsChecked)
{
    using namespace part;
    const Bytes zero = unhex("020100"), none = unhex("a000"), one = tlv(0x30, cn + tlv(0x31, null)),
                two = tlv(0x30, cn + tlv(0x31, unhex("0101ff")));
    const auto asking = [&](const Bytes &values) {
        return cert(zero + alice + spki + tlv(0xa0, tlv(0x30, asks + tlv(0x31, values))));
    };
    const long set = 4 + 3 + 18 + (long)spki.size() + 2 + 2 + 11;
    run({
        { "extensions", asking(tlv(0x30, ext + other_ext)), -1 },
        { "one extension twice", asking(tlv(0x30, ext + ext)), set + 4 + (long)ext.size() },
        { "an empty list of extensions", asking(empty), set + 2 },
        { "two lists of extensions", asking(tlv(0x30, ext) + tlv(0x30, ext)),
          set + 2 + 2 + (long)ext.size() },
        { "two requests for extensions",
          cert(zero + alice + spki +
               tlv(0xa0, tlv(0x30, asks + tlv(0x31, tlv(0x30, ext))) +
                             tlv(0x30, asks + tlv(0x31, tlv(0x30, other_ext + ext))))),
          set + 2 + 2 + (long)ext.size() + 2 },
        { "a NULL instead of a list", asking(null), set + 2 },
        { "an attribute without a value",
          cert(zero + alice + spki + tlv(0xa0, tlv(0x30, cn + tlv(0x31, {})))), set - 6 },
        { "values in order",
          cert(zero + alice + spki + tlv(0xa0, tlv(0x30, cn + tlv(0x31, unhex("0101ff") + null)))),
          -1 },
        { "values out of order",
          cert(zero + alice + spki + tlv(0xa0, tlv(0x30, cn + tlv(0x31, null + unhex("0101ff"))))),
          set - 6 + 2 + 2 },
        { "as it should be", cert(zero + alice + spki + none), -1 },
        { "no name", cert(zero + empty + spki + none), -1 },
        { "attributes in order", cert(zero + alice + spki + tlv(0xa0, one + two)), -1 },
        { "attributes out of order", cert(zero + alice + spki + tlv(0xa0, two + one)),
          (long)(4 + 3 + 18 + spki.size() + 2 + two.size()) },
        { "one attribute", cert(zero + alice + spki + tlv(0xa0, one)), -1 },
        { "version 2", cert(unhex("020101") + alice + spki + none), 4 },
        { "no attributes at all", cert(zero + alice + spki), (long)(4 + 3 + 18 + spki.size()) },
        { "a NULL after the attributes", cert(zero + alice + spki + none + null),
          (long)(4 + 3 + 18 + spki.size() + 2) },
        { "a NULL instead of an attribute", cert(zero + alice + spki + tlv(0xa0, null)),
          (long)(4 + 3 + 18 + spki.size() + 2) },
    });
}

TEST(Cert, NoMoreThan256Extensions)
{
    using namespace part;
    for (const size_t count : {256u, 257u}) {
        Bytes list;
        for (size_t i = 0; i < count; i++)
            list = list + tlv(0x30, Bytes{ 6, 4, 0x55, 0x1d, (uint8_t)(0x81 + i / 100),
                                           (uint8_t)(i % 100) } +
                                        tlv(4, null));
        ty_cert c;
        size_t where;
        const Bytes der =
            cert(v3 + serial + sig + alice + dates + alice + spki + tlv(0xa3, tlv(0x30, list)));
        EXPECT_EQ(ty_cert_read(&c, &where, der.data(), der.size()),
                  count == 256 ? TY_OK : TY_ERR_FORMAT);
        if (count == 256) {
            EXPECT_EQ(ty_cert_extension(&c, "\x55\x1d\x83\x37", 4).len, 2u) << "the last one";
        }
    }
}

TEST(Cert, ExtensionsOfARequest)
{
    using namespace part;
    const Bytes before = tlv(0x30, unhex("0602550 4") + tlv(0x31, null));
    const Bytes der =
        cert(unhex("020100") + alice + spki +
             tlv(0xa0, before + tlv(0x30, asks + tlv(0x31, tlv(0x30, other_ext + ext)))));
    ty_cert c;
    size_t where;
    ASSERT_EQ(ty_cert_read(&c, &where, der.data(), der.size()), TY_OK);
    const ty_cert_part usage = ty_cert_extension(&c, "\x55\x1d\x0f", 3);
    EXPECT_EQ(hex(usage.p, usage.len), "0500");
    EXPECT_EQ(ty_cert_extension(&c, "\x55\x1d\x11", 3).len, 0u);
    const Bytes nothing = cert(unhex("020100") + alice + spki + tlv(0xa0, before));
    ASSERT_EQ(ty_cert_read(&c, &where, nothing.data(), nothing.size()), TY_OK);
    EXPECT_EQ(ty_cert_extension(&c, "\x55\x1d\x0f", 3).len, 0u);
}

TEST(Cert, EmptyInput)
{
    ty_cert c;
    size_t where = 1;
    std::memset(&c, 1, sizeof c);
    EXPECT_EQ(ty_cert_read(&c, &where, nullptr, 0), TY_ERR_FORMAT);
    EXPECT_EQ(where, 0u);
    EXPECT_EQ(c.message.p, nullptr);
    EXPECT_EQ(ty_cert_read(&c, &where, "", 0), TY_ERR_FORMAT);
}

TEST(Cert, EveryTruncationAndMutation)
{
    for (const char *pem : {fixture::certificate, fixture::request}) {
        const Bytes der = der_of(pem);
        ty_cert c;
        size_t where;
        for (size_t n = 0; n < der.size(); n++) {
            Guarded in(der.data(), n);
            ASSERT_EQ(ty_cert_read(&c, &where, in.data(), n), TY_ERR_FORMAT) << n;
            ASSERT_LE(where, n);
        }
        for (size_t i = 0; i < der.size(); i++)
            for (int bit = 0; bit < 8; bit++) {
                Bytes m = der;
                m[i] ^= (uint8_t)(1 << bit);
                Guarded in(m.data(), m.size());
                if (ty_cert_read(&c, &where, in.data(), m.size()) != TY_OK)
                    ASSERT_LE(where, m.size());
                else (void)name_of(c.subject);
            }
    }
}

TEST(Cert, NamesAsText)
{
    using namespace part;
    const auto shown = [](const Bytes &name) { return name_of({name.data(), name.size()}); };
    const auto value = [&](int tag, const char *s) {
        return shown(tlv(0x30, rdn(tlv(tag, unhex(s)))));
    };
    EXPECT_EQ(value(0x0c, "e5908c"), "CN=\u540c");
    EXPECT_EQ(value(0x0c, "f09f9880"), "CN=\U0001F600");
    EXPECT_EQ(value(0x0c, "c0af"), "CN=\\C0\\AF") << "not the shortest encoding";
    EXPECT_EQ(value(0x0c, "e59061"), "CN=\\E5\\90a") << "cut off";
    EXPECT_EQ(value(0x0c, "eda080"), "CN=\\uD800");
    EXPECT_EQ(value(0x0c, "f4908080"), "CN=\\u110000");
    EXPECT_EQ(value(0x1c, "0011000001110000"), "CN=\\u110000\\u1110000");
    EXPECT_EQ(value(0x1c, "ff000041"), "CN=\\uFF000041");
    EXPECT_EQ(value(0x0c, "e280ae61"), "CN=\\u202Ea") << "right-to-left override";
    EXPECT_EQ(value(0x0c, "d89c61"), "CN=\\u061Ca") << "Arabic letter mark";
    EXPECT_EQ(value(0x0c, "234123"), "CN=\\#A#");
    EXPECT_EQ(value(0x0c, "2020412041202020"), "CN=\\  A A  \\ ");
    EXPECT_EQ(value(0x0c, "20"), "CN=\\ ");
    EXPECT_EQ(value(0x1e, "0023002000410020"), "CN=\\# A\\ ");
    EXPECT_EQ(value(0x0c, "1b5b33316d"), "CN=\\1B[31m");
    EXPECT_EQ(value(0x0c, "c285"), "CN=\\u0085");
    EXPECT_EQ(value(0x13, "612c622b5c3d"), "CN=a\\,b\\+\\\\\\=");
    EXPECT_EQ(value(0x14, "e4"), "CN=\u00e4");
    EXPECT_EQ(value(0x1e, "540c0041"), "CN=\u540cA");
    EXPECT_EQ(value(0x1e, "540c00"), "CN=\u540c\\00");
    EXPECT_EQ(value(0x1c, "0001f600"), "CN=\U0001F600");
    EXPECT_EQ(value(0x02, "05ff"), "CN=#\\05\\FF");
    EXPECT_EQ(shown(empty), "");
    EXPECT_EQ(shown(unhex("300c310a300806035504030c0941")), "") << "damaged";
    EXPECT_EQ(shown(tlv(0x30, tlv(0x31, tlv(0x30, unhex("06032a0304") + tlv(0x0c, bytes("x")))))),
              "1.2.3.4=x");
    EXPECT_EQ(oid_of(unhex("2a811ccf55018375")), "1.2.156.10197.1.501");
    EXPECT_EQ(oid_of(unhex("88370 3")), "2.999.3");
    EXPECT_EQ(oid_of(unhex("4f")), "1.39");
    EXPECT_EQ(oid_of(unhex("2affffffffffffffffffff7f")), "1.2...");
    const Bytes long_name = tlv(0x30, rdn(tlv(0x0c, Bytes(100, 'a'))));
    for (size_t room = 1; room < 110; room++) {
        Guarded out(room);
        const ty_cert_part p = {long_name.data(), long_name.size()};
        EXPECT_EQ(ty_cert_name_text((char *)out.data(), room, &p), 103u);
        EXPECT_EQ(std::strlen((const char *)out.data()), std::min<size_t>(room - 1, 103));
    }
}
