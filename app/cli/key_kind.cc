#include "key_kind.hpp"
#include "tongyu/ec.h"

#include <algorithm>
#include <cctype>

/* The bytes of the first PEM body, up to the next '-'; characters that are not base64 are
 * skipped. */
static Secret pem_body(const Secret &data)
{
    static const std::string begin = "-----BEGIN ";
    const char *const end = data.chars() + data.size();
    const char *p = std::search(data.chars(), end, begin.begin(), begin.end());
    p = std::find(p, end, '\n');
    Secret out(static_cast<size_t>(end - p));
    size_t n = 0, bits = 0;
    for (unsigned word = 0; p < end && *p != '-'; p++) {
        const unsigned c = static_cast<unsigned char>(*p);
        const unsigned value = c - 'A' < 26u   ? c - 'A'
                               : c - 'a' < 26u ? c - 'a' + 26
                               : c - '0' < 10u ? c - '0' + 52
                               : c == '+'      ? 62
                               : c == '/'      ? 63
                                               : 64;
        if (value == 64) continue;
        word = word << 6 | value;
        if ((bits += 6) < 8) continue;
        out[n++] = static_cast<uint8_t>(word >> (bits -= 8));
    }
    out.shrink(n);
    return out;
}

/* Object identifiers in DER, with tag and length, and the usual names of the keys. */
static const struct {
    std::string oid, name;
} algorithms[] = {
    {"\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07", "a P-256"},
    {std::string("\x06\x05\x2b\x81\x04\x00\x22", 7), "a P-384"},
    {std::string("\x06\x05\x2b\x81\x04\x00\x23", 7), "a P-521"},
    {std::string("\x06\x05\x2b\x81\x04\x00\x0a", 7), "a secp256k1"},
    {"\x06\x09\x60\x86\x48\x01\x65\x03\x04\x03\x11", "an ML-DSA-44"},
    {"\x06\x09\x60\x86\x48\x01\x65\x03\x04\x03\x12", "an ML-DSA-65"},
    {"\x06\x09\x60\x86\x48\x01\x65\x03\x04\x03\x13", "an ML-DSA-87"},
    {"\x06\x03\x2b\x65\x70", "an Ed25519"},
    {"\x06\x03\x2b\x65\x6e", "an X25519"},
    {"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01", "an RSA"},
    {"\x06\x07\x2a\x86\x48\xce\x3d\x02\x01", "an elliptic-curve"},   /* last: the least precise */
};
static const std::string sm2_curve = "\x06\x08\x2a\x81\x1c\xcf\x55\x01\x82\x2d";

/* The offset of the contents of the element at offset `at`. */
static size_t inside(const Secret &der, size_t at)
{
    return at + 2 + (at + 1 < der.size() && der[at + 1] & 0x80 ? der[at + 1] & 0x7fu : 0);
}

static bool starts(const Secret &der, size_t at, const std::string &bytes)
{
    return at <= der.size() && der.size() - at >= bytes.size() &&
           std::equal(bytes.begin(), bytes.end(), der.chars() + at);
}

/* A certificate or a request begins with SEQUENCE { SEQUENCE { [0] or INTEGER, its version or
 * serial number, where a public key has the identifier of its algorithm. */
static bool is_signed(const Secret &der)
{
    const size_t second = inside(der, 0), third = inside(der, second);
    return starts(der, 0, "\x30") && starts(der, second, "\x30") &&
           (starts(der, third, "\xa0") || starts(der, third, "\x02"));
}

bool is_carrier(const Secret &data)
{
    for (const char *label : { "CERTIFICATE-----", "X509 CERTIFICATE-----",
                               "CERTIFICATE REQUEST-----", "NEW CERTIFICATE REQUEST-----" })
        if (contains(data, std::string("-----BEGIN ") + label)) return true;
    return !contains(data, "-----BEGIN ") && is_signed(data);
}

/* PKCS #1: SEQUENCE { version 0, a large INTEGER ... */
static bool is_rsa(const Secret &der)
{
    return starts(der, 0, "\x30") &&
           starts(der, inside(der, 0), std::string("\x02\x01\x00\x02\x82", 5));
}

/* "sect233r1", ...: the binary curve of SEC 2 that a key is on, or empty. The identifiers of
 * these curves are 1.3.132.0.x with x below 128. */
static std::string binary_curve(const Secret &body)
{
    for (size_t i = 0; const ty_ec_curve *c = ty_ec_curve_at(i); i++) {
        const std::string oid = ty_ec_curve_oid(c);
        const int last = std::stoi(oid.substr(oid.rfind('.') + 1));
        if (contains(body, std::string("\x06\x05\x2b\x81\x04\x00", 6) + static_cast<char>(last)))
            return ty_ec_curve_name(c);
    }
    return "";
}

std::string kind_of_key(const Secret &data)
{
    const bool pem = contains(data, "-----BEGIN ");
    if (contains(data, "CERTIFICATE REQUEST-----")) return "a certificate request";
    if (contains(data, "-----BEGIN OPENSSH PRIVATE KEY")) return "an OpenSSH private key";
    const Secret body = pem ? pem_body(data) : Secret(data.data(), data.size());
    if (is_signed(body)) return "a certificate";
    if (is_rsa(body) || contains(data, "-----BEGIN RSA PRIVATE KEY")) return "an RSA private key";
    if (contains(body, sm2_curve)) return "";
    /* A public key begins with its algorithm, a private one with a version number. */
    const std::string which =
        starts(body, inside(body, 0), "\x02") ? " private key" : " public key";
    const std::string curve = binary_curve(body);
    if (!curve.empty()) return "a " + curve + which;
    for (const auto &a : algorithms)
        if (contains(body, a.oid)) return a.name + which;
    return "";
}

/* --- encryption ------------------------------------------------------------------------------- */

/* Ciphers of other programs for keys; the first of these that a file contains is reported. In
 * PKCS#12, the ciphers of keys come before the weaker ones of certificates. */
static const struct {
    std::string oid, name;
} encryptions[] = {
    { "\x2a\x86\x48\x86\xf7\x0d\x01\x0c\x01\x03", "3DES (pbeWithSHA1And3-KeyTripleDES-CBC)" },
    { "\x2a\x86\x48\x86\xf7\x0d\x01\x0c\x01\x04",
      "3DES with two keys (pbeWithSHA1And2-KeyTripleDES-CBC)" },
    { "\x2a\x86\x48\x86\xf7\x0d\x01\x0c\x01\x01", "RC4 (pbeWithSHA1And128BitRC4)" },
    { "\x2a\x86\x48\x86\xf7\x0d\x01\x0c\x01\x02", "RC4 (pbeWithSHA1And40BitRC4)" },
    { "\x2a\x86\x48\x86\xf7\x0d\x01\x0c\x01\x05", "RC2 (pbeWithSHA1And128BitRC2-CBC)" },
    { "\x2a\x86\x48\x86\xf7\x0d\x01\x0c\x01\x06", "RC2 (pbeWithSHA1And40BitRC2-CBC)" },
    { "\x2a\x86\x48\x86\xf7\x0d\x01\x05\x03", "DES (pbeWithMD5AndDES-CBC)" },
    { "\x2a\x86\x48\x86\xf7\x0d\x01\x05\x06", "RC2 (pbeWithMD5AndRC2-CBC)" },
    { "\x2a\x86\x48\x86\xf7\x0d\x01\x05\x0a", "DES (pbeWithSHA1AndDES-CBC)" },
    { "\x2a\x86\x48\x86\xf7\x0d\x01\x05\x0b", "RC2 (pbeWithSHA1AndRC2-CBC)" },
    { "\x06\x08\x2a\x86\x48\x86\xf7\x0d\x03\x07", "DES-EDE3-CBC" },
    { "\x06\x08\x2a\x86\x48\x86\xf7\x0d\x03\x02", "RC2-CBC" },
    { "\x06\x05\x2b\x0e\x03\x02\x07", "DES-CBC" },
    { "\x06\x09\x60\x86\x48\x01\x65\x03\x04\x01\x06", "AES-128-GCM" },
    { "\x06\x09\x60\x86\x48\x01\x65\x03\x04\x01\x1a", "AES-192-GCM" },
    { "\x06\x09\x60\x86\x48\x01\x65\x03\x04\x01\x2e", "AES-256-GCM" },
    { "\x06\x0b\x2a\x83\x08\x8c\x9a\x4b\x3d\x01\x01\x01", "Camellia" },
    { "\x06\x09\x2a\x83\x1a\x8c\x9a\x6e\x01\x01", "ARIA" },
    /* last: the least precise */
    { "\x2a\x86\x48\x86\xf7\x0d\x01\x05\x0d", "PBES2 with an unknown cipher" },
};

bool is_pkcs12(const Secret &data)
{
    const size_t at = inside(data, 0);
    return starts(data, 0, "\x30") && starts(data, at, "\x02\x01\x03\x30");
}

std::string foreign_encryption(const Secret &data)
{
    static const std::string shrouded = "\x2a\x86\x48\x86\xf7\x0d\x01\x0c\x0a\x01\x02";
    /* No encrypted key is visible: the ciphers in the file are those of certificates, or of a bag
     * that contains the key as well. */
    if (is_pkcs12(data) && !contains(data, shrouded)) return "";
    static const std::string begin = "DEK-Info: ";
    const char *const end = data.chars() + data.size(),
                      *p = std::search(data.chars(), end, begin.begin(), begin.end());
    if (p != end) {
        p += begin.size();
        const char *q = p;
        while (q < end && q - p < 20 && (*q == '-' || std::isalnum(static_cast<unsigned char>(*q))))
            q++;
        return std::string(p, q);
    }
    const bool pem = contains(data, "-----BEGIN ");
    if (pem && !contains(data, "-----BEGIN ENCRYPTED")) return "";
    const Secret body = pem ? pem_body(data) : Secret(data.data(), data.size());
    for (const auto &e : encryptions)
        if (contains(body, e.oid)) return e.name;
    return "";
}
