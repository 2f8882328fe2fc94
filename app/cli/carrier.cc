#include "carrier.hpp"
#include "extensions.hpp"
#include "key_kind.hpp"

Carrier::Carrier(const Secret &data, const std::string &path)
{
    const bool pem = contains(data, "-----BEGIN ");
    der = pem ? Secret(data.size()) : Secret(data.data(), data.size());
    size_t len = der.size(), where = 0;
    if (pem && ty_cert_from_pem(der.data(), &len, data.data(), data.size()) != TY_OK)
        throw Failure(EXIT_INPUT,
                      path + ": no certificate or request in PEM (there is no block of that name, "
                             "or its base64 or its END line is damaged)",
                      "look at its BEGIN line, or get the file again");
    der.shrink(len);
    if (ty_cert_read(&cert, &where, der.data(), der.size()) != TY_OK)
        throw Failure(EXIT_INPUT,
                      path + ": not a certificate or a request in DER (wrong at byte " +
                          std::to_string(where) + (pem ? " of the decoded base64)" : ")"),
                      "get the file again, from whoever issued it");
}

/* The names of signature algorithms. */
static const struct {
    const char *oid, *name;
} algorithms[] = {
    {"1.2.156.10197.1.501", "SM2 with SM3"},
    {"2.16.840.1.101.3.4.3.17", "ML-DSA-44"},
    {"2.16.840.1.101.3.4.3.18", "ML-DSA-65"},
    {"2.16.840.1.101.3.4.3.19", "ML-DSA-87"},
    {"1.2.840.10045.4.1", "ECDSA with SHA-1"},
    {"1.2.840.10045.4.3.1", "ECDSA with SHA-224"},
    {"1.2.840.10045.4.3.2", "ECDSA with SHA-256"},
    {"1.2.840.10045.4.3.3", "ECDSA with SHA-384"},
    {"1.2.840.10045.4.3.4", "ECDSA with SHA-512"},
    {"1.2.840.113549.1.1.5", "RSA with SHA-1"},
    {"1.2.840.113549.1.1.10", "RSA-PSS"},
    {"1.2.840.113549.1.1.11", "RSA with SHA-256"},
    {"1.2.840.113549.1.1.12", "RSA with SHA-384"},
    {"1.2.840.113549.1.1.13", "RSA with SHA-512"},
    {"1.3.101.112", "Ed25519"},
};

void Carrier::describe(Json &result) const
{
    const std::string oid = text_of(ty_cert_oid_text, cert.algorithm);
    std::string name = oid;
    for (const auto &a : algorithms)
        if (oid == a.oid) name = a.name;
    result["kind"] = cert.request ? "certificate request" : "certificate";
    if (!cert.request) result["version"] = cert.version;
    result["subject"] = text_of(ty_cert_name_text, cert.subject);
    if (!cert.request) {
        result["issuer"] = text_of(ty_cert_name_text, cert.issuer);
        result["serial"] = to_hex(cert.serial.p, cert.serial.len);
        result["not_before"] = cert.not_before;
        result["not_after"] = cert.not_after;
    }
    result["signed_with"] = name;
    const Extensions more(cert);
    if (!more.names.empty()) result["other_names"] = more.names;
    if (!more.key_usage.empty()) result["key_usage"] = more.key_usage;
    if (!more.purposes.empty()) result["purposes"] = more.purposes;
    if (more.ca) result["ca"] = true;
    if (!more.others.empty()) result["extensions"] = more.others;
}
