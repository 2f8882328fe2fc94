/* Certificates and requests, which carry public keys. */
#ifndef TONGYU_CLI_CARRIER_HPP
#define TONGYU_CLI_CARRIER_HPP

#include "context.hpp"
#include "secret.hpp"
#include "tongyu/cert.h"

/* One that was read; cert points into der. What is broken is a Failure with the offset. */
struct Carrier {
    Secret der;
    ty_cert cert{};

    Carrier(const Secret &data, const std::string &path);

    /* What people want to know of it, but for the key. */
    void describe(Json &result) const;
};

/* A name or an object identifier as text, by ty_cert_name_text or ty_cert_oid_text. */
std::string text_of(size_t (*write)(char *, size_t, const ty_cert_part *), const ty_cert_part &part);

#endif
