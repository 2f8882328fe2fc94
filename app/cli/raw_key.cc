#include "raw_key.hpp"
#include "key_kind.hpp"
#include "tongyu/mldsa_key.h"

static const ty_mldsa_set sets[] = {TY_MLDSA_44, TY_MLDSA_65, TY_MLDSA_87};

[[noreturn]] static void invalid(const std::string &path, const std::string &what)
{
    throw Failure(EXIT_INPUT, path + ": as long as " + what + ", but not a valid one",
                  "check that it is the right file");
}

static Secret wrap_sm2(const Secret &bytes, const std::string &path)
{
    Wiped<ty_key> key;
    Secret der(TY_KEY_ENCODED_MAX), point(bytes.size() + 1);
    size_t len = der.size();
    if (bytes.size() == 32) {
        if (ty_sm2_key_set(&key.sm2, bytes.data()) != TY_OK)
            invalid(path, "an SM2 private key in digits");
        key.private_key = 1;
        key.pub = key.sm2.pub;
    } else {
        point[0] = 4;   /* x || y without this byte */
        std::memcpy(point.data() + 1, bytes.data(), bytes.size());
        const bool bare = bytes.size() == 64;
        if (ty_sm2_pub_set(&key.pub, bare ? point.data() : bytes.data(),
                           bare ? 65 : bytes.size()) != TY_OK)
            invalid(path, "an SM2 public key in digits");
    }
    check(ty_key_write(der.data(), &len, &key, key.private_key ? TY_KEY_PKCS8 : TY_KEY_SPKI,
                       TY_KEY_DER, nullptr, 0, 0, nullptr),
          path);
    der.shrink(len);
    return der;
}

/* bytes are a seed of the parameter set `seed`; or, if that is 0, a private key (if `whole`) or a
 * public key, whose length determines the set. */
static Secret wrap_mldsa(const Secret &bytes, ty_mldsa_set seed, bool whole,
                         const std::string &path)
{
    Wiped<ty_mldsa_key> key;
    Secret der(TY_MLDSA_ENCODED_MAX);
    size_t len = der.size();
    const ty_err err = seed    ? ty_mldsa_key_from_seed(&key, bytes.data(), seed)
                       : whole ? ty_mldsa_key_set(&key, bytes.data(), bytes.size())
                               : ty_mldsa_pub_set(&key.pub, bytes.data(), bytes.size());
    if (err != TY_OK) invalid(path, "an ML-DSA key");
    check(seed || whole
              ? ty_mldsa_key_write(der.data(), &len, &key, seed ? TY_MLDSA_SEED : TY_MLDSA_EXPANDED,
                                   TY_KEY_PKCS8, TY_KEY_DER, nullptr, 0, 0, nullptr)
              : ty_mldsa_pub_write(der.data(), &len, &key.pub, TY_KEY_DER),
          path);
    der.shrink(len);
    return der;
}

/* Whether data is PEM, or DER whose length is that of the file: then it is an encoded key or
 * certificate, even if it is as long as a raw key. One raw key in 2^32 looks like such DER. */
static bool is_encoded(const Secret &data)
{
    const size_t n = data.size();
    return contains(data, "-----BEGIN ") || (n > 4 && data[0] == 0x30 && data[1] == 0x82 &&
                                             (size_t(data[2]) << 8 | data[3]) == n - 4);
}

Secret wrap_raw_key(std::string &what, const Secret &data, const std::string &alg,
                    const std::string &path)
{
    if (is_encoded(data)) return Secret();
    const Secret bytes = decode_digits(Secret(data.data(), data.size()));
    const bool digits = bytes.size() != data.size();
    const size_t len = bytes.size();
    const std::string how = digits ? "hexadecimal digits" : "bare bytes";
    for (const ty_mldsa_set set : sets) {
        const std::string name = "ml-dsa-" + std::to_string(static_cast<int>(set));
        const bool seed = len == TY_MLDSA_SEED_LEN && alg == name,
                   whole = len == ty_mldsa_key_len(set);
        if (!seed && !whole && len != ty_mldsa_pub_len(set)) continue;
        what = seed ? "seed, " + how : how;
        return wrap_mldsa(bytes, seed ? set : ty_mldsa_set(0), whole, path);
    }
    if (!digits || (len != 32 && len != 64 && len != 33 && len != 65) ||
        (!alg.empty() && alg != "sm2"))
        return Secret();
    if ((len == 33 && bytes[0] != 2 && bytes[0] != 3) || (len == 65 && bytes[0] != 4))
        return Secret();
    what = how;
    return wrap_sm2(bytes, path);
}
