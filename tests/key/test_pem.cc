// The text around a key: what RFC 7468 allows writers to do, and what it does not.
#include "key/fixtures.hpp"
#include "support/guard.hpp"
#include "support/hex.hpp"
#include "support/rng.hpp"
#include <gtest/gtest.h>
extern "C" {
#include "key/pem.h"
}

static ty_err read(const std::string &s)
{
    Guarded in(s.data(), s.size());
    ty_key k;
    return ty_key_read(&k, in.data(), in.size(), "secret", 6);
}

static std::string replaced(std::string s, const std::string &from, const std::string &to,
                            bool all = false)
{
    for (size_t at = 0; (at = s.find(from, at)) != std::string::npos; at += to.size()) {
        s.replace(at, from.size(), to);
        if (!all) break;
    }
    return s;
}

TEST(Pem, WhatWritersDo)
{
    const std::string key = fixture::pkcs8,
                      cert = "-----BEGIN CERTIFICATE-----\nMAo=\n-----END CERTIFICATE-----\n";
    const struct { const char *what; std::string text;
    } rows[] = {
        { "as it is", key },
        { "CR LF", replaced(key, "\n", "\r\n", true) },
        { "CR", replaced(key, "\n", "\r", true) },
        { "no last line end", key.substr(0, key.size() - 1) },
        { "text before", "Private-Key: (256 bit)\n    ---- not a BEGIN ----\n" + key },
        { "text before that begins like DER", "09 is the number of this key\n" + key },
        { "the same, with a character beyond ASCII", "0\u00b0C\n" + key },
        { "text after", key + "Private-Key: (256 bit)\n" },
        { "empty lines and spaces at line ends", replaced(key, "\n", " \t\n\n", true) },
        { "one long line", replaced(replaced(replaced(key, "Hlv/\n", "Hlv/"), "HyBHy\n", "HyBHy"),
                                    "18gR\n", "18gR") },
        { "a certificate first", cert + key },
        { "parameters first", fixture::ecparam },
        { "legacy encryption", fixture::encrypted_legacy },
        { "legacy encryption, with CR LF",
          replaced(fixture::encrypted_legacy, "\n", "\r\n", true) },
        { "legacy encryption, lower-case digits",
          replaced(fixture::encrypted_legacy, "DE2ABBEFE907BB282", "de2abbefe907bb282") },
        { "EC PARAMETERS first", replaced(fixture::ecparam, "SM2 PARAM", "EC PARAM", true) },
    };
    for (const auto &r : rows) EXPECT_EQ(read(r.text), TY_OK) << r.what;
}

TEST(Pem, MalformedText)
{
    const std::string key = fixture::pkcs8, locked = fixture::encrypted_legacy;
    const struct { const char *what; std::string text; ty_err err;
    } rows[] = {
        { "nothing", "", TY_ERR_FORMAT },
        { "text", "hello\n", TY_ERR_FORMAT },
        { "not at the start of a line", " " + key, TY_ERR_FORMAT },
        { "four dashes", key.substr(1), TY_ERR_FORMAT },
        { "a character after the label", replaced(key, "-----\n", "-----x\n"), TY_ERR_UNSUPPORTED },
        { "lower case", replaced(key, "PRIVATE", "private", true), TY_ERR_UNSUPPORTED },
        { "unknown label", replaced(key, "PRIVATE", "SECRET", true), TY_ERR_UNSUPPORTED },
        { "other label at the end", replaced(key, "END PRIVATE", "END PUBLIC"), TY_ERR_FORMAT },
        { "another label for the same key", replaced(key, "PRIVATE", "PUBLIC", true),
          TY_ERR_FORMAT },
        { "PKCS #8 labelled SEC 1", replaced(key, "PRIVATE", "EC PRIVATE", true), TY_ERR_FORMAT },
        { "SEC 1 labelled PKCS #8", replaced(fixture::sec1, "SM2 PRIVATE", "PRIVATE", true),
          TY_ERR_FORMAT },
        { "unencrypted, labelled encrypted", replaced(key, "PRIVATE", "ENCRYPTED PRIVATE", true),
          TY_ERR_FORMAT },
        { "encrypted, labelled unencrypted",
          replaced(fixture::encrypted, "ENCRYPTED PRIVATE", "PRIVATE", true), TY_ERR_FORMAT },
        { "end not at the start of a line", replaced(key, "m16t\n", "m16t"), TY_ERR_FORMAT },
        { "no end", key.substr(0, key.find("-----END")), TY_ERR_FORMAT },
        { "only the first line", "-----BEGIN PRIVATE KEY-----\n", TY_ERR_FORMAT },
        { "only the word", "-----BEGIN ", TY_ERR_UNSUPPORTED },
        { "empty", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n", TY_ERR_FORMAT },
        { "a character outside the alphabet", replaced(key, "MIGH", "MI*H"), TY_ERR_FORMAT },
        { "a dash inside", replaced(key, "MIGH", "MI-H"), TY_ERR_FORMAT },
        { "url alphabet", replaced(key, "Hlv/", "Hlv_"), TY_ERR_FORMAT },
        { "a byte above 127", replaced(key, "MIGH", "MI\xc3\xa9"), TY_ERR_FORMAT },
        { "a NUL", replaced(key, "MIGH", std::string("MI\0H", 4)), TY_ERR_FORMAT },
        { "padding in the middle", replaced(key, "MIGH", "MI=H"), TY_ERR_FORMAT },
        { "one character too few", replaced(key, "m16t", "m16"), TY_ERR_FORMAT },
        { "needless padding", replaced(key, "m16t", "m16t===="), TY_ERR_FORMAT },
        { "missing padding", replaced(fixture::sec1, "erQ==", "erQ"), TY_ERR_FORMAT },
        { "half the padding", replaced(fixture::sec1, "erQ==", "erQ="), TY_ERR_FORMAT },
        { "too much padding", replaced(fixture::sec1, "erQ==", "erQ==="), TY_ERR_FORMAT },
        { "spare bits set", replaced(fixture::sec1, "erQ==", "erR=="), TY_ERR_FORMAT },
        { "the header of an encrypted key", replaced(key, "MIGH", "Proc-Type: 4,ENCRYPTED\nMIGH"),
          TY_ERR_UNSUPPORTED },
        { "a header without its second line", replaced(locked, "DEK-Info", "DEC-Info"),
          TY_ERR_FORMAT },
        { "a header of another kind", replaced(locked, "4,ENCRYPTED", "4,MIC-ONLY"),
          TY_ERR_FORMAT },
        { "an IV that is too short", replaced(locked, "BB282", "BB28"), TY_ERR_FORMAT },
        { "an IV that is too long", replaced(locked, "BB282", "BB2822"), TY_ERR_FORMAT },
        { "a letter G in the IV", replaced(locked, "BB282", "BG282"), TY_ERR_FORMAT },
        { "no empty line", replaced(locked, "BB282\n\n", "BB282\n"), TY_ERR_FORMAT },
        { "a third line", replaced(locked, "BB282\n\n", "BB282\nComment: x\n\n"), TY_ERR_FORMAT },
        { "another cipher", replaced(locked, "SM4-CBC", "SM4-CFB"), TY_ERR_UNSUPPORTED },
        { "a body that is not whole blocks", replaced(locked, "gYWYEr6jlKk88=", "gYWYEr6jlKg="),
          TY_ERR_FORMAT },
        { "as PKCS #8", replaced(locked, "SM2 PRIVATE", "PRIVATE", true), TY_ERR_UNSUPPORTED },
        { "the beginning of such a header", replaced(key, "MIGH", "Proc\nMIGH"), TY_ERR_FORMAT },
        { "a header without a dash", replaced(key, "MIGH", "Comment: none\nMIGH"),
          TY_ERR_UNSUPPORTED },
        { "too long", replaced(key, "MIGH", std::string(8000, 'A') + "MIGH"),
          TY_ERR_UNSUPPORTED },
    };
    for (const auto &r : rows) EXPECT_EQ(read(r.text), r.err) << r.what;
}

// The body by itself: its contents need not be a key.
TEST(Pem, TheLastGroup)
{
    const struct { const char *body, *der;
    } rows[] = {
        { "AQID", "010203" },
        { "AQI=", "0102" },
        { "AQ==", "01" },
        { "AQIDBA==", "01020304" },
        { "", "" },
        { "A===", nullptr },
        { "A", nullptr },
        { "A=", nullptr },
        { "A==", nullptr },
        { "AQIDA===", nullptr },
        { "AQIDA", nullptr },
        { "AQ", nullptr },
        { "AQ=", nullptr },
        { "AQ===", nullptr },
        { "AQI", nullptr },
        { "AQI==", nullptr },
        { "AQID=", nullptr },
        { "AQID====", nullptr },
        { "====", nullptr },
        { "AR==", nullptr },
        { "AQJ=", nullptr },
        { "AQ=I", nullptr },
        { "AQ==AQ==", nullptr },
    };
    for (const auto &r : rows) {
        const std::string text =
            std::string("-----BEGIN PUBLIC KEY-----\n") + r.body + "\n-----END PUBLIC KEY-----\n";
        Guarded in(text.data(), text.size()), der(TY_PEM_DER_MAX);
        size_t len = 0;
        ty_key_form form = TY_KEY_PKCS8;
        EXPECT_EQ(ty_pem_read(der.data(), &len, &form, in.data(), in.size()),
                  r.der ? TY_OK : TY_ERR_FORMAT)
            << r.body;
        if (!r.der) continue;
        EXPECT_EQ(hex(der.data(), len), r.der);
        EXPECT_EQ(form, TY_KEY_SPKI);
    }
}

TEST(Pem, RoundTripOfEveryLength)
{
    TestRng rng(8);
    for (size_t n = 0; n <= TY_PEM_DER_MAX; n += n < 200 ? 1 : 37) {
        const auto der = rng.bytes(n);
        const size_t size = ty_pem_size(TY_KEY_SEC1, n);
        Guarded text(size);
        ty_pem_write(text.data(), TY_KEY_SEC1, der.data(), n);
        const std::string s((const char *)text.data(), size);
        EXPECT_EQ(s.substr(0, 31), "-----BEGIN EC PRIVATE KEY-----\n");
        EXPECT_EQ(s.substr(size - 29), "-----END EC PRIVATE KEY-----\n");
        uint8_t back[TY_PEM_DER_MAX];
        size_t len = 99;
        ty_key_form form;
        ASSERT_EQ(ty_pem_read(back, &len, &form, text.data(), size), TY_OK) << n;
        ASSERT_EQ(len, n);
        EXPECT_EQ(form, TY_KEY_SEC1);
        EXPECT_EQ(std::memcmp(back, der.data(), n), 0);
    }
}

// Base64 against the table of RFC 4648, for all 64 values and all 256 characters.
TEST(Pem, Alphabet)
{
    const std::string table = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int c = 0; c < 256; c++) {
        const std::string body = std::string("AAA") + (char)c;
        const std::string text =
            "-----BEGIN PUBLIC KEY-----\n" + body + "\n-----END PUBLIC KEY-----\n";
        uint8_t der[TY_PEM_DER_MAX];
        size_t len = 0;
        ty_key_form form;
        const ty_err err = ty_pem_read(der, &len, &form, (const uint8_t *)text.data(), text.size());
        const size_t value = table.find((char)c);
        if (value != std::string::npos) {
            ASSERT_EQ(err, TY_OK) << c;
            ASSERT_EQ(len, 3u);
            EXPECT_EQ(der[2], value) << c;
            std::string back(ty_pem_size(TY_KEY_SPKI, 3), '?');
            ty_pem_write((uint8_t *)&back[0], TY_KEY_SPKI, der, 3);
            EXPECT_EQ(back, text);
        } else if (c == '=') {
            EXPECT_EQ(err, TY_OK);
            EXPECT_EQ(len, 2u);
        } else {
            EXPECT_NE(err, TY_OK) << c;
        }
    }
}

// A changed character is refused or changes the contents: these, written again, give the changed
// text.
TEST(Pem, EveryMutationIsRefusedOrIsWhatWeWouldWrite)
{
    const std::string pem = fixture::spki;
    int same = 0;
    for (size_t i = 0; i < pem.size(); i++)
        for (int x = 1; x < 128; x++) {
            std::string m = pem;
            m[i] = (char)(m[i] ^ x);
            uint8_t der[TY_PEM_DER_MAX];
            size_t len;
            ty_key_form form;
            if (ty_pem_read(der, &len, &form, (const uint8_t *)m.data(), m.size()) != TY_OK)
                continue;
            std::string back(ty_pem_size(form, len), '?');
            ty_pem_write((uint8_t *)&back[0], form, der, len);
            std::string plain;   // white space may differ
            for (char c : m) plain += c == '\r' || c == '\t' || c == ' ' ? '\n' : c;
            std::string spaced;
            for (char c : back) spaced += c == ' ' ? '\n' : c;
            ASSERT_EQ(plain, spaced);
            same++;
        }
    EXPECT_GT(same, 1000);
}
