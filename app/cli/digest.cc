#include "digest.hpp"
#include "fail.hpp"
#include "tongyu/sha2.h"
#include "tongyu/sm3.h"

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
