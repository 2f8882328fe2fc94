/* Certificates and requests, which carry public keys. */
#ifndef TONGYU_CLI_CARRIER_HPP
#define TONGYU_CLI_CARRIER_HPP

#include "context.hpp"
#include "der.hpp"
#include "secret.hpp"

/* One that was read; cert points into der. What is broken is a Failure with the offset. */
struct Carrier {
    Secret der;
    ty_cert cert{};

    Carrier(const Secret &data, const std::string &path);

    /* What people want to know of it, but for the key. */
    void describe(Json &result) const;
};

#endif
