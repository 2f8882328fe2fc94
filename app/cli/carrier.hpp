/* Certificates and requests, which carry public keys. */
#ifndef TONGYU_CLI_CARRIER_HPP
#define TONGYU_CLI_CARRIER_HPP

#include "context.hpp"
#include "der.hpp"
#include "secret.hpp"

/* A certificate or request that was read; cert points into der. The constructor throws a Failure
 * with the offset if it is malformed. */
struct Carrier {
    Secret der;
    ty_cert cert{};

    Carrier(const Secret &data, const std::string &path);

    /* Adds to result what inspect shows, except the key. */
    void describe(Json &result) const;
};

#endif
