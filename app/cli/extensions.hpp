/* The extensions of a certificate, or those that a request asks for, as inspect shows them. */
#ifndef TONGYU_CLI_EXTENSIONS_HPP
#define TONGYU_CLI_EXTENSIONS_HPP

#include "tongyu/cert.h"

#include <string>
#include <vector>

/* The names of the bits of KeyUsage, from bit 0    [RFC 5280, 4.2.1.3] */
extern const std::vector<std::string> key_usage_bits;

/* ExtKeyUsage: the last number of 1.3.6.1.5.5.7.3.x, and the name    [RFC 5280, 4.2.1.12] */
struct Purpose {
    int number;
    const char *name;
};
extern const std::vector<Purpose> purposes;

struct Extensions {
    std::vector<std::string> names;      /* subjectAltName: "DNS:a.example", "IP:192.0.2.1", ... */
    std::vector<std::string> key_usage;
    std::vector<std::string> purposes;   /* names, or dotted identifiers */
    std::vector<std::string> others;     /* dotted identifiers of the other extensions */
    bool ca = false;

    explicit Extensions(const ty_cert &cert);

private:
    void add(const std::string &id, const ty_cert_part &value);
};

#endif
