// Certificates and requests: all parts that are read are within the input, their texts are
// printable, and for a refused input the position is given.
#include "fuzz/fuzz.hpp"
#include "key/fixtures.hpp"
#include "tongyu/cert.h"

std::vector<Bytes> fuzz_seeds()
{
    std::vector<Bytes> s;
    for (const char *pem : {fixture::certificate, fixture::request}) {
        Bytes der(std::strlen(pem));
        size_t n = der.size();
        HOLDS(ty_cert_from_pem(der.data(), &n, pem, std::strlen(pem)) == TY_OK);
        der.resize(n);
        s.push_back(text(pem));
        s.push_back(der);
    }
    return s;
}

static void shown(size_t (*write)(char *, size_t, const ty_cert_part *), const ty_cert_part &part)
{
    char none;
    std::vector<char> out(write(&none, 1, &part) + 1);
    HOLDS(write(out.data(), out.size(), &part) == out.size() - 1);
    for (size_t i = 0; i + 1 < out.size(); i++)
        HOLDS((unsigned char)out[i] >= 0x20 && out[i] != 0x7f);
    HOLDS(out.back() == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ty_cert c;
    size_t where = 0;
    Bytes der(size + 1);
    size_t n = size;
    if (ty_cert_from_pem(der.data(), &n, data, size) == TY_OK) {
        HOLDS(n <= size);
        data = der.data();
        size = n;
    }
    if (ty_cert_read(&c, &where, data, size) != TY_OK) {
        HOLDS(where <= size);
        return 0;
    }
    for (const ty_cert_part *p : { &c.key, &c.subject, &c.issuer, &c.serial, &c.algorithm,
                                   &c.parameters, &c.message, &c.signature, &c.extensions })
        HOLDS(p->len == 0 || (p->p >= data && p->p + p->len <= data + size));
    shown(ty_cert_name_text, c.subject);
    shown(ty_cert_name_text, c.issuer);
    shown(ty_cert_oid_text, c.algorithm);
    HOLDS(c.request || (std::strlen(c.not_before) == 20 && std::strlen(c.not_after) == 20));
    return 0;
}
