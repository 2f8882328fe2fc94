#include "signing.hpp"
#include "digest.hpp"

void Signing::add_options(CLI::App *app)
{
    add_choice(app, "--alg", alg, key_algs(), "Refuse keys of another algorithm");
    add_curve_option(app, curve);
    add_choice(app, "--scheme", scheme, {"ecdsa", "dstu4145"}, "Binary curves: the signature's scheme (default: ecdsa)");
    add_choice(app, "--hash", hash, hash_names(), "Binary curves: the hash of the file that is signed (default: sha256)");
    id.add_options(app);
    id_option = app->get_option("--id");
    id_hex_option = app->get_option("--id-hex");
    auto *text = add_text(app, "--context", context, "TEXT", "ML-DSA: the context that is signed with the message");
    auto *hex = add_text(app, "--context-hex", context_hex, "HEX", "ML-DSA: the context as hexadecimal digits");
    hex->excludes(text);
    add_choice(app, "--prehash", prehash, hash_names(),
               "HashML-DSA: sign the digest of the file; sm3 is not among the standard's");
    app->add_flag("--mu", mu, "ML-DSA: the file is mu, 64 bytes or their digits, computed elsewhere");
}

void Signing::fit(const AnyKey &key) const
{
    const auto refuse = [](const std::string &what, const std::string &next) { throw Failure(EXIT_USAGE, what, next); };
    const bool for_mldsa = !context.empty() || !context_hex.empty() || !prehash.empty() || mu;
    if (!alg.empty() && alg != key.alg()) refuse("the key is one of " + key.alg() + ", not of " + alg, "give another key");
    if (!key.is_mldsa() && for_mldsa)
        refuse("--context, --prehash and --mu are for ML-DSA, and the key is one of " + key.title(), "omit them");
    if (!key.is_sm2() && (id_option->count() || id_hex_option->count()))
        refuse("--id is for SM2, and the key is one of " + key.title(),
               key.is_mldsa() ? "ML-DSA has --context instead" : "omit it");
    if (!key.is_ec() && !hash.empty())
        refuse("--hash is for keys on binary curves, and the key is one of " + key.title(),
               key.is_mldsa() ? "ML-DSA has --prehash instead" : "SM2 signs by SM3: omit it");
    if (!key.is_ec() && !scheme.empty())
        refuse("--scheme is for keys on binary curves, and the key is one of " + key.title(), "omit it");
    if (mu && (!context.empty() || !context_hex.empty() || !prehash.empty()))
        refuse("mu has the context and the hash inside", "omit --context and --prehash");
    if (context_bytes().size() > TY_MLDSA_CTX_MAX)
        refuse("the context has more than " + std::to_string(TY_MLDSA_CTX_MAX) + " bytes", "give a shorter one");
}

Secret Signing::context_bytes() const
{
    return context_hex.empty() ? Secret(context.data(), context.size()) : from_hex(context_hex, "--context-hex");
}

void Signing::describe(Json &result, const AnyKey &key) const
{
    result["alg"] = key.alg();
    if (key.is_ec()) {
        result["curve"] = key.title();
        result["scheme"] = dstu() ? "dstu4145" : "ecdsa";
        result["hash"] = hash.empty() ? "sha256" : hash;
        return;
    }
    if (key.is_sm2()) {
        id.describe(result);
        return;
    }
    const Secret bytes = context_bytes();
    if (!bytes.empty()) result["context_hex"] = to_hex(bytes.data(), bytes.size());
    if (!prehash.empty()) result["prehash"] = prehash;
    if (mu) result["mu"] = true;
}

uint64_t Signing::digest(uint8_t e[32], Input &in, const AnyKey &key, bool progress, uint8_t *empty) const
{
    const Secret name = id.get();
    ty_sm3 h, bare;
    check(ty_sm2_hash_init(&h, name.data(), name.size(), &key.sm2.pub), "the identity");
    check(ty_sm2_hash_init(&bare, nullptr, 0, &key.sm2.pub), "the empty identity");
    const uint64_t len = for_each_piece(in, progress, [&](const uint8_t *p, size_t n) {
        ty_sm3_update(&h, p, n);
        if (empty) ty_sm3_update(&bare, p, n);
    });
    ty_sm3_final(e, &h);
    if (empty) ty_sm3_final(empty, &bare);
    return len;
}

/* mu as it stands in the file. */
static uint64_t read_mu(uint8_t out[TY_MLDSA_MU_LEN], Input &in)
{
    Secret s = in.read_all(1024, "a mu");
    if (s.size() != TY_MLDSA_MU_LEN) s = undigit(std::move(s));
    if (s.size() != TY_MLDSA_MU_LEN)
        throw Failure(EXIT_INPUT, in.name() + ": not a mu of 64 bytes or 128 digits", "without --mu the file itself is signed");
    std::memcpy(out, s.data(), s.size());
    return s.size();
}

/* out = the digest of the file; returns the file's length. */
static uint64_t hash_of(Secret &out, const HashRow &row, Input &in, bool progress)
{
    const Running running = row.begin();
    const uint64_t len = for_each_piece(in, progress, running.update);
    out = Secret(64);
    running.final(out.data());
    out.shrink(row.len);
    return len;
}

uint64_t Signing::message(uint8_t out[TY_MLDSA_MU_LEN], Input &in, const AnyKey &key, bool progress) const
{
    if (mu) return read_mu(out, in);
    const Secret ctx = context_bytes();
    const ty_mldsa_pub &pub = key.mldsa.pub;
    if (prehash.empty()) {
        ty_mldsa_mu m;
        check(ty_mldsa_mu_init(&m, ctx.data(), ctx.size(), &pub), "the context");
        const uint64_t len = for_each_piece(in, progress, [&m](const uint8_t *p, size_t n) { ty_mldsa_mu_update(&m, p, n); });
        ty_mldsa_mu_final(out, &m);
        return len;
    }
    const HashRow &row = hash_row(prehash);
    Secret d;
    const uint64_t len = hash_of(d, row, in, progress);
    check(ty_mldsa_mu_hash(out, d.data(), d.size(), row.id, ctx.data(), ctx.size(), &pub), "the digest");
    return len;
}

uint64_t Signing::plain_digest(Secret &out, Input &in, bool progress) const
{
    return hash_of(out, hash_row(hash.empty() ? "sha256" : hash), in, progress);
}
