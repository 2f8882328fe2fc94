/* Hash functions by name: for digests of files, and of messages whose digest is signed. */
#ifndef TONGYU_CLI_DIGEST_HPP
#define TONGYU_CLI_DIGEST_HPP

#include "many.hpp"
#include "tongyu/mldsa.h"

#include <string>
#include <string_view>
#include <vector>

class RunningHash;

struct HashRow {
    const char *name, *label;   /* as in --alg; as in "SHA256 (name) = digest" */
    size_t len;   /* bytes of the digest; for SHAKE those of pre-hashing in FIPS 204 */
    size_t block;   /* bytes of HMAC's block; 0 for SHAKE: HMAC is not defined for it, and its
                     digest may have any length */
    ty_mldsa_hash id;
    size_t state;   /* bytes of the state that the functions below use */
    void (*init)(void *c);
    void (*update)(void *c, const uint8_t *p, size_t n);
    void (*final)(uint8_t *out, size_t len, void *c);   /* only SHAKE uses len */

    bool any_length() const { return block == 0; }
    RunningHash begin() const;
};

const std::vector<HashRow> &hash_rows();
const HashRow &hash_row(std::string_view name);   /* name: one of hash_names() */
const std::vector<std::string> &hash_names();
std::vector<std::string> hmac_hash_names();   /* those that HMAC is defined for */

/* The hash of a message that comes in pieces; the state is wiped by its destructor. */
class RunningHash {
    const HashRow *hash = nullptr;
    Secret state;

public:
    RunningHash() = default;
    explicit RunningHash(const HashRow &row) : hash(&row), state(row.state)
    {
        hash->init(state.data());
    }
    void update(const uint8_t *p, size_t n) { hash->update(state.data(), p, n); }
    void operator()(const uint8_t *p, size_t n) { update(p, n); }
    void final(uint8_t *out) { hash->final(out, hash->len, state.data()); }
    Secret final(size_t len)
    {
        Secret d(len);
        hash->final(d.data(), len, state.data());
        return d;
    }
};

inline RunningHash HashRow::begin() const { return RunningHash(*this); }

/* How a file is hashed: the hash, and the length of the digest. */
struct HashTask {
    const HashRow *hash;
    size_t len;
};

/* The work of run_groups: sets "digest" in the row of each job, in hexadecimal. With SM3, small
 * files are hashed side by side. tasks[i] is that of jobs[i]. */
void hash_group(FileJob *jobs, const HashTask *tasks, size_t n, Progress &bar);

#endif
