/* sm2 encrypt, sm2 decrypt: the bare SM2 operations, for interoperation. */
#include "context.hpp"
#include "io.hpp"
#include "keys.hpp"

#include <cstdio>
#include <cstring>
#include <memory>

/* C3 comes before C2 but hashes all of it, so a bare ciphertext cannot be streamed. */
constexpr size_t MESSAGE_MAX = 16 * 1024 * 1024, CIPHERTEXT_MAX = MESSAGE_MAX + 256;

struct Sm2Encrypt {
    std::string key, in = "-", out, format = "asn1";
    bool hex = false, base64 = false, no_prefix = false, force = false;

    /* The ciphertext as other programs expect it: without its first byte, as digits or base64. */
    Secret spell(Secret ct) const
    {
        const size_t skip = no_prefix ? 1 : 0;
        const uint8_t *const p = ct.data() + skip;
        if (!hex && !base64) return Secret(p, ct.size() - skip);
        const std::string text =
            (hex ? to_hex(p, ct.size() - skip) : to_base64(p, ct.size() - skip)) + "\n";
        return Secret(text.data(), text.size());
    }

    int run(Context &ctx)
    {
        refuse_two_stdins({key, in});
        refuse_same_file({out}, {key});
        refuse_output(out, force);
        if (!ctx.json || out == "-") refuse_stdout(out, ctx.json, !hex && !base64);
        if (no_prefix && format == "asn1")
            throw Failure(EXIT_USAGE, "--no-prefix omits the 04 of C1, and asn1 has none",
                          "give --format c1c3c2 or c1c2c3 as well");
        Wiped<ty_key> k;
        load_key(ctx, k, key, Password(), Need::Public);
        Input source(in);
        const Secret msg = source.read_all(MESSAGE_MAX, "bare SM2 (use tongyu encrypt)");
        if (msg.empty())
            throw Failure(EXIT_INPUT, source.name() + ": empty; SM2 encrypts at least one byte",
                          "use tongyu encrypt");
        Secret ct(msg.size() + TY_SM2_OVERHEAD);
        check(ty_sm2_encrypt(ct.data(), msg.data(), msg.size(),
                             format == "c1c2c3" ? TY_SM2_C1C2C3 : TY_SM2_C1C3C2, &k.pub,
                             ty_rng_system()),
              "encrypting");
        if (format == "asn1") {
            Secret der(ct.size() + 64);
            size_t len = der.size();
            check(ty_sm2_ct_to_der(der.data(), &len, ct.data(), ct.size()), "encoding");
            der.shrink(len);
            ct = std::move(der);
        }
        ctx.result["file"] = source.name();
        ctx.result["format"] = format;
        ctx.result["bytes"] = ct.size() - no_prefix;
        ct = spell(std::move(ct));
        if (ctx.json && out.empty() && (hex || base64)) {
            ctx.result["ciphertext"] = std::string(ct.chars(), ct.size() - 1);
            return EXIT_GOOD;
        }
        if (ctx.json && out.empty()) {
            ctx.result["ciphertext"] = to_hex(ct.data(), ct.size());
            return EXIT_GOOD;
        }
        Output file(out, output_flags(force));
        file.write(ct.data(), ct.size());
        file.commit();
        ctx.result["output"] = file.name();
        return EXIT_GOOD;
    }
};

struct Sm2Decrypt {
    std::string key, in = "-", out, format = "auto";
    Password password;
    bool force = false;

    /* The ciphertexts with C1 = 04||x||y that ct may stand for: its C1 is complete, compressed, or
     * lacks the 04, as Python's gmssl and sm-crypto write it. C3, a digest over the plaintext,
     * shows which one is right. */
    static std::vector<Secret> whole_points(const Secret &ct)
    {
        std::vector<Secret> all;
        ty_sm2_pub point;
        if (ct.size() > 0 && ct[0] == 4) all.emplace_back(ct.data(), ct.size());
        if (ct.size() > 33 && (ct[0] == 2 || ct[0] == 3) &&
            ty_sm2_pub_set(&point, ct.data(), 33) == TY_OK) {
            Secret c(ct.size() + 32);
            ty_sm2_pub_get(c.data(), &point);
            std::memcpy(c.data() + 65, ct.data() + 33, ct.size() - 33);
            all.push_back(std::move(c));
        }
        Secret c(ct.size() + 1);
        c[0] = 4;
        if (!ct.empty()) std::memcpy(c.data() + 1, ct.data(), ct.size());
        all.push_back(std::move(c));
        return all;
    }

    static ty_err open(Secret &msg, const Secret &c, ty_sm2_order order, const ty_sm2_key &key)
    {
        if (c.size() <= TY_SM2_OVERHEAD) return TY_ERR_FORMAT;
        msg = Secret(c.size() - TY_SM2_OVERHEAD);
        return ty_sm2_decrypt(msg.data(), c.data(), c.size(), order, &key);
    }

    /* TY_OK; TY_ERR_VERIFY if ct has this form, but is not for this key; TY_ERR_FORMAT or another
     * error if it does not have this form. */
    static ty_err try_one(const std::string &as, Secret &msg, const Secret &ct,
                          const ty_sm2_key &key)
    {
        if (as == "asn1") {
            Secret bare(ct.size() + TY_SM2_OVERHEAD);
            size_t len = bare.size();
            if (ty_sm2_ct_from_der(bare.data(), &len, ct.data(), ct.size()) != TY_OK)
                return TY_ERR_FORMAT;
            bare.shrink(len);
            return open(msg, bare, TY_SM2_C1C3C2, key);
        }
        ty_err best = TY_ERR_FORMAT;
        for (const Secret &c : whole_points(ct)) {
            const ty_err err = open(msg, c, as == "c1c2c3" ? TY_SM2_C1C2C3 : TY_SM2_C1C3C2, key);
            if (err == TY_OK) return err;
            if (err == TY_ERR_VERIFY) best = err;
        }
        return best;
    }

    int run(Context &ctx)
    {
        refuse_two_stdins({key, in, password.file});
        refuse_same_file({out}, {key, password.file});
        refuse_stdout(out, ctx.json, false);
        refuse_output(out, force);
        Wiped<ty_key> k;
        load_key(ctx, k, key, password, Need::Private);
        Input source(in);
        const Secret ct = decode_text(source.read_all(2 * CIPHERTEXT_MAX, "a bare SM2 ciphertext"));
        std::vector<std::string> tries = {format};
        if (format == "auto") tries = {"asn1", "c1c3c2", "c1c2c3"};
        Secret msg;
        bool well_formed = false;
        for (const auto &as : tries) {
            const ty_err err = try_one(as, msg, ct, k.sm2);
            well_formed |= err == TY_ERR_VERIFY;
            if (err == TY_ERR_FORMAT || err == TY_ERR_KEY || err == TY_ERR_VERIFY ||
                err == TY_ERR_SIZE || err == TY_ERR_ARG)
                continue;
            check(err, source.name());
            Output file(out, output_flags(force, Output::PRIVATE));
            file.write(msg.data(), msg.size());
            file.commit();
            ctx.result["file"] = source.name();
            ctx.result["format"] = as;
            ctx.result["bytes"] = msg.size();
            ctx.result["output"] = file.name();
            return EXIT_GOOD;
        }
        if (well_formed) throw Failure(EXIT_REFUSED, source.name() + ": does not verify",
                                       "another key, or a damaged ciphertext; nothing was written");
        throw Failure(EXIT_INPUT,
                      source.name() + ": not an SM2 ciphertext" +
                          (format == "auto" ? "" : " of the form " + format),
                      "sealed files are for tongyu decrypt");
    }
};

void add_sm2(CLI::App &root, Context &ctx)
{
    CLI::App *sm2 =
        root.add_subcommand(
                "sm2", "Encrypt and decrypt bare SM2 ciphertexts, as other programs write them")
            ->group("Verbs");
    add_common(sm2, ctx);
    sm2->require_subcommand(1);

    const auto enc = std::make_shared<Sm2Encrypt>();
    CLI::App *app = add_verb(sm2, ctx, "encrypt", "Encrypt a short message",
                             [enc, &ctx] { return enc->run(ctx); });
    add_path(app, "-k,--key", enc->key,
             "Public key, or a certificate or request with it")->required();
    add_choice(app, "--format", enc->format, {"asn1", "c1c3c2", "c1c2c3"},
               "Form of the ciphertext")->capture_default_str();
    app->add_flag("--no-prefix", enc->no_prefix,
                  "Omit the 04 before C1, as gmssl for Python and sm-crypto expect");
    auto *hex = app->add_flag("--hex", enc->hex, "Write hexadecimal digits instead of bytes");
    app->add_flag("--base64", enc->base64, "Write base64 instead of bytes")->excludes(hex);
    add_path(app, "file", enc->in, "Message, 1 byte to 16 MiB (default: stdin)");
    add_path(app, "-o,--out", enc->out, "Ciphertext (default: stdout)");
    add_force(app, enc->force);
    app->footer("Examples:\n  tongyu sm2 encrypt -k pub.pem -o key.ct session.key\n"
                "  openssl pkeyutl -decrypt -inkey key.pem -in key.ct");

    const auto dec = std::make_shared<Sm2Decrypt>();
    app = add_verb(sm2, ctx, "decrypt", "Decrypt a short message",
                   [dec, &ctx] { return dec->run(ctx); });
    add_path(app, "-k,--key", dec->key, "Private key")->required();
    add_choice(app, "--format", dec->format, {"auto", "asn1", "c1c3c2", "c1c2c3"},
               "Form of the ciphertext")->capture_default_str();
    dec->password.add_opening_options(app, "of the key");
    add_path(
        app, "file", dec->in,
        "Ciphertext, its digits or base64, C1 with or without 04 or compressed (default: stdin)");
    add_path(app, "-o,--out", dec->out, "Message, readable only by you (default: stdout)");
    add_force(app, dec->force);
    app->footer("Examples:\n  tongyu sm2 decrypt -k key.pem -o session.key key.ct");
}
