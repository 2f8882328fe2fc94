#include "any_key.hpp"
#include "io.hpp"
#include "tongyu/sm3.h"

static const struct {
    const char *name;
    ty_mldsa_set set;
} algs[] = {{"sm2", ty_mldsa_set(0)}, {"ml-dsa-44", TY_MLDSA_44}, {"ml-dsa-65", TY_MLDSA_65}, {"ml-dsa-87", TY_MLDSA_87}};

const std::vector<std::string> &key_algs()
{
    static const std::vector<std::string> all = [] {
        std::vector<std::string> v;
        for (const auto &a : algs) v.push_back(a.name);
        return v;
    }();
    return all;
}

ty_mldsa_set set_of(const std::string &alg)
{
    for (const auto &a : algs)
        if (alg == a.name) return a.set;
    throw Failure(EXIT_INTERNAL, "there is no algorithm " + alg);
}

std::string AnyKey::alg() const
{
    return is_mldsa() ? "ml-dsa-" + std::to_string(static_cast<int>(mldsa.pub.set)) : "sm2";
}

std::string AnyKey::public_hex() const
{
    if (is_mldsa()) return to_hex(mldsa.pub.bytes, ty_mldsa_pub_len(mldsa.pub.set));
    uint8_t point[65];
    ty_sm2_pub_get(point, &sm2.pub);
    return to_hex(point, sizeof point);
}

std::string AnyKey::fingerprint() const
{
    const Secret spki = public_file(TY_KEY_DER);
    uint8_t digest[TY_SM3_LEN];
    ty_sm3_hash(digest, spki.data(), spki.size());
    return to_hex(digest, sizeof digest);
}

Secret AnyKey::public_file(ty_key_coding how) const
{
    Secret out(is_mldsa() ? TY_MLDSA_ENCODED_MAX : TY_KEY_ENCODED_MAX);
    size_t len = out.size();
    check(is_mldsa() ? ty_mldsa_pub_write(out.data(), &len, &mldsa.pub, how)
                     : ty_key_write(out.data(), &len, &sm2, TY_KEY_SPKI, how, nullptr, 0, 0, nullptr), "writing the key");
    out.shrink(len);
    return out;
}

Secret AnyKey::private_file(ty_key_form as, ty_mldsa_content content, ty_key_coding how, const Secret *password,
                            uint32_t iterations) const
{
    const uint8_t *const p = password ? password->data() : nullptr;
    const size_t p_len = password ? password->size() : 0;
    Secret out(is_mldsa() ? TY_MLDSA_ENCODED_MAX : TY_KEY_ENCODED_MAX);
    size_t len = out.size();
    check(is_mldsa()
              ? ty_mldsa_key_write(out.data(), &len, &mldsa, content, as, how, p, p_len, iterations, ty_rng_system())
              : ty_key_write(out.data(), &len, &sm2, as, how, p, p_len, iterations, ty_rng_system()), "writing the key");
    out.shrink(len);
    return out;
}
