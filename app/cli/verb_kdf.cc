/* kdf: keys derived from another secret. */
#include "context.hpp"
#include "hmac.hpp"
#include "io.hpp"
#include "keys.hpp"
#include "tongyu/box.h" /* TY_BOX_ITERATIONS: the cost of a password is that of a sealed file */
#include "tongyu/sm3.h"

#include <memory>

struct Kdf {
    std::string alg = "hkdf", hash = "sm3", salt_hex, info, info_hex, out;
    KeyBytes key;
    Password password;
    uint32_t length = 32, iterations = TY_BOX_ITERATIONS;
    bool ask = false, force = false;
    CLI::Option *hash_option = nullptr, *salt_option = nullptr, *iterations_option = nullptr;

    bool is_hkdf() const { return alg == "hkdf" || alg == "hkdf-sm3"; }
    bool is_pbkdf2() const { return alg == "pbkdf2"; }
    std::string name() const
    {
        return is_hkdf() ? "hkdf-" + hash : is_pbkdf2() ? "pbkdf2-" + hash : alg;
    }

    void check_options(Context &ctx) const
    {
        const auto refuse = [](const std::string &what, const std::string &next) {
            throw Failure(EXIT_USAGE, what, next);
        };
        if (alg == "kdf-sm3" && !(salt_hex.empty() && info.empty() && info_hex.empty()))
            refuse("kdf-sm3 takes neither salt nor info", "omit them, or use hkdf");
        if (alg != "hkdf" && !is_pbkdf2() && hash != "sm3")
            refuse(alg + " uses only SM3", "omit --hash, or use hkdf");
        if (is_pbkdf2() && !(info.empty() && info_hex.empty()))
            refuse("pbkdf2 takes no info", "omit it, or use hkdf");
        if (is_pbkdf2() && !salt_option->count())
            refuse("pbkdf2 needs a salt",
                   "give --salt-hex, 16 random bytes; --salt-hex '' is an empty one");
        if (!is_pbkdf2() && (iterations_option->count() || password.given()))
            refuse("--iterations and passwords are for pbkdf2", "omit them, or use pbkdf2");
        if (!info.empty() && !info_hex.empty())
            refuse("--info and --info-hex exclude each other", "give one of them");
        if (const size_t most = 255 * hash_row(hash).len; is_hkdf() && length > most)
            refuse(name() + " gives no more than " + std::to_string(most) + " bytes",
                   "give a smaller --length");
        refuse_two_stdins({key.input(), password.file});
        refuse_same_file({out}, {key.input(), password.file});
        refuse_output(out, force);
        if (ctx.json && out == "-")
            refuse("--json and the key cannot both go to stdout", "omit -o or name a file");
        if (!out.empty()) refuse_stdout(out, false, true);
    }

    Secret secret(Context &ctx)
    {
        if (!password.given()) return key.get(ctx, 0);
        if (key.given())
            throw Failure(EXIT_USAGE, "a password and a key were given",
                          "pbkdf2 takes one of them");
        return password.get("pbkdf2", false);
    }

    int run(Context &ctx)
    {
        password.ask = ask;
        check_options(ctx);
        const Secret ikm = secret(ctx), salt = from_hex(salt_hex, "--salt-hex"),
                     bytes = info.empty() ? from_hex(info_hex, "--info-hex")
                                          : Secret(info.data(), info.size());
        Secret derived(length);
        if (is_hkdf()) hkdf(derived, hash_row(hash), ikm, salt, bytes);
        else if (is_pbkdf2()) pbkdf2(derived, hash_row(hash), ikm, salt, iterations);
        else ::check(ty_kdf_sm3(derived.data(), length, ikm.data(), ikm.size()), "deriving");
        ctx.result["alg"] = name();
        ctx.result["bytes"] = derived.size();
        if (ctx.json && out.empty()) {
            ctx.result["secret"] = to_hex(derived.data(), derived.size());
            return EXIT_GOOD;
        }
        Output file(out, output_flags(force, Output::PRIVATE));
        if (out.empty()) derived = to_digits(derived);
        file.write(derived.data(), derived.size());
        file.commit();
        ctx.result["output"] = file.name();
        return EXIT_GOOD;
    }
};

void add_kdf(CLI::App &root, Context &ctx)
{
    const auto kdf = std::make_shared<Kdf>();
    CLI::App *app = add_verb(&root, ctx, "kdf", "Derive a key from another secret",
                             [kdf, &ctx] { return kdf->run(ctx); });
    add_choice(
        app, "--alg,alg", kdf->alg, { "hkdf", "pbkdf2", "kdf-sm3", "hkdf-sm3" },
        "Function: RFC 5869, RFC 8018, or the KDF of GB/T 32918.4; hkdf-sm3 is hkdf with SM3")
        ->capture_default_str();
    add_choice(app, "--hash", kdf->hash, hmac_hash_names(), "hkdf, pbkdf2: the hash in HMAC")
        ->capture_default_str();
    kdf->key.add_options(app);
    app->add_flag("--password", kdf->ask, "pbkdf2: ask for the password on the terminal");
    kdf->password.add_options(app, "of pbkdf2");
    kdf->salt_option = add_text(app, "--salt-hex", kdf->salt_hex, "HEX",
                                "The salt (default for hkdf: as many zero bytes as a digest has)");
    kdf->iterations_option =
        add_number(app, "--iterations", kdf->iterations, 1, UINT32_MAX, "pbkdf2: iterations")
            ->capture_default_str();
    add_text(app, "--info", kdf->info, "TEXT", "hkdf: what the key is for");
    add_text(app, "--info-hex", kdf->info_hex, "HEX", "The same as hexadecimal digits");
    add_number(app, "--length", kdf->length, 1, 65536, "Length of the key in bytes")
        ->capture_default_str();
    add_path(app, "-o,--out", kdf->out,
             "Key as bytes, readable only by you (default: digits on stdout)");
    add_force(app, kdf->force);
    app->footer("Examples:\n  tongyu kdf --key-file shared.key --info 'letters, 2026' --length 16 "
                "-o letters.key\n"
                "  tongyu kdf pbkdf2 --hash sha256 --password-file secret.txt --salt-hex "
                "00112233445566778899aabbccddeeff");
}
