/* derive: Diffie-Hellman on the curve of the keys, SM2's or a binary one. */
#include "any_key.hpp"
#include "context.hpp"
#include "engine.hpp"
#include "io.hpp"

#include <cstdio>
#include <memory>

struct Derive {
    std::string key, peer, out, curve;
    Password password;
    Engine engine;
    uint32_t length = 0;
    bool cofactor = false, force = false;

    void fit(const AnyKey &mine, const AnyKey &theirs) const
    {
        if (mine.is_mldsa() || theirs.is_mldsa())
            throw Failure(EXIT_INPUT,
                          (mine.is_mldsa() ? key : peer) +
                              ": an ML-DSA key, which can only sign",
                          "make a suitable key: tongyu keygen --alg sm2 -o key.pem");
        if (mine.title() != theirs.title())
            throw Failure(EXIT_INPUT,
                          peer + ": a key of " + theirs.title() + ", and " + key + " is one of " +
                              mine.title(),
                          "both have to be on one curve");
        if (cofactor && !mine.is_ec())
            throw Failure(EXIT_USAGE, "--cofactor is for binary curves, and the keys are of SM2",
                          "omit it");
    }

    /* The x coordinate of d pub, or with --cofactor of h d pub */
    Secret agree(const AnyKey &mine, const AnyKey &theirs)
    {
        if (!mine.is_ec()) {
            if (engine.simulated()) (void)engine.device(nullptr);
            Secret x(32);
            check(ty_sm2_ecdh(x.data(), &theirs.sm2.pub, &mine.sm2.sm2), "deriving");
            return x;
        }
        /* Each key may have an object of its own for the curve: their point is set on ours. */
        const ty_ec_curve *c = mine.ec.pub.curve;
        const Secret point = theirs.point();
        ty_ec_pub pub;
        check(ty_ec_pub_set(&pub, c, point.data(), point.size()), peer,
              "both have to be on one curve");
        Secret x(ty_ec_field_len(c));
        if (engine.simulated()) {
            ty_accel *dev = engine.device(c);
            check(
                (cofactor ? ty_accel_ecdh_cofactor : ty_accel_ecdh)(dev, x.data(), &pub, &mine.ec),
                "deriving on the accelerator");
            return x;
        }
        check((cofactor ? ty_ec_ecdh_cofactor : ty_ec_ecdh)(x.data(), &pub, &mine.ec), "deriving");
        return x;
    }

    int run(Context &ctx)
    {
        refuse_two_stdins({key, peer, password.file});
        refuse_same_file({out}, {key, peer, password.file});
        refuse_output(out, force);
        if (ctx.json && out == "-")
            throw Failure(EXIT_USAGE, "--json and the secret cannot both go to stdout",
                          "omit -o or name a file");
        if (!out.empty()) refuse_stdout(out, false, true);
        AnyKey mine, theirs;
        load_any_key(ctx, mine, key, password, Need::Private, curve);
        load_any_key(ctx, theirs, peer, Password(), Need::Public, curve);
        fit(mine, theirs);
        Secret x = agree(mine, theirs);
        if (length) {
            Secret longer(length);
            check(ty_kdf_sm3(longer.data(), length, x.data(), x.size()), "deriving");
            x = std::move(longer);
        }
        ctx.result["alg"] = mine.alg();
        engine.report(ctx.result);
        if (mine.is_ec()) ctx.result["curve"] = mine.title();
        ctx.result["bytes"] = x.size();
        if (ctx.json && out.empty()) {
            ctx.result["secret"] = to_hex(x.data(), x.size());
            return EXIT_GOOD;
        }
        Output file(out, output_flags(force, Output::PRIVATE));
        if (out.empty()) x = to_digits(x);
        file.write(x.data(), x.size());
        file.commit();
        ctx.result["output"] = file.name();
        return EXIT_GOOD;
    }
};

void add_derive(CLI::App &root, Context &ctx)
{
    const auto der = std::make_shared<Derive>();
    CLI::App *app =
        add_verb(&root, ctx, "derive",
                 "Compute a shared secret: the x coordinate of Diffie-Hellman (SM2, binary curves)",
                 [der, &ctx] { return der->run(ctx); });
    add_path(app, "-k,--key", der->key, "Your private key")->required();
    add_path(app, "-p,--peer", der->peer,
             "Their public key, or a certificate or request with it")->required();
    app->add_flag("--cofactor", der->cofactor,
                  "Binary curves: multiply by the cofactor (SP 800-56A)");
    add_number(app, "--length", der->length, 1, 65536,
               "Derive N bytes from the secret with the KDF of GB/T 32918.4");
    der->engine.add_option(app);
    add_curve_option(
        app, der->curve,
        "The binary curve of both keys; needed only if it has no name: its curve file");
    der->password.add_opening_options(app, "of your key");
    add_path(app, "-o,--out", der->out,
             "Secret as bytes, readable only by you (default: digits on stdout)");
    add_force(app, der->force);
    app->footer("Examples:\n  tongyu derive -k mine.pem -p theirs.pem");
}
