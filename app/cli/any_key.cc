#include "any_key.hpp"
#include "io.hpp"
#include "tongyu/sm3.h"

static const struct {
    const char *name;
    ty_mldsa_set set;
} algs[] = { { "sm2", ty_mldsa_set(0) },
             { "ml-dsa-44", TY_MLDSA_44 },
             { "ml-dsa-65", TY_MLDSA_65 },
             { "ml-dsa-87", TY_MLDSA_87 },
             { "ec", ty_mldsa_set(0) } };

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

void add_curve_option(CLI::App *app, std::string &curve, const std::string &help)
{
    add_text(app, "--curve", curve, "CURVE", help);
}

void add_seed_alg(CLI::App *app, std::string &alg)
{
    add_choice(app, "--alg", alg, {"ml-dsa-44", "ml-dsa-65", "ml-dsa-87"},
               "Read a file of 32 bytes, or their digits, as a seed of this algorithm");
}

std::string AnyKey::alg() const
{
    return is_mldsa() ? "ml-dsa-" + std::to_string(static_cast<int>(mldsa.pub.set))
           : is_ec()  ? "ec"
                      : "sm2";
}

std::string AnyKey::title() const
{
    return is_mldsa() ? "ML-DSA-" + std::to_string(static_cast<int>(mldsa.pub.set))
           : is_ec()  ? std::string(ty_ec_curve_name(ec.pub.curve)) : "SM2";
}

const ty_ec_curve *AnyKey::take_curve(const std::string &name)
{
    const CurveNumbers c = find_curve(name);
    if (c.own) return c.own;
    any_curve = make_curve(c, TY_EC_AUTO, 0);
    return ty_ec_any_curve(any_curve.get());
}

Secret AnyKey::point() const
{
    Secret p(is_ec() ? 1 + 2 * ty_ec_field_len(ec.pub.curve) : 65);
    if (is_ec()) ty_ec_pub_get(p.data(), &ec.pub);
    else ty_sm2_pub_get(p.data(), &sm2.pub);
    return p;
}

std::string AnyKey::public_hex() const
{
    if (is_mldsa()) return to_hex(mldsa.pub.bytes, ty_mldsa_pub_len(mldsa.pub.set));
    const Secret p = point();
    return to_hex(p.data(), p.size());
}

std::string AnyKey::fingerprint() const
{
    const Secret spki = public_file(TY_KEY_DER);
    uint8_t digest[TY_SM3_LEN];
    ty_sm3_hash(digest, spki.data(), spki.size());
    return to_hex(digest, sizeof digest);
}

/* The most bytes of a file with such a key. */
static size_t file_max(const AnyKey &key)
{
    return key.is_mldsa() ? TY_MLDSA_ENCODED_MAX
           : key.is_ec()  ? TY_EC_ENCODED_MAX
                          : TY_KEY_ENCODED_MAX;
}

Secret AnyKey::public_file(ty_key_coding how, bool compressed) const
{
    Secret out(file_max(*this));
    size_t len = out.size();
    check(is_mldsa() ? ty_mldsa_pub_write(out.data(), &len, &mldsa.pub, how)
          : is_ec()
              ? ty_ec_pub_write(out.data(), &len, &ec.pub, how, compressed)
              : ty_key_write(out.data(), &len, &sm2, TY_KEY_SPKI, how, nullptr, 0, 0, nullptr),
          "writing the key");
    out.shrink(len);
    return out;
}

Secret AnyKey::private_file(ty_key_form as, ty_mldsa_content content, ty_key_coding how,
                            const Secret *password, uint32_t iterations) const
{
    const uint8_t *const p = password ? password->data() : nullptr;
    const size_t p_len = password ? password->size() : 0;
    const ty_rng *const rng = ty_rng_system();
    Secret out(file_max(*this));
    size_t len = out.size();
    check(is_mldsa() ? ty_mldsa_key_write(out.data(), &len, &mldsa, content, as, how, p, p_len,
                                          iterations, rng)
          : is_ec()  ? ty_ec_key_write(out.data(), &len, &ec, as, how, p, p_len, iterations, rng)
                     : ty_key_write(out.data(), &len, &sm2, as, how, p, p_len, iterations, rng),
          "writing the key");
    out.shrink(len);
    return out;
}
