/* sign, verify: signatures over files of any length, by SM2, ML-DSA, ECDSA or DSTU 4145 as the key and --scheme say. */
#include "context.hpp"
#include "signing.hpp"
#include "tongyu/dstu4145.h"
#include "tongyu/ecdsa.h"

#include <cstdio>
#include <cstring>
#include <memory>

struct Sign {
    std::string key, in = "-", out;
    Signing how;
    Password password;
    bool raw = false, hex = false, base64 = false, force = false, deterministic = false;

    Secret sign_on_curve(Input &message, const AnyKey &k, uint64_t &len, bool progress) const
    {
        const ty_ec_curve *curve = k.ec.pub.curve;
        Secret digest, sig(2 * ty_ec_order_len(curve)), der(TY_ECDSA_DER_MAX);
        len = how.plain_digest(digest, message, progress);
        check((how.dstu() ? ty_dstu4145_sign : ty_ecdsa_sign)(sig.data(), digest.data(), digest.size(), &k.ec,
                                                              deterministic ? nullptr : ty_rng_system()), "signing");
        if (raw || how.dstu()) return sig;   /* DSTU 4145 has one form, L(r || s) */
        size_t der_len = 0;
        ty_ecdsa_sig_to_der(der.data(), &der_len, sig.data(), curve);
        der.shrink(der_len);
        return der;
    }

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
        if (k.is_ec()) return sign_on_curve(message, k, len, progress);
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
            throw Failure(EXIT_USAGE, "--raw is for SM2 and ECDSA; an ML-DSA signature has one form", "omit it");
    }

    int run(Context &ctx)
    {
        refuse_two_stdins({key, in, password.file});
        refuse_same_file({out}, {key, in, password.file});
        refuse_output(out, force);
        if (ctx.json && out == "-") throw Failure(EXIT_USAGE, "--json and the signature both want stdout",
                                                  "omit -o or name a file");
        if (!ctx.json && !hex && !base64) refuse_stdout(out, false, true);
        AnyKey k;
        k.from.alg = how.alg;
        load_any_key(ctx, k, key, password, Need::Private, how.curve);
        fit(k);
        Input message(in);
        uint64_t len = 0;
        const Secret sig = sign(message, k, len, !ctx.quiet);

        ctx.result["file"] = message.name();
        ctx.result["bytes"] = len;
        how.describe(ctx.result, k);
        ctx.result["format"] = raw || k.is_mldsa() || how.dstu() ? "raw" : "der";
        ctx.result["signature"] = to_hex(sig.data(), sig.size());
        if (ctx.json && out.empty()) return EXIT_GOOD;
        Output file(out, output_flags(force));
        if (hex) file.write(to_hex(sig.data(), sig.size()) + "\n");
        else if (base64) file.write(to_base64(sig.data(), sig.size()) + "\n");
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
    bool from_pipe = false;
    uint8_t pipe_digest[TY_SM3_LEN] = {};

    /* r || s from a file that holds it bare, as DER, or as the digits of either. format is the name of what it was. */
    Secret read_pair(const AnyKey &k, const char *&format) const
    {
        const size_t want = k.is_ec() ? 2 * ty_ec_order_len(k.ec.pub.curve) : 64;
        const std::string kind = how.dstu() ? "DSTU 4145" : k.is_ec() ? "ECDSA" : "SM2";
        Secret s = Input(sig).read_all(1024, "a signature of " + kind);
        if (s.size() != want) s = unspell(std::move(s));
        format = s.size() == want ? "raw" : "der";
        if (s.size() == want) return s;
        if (how.dstu())
            throw Failure(EXIT_INPUT, sig + ": not a signature of DSTU 4145 (" + std::to_string(want) + " bytes, their digits or base64)",
                          "check that it is the right file");
        Secret rs(want);
        const ty_err err = k.is_ec() ? ty_ecdsa_sig_from_der(rs.data(), s.data(), s.size(), k.ec.pub.curve)
                                     : ty_sm2_sig_from_der(rs.data(), s.data(), s.size());
        if (err != TY_OK)
            throw Failure(EXIT_INPUT, sig + ": not a signature of " + kind + " (neither DER nor " + std::to_string(want) + " bytes r||s)",
                          "check that it is the right file");
        return rs;
    }

    Secret read_mldsa(const AnyKey &k) const
    {
        const size_t want = ty_mldsa_sig_len(k.mldsa.pub.set);
        Secret s = Input(sig).read_all(16384, "an ML-DSA signature");
        if (s.size() != want) s = unspell(std::move(s));
        if (s.size() != want)
            throw Failure(EXIT_INPUT, sig + ": not a signature of " + k.alg() + " (" + std::to_string(want) + " bytes, their digits or base64)",
                          "check that it is the right file");
        return s;
    }

    ty_err check_signature(Input &message, const Secret &theirs, const AnyKey &k, uint64_t &len, bool progress)
    {
        uint8_t e[TY_SM3_LEN], mu[TY_MLDSA_MU_LEN];
        Secret digest;
        if (k.is_ec()) {
            len = how.plain_digest(digest, message, progress);
            if (how.dstu()) {
                ty_ec_pub q;
                ty_dstu4145_pub(&q, &k.ec.pub);
                return ty_dstu4145_verify(theirs.data(), theirs.size(), digest.data(), digest.size(), &q);
            }
            return ty_ecdsa_verify(theirs.data(), theirs.size(), digest.data(), digest.size(), &k.ec.pub);
        }
        if (k.is_mldsa()) {
            len = how.message(mu, message, k, progress);
            return ty_mldsa_verify_mu(theirs.data(), theirs.size(), mu, &k.mldsa.pub);
        }
        len = how.digest(e, message, k, progress, from_pipe && how.id.is_default() ? pipe_digest : nullptr);
        return ty_sm2_verify_digest(theirs.data(), e, &k.sm2.pub);
    }

    /* OpenSSL signs with an empty identity when it is told none. A file is read again to see whether that was it; of a pipe the
     * digest was made beside the other. */
    bool empty_would_do(const Secret &theirs, const AnyKey &k) const
    {
        uint8_t e[TY_SM3_LEN];
        std::memcpy(e, pipe_digest, sizeof e);
        if (!from_pipe) {
            Signing with = how;
            with.id.text.clear();
            Input again(in);
            (void)with.digest(e, again, k, false);
        }
        return ty_sm2_verify_digest(theirs.data(), e, &k.sm2.pub) == TY_OK;
    }

    int run(Context &ctx)
    {
        refuse_two_stdins({key, in, sig, password.file});
        AnyKey k;
        k.from.alg = how.alg;
        load_any_key(ctx, k, key, password, Need::Public, how.curve);
        how.fit(k);
        const char *format = "raw";
        const Secret theirs = k.is_mldsa() ? read_mldsa(k) : read_pair(k, format);
        Input message(in);
        from_pipe = in == "-" || message.size() < 0;
        uint64_t len = 0;
        const ty_err err = check_signature(message, theirs, k, len, !ctx.quiet);

        ctx.result["file"] = message.name();
        ctx.result["bytes"] = len;
        how.describe(ctx.result, k);
        ctx.result["format"] = format;
        ctx.result["valid"] = err == TY_OK;
        /* r or s out of range is a signature that does not verify, not a malformed file. */
        if (err != TY_OK && k.is_sm2() && how.id.is_default() && empty_would_do(theirs, k))
            throw Failure(EXIT_REFUSED, message.name() + ": the signature does not verify with the identity " TY_SM2_ID
                          ", but it does with the empty one, which OpenSSL takes when it is told none",
                          "if that is what the signer meant, verify with --id ''");
        if (err != TY_OK)
            throw Failure(EXIT_REFUSED, message.name() + ": the signature does not verify",
                          std::string("the file, the key, the ") + (k.is_mldsa() ? "context" : k.is_ec() ? "hash, the scheme" : "identity") +
                              " or the signature is another one");
        if (!ctx.json && !ctx.quiet) std::printf("%s: OK\n", message.name().c_str());
        return EXIT_GOOD;
    }
};

void add_sign(CLI::App &root, Context &ctx)
{
    const auto sign = std::make_shared<Sign>();
    CLI::App *app = add_verb(&root, ctx, "sign", "Sign a file (SM2 with SM3, ML-DSA, ECDSA or DSTU 4145, as the key says)", [sign, &ctx] { return sign->run(ctx); });
    add_path(app, "-k,--key", sign->key, "Private key")->required();
    add_path(app, "file", sign->in, "File to sign (default: stdin)");
    add_path(app, "-o,--out", sign->out, "Signature file (default: stdout)");
    app->add_flag("--raw", sign->raw, "SM2, ECDSA: bytes r||s instead of DER");
    auto *hex = app->add_flag("--hex", sign->hex, "Hexadecimal digits instead of bytes");
    app->add_flag("--base64", sign->base64, "Base64 instead of bytes")->excludes(hex);
    sign->how.add_options(app);
    app->add_flag("--deterministic", sign->deterministic, "Without randomness (SM2, ECDSA: RFC 6979): the same file, the same signature");
    sign->password.add_opening_options(app, "of the key");
    add_force(app, sign->force);
    app->footer("Examples:\n  tongyu sign -k key.pem -o letter.sig letter.txt\n"
                "  openssl dgst -sm3 -verify pub.pem -signature letter.sig -sigopt distid:1234567812345678 letter.txt\n"
                "  tongyu sign -k mldsa.pem --context invoices -o letter.sig letter.txt\n"
                "  tongyu sign -k sect233r1.pem --hash sha256 -o letter.sig letter.txt\n"
                "  tongyu sign -k dstu257.pem --scheme dstu4145 -o letter.sig letter.txt");

    const auto verify = std::make_shared<Verify>();
    app = add_verb(&root, ctx, "verify", "Verify a signature; exit 1 if it is not valid",
                   [verify, &ctx] { return verify->run(ctx); });
    add_path(app, "-k,--key", verify->key, "Public key (a private key will do)")->required();
    add_path(app, "-s,--signature", verify->sig, "Signature file: DER, r||s or an ML-DSA signature, or the digits or base64 of either")
        ->required();
    add_path(app, "file", verify->in, "File that was signed (default: stdin)");
    verify->how.add_options(app);
    verify->password.add_opening_options(app, "of the key");
    app->footer("Examples:\n  tongyu verify -k pub.pem -s letter.sig letter.txt");
}
