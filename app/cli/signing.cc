#include "signing.hpp"

#include <algorithm>

void Signing::add_options(CLI::App *app)
{
    add_choice(app, "--alg", alg, key_algs(), "Refuse keys of another algorithm");
    add_curve_option(app, curve);
    add_choice(app, "--scheme", scheme, { "ecdsa", "dstu4145" },
               "Binary curves: the signature's scheme (default: ecdsa)");
    add_choice(app, "--hash", hash, hash_names(),
               "Binary curves: the hash of the file that is signed (default: sha256)");
    id.add_options(app);
    id_option = app->get_option("--id");
    id_hex_option = app->get_option("--id-hex");
    auto *text = add_text(app, "--context", context, "TEXT",
                          "ML-DSA: the context that is signed with the message");
    auto *hex = add_text(app, "--context-hex", context_hex, "HEX",
                         "ML-DSA: the context as hexadecimal digits");
    hex->excludes(text);
    add_choice(app, "--prehash", prehash, hash_names(),
               "HashML-DSA: sign the digest of the file; the standard does not name sm3");
    app->add_flag("--digest", digest_given,
                  "The file is the digest, its bytes or digits, computed elsewhere (SM2: of Z and "
                  "the message)");
    app->add_flag("--mu", mu,
                  "ML-DSA: the file is mu, 64 bytes or their digits, computed elsewhere");
}

void Signing::fit(const AnyKey &key) const
{
    const auto refuse = [](const std::string &what, const std::string &next) {
        throw Failure(EXIT_USAGE, what, next);
    };
    const bool for_mldsa = !context.empty() || !context_hex.empty() || !prehash.empty() || mu;
    if (!alg.empty() && alg != key.alg())
        refuse("the key is for " + key.alg() + ", not for " + alg, "give another key");
    if (!key.is_mldsa() && for_mldsa)
        refuse("--context, --prehash and --mu are for ML-DSA, and the key is for " + key.title(),
               "omit them");
    if (!key.is_sm2() && (id_option->count() || id_hex_option->count()))
        refuse("--id is for SM2, and the key is for " + key.title(),
               key.is_mldsa() ? "ML-DSA has --context instead" : "omit it");
    if (!key.is_ec() && !hash.empty())
        refuse("--hash is for keys on binary curves, and the key is for " + key.title(),
               key.is_mldsa() ? "ML-DSA has --prehash instead" : "SM2 uses SM3: omit it");
    if (!key.is_ec() && !scheme.empty())
        refuse("--scheme is for keys on binary curves, and the key is for " + key.title(),
               "omit it");
    if (digest_given && key.is_mldsa() && prehash.empty())
        refuse("ML-DSA signs a digest only with --prehash",
               "give --prehash with the digest's hash, or give mu with --mu");
    if (digest_given && key.is_sm2() && (id_option->count() || id_hex_option->count()))
        refuse("the digest already includes the identity", "omit --id");
    if (mu && (digest_given || !context.empty() || !context_hex.empty() || !prehash.empty()))
        refuse("mu already includes the context and the hash", "omit --context and --prehash");
    if (context_bytes().size() > TY_MLDSA_CTX_MAX)
        refuse("the context has more than " + std::to_string(TY_MLDSA_CTX_MAX) + " bytes",
               "give a shorter one");
}

Secret Signing::context_bytes() const
{
    return context_hex.empty() ? Secret(context.data(), context.size())
                               : from_hex(context_hex, "--context-hex");
}

void Signing::describe(Json &result, const AnyKey &key) const
{
    result["alg"] = key.alg();
    if (digest_given) result["digest"] = true;
    if (key.is_ec()) {
        result["curve"] = key.title();
        result["scheme"] = dstu() ? "dstu4145" : "ecdsa";
        result["hash"] = hash.empty() ? "sha256" : hash;
        return;
    }
    if (key.is_sm2()) {
        if (!digest_given) id.describe(result);
        return;
    }
    const Secret bytes = context_bytes();
    if (!bytes.empty()) result["context_hex"] = to_hex(bytes.data(), bytes.size());
    if (!prehash.empty()) result["prehash"] = prehash;
    if (mu) result["mu"] = true;
}

Secret Signing::sm2_digest(Input &in, const AnyKey &key, uint64_t &len, Progress &bar,
                           uint8_t *empty) const
{
    const Secret name = id.get();
    ty_sm3 h, bare;
    check(ty_sm2_hash_init(&h, name.data(), name.size(), &key.sm2.pub), "the identity");
    check(ty_sm2_hash_init(&bare, nullptr, 0, &key.sm2.pub), "the empty identity");
    len = for_each_piece(in, bar, [&](const uint8_t *p, size_t n) {
        ty_sm3_update(&h, p, n);
        if (empty) ty_sm3_update(&bare, p, n);
    });
    Secret e(TY_SM3_LEN);
    ty_sm3_final(e.data(), &h);
    if (empty) ty_sm3_final(empty, &bare);
    return e;
}

/* A value of size bytes from a file that holds it as bytes or as hexadecimal digits. With size = 0
 * any length of a digest is accepted, 20 to 64 bytes. */
static Secret read_given(Input &in, size_t size, uint64_t &len, const std::string &what,
                         const std::string &option)
{
    Secret s = in.read_all(1024, what);
    const auto fits = [&] { return size ? s.size() == size : s.size() >= 20 && s.size() <= 64; };
    if (size && fits() && std::all_of(s.data(), s.data() + s.size(), is_digit))
        throw Failure(EXIT_INPUT,
                      in.name() + ": " + std::to_string(size) +
                          " hexadecimal digits, which may be the bytes of " + what +
                          " or half of its digits",
                      "write it as " + std::to_string(2 * size) + " digits");
    if (!size || !fits()) s = decode_digits(std::move(s));
    if (!fits())
        throw Failure(EXIT_INPUT,
                      in.name() + ": not " + what +
                          (size ? " of " + std::to_string(size) + " bytes or " +
                                      std::to_string(2 * size) + " digits"
                                : ", 20 to 64 bytes or their digits"),
                      "without " + option + " the file itself is signed");
    len = s.size();
    return s;
}

Secret Signing::hash_of(const HashRow &row, Input &in, uint64_t &len, Progress &bar) const
{
    RunningHash h(row);
    len = for_each_piece(in, bar, h);
    return h.final(row.len);
}

Secret Signing::mldsa_mu(Input &in, const AnyKey &key, uint64_t &len, Progress &bar) const
{
    const Secret ctx = context_bytes();
    const ty_mldsa_pub &pub = key.mldsa.pub;
    Secret out(TY_MLDSA_MU_LEN);
    if (prehash.empty()) {
        ty_mldsa_mu m;
        check(ty_mldsa_mu_init(&m, ctx.data(), ctx.size(), &pub), "the context");
        len = for_each_piece(in, bar,
                             [&m](const uint8_t *p, size_t n) { ty_mldsa_mu_update(&m, p, n); });
        ty_mldsa_mu_final(out.data(), &m);
        return out;
    }
    const HashRow &row = hash_row(prehash);
    const Secret d = digest_given
                         ? read_given(in, row.len, len, "a digest with " + prehash, "--digest")
                         : hash_of(row, in, len, bar);
    check(ty_mldsa_mu_hash(out.data(), d.data(), d.size(), row.id, ctx.data(), ctx.size(), &pub),
          "the digest");
    return out;
}

Secret Signing::to_sign(Input &in, const AnyKey &key, uint64_t &len, Progress &bar,
                        uint8_t *empty) const
{
    if (mu) return read_given(in, TY_MLDSA_MU_LEN, len, "a mu", "--mu");
    if (key.is_mldsa()) return mldsa_mu(in, key, len, bar);
    if (digest_given && key.is_sm2())
        return read_given(in, TY_SM3_LEN, len, "a digest with SM3", "--digest");
    if (digest_given)
        return read_given(in, hash.empty() ? 0 : hash_row(hash).len, len, "a digest", "--digest");
    if (key.is_sm2()) return sm2_digest(in, key, len, bar, empty);
    return hash_of(hash_row(hash.empty() ? "sha256" : hash), in, len, bar);
}
