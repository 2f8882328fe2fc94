#include "digest.hpp"
#include "io.hpp"
#include "tongyu/sha2.h"
#include "tongyu/sm3.h"

#include <algorithm>
#include <memory>

template <class State, void (*Init)(State *), void (*Update)(State *, const uint8_t *, size_t),
          void (*Final)(uint8_t *, State *)>
static Running begin()
{
    const auto c = std::make_shared<State>();
    Init(c.get());
    return {[c](const uint8_t *p, size_t n) { Update(c.get(), p, n); }, [c](uint8_t *out) { Final(out, c.get()); }};
}

static void sha3_final(uint8_t *out, ty_keccak *c) { (void)ty_sha3_final(out, c); }
static void shake_update(ty_keccak *c, const uint8_t *p, size_t n) { check(ty_shake_update(c, p, n), "SHAKE"); }
template <size_t Len> static void shake_final(uint8_t *out, ty_keccak *c) { check(ty_shake_squeeze(out, Len, c), "SHAKE"); }

template <void (*Init)(ty_keccak *)> static Running begin_sha3()
{
    return begin<ty_keccak, Init, ty_sha3_update, sha3_final>();
}

template <void (*Init)(ty_keccak *), size_t Len> static Running begin_shake()
{
    return begin<ty_keccak, Init, shake_update, shake_final<Len>>();
}

const std::vector<HashRow> &hash_rows()
{
    static const std::vector<HashRow> rows = {
        {"sm3", "SM3", 32, TY_MLDSA_SM3, begin<ty_sm3, ty_sm3_init, ty_sm3_update, ty_sm3_final>},
        {"sha224", "SHA224", 28, TY_MLDSA_SHA2_224, begin<ty_sha256, ty_sha224_init, ty_sha256_update, ty_sha224_final>},
        {"sha256", "SHA256", 32, TY_MLDSA_SHA2_256, begin<ty_sha256, ty_sha256_init, ty_sha256_update, ty_sha256_final>},
        {"sha384", "SHA384", 48, TY_MLDSA_SHA2_384, begin<ty_sha512, ty_sha384_init, ty_sha512_update, ty_sha384_final>},
        {"sha512", "SHA512", 64, TY_MLDSA_SHA2_512, begin<ty_sha512, ty_sha512_init, ty_sha512_update, ty_sha512_final>},
        {"sha512-224", "SHA512-224", 28, TY_MLDSA_SHA2_512_224,
         begin<ty_sha512, ty_sha512_224_init, ty_sha512_update, ty_sha512_224_final>},
        {"sha512-256", "SHA512-256", 32, TY_MLDSA_SHA2_512_256,
         begin<ty_sha512, ty_sha512_256_init, ty_sha512_update, ty_sha512_256_final>},
        {"sha3-224", "SHA3-224", 28, TY_MLDSA_SHA3_224, begin_sha3<ty_sha3_224_init>},
        {"sha3-256", "SHA3-256", 32, TY_MLDSA_SHA3_256, begin_sha3<ty_sha3_256_init>},
        {"sha3-384", "SHA3-384", 48, TY_MLDSA_SHA3_384, begin_sha3<ty_sha3_384_init>},
        {"sha3-512", "SHA3-512", 64, TY_MLDSA_SHA3_512, begin_sha3<ty_sha3_512_init>},
        {"shake128", "SHAKE128", 32, TY_MLDSA_SHAKE128, begin_shake<ty_shake128_init, 32>},
        {"shake256", "SHAKE256", 64, TY_MLDSA_SHAKE256, begin_shake<ty_shake256_init, 64>},
    };
    return rows;
}

const HashRow &hash_row(const std::string &name)
{
    for (const auto &row : hash_rows())
        if (name == row.name) return row;
    throw Failure(EXIT_INTERNAL, "there is no hash " + name);
}

const std::vector<std::string> &hash_names()
{
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const auto &row : hash_rows()) all.push_back(row.name);
        return all;
    }();
    return names;
}

/* --- Files --------------------------------------------------------------------------------------------------- */

/* So many files form a group, and so long at most are those that are held in memory for it. */
constexpr size_t GROUP = 32, SMALL = 128 * 1024;

struct Group {
    FileDigest files[GROUP];
    Secret held[GROUP];
    uint8_t digests[GROUP][TY_SM3_LEN];
    std::vector<size_t> who;   /* the place of each job's file */
    std::vector<ty_sm3_job> jobs;
};

static std::string digest_of(const HashRow &hash, Input &in, const Secret &begun, bool progress)
{
    const Running h = hash.begin();
    uint8_t digest[64];
    if (begun.size()) h.update(begun.data(), begun.size());
    for_each_piece(in, progress, h.update);
    h.final(digest);
    return to_hex(digest, hash.len);
}

/* A small file waits for the others of its group; the digest of any other is made here. One that grew while it was read
 * is not small. */
static void take(Group &g, size_t i, const HashRow &hash, const std::string &name, bool progress)
{
    Input in(name);
    const long long size = hash.id == TY_MLDSA_SM3 ? in.size() : -1;
    Secret text(size >= 0 && size <= static_cast<long long>(SMALL) ? static_cast<size_t>(size) + 1 : 0);
    text.shrink(text.empty() ? 0 : in.read(text.data(), text.size()));
    if (size < 0 || text.size() > static_cast<size_t>(size) || size > static_cast<long long>(SMALL)) {
        g.files[i].hex = digest_of(hash, in, text, progress);
        return;
    }
    g.held[i] = std::move(text);
    g.who.push_back(i);
    g.jobs.push_back({g.digests[i], g.held[i].data(), g.held[i].size()});
}

void digest_files(const HashRow &hash, const std::vector<std::string> &names, bool progress,
                  const std::function<void(size_t, const FileDigest &)> &done)
{
    for (size_t at = 0; at < names.size(); at += GROUP) {
        Group g;
        const size_t n = std::min(GROUP, names.size() - at);
        for (size_t i = 0; i < n; i++) {
            try {
                take(g, i, hash, names[at + i], progress);
            } catch (const Failure &f) {
                g.files[i].failure = f;
            }
        }
        ty_sm3_many_hash(g.jobs.data(), g.jobs.size());
        for (const size_t i : g.who) g.files[i].hex = to_hex(g.digests[i], TY_SM3_LEN);
        for (size_t i = 0; i < n; i++) done(at + i, g.files[i]);
    }
}
