/* Hash functions by name: for digests of files, and of messages whose digest is signed. */
#ifndef TONGYU_CLI_DIGEST_HPP
#define TONGYU_CLI_DIGEST_HPP

#include "fail.hpp"
#include "tongyu/mldsa.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

/* One hash of a message that comes in pieces. */
struct Running {
    std::function<void(const uint8_t *, size_t)> update;
    std::function<void(uint8_t *)> final;
};

struct HashRow {
    const char *name, *label;   /* as in --alg; as in "SHA256 (name) = digest" */
    size_t len;                 /* bytes of the digest; SHAKE's is what FIPS 204 takes for pre-hashing */
    ty_mldsa_hash id;
    Running (*begin)();
};

const std::vector<HashRow> &hash_rows();
const HashRow &hash_row(const std::string &name);       /* the name comes from a choice: it is there */
const std::vector<std::string> &hash_names();

/* The digests of files, told in their order, each with its place among the names: hexadecimal, or what went wrong. SM3 takes
 * small files side by side. */
struct FileDigest {
    std::string hex;
    std::optional<Failure> failure;
};
void digest_files(const HashRow &hash, const std::vector<std::string> &names, bool progress,
                  const std::function<void(size_t, const FileDigest &)> &done);

#endif
