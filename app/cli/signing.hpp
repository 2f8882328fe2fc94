/* What sign and verify have in common besides the key: how the value that is signed is computed
 * from a message. */
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
    /* throws if an option does not apply to this key */
    void fit(const AnyKey &key) const;
    void describe(Json &result, const AnyKey &key) const;
    bool dstu() const { return scheme == "dstu4145"; }

    /* The value that is signed in place of the file: e = SM3(Z || file) of SM2, mu of ML-DSA, the
     * file's hash on binary curves; or the contents of the file, if the value was computed
     * elsewhere. len: the length of the file, or of that value. `empty`, if not NULL, receives
     * SM2's e with an empty identity as well. */
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
