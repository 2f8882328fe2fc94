#include "digest.hpp"
#include "tongyu/sha2.h"
#include "tongyu/sm3.h"

#include <algorithm>

/* --- the table ----------------------------------------------- */

template <class State, void (*Init)(State *), void (*Update)(State *, const uint8_t *, size_t),
          auto Final>
static HashRow row(const char *name, const char *label, size_t len, size_t block, ty_mldsa_hash id)
{
    return {name,
            label,
            len,
            block,
            id,
            sizeof(State),
            [](void *c) { Init(static_cast<State *>(c)); },
            [](void *c, const uint8_t *p, size_t n) { Update(static_cast<State *>(c), p, n); },
            [](uint8_t *out, size_t n, void *c) { Final(out, n, static_cast<State *>(c)); }};
}

template <class State, void (*F)(uint8_t *, State *)>
static void fixed(uint8_t *out, size_t, State *c)
{
    F(out, c);
}
static void sha3_final(uint8_t *out, size_t, ty_keccak *c) { (void)ty_sha3_final(out, c); }
static void shake_update(ty_keccak *c, const uint8_t *p, size_t n)
{
    check(ty_shake_update(c, p, n), "SHAKE");
}
static void shake_final(uint8_t *out, size_t n, ty_keccak *c)
{
    check(ty_shake_squeeze(out, n, c), "SHAKE");
}

template <void (*Init)(ty_sha256 *), void (*F)(uint8_t *, ty_sha256 *)>
static HashRow sha256_row(const char *name, const char *label, size_t len, ty_mldsa_hash id)
{
    return row<ty_sha256, Init, ty_sha256_update, fixed<ty_sha256, F>>(name, label, len,
                                                                       TY_SHA256_BLOCK, id);
}

template <void (*Init)(ty_sha512 *), void (*F)(uint8_t *, ty_sha512 *)>
static HashRow sha512_row(const char *name, const char *label, size_t len, ty_mldsa_hash id)
{
    return row<ty_sha512, Init, ty_sha512_update, fixed<ty_sha512, F>>(name, label, len,
                                                                       TY_SHA512_BLOCK, id);
}

/* The block of SHA-3 in HMAC is its rate (FIPS 202, 7). */
template <void (*Init)(ty_keccak *)>
static HashRow sha3_row(const char *name, const char *label, size_t len, ty_mldsa_hash id)
{
    return row<ty_keccak, Init, ty_sha3_update, sha3_final>(name, label, len, 200 - 2 * len, id);
}

template <void (*Init)(ty_keccak *)>
static HashRow shake_row(const char *name, const char *label, size_t len, ty_mldsa_hash id)
{
    return row<ty_keccak, Init, shake_update, shake_final>(name, label, len, 0, id);
}

const std::vector<HashRow> &hash_rows()
{
    static const std::vector<HashRow> rows = {
        row<ty_sm3, ty_sm3_init, ty_sm3_update, fixed<ty_sm3, ty_sm3_final>>(
            "sm3", "SM3", 32, TY_SM3_BLOCK, TY_MLDSA_SM3),
        sha256_row<ty_sha224_init, ty_sha224_final>("sha224", "SHA224", 28, TY_MLDSA_SHA2_224),
        sha256_row<ty_sha256_init, ty_sha256_final>("sha256", "SHA256", 32, TY_MLDSA_SHA2_256),
        sha512_row<ty_sha384_init, ty_sha384_final>("sha384", "SHA384", 48, TY_MLDSA_SHA2_384),
        sha512_row<ty_sha512_init, ty_sha512_final>("sha512", "SHA512", 64, TY_MLDSA_SHA2_512),
        sha512_row<ty_sha512_224_init, ty_sha512_224_final>("sha512-224", "SHA512-224", 28,
                                                            TY_MLDSA_SHA2_512_224),
        sha512_row<ty_sha512_256_init, ty_sha512_256_final>("sha512-256", "SHA512-256", 32,
                                                            TY_MLDSA_SHA2_512_256),
        sha3_row<ty_sha3_224_init>("sha3-224", "SHA3-224", 28, TY_MLDSA_SHA3_224),
        sha3_row<ty_sha3_256_init>("sha3-256", "SHA3-256", 32, TY_MLDSA_SHA3_256),
        sha3_row<ty_sha3_384_init>("sha3-384", "SHA3-384", 48, TY_MLDSA_SHA3_384),
        sha3_row<ty_sha3_512_init>("sha3-512", "SHA3-512", 64, TY_MLDSA_SHA3_512),
        shake_row<ty_shake128_init>("shake128", "SHAKE128", 32, TY_MLDSA_SHAKE128),
        shake_row<ty_shake256_init>("shake256", "SHAKE256", 64, TY_MLDSA_SHAKE256),
    };
    return rows;
}

const HashRow &hash_row(std::string_view name)
{
    for (const auto &row : hash_rows())
        if (name == row.name) return row;
    throw Failure(EXIT_INTERNAL, "there is no hash " + std::string(name));
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

std::vector<std::string> hmac_hash_names()
{
    std::vector<std::string> names;
    for (const auto &row : hash_rows())
        if (!row.any_length()) names.push_back(row.name);
    return names;
}

/* --- files ----------------------------------------------- */

/* The most bytes of a file that is kept in memory, to be hashed side by side with others. */
constexpr size_t SMALL = 128 * 1024;

/* The small files of a group, and their digests. */
struct SideBySide {
    std::vector<FileJob *> files;
    std::vector<Secret> texts;
    std::vector<ty_sm3_job> jobs;
    uint8_t digests[64][TY_SM3_LEN];

    void run()
    {
        ty_sm3_many_hash(jobs.data(), jobs.size());
        for (size_t i = 0; i < files.size(); i++)
            files[i]->row["digest"] = to_hex(digests[i], TY_SM3_LEN);
        files.clear();
        texts.clear();
        jobs.clear();
    }

    void add(FileJob &job, Secret text)
    {
        texts.push_back(std::move(text));
        jobs.push_back({digests[files.size()], texts.back().data(), texts.back().size()});
        files.push_back(&job);
        if (files.size() == sizeof digests / sizeof digests[0]) run();
    }
};

/* Adds a small file to those of its group; hashes any other at once. A file that grew while it was
 * read is not small. */
static void add_or_hash(SideBySide &small, FileJob &job, const HashTask &task, Progress &bar)
{
    Input in(job.in);
    const long long size = task.hash->id == TY_MLDSA_SM3 ? in.size() : -1;
    const bool fits = size >= 0 && size <= static_cast<long long>(SMALL);
    Secret text(fits ? static_cast<size_t>(size) + 1 : 0);
    if (fits) {
        text.shrink(in.read(text.data(), text.size()));
        bar.add(text.size());
        if (text.size() <= static_cast<size_t>(size)) return small.add(job, std::move(text));
    }
    RunningHash h(*task.hash);
    h(text.data(), text.size());
    for_each_piece(in, bar, h);
    const Secret digest = h.final(task.len);
    job.row["digest"] = to_hex(digest.data(), digest.size());
}

void hash_group(FileJob *jobs, const HashTask *tasks, size_t n, Progress &bar)
{
    SideBySide small;
    for (size_t i = 0; i < n; i++)
        jobs[i].attempt([&] { add_or_hash(small, jobs[i], tasks[i], bar); });
    small.run();
}
