/* kdf: keys made of another secret. */
#include "context.hpp"
#include "io.hpp"
#include "keys.hpp"
#include "tongyu/sm3.h"

#include <memory>

struct Kdf {
    std::string alg = "hkdf-sm3", salt_hex, info, info_hex, out;
    KeyBytes key;
    uint32_t length = 32;
    bool force = false;

    void check_options(Context &ctx) const
    {
        const bool hkdf = alg == "hkdf-sm3";
        if (!hkdf && !(salt_hex.empty() && info.empty() && info_hex.empty()))
            throw Failure(EXIT_USAGE, alg + " takes neither salt nor info", "omit them, or take hkdf-sm3");
        if (!info.empty() && !info_hex.empty())
            throw Failure(EXIT_USAGE, "--info and --info-hex say the same thing twice", "give one of them");
        if (hkdf && length > 255 * TY_SM3_LEN)
            throw Failure(EXIT_USAGE, "hkdf-sm3 gives no more than 8160 bytes", "give a smaller --length");
        refuse_two_stdins({key.file});
        refuse_same_file({out}, {key.file});
        refuse_output(out, force);
        if (ctx.json && out == "-") throw Failure(EXIT_USAGE, "--json and the key both want stdout",
                                                  "omit -o or name a file");
        if (!out.empty()) refuse_stdout(out, false, true);
    }

    int run(Context &ctx)
    {
        check_options(ctx);
        const Secret ikm = key.get(ctx, 0), salt = from_hex(salt_hex, "--salt-hex"),
                     bytes = info.empty() ? from_hex(info_hex, "--info-hex") : Secret(info.data(), info.size());
        Secret made(length);
        check(alg == "hkdf-sm3" ? ty_hkdf_sm3(made.data(), length, ikm.data(), ikm.size(), salt.data(), salt.size(),
                                              bytes.data(), bytes.size())
                                : ty_kdf_sm3(made.data(), length, ikm.data(), ikm.size()), "deriving");
        ctx.result["alg"] = alg;
        ctx.result["bytes"] = made.size();
        if (ctx.json && out.empty()) {
            ctx.result["secret"] = to_hex(made.data(), made.size());
            return EXIT_GOOD;
        }
        Output file(out, output_flags(force, Output::PRIVATE));
        if (out.empty()) made = to_digits(made);
        file.write(made.data(), made.size());
        file.commit();
        ctx.result["output"] = file.name();
        return EXIT_GOOD;
    }
};

void add_kdf(CLI::App &root, Context &ctx)
{
    const auto kdf = std::make_shared<Kdf>();
    CLI::App *app = add_verb(&root, ctx, "kdf", "A key derived from another secret", [kdf, &ctx] { return kdf->run(ctx); });
    add_choice(app, "--alg", kdf->alg, {"hkdf-sm3", "kdf-sm3"},
               "Function: RFC 5869, or the KDF of GB/T 32918.4")->capture_default_str();
    kdf->key.add_options(app);
    add_text(app, "--salt-hex", kdf->salt_hex, "HEX", "hkdf-sm3: the salt (default: 32 zeros)");
    add_text(app, "--info", kdf->info, "TEXT", "hkdf-sm3: what the key is for");
    add_text(app, "--info-hex", kdf->info_hex, "HEX", "The same as hexadecimal digits");
    add_number(app, "--length", kdf->length, 1, 65536, "Bytes to make")->capture_default_str();
    add_path(app, "-o,--out", kdf->out, "Key as bytes, readable only by you (default: digits on stdout)");
    add_force(app, kdf->force);
    app->footer("Examples:\n  tongyu kdf --key-file shared.key --info 'letters, 2026' --length 16 -o letters.key");
}
