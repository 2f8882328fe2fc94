/* What the extensions of a certificate say, or those that a request asks for, as far as they are
 * shown. */
#ifndef TONGYU_CLI_EXTENSIONS_HPP
#define TONGYU_CLI_EXTENSIONS_HPP

#include "tongyu/cert.h"

#include <string>
#include <vector>

/* KeyUsage, from bit 0 on    [RFC 5280, 4.2.1.3] */
extern const std::vector<std::string> key_usage_bits;

/* ExtKeyUsage: the numbers behind 1.3.6.1.5.5.7.3, and their names    [RFC 5280, 4.2.1.12] */
struct Purpose {
    int number;
    const char *name;
};
extern const std::vector<Purpose> purposes;

struct Extensions {
    std::vector<std::string> names;      /* "DNS:a.example", "IP:192.0.2.1", ... */
    std::vector<std::string> key_usage;
    std::vector<std::string> purposes;   /* or identifiers in digits */
    std::vector<std::string> others;     /* identifiers of all that are not shown */
    bool ca = false;

    explicit Extensions(const ty_cert &cert);

private:
    void add(const std::string &id, const ty_cert_part &value);
};

#endif
