/* What sign and verify have in common beside the key: how a message is turned into what is
 * signed. */
#ifndef TONGYU_CLI_SIGNING_HPP
#define TONGYU_CLI_SIGNING_HPP

#include "any_key.hpp"
#include "digest.hpp"
#include "io.hpp"

struct Signing {
    std::string alg, context, context_hex, prehash, hash, curve, scheme;
    bool mu = false, digest_given = false;
    Identity id;

    void add_options(CLI::App *app);
    /* throw for options that mean nothing with this key */
    void fit(const AnyKey &key) const;
    void describe(Json &result, const AnyKey &key) const;
    bool dstu() const { return scheme == "dstu4145"; }

    /* What is signed in place of the file: e = SM3(Z || file) of SM2, mu of ML-DSA, the file's hash
     * on binary curves; or what the file holds, if it was computed elsewhere. len is the file's
     * length. empty, if it is not NULL: SM2's e with an empty identity, besides. */
    Secret to_sign(Input &in, const AnyKey &key, uint64_t &len, Progress &bar,
                   uint8_t *empty = nullptr) const;

private:
    CLI::Option *id_option = nullptr, *id_hex_option = nullptr;
    Secret context_bytes() const;
    Secret sm2_digest(Input &in, const AnyKey &key, uint64_t &len, Progress &bar,
                      uint8_t *empty) const;
    Secret mldsa_mu(Input &in, const AnyKey &key, uint64_t &len, Progress &bar) const;
    Secret hash_of(const HashRow &row, Input &in, uint64_t &len, Progress &bar) const;
};

#endif
