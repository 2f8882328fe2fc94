/* sign, verify: signatures over files of any length, by SM2 or ML-DSA as the key says. */
#include "context.hpp"
#include "signing.hpp"

#include <cstdio>
#include <memory>

struct Sign {
    std::string key, in = "-", out;
    Signing how;
    Password password;
    bool raw = false, hex = false, force = false, deterministic = false;

    /* The signature, as it goes into the file. */
    Secret sign(Input &message, const AnyKey &k, uint64_t &len, bool progress) const
    {
        if (k.is_mldsa()) {
            uint8_t mu[TY_MLDSA_MU_LEN];
            Secret sig(ty_mldsa_sig_len(k.mldsa.pub.set));
            len = how.message(mu, message, k, progress);
            check(ty_mldsa_sign_checked(sig.data(), sig.size(), mu, &k.mldsa, deterministic ? nullptr : ty_rng_system()), "signing");
            return sig;
        }
        uint8_t e[TY_SM3_LEN], rs[64];
        len = how.digest(e, message, k, progress);
        check(deterministic ? ty_sm2_sign_digest_deterministic(rs, e, &k.sm2.sm2)
                            : ty_sm2_sign_digest(rs, e, &k.sm2.sm2, ty_rng_system()), "signing");
        if (raw) return Secret(rs, sizeof rs);
        Secret der(TY_SM2_SIG_DER_MAX);
        size_t der_len = 0;
        ty_sm2_sig_to_der(der.data(), &der_len, rs);
        der.shrink(der_len);
        return der;
    }

    void fit(const AnyKey &k) const
    {
        how.fit(k);
        if (k.is_mldsa() && raw)
            throw Failure(EXIT_USAGE, "--raw is for SM2; an ML-DSA signature has one form", "leave it away");
    }

    int run(Context &ctx)
    {
        refuse_two_stdins({key, in, password.file});
        refuse_same_file({out}, {key, in, password.file});
        refuse_output(out, force);
        if (ctx.json && out == "-") throw Failure(EXIT_USAGE, "--json and the signature both want stdout",
                                                  "leave -o away or name a file");
        if (!ctx.json && !hex) refuse_stdout(out, false, true);
        AnyKey k;
        load_any_key(ctx, k, key, password, Need::Private);
        fit(k);
        Input message(in);
        uint64_t len = 0;
        const Secret sig = sign(message, k, len, !ctx.quiet);

        ctx.result["file"] = message.name();
        ctx.result["bytes"] = len;
        how.describe(ctx.result, k);
        ctx.result["format"] = raw || k.is_mldsa() ? "raw" : "der";
        ctx.result["signature"] = to_hex(sig.data(), sig.size());
        if (ctx.json && out.empty()) return EXIT_GOOD;
        Output file(out, output_flags(force));
        if (hex) file.write(to_hex(sig.data(), sig.size()) + "\n");
        else file.write(sig.data(), sig.size());
        file.commit();
        ctx.result["output"] = file.name();
        return EXIT_GOOD;
    }
};

struct Verify {
    std::string key, sig, in = "-";
    Signing how;
    Password password;

    /* r || s from a file that holds it bare, as DER, or as the digits of either. Returns the name of what it was. */
    const char *read_sm2(uint8_t rs[64]) const
    {
        Secret s = Input(sig).read_all(1024, "an SM2 signature");
        if (s.size() >= 2 * 64) s = undigit(std::move(s));
        if (s.size() == 64) {
            std::memcpy(rs, s.data(), 64);
            return "raw";
        }
        if (ty_sm2_sig_from_der(rs, s.data(), s.size()) != TY_OK)
            throw Failure(EXIT_INPUT, sig + ": not an SM2 signature (neither DER nor 64 bytes r||s)",
                          "check that it is the right file");
        return "der";
    }

    Secret read_mldsa(const AnyKey &k) const
    {
        const size_t want = ty_mldsa_sig_len(k.mldsa.pub.set);
        Secret s = Input(sig).read_all(16384, "an ML-DSA signature");
        if (s.size() != want) s = undigit(std::move(s));
        if (s.size() != want)
            throw Failure(EXIT_INPUT, sig + ": not a signature of " + k.alg() + " (" + std::to_string(want) + " bytes, or their digits)",
                          "check that it is the right file");
        return s;
    }

    int run(Context &ctx)
    {
        refuse_two_stdins({key, in, sig, password.file});
        AnyKey k;
        load_any_key(ctx, k, key, password, Need::Public);
        how.fit(k);
        uint8_t rs[64], e[TY_SM3_LEN], mu[TY_MLDSA_MU_LEN];
        const Secret theirs = k.is_mldsa() ? read_mldsa(k) : Secret();
        const char *format = k.is_mldsa() ? "raw" : read_sm2(rs);
        Input message(in);
        const uint64_t len = k.is_mldsa() ? how.message(mu, message, k, !ctx.quiet) : how.digest(e, message, k, !ctx.quiet);
        const ty_err err = k.is_mldsa() ? ty_mldsa_verify_mu(theirs.data(), theirs.size(), mu, &k.mldsa.pub)
                                        : ty_sm2_verify_digest(rs, e, &k.sm2.pub);

        ctx.result["file"] = message.name();
        ctx.result["bytes"] = len;
        how.describe(ctx.result, k);
        ctx.result["format"] = format;
        ctx.result["valid"] = err == TY_OK;
        /* r or s out of range is a signature that does not verify, not a malformed file. */
        if (err != TY_OK)
            throw Failure(EXIT_REFUSED, message.name() + ": the signature does not verify",
                          k.is_mldsa() ? "the file, the key, the context or the signature is another one"
                                       : "the file, the key, the identity or the signature is another one");
        if (!ctx.json && !ctx.quiet) std::printf("%s: OK\n", message.name().c_str());
        return EXIT_GOOD;
    }
};

void add_sign(CLI::App &root, Context &ctx)
{
    const auto sign = std::make_shared<Sign>();
    CLI::App *app = add_verb(&root, ctx, "sign", "Sign a file (SM2 with SM3, or ML-DSA, as the key says)", [sign, &ctx] { return sign->run(ctx); });
    add_path(app, "-k,--key", sign->key, "Private key")->required();
    add_path(app, "file", sign->in, "File to sign; stdin if left away or -");
    add_path(app, "-o,--out", sign->out, "Signature file; stdout if left away");
    app->add_flag("--raw", sign->raw, "SM2: 64 bytes r||s instead of DER");
    app->add_flag("--hex", sign->hex, "Hexadecimal digits instead of bytes");
    sign->how.add_options(app);
    app->add_flag("--deterministic", sign->deterministic, "Without randomness (SM2: RFC 6979): the same file, the same signature");
    sign->password.add_options(app, "of the key");
    add_force(app, sign->force);
    app->footer("Examples:\n  tongyu sign -k key.pem -o letter.sig letter.txt\n"
                "  openssl dgst -sm3 -verify pub.pem -signature letter.sig -sigopt distid:1234567812345678 letter.txt\n"
                "  tongyu sign -k mldsa.pem --context invoices -o letter.sig letter.txt");

    const auto verify = std::make_shared<Verify>();
    app = add_verb(&root, ctx, "verify", "Verify a signature; exit 1 if it is not valid",
                   [verify, &ctx] { return verify->run(ctx); });
    add_path(app, "-k,--key", verify->key, "Public key (a private key will do)")->required();
    add_path(app, "-s,--signature", verify->sig, "Signature file: DER, r||s or an ML-DSA signature, or the digits of either")
        ->required();
    add_path(app, "file", verify->in, "File that was signed; stdin if left away or -");
    verify->how.add_options(app);
    verify->password.add_options(app, "of the key");
    app->footer("Examples:\n  tongyu verify -k pub.pem -s letter.sig letter.txt");
}
