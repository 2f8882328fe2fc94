/* What sign and verify have in common beside the key: how a message is turned into what is signed. */
#ifndef TONGYU_CLI_SIGNING_HPP
#define TONGYU_CLI_SIGNING_HPP

#include "any_key.hpp"
#include "io.hpp"

struct Signing {
    std::string alg, context, context_hex, prehash, hash, curve, scheme;
    bool mu = false;
    Identity id;

    void add_options(CLI::App *app);
    void fit(const AnyKey &key) const;                /* throw for options that mean nothing with this key */
    void describe(Json &result, const AnyKey &key) const;
    bool dstu() const { return scheme == "dstu4145"; }

    /* e = SM3(Z || file), the digest that SM2 signs; mu, what ML-DSA signs; the file's hash alone, on binary curves. Return the
     * length of the file. empty, if it is not NULL: SM2's digest with an empty identity, besides. */
    uint64_t digest(uint8_t e[32], Input &in, const AnyKey &key, bool progress, uint8_t *empty = nullptr) const;
    uint64_t message(uint8_t out[TY_MLDSA_MU_LEN], Input &in, const AnyKey &key, bool progress) const;
    uint64_t plain_digest(Secret &out, Input &in, bool progress) const;

private:
    CLI::Option *id_option = nullptr, *id_hex_option = nullptr;
    Secret context_bytes() const;
};

#endif
