/* sign, verify: SM2 signatures over files of any length. */
#include "context.hpp"
#include "io.hpp"
#include "keys.hpp"

#include <cstdio>
#include <memory>

/* e = SM3(Z || file), the digest that is signed. */
static uint64_t digest_of(uint8_t e[TY_SM3_LEN], Input &in, const Secret &id, const ty_sm2_pub &pub, bool progress)
{
    ty_sm3 h;
    check(ty_sm2_hash_init(&h, id.data(), id.size(), &pub), "the identity");
    const uint64_t len = for_each_piece(in, progress, [&h](const uint8_t *p, size_t n) { ty_sm3_update(&h, p, n); });
    ty_sm3_final(e, &h);
    return len;
}

struct Sign {
    std::string key, in = "-", out;
    Identity id;
    Password password;
    bool raw = false, hex = false, deterministic = false, force = false;

    int run(Context &ctx)
    {
        refuse_two_stdins({key, in, password.file});
        refuse_same_file({out}, {key, in, password.file});
        refuse_output(out, force);
        if (ctx.json && out == "-") throw Failure(EXIT_USAGE, "--json and the signature both want stdout",
                                                  "leave -o away or name a file");
        if (!ctx.json && !hex) refuse_stdout(out, false, true);
        Wiped<ty_key> k;
        load_key(ctx, k, key, password, Need::Private);
        uint8_t e[TY_SM3_LEN], sig[TY_SM2_SIG_DER_MAX], rs[64];
        Input message(in);
        const uint64_t len = digest_of(e, message, id.get(), k.pub, !ctx.quiet);
        check(deterministic ? ty_sm2_sign_digest_deterministic(rs, e, &k.sm2)
                            : ty_sm2_sign_digest(rs, e, &k.sm2, ty_rng_system()), "signing");
        size_t sig_len = sizeof rs;
        if (raw) std::memcpy(sig, rs, sizeof rs);
        else ty_sm2_sig_to_der(sig, &sig_len, rs);

        ctx.result["file"] = message.name();
        ctx.result["bytes"] = len;
        id.describe(ctx.result);
        ctx.result["format"] = raw ? "raw" : "der";
        ctx.result["signature"] = to_hex(sig, sig_len);
        if (ctx.json && out.empty()) return EXIT_GOOD;
        Output file(out, output_flags(force));
        if (hex) file.write(to_hex(sig, sig_len) + "\n");
        else file.write(sig, sig_len);
        file.commit();
        ctx.result["output"] = file.name();
        return EXIT_GOOD;
    }
};

struct Verify {
    std::string key, sig, in = "-";
    Identity id;
    Password password;

    /* r || s from a file that holds it bare, as DER, or as the digits of either. Returns the name of what it was. */
    const char *read_signature(uint8_t rs[64]) const
    {
        Secret s = Input(sig).read_all(1024, "an SM2 signature");
        while (s.size() > 2 * 64 && s[s.size() - 1] == '\n') s.shrink(s.size() - 1);
        if (s.size() >= 2 * 64) s = from_hex(s.chars(), s.size(), sig);
        if (s.size() == 64) {
            std::memcpy(rs, s.data(), 64);
            return "raw";
        }
        if (ty_sm2_sig_from_der(rs, s.data(), s.size()) != TY_OK)
            throw Failure(EXIT_INPUT, sig + ": not an SM2 signature (neither DER nor 64 bytes r||s)",
                          "check that it is the right file");
        return "der";
    }

    int run(Context &ctx)
    {
        refuse_two_stdins({key, in, sig, password.file});
        Wiped<ty_key> k;
        load_key(ctx, k, key, password, Need::Public);
        uint8_t rs[64], e[TY_SM3_LEN];
        const char *format = read_signature(rs);
        Input message(in);
        const uint64_t len = digest_of(e, message, id.get(), k.pub, !ctx.quiet);
        const ty_err err = ty_sm2_verify_digest(rs, e, &k.pub);

        ctx.result["file"] = message.name();
        ctx.result["bytes"] = len;
        id.describe(ctx.result);
        ctx.result["format"] = format;
        ctx.result["valid"] = err == TY_OK;
        /* r or s out of range is a signature that does not verify, not a malformed file. */
        if (err != TY_OK)
            throw Failure(EXIT_REFUSED, message.name() + ": the signature does not verify",
                          "the file, the key, the identity or the signature is another one");
        if (!ctx.json && !ctx.quiet) std::printf("%s: OK\n", message.name().c_str());
        return EXIT_GOOD;
    }
};

void add_sign(CLI::App &root, Context &ctx)
{
    const auto sign = std::make_shared<Sign>();
    CLI::App *app = add_verb(&root, ctx, "sign", "Sign a file (SM2 with SM3)", [sign, &ctx] { return sign->run(ctx); });
    add_path(app, "-k,--key", sign->key, "Private key")->required();
    add_path(app, "file", sign->in, "File to sign; stdin if left away or -");
    add_path(app, "-o,--out", sign->out, "Signature file; stdout if left away");
    app->add_flag("--raw", sign->raw, "64 bytes r||s instead of DER");
    app->add_flag("--hex", sign->hex, "Hexadecimal digits instead of bytes");
    app->add_flag("--deterministic", sign->deterministic, "The nonce of RFC 6979: the same file, the same signature");
    sign->id.add_options(app);
    sign->password.add_options(app, "of the key");
    add_force(app, sign->force);
    app->footer("Examples:\n  tongyu sign -k key.pem -o letter.sig letter.txt\n"
                "  openssl dgst -sm3 -verify pub.pem -signature letter.sig -sigopt distid:1234567812345678 letter.txt");

    const auto verify = std::make_shared<Verify>();
    app = add_verb(&root, ctx, "verify", "Verify a signature; exit 1 if it is not valid",
                   [verify, &ctx] { return verify->run(ctx); });
    add_path(app, "-k,--key", verify->key, "Public key (a private key will do)")->required();
    add_path(app, "-s,--signature", verify->sig, "Signature file: DER, 64 bytes r||s, or the digits of either")
        ->required();
    add_path(app, "file", verify->in, "File that was signed; stdin if left away or -");
    verify->id.add_options(app);
    verify->password.add_options(app, "of the key");
    app->footer("Examples:\n  tongyu verify -k pub.pem -s letter.sig letter.txt");
}
