/* The verbs keygen, pubkey and convert: key files */
#include "any_key.hpp"
#include "context.hpp"
#include "io.hpp"
#include "tongyu/box.h"   /* TY_BOX_ITERATIONS: the cost of a password is that of a sealed file */

#include <cstdio>
#include <memory>

/* How a key that is written is encrypted; an empty name leaves the choice to the library. */
struct Lock {
    std::string cipher, prf;
    uint32_t iterations = TY_BOX_ITERATIONS;

    void add_options(CLI::App *app)
    {
        add_number(app, "--iterations", iterations, 1000, TY_KEY_ITERATIONS,
                   "PBKDF2 iterations, which each guess of the password costs; at most " +
                       std::to_string(KEY_ITERATIONS_MAX) +
                       ", because files with more need --max-iterations")
            ->capture_default_str();
        add_choice(app, "--cipher", cipher, { "sm4-cbc", "aes-256-cbc" },
                   "Cipher of an encrypted file (default: sm4-cbc); most other programs read "
                   "aes-256-cbc with sha256");
        add_choice(app, "--prf", prf, { "sm3", "sha256" },
                   "Hash of an encrypted file's PBKDF2: sm3, or sha256 for OpenSSL 3.0 and with "
                   "aes-256-cbc");
    }

    /* Refuses these options without a password, where the file would not be encrypted; more
     * iterations than are accepted when the file is read; and AES with SM3. */
    void check(bool locked) const
    {
        if (!locked && !(cipher.empty() && prf.empty() && iterations == TY_BOX_ITERATIONS))
            throw Failure(EXIT_USAGE,
                          "--cipher, --prf and --iterations are for encrypted files, and no "
                          "password was given",
                          "give one (--encrypt asks for it), or omit them");
        if (iterations > KEY_ITERATIONS_MAX)
            throw Failure(EXIT_USAGE,
                          "--iterations " + std::to_string(iterations) +
                              " makes a key file that is refused without " + "--max-iterations",
                          "give at most " + std::to_string(KEY_ITERATIONS_MAX));
        if (cipher == "aes-256-cbc" && prf == "sm3")
            throw Failure(
                EXIT_USAGE,
                "aes-256-cbc is written with --prf sha256, which is what other programs expect",
                "omit --prf");
    }

    ty_key_form form() const
    {
        if (cipher == "aes-256-cbc") return TY_KEY_PKCS8_PBES2_AES256;
        return prf == "sha256" ? TY_KEY_PKCS8_PBES2_SHA256 : TY_KEY_PKCS8_PBES2;
    }
};

/* --content: what a PKCS#8 file of an ML-DSA key holds. */
static void add_content(CLI::App *app, std::string &content)
{
    add_choice(app, "--content", content, {"seed", "expanded", "both"},
               "What the file of an ML-DSA private key holds: the seed, the expanded key, or both");
}

static ty_mldsa_content content_of(const std::string &name)
{
    return name == "both" ? TY_MLDSA_BOTH : name == "expanded" ? TY_MLDSA_EXPANDED : TY_MLDSA_SEED;
}

/* Refuses options that do not apply to keys of this algorithm. */
static void refuse_foreign_options(const std::string &alg, const std::string &form,
                                   const std::string &content)
{
    const bool mldsa = alg != "sm2" && alg != "ec";
    if (!mldsa && !content.empty())
        throw Failure(EXIT_USAGE, "--content is for ML-DSA keys, and this is one of " + alg,
                      "omit it");
    if (mldsa && form == "sec1")
        throw Failure(EXIT_USAGE, "SEC1 is a form of keys on elliptic curves, not of " + alg,
                      "omit --format");
}

/* --- keygen ----------------------------------------------------------------------------------- */

struct Keygen {
    std::string alg = "sm2", out, pub, form = "pkcs8", coding = "pem", content, curve;
    CLI::Option *alg_option = nullptr;
    Password password;
    Lock lock;
    bool encrypt = false, force = false;

    /* --curve implies --alg ec. */
    void fit_curve()
    {
        if (!curve.empty() && !alg_option->count()) alg = "ec";
        if (alg == "ec" && curve.empty())
            throw Failure(EXIT_USAGE, "no curve was given for a key on a binary curve",
                          "give --curve sect233r1; tongyu curve list has the names");
        if (alg != "ec" && !curve.empty())
            throw Failure(EXIT_USAGE, "--curve is for keys of the algorithm ec, not of " + alg,
                          "omit one");
    }

    int run(Context &ctx)
    {
        if (out.empty()) throw Failure(EXIT_USAGE, "keygen needs a file for the private key",
                                       "name it with -o key.pem (or -o - for stdout)");
        if (ctx.json && out == "-")
            throw Failure(EXIT_USAGE, "--json and the key cannot both go to stdout",
                          "name a file with -o");
        const bool locked = encrypt || password.given();
        if (locked && form == "sec1")
            throw Failure(EXIT_USAGE, "SEC1 keys cannot be encrypted here", "omit --format");
        fit_curve();
        refuse_foreign_options(alg, form, content);
        lock.check(locked);
        refuse_same_file({out, pub}, {password.file});
        refuse_output(out, force);
        refuse_output(pub, force);
        const Secret pass = locked ? password.get(out, true) : Secret();

        AnyKey key;
        make(key);
        const ty_key_form as = locked ? lock.form() : form == "sec1" ? TY_KEY_SEC1 : TY_KEY_PKCS8;
        const ty_key_coding how = coding == "der" ? TY_KEY_DER : TY_KEY_PEM;
        const Secret text = key.private_file(as, content_of(content), how, locked ? &pass : nullptr,
                                             lock.iterations);
        Output file(out, output_flags(force, Output::PRIVATE));
        if (pub.empty()) {
            file.write(text.data(), text.size());
            file.commit();
        } else {
            Output second(pub, output_flags(force));
            write_both(file, text, second, key.public_file(how));
            ctx.result["public_file"] = pub;
        }
        ctx.result["alg"] = alg;
        if (key.is_ec()) ctx.result["curve"] = key.title();
        ctx.result["file"] = out;
        ctx.result["encrypted"] = locked;
        ctx.result["public_key"] = key.public_hex();
        ctx.result["fingerprint"] = key.fingerprint();
        return EXIT_GOOD;
    }

    void make(AnyKey &key) const
    {
        if (alg == "ec") {
            check(ty_ec_keygen(&key.ec, key.take_curve(curve), ty_rng_system()), "making the key");
            key.ec_file.private_key = 1;
            return;
        }
        if (alg != "sm2") {
            check(ty_mldsa_keygen(&key.mldsa, set_of(alg), ty_rng_system()), "making the key");
            key.file.private_key = 1;
            return;
        }
        check(ty_sm2_keygen(&key.sm2.sm2, ty_rng_system()), "making the key");
        key.sm2.private_key = 1;
        key.sm2.pub = key.sm2.sm2.pub;
    }
};

/* --- pubkey ----------------------------------------------------------------------------------- */

struct Pubkey {
    std::string in, out, format = "pem", curve, alg;
    Password password;
    bool compressed = false, force = false;

    static std::string compressed_hex(const AnyKey &key)
    {
        uint8_t point[1 + TY_EC_MAX];
        ty_ec_pub_get_compressed(point, &key.ec.pub);
        return to_hex(point, 1 + ty_ec_field_len(key.ec.pub.curve));
    }

    int run(Context &ctx)
    {
        refuse_two_stdins({in, password.file});
        refuse_same_file({out}, {in, password.file});
        refuse_output(out, force);
        if (ctx.json && out == "-")
            throw Failure(EXIT_USAGE, "--json and the key cannot both go to stdout",
                          "omit -o or name a file");
        if (!ctx.json && format == "der") refuse_stdout(out, false, true);
        AnyKey key;
        key.from.alg = alg;
        load_any_key(ctx, key, in, password, Need::Public, curve);
        if (compressed && !key.is_ec())
            throw Failure(EXIT_USAGE,
                          "--compressed is for keys on binary curves, and this is one of " +
                              key.title(),
                          "omit it");
        ctx.result["public_key"] = key.public_hex();
        ctx.result["fingerprint"] = key.fingerprint();
        const Secret pem = key.public_file(TY_KEY_PEM, compressed);
        if (ctx.json && out.empty()) {
            ctx.result["pem"] = std::string(pem.chars(), pem.size());
            return EXIT_GOOD;
        }
        Output file(out, output_flags(force));
        if (format == "hex") {
            file.write((compressed ? compressed_hex(key) : key.public_hex()) + "\n");
        } else if (format == "der") {
            const Secret der = key.public_file(TY_KEY_DER, compressed);
            file.write(der.data(), der.size());
        } else {
            file.write(pem.data(), pem.size());
        }
        file.commit();
        ctx.result["file"] = file.name();
        return EXIT_GOOD;
    }
};

/* --- convert ---------------------------------------------------------------------------------- */

struct Convert {
    std::string alg, in, out, opener, form = "pkcs8", coding = "pem", content, curve;
    Password password, fresh;
    Lock lock;
    bool encrypt = false, plain = false, force = false;

    /* Opens a key that an authority enveloped for our key (GB/T 35276-2017, 7.4); the password is
     * that of our key. */
    void open_envelope(Context &ctx, AnyKey &key) const
    {
        Wiped<ty_key> ours;
        load_key(ctx, ours, opener, password, Need::Private);
        const Secret data = decode_text(Input(in).read_all(4096, "an enveloped key"));
        const ty_err err = ty_key_from_enveloped(&key.sm2, data.data(), data.size(), &ours.sm2);
        if (err == TY_ERR_VERIFY)
            throw Failure(EXIT_REFUSED, in + ": not enveloped for " + opener + ", or damaged",
                          "give the private key that it was made for");
        if (err == TY_ERR_FORMAT)
            throw Failure(EXIT_INPUT, in + ": not an enveloped key (SM2EnvelopedKey of GB/T 35276)",
                          "omit --enveloped-for for other keys");
        check(err, in);
    }

    void check_options(const Context &ctx) const
    {
        refuse_two_stdins({in, opener, password.file, fresh.file});
        refuse_same_file({out}, {form == "spki" ? in : "", opener, password.file, fresh.file});
        refuse_output(out, force);
        refuse_stdout(out, ctx.json, coding == "der");
        const bool locked = encrypt || fresh.given();
        if (locked && plain)
            throw Failure(EXIT_USAGE, "--plain and a new password exclude each other", "omit one");
        if (locked && form != "pkcs8")
            throw Failure(EXIT_USAGE, "only pkcs8 can be encrypted", "omit --format");
        lock.check(locked);
    }

    int run(Context &ctx)
    {
        check_options(ctx);
        AnyKey key;
        key.from.alg = alg;
        if (!opener.empty()) open_envelope(ctx, key);
        else
            load_any_key(ctx, key, in, password, form == "spki" ? Need::Public : Need::Private,
                         curve);
        refuse_foreign_options(key.alg(), form, content);
        const bool locked = encrypt || fresh.given();
        if (!opener.empty() && !locked && !plain && form != "spki")
            throw Failure(
                EXIT_USAGE, in + ": enveloped, and no password for the new file was given",
                "give --new-password-file or --encrypt, or --plain to store it in the clear");
        if (key.is_encrypted() && !locked && !plain && form != "spki")
            throw Failure(
                EXIT_USAGE, in + ": encrypted, and no password for the new file was given",
                "give --new-password-file or --encrypt, or --plain to store it in the clear");
        if (opener.empty() && !key.is_encrypted() && password.given() && !locked && form != "spki")
            throw Failure(EXIT_USAGE, in + ": not encrypted, so it needs no password",
                          "to encrypt the new file use --new-password-file or --encrypt");
        const Secret pass = locked ? fresh.get(out.empty() ? "the new file" : out, true) : Secret();
        const ty_key_form as = form == "spki" ? TY_KEY_SPKI : form == "sec1" ? TY_KEY_SEC1 : locked
            ? lock.form() : TY_KEY_PKCS8;
        const ty_key_coding how = coding == "der" ? TY_KEY_DER : TY_KEY_PEM;
        const Secret text = as == TY_KEY_SPKI
                                ? key.public_file(how)
                                : key.private_file(as, new_content(key), how,
                                                   locked ? &pass : nullptr, lock.iterations);
        Output file(out, output_flags(force, as == TY_KEY_SPKI ? 0u : unsigned(Output::PRIVATE)));
        file.write(text.data(), text.size());
        file.commit();
        ctx.result["file"] = in;
        ctx.result["output"] = file.name();
        ctx.result["encrypted"] = locked;
        ctx.result["fingerprint"] = key.fingerprint();
        return EXIT_GOOD;
    }

    /* The content of the old file, unless --content is given. A seed cannot be computed from the
     * expanded key. */
    ty_mldsa_content new_content(const AnyKey &key) const
    {
        const ty_mldsa_content c = content.empty() ? key.file.content : content_of(content);
        if (key.is_mldsa() && c != TY_MLDSA_EXPANDED && !key.mldsa.has_seed)
            throw Failure(EXIT_USAGE, in + ": holds no seed, and none can be computed",
                          "omit --content");
        return c;
    }
};

void add_keys(CLI::App &root, Context &ctx)
{
    const auto gen = std::make_shared<Keygen>();
    CLI::App *app =
        add_verb(&root, ctx, "keygen", "Make a private key", [gen, &ctx] { return gen->run(ctx); });
    gen->alg_option =
        add_choice(app, "--alg", gen->alg, key_algs(), "Algorithm")->capture_default_str();
    add_curve_option(
        app, gen->curve,
        "A key on this binary curve: a name in tongyu curve list, an OID, or a curve file");
    add_path(app, "-o,--out", gen->out, "Private key file, readable only by you");
    add_path(app, "--pub", gen->pub, "Write the public key to FILE as well");
    add_choice(app, "--format", gen->form, { "pkcs8", "sec1" }, "Form of the private key")
        ->capture_default_str();
    add_content(app, gen->content);
    add_choice(app, "--coding", gen->coding, { "pem", "der" }, "Coding of the files")
        ->capture_default_str();
    app->add_flag("--encrypt", gen->encrypt,
                  "Encrypt the file under a password that is asked for on the terminal");
    gen->password.add_options(app, "to encrypt the file with");
    gen->lock.add_options(app);
    add_force(app, gen->force);
    app->footer("Examples:\n  tongyu keygen --alg sm2 -o key.pem --pub pub.pem\n"
                "  tongyu keygen --alg sm2 --password-file secret.txt -o key.pem\n"
                "  tongyu keygen --alg ml-dsa-65 -o key.pem --pub pub.pem\n"
                "  tongyu keygen --curve sect233r1 -o key.pem --pub pub.pem");

    const auto pub = std::make_shared<Pubkey>();
    app = add_verb(&root, ctx, "pubkey",
                   "Print the public key of a private key, certificate or request",
                   [pub, &ctx] { return pub->run(ctx); });
    add_path(app, "-k,--key,key", pub->in, "Key file; - is stdin")->required();
    add_path(app, "-o,--out", pub->out, "Public key file (default: stdout)");
    add_choice(
        app, "--format", pub->format, { "pem", "der", "hex" },
        "SubjectPublicKeyInfo as PEM or DER, or digits: 04||x||y, or the ML-DSA public key alone")
        ->capture_default_str();
    app->add_flag("--compressed", pub->compressed,
                  "Binary curves: the point's short form, 02|03||x");
    add_curve_option(app, pub->curve);
    add_seed_alg(app, pub->alg);
    pub->password.add_opening_options(app, "of the key");
    add_force(app, pub->force);
    app->footer(
        "Examples:\n  tongyu pubkey key.pem -o pub.pem\n  tongyu pubkey --format hex key.pem");

    const auto con = std::make_shared<Convert>();
    app = add_verb(&root, ctx, "convert",
                   "Write a key in another form or coding, or under another password",
                   [con, &ctx] { return con->run(ctx); });
    add_path(app, "-k,--key,key", con->in, "Key file; - is stdin")->required();
    add_path(app, "-o,--out", con->out, "New key file (default: stdout)");
    add_choice(app, "--format", con->form, { "pkcs8", "sec1", "spki" }, "Form of the new file")
        ->capture_default_str();
    add_content(app, con->content);
    add_choice(app, "--coding", con->coding, { "pem", "der" }, "Coding of the new file")
        ->capture_default_str();
    add_curve_option(app, con->curve);
    add_seed_alg(app, con->alg);
    add_path(app, "--enveloped-for", con->opener,
             "The key is enveloped (GB/T 35276) for this SM2 private key, which opens it");
    con->password.add_opening_options(app, "of the old key, or of the key that opens it,");
    con->fresh.add_options(app, "for the new file", "--new-");
    app->add_flag("--encrypt", con->encrypt,
                  "Encrypt the new file under a password that is asked for on the terminal");
    app->add_flag("--plain", con->plain, "Write an encrypted key in the clear");
    con->lock.add_options(app);
    add_force(app, con->force);
    app->footer("Examples:\n  tongyu convert --encrypt -o locked.pem key.pem\n"
                "  tongyu convert --encrypt --cipher aes-256-cbc -o for-everybody.pem locked.pem");
}
