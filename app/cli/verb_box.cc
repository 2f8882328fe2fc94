/* encrypt, decrypt: sealed files (.ty), for public keys or for a password. */
#include "context.hpp"
#include "io.hpp"
#include "keys.hpp"
#include "tongyu/box.h"

#include <cstdio>
#include <memory>

struct Encrypt {
    std::vector<std::string> keys;
    std::string in = "-", out;
    Password password;
    bool ask = false, force = false;
    uint32_t iterations = TY_BOX_ITERATIONS;

    void start(Context &ctx, Wiped<ty_box> &box, Output &file)
    {
        uint8_t header[TY_BOX_HEADER_MAX];
        size_t len = sizeof header;
        if (keys.empty()) {
            const Secret pass = password.get(in == "-" ? "the sealed file" : in, true);
            check(ty_box_seal_password(&box, header, &len, pass.data(), pass.size(), iterations, ty_rng_system()),
                  "sealing");
        } else {
            std::vector<ty_sm2_pub> pubs;
            for (const auto &name : keys) {
                Wiped<ty_key> k;
                load_key(ctx, k, name, Password(), Need::Public);
                for (size_t i = 0; i < pubs.size(); i++)
                    if (ty_equal(&pubs[i], &k.pub, sizeof k.pub))
                        throw Failure(EXIT_USAGE, name + ": the same key as " + keys[i] + ", for one reader twice", "omit one of them");
                pubs.push_back(k.pub);
            }
            check(ty_box_seal_pub(&box, header, &len, pubs.data(), pubs.size(), ty_rng_system()), "sealing");
        }
        file.write(header, len);
    }

    int run(Context &ctx)
    {
        password.ask = ask;
        if (keys.empty() == !password.given())
            throw Failure(EXIT_USAGE,
                          keys.empty() ? "encrypt for whom?" : "a file is sealed for keys or for a password, not both",
                          "give -k pub.pem (again for each reader), or --password, --password-file, --password-env");
        if (keys.size() > TY_BOX_RECIPIENTS_MAX) throw Failure(EXIT_USAGE, "at most 16 readers are possible",
                                                               "omit some");
        std::vector<std::string> inputs = keys;
        inputs.push_back(password.file);
        refuse_same_file({out}, inputs);   /* in may be replaced by what it becomes */
        inputs.push_back(in);
        refuse_two_stdins(inputs);
        refuse_stdout(out, ctx.json, true);
        Input source(in);
        Output file(out, output_flags(force));
        Wiped<ty_box> box;
        start(ctx, box, file);

        /* One chunk is read ahead: the chunk after which nothing follows is the last. */
        Secret now(TY_BOX_CHUNK), next(TY_BOX_CHUNK), sealed(TY_BOX_CHUNK + TY_BOX_TAG);
        Progress bar(source.name(), source.size(), !ctx.quiet);
        uint64_t total = 0;
        for (size_t n = source.read(now.data(), TY_BOX_CHUNK);;) {
            const size_t ahead = n == TY_BOX_CHUNK ? source.read(next.data(), TY_BOX_CHUNK) : 0;
            check(ty_box_seal(&box, sealed.data(), now.data(), n, ahead == 0), "sealing");
            file.write(sealed.data(), n + TY_BOX_TAG);
            bar.add(n);
            total += n;
            if (ahead == 0) break;
            now.swap(next);
            n = ahead;
        }
        file.commit();
        ctx.result["file"] = source.name();
        ctx.result["output"] = file.name();
        ctx.result["bytes"] = total;
        ctx.result["sealed_for"] = keys.empty() ? Json("password") : Json(keys);
        return EXIT_GOOD;
    }
};

struct Decrypt {
    std::string key, in = "-", out;
    Password password;
    bool ask = false, force = false;

    [[noreturn]] static void not_sealed(const std::string &name)
    {
        throw Failure(EXIT_INPUT, name + ": not a sealed file",
                      "check the name; raw ciphertexts are for tongyu cipher -d or tongyu sm2 decrypt");
    }

    void open_header(Context &ctx, ty_box &box, const ty_box_info &info, const Secret &header,
                     const std::string &name) const
    {
        ty_err err;
        if (info.kind == TY_BOX_PASSWORD) {
            if (!key.empty()) throw Failure(EXIT_USAGE, name + ": sealed for a password, not for keys",
                                            "omit -k and give the password");
            password.check_iterations(name, info.iterations);
            const Secret pass = password.get(name, false);
            err = ty_box_open_password(&box, header.data(), header.size(), pass.data(), pass.size(), info.iterations);
            if (err == TY_ERR_VERIFY) throw Failure(EXIT_REFUSED, name + ": wrong password, or the file is damaged",
                                                    "nothing was written");
        } else {
            if (key.empty()) throw Failure(EXIT_USAGE, name + ": sealed for keys, not for a password",
                                           "give the private key with -k");
            Wiped<ty_key> k;
            load_key(ctx, k, key, password, Need::Private);
            err = ty_box_open_key(&box, header.data(), header.size(), &k.sm2);
            if (err == TY_ERR_KEY) throw Failure(EXIT_REFUSED, name + ": not sealed for this key",
                                                 "use another key with -k");
            if (err == TY_ERR_VERIFY) throw Failure(EXIT_REFUSED, name + ": the header is damaged",
                                                    "nothing was written");
        }
        check(err, name, "nothing was written");
    }

    uint64_t open_chunks(Wiped<ty_box> &box, Input &source, Output &file, bool progress) const
    {
        constexpr size_t full = TY_BOX_CHUNK + TY_BOX_TAG;
        Secret now(full), next(full), plain(TY_BOX_CHUNK);
        Progress bar(source.name(), source.size(), progress);
        uint64_t total = 0;
        for (size_t n = source.read(now.data(), full);;) {
            const size_t ahead = n == full ? source.read(next.data(), full) : 0;
            /* A cut that leaves less than a tag is a tag that does not verify, like a cut anywhere else. */
            const ty_err err = n < TY_BOX_TAG ? TY_ERR_VERIFY
                                              : ty_box_open(&box, plain.data(), now.data(), n, ahead == 0);
            if (err == TY_ERR_VERIFY || err == TY_ERR_FORMAT)
                throw Failure(EXIT_REFUSED, source.name() + ": damaged, cut or altered (in the chunk at byte " +
                              std::to_string(total) + ")",
                              "nothing was written; get the file again");
            check(err, source.name(), "nothing was written");
            file.write(plain.data(), n - TY_BOX_TAG);
            bar.add(n);
            total += n - TY_BOX_TAG;
            if (ahead == 0) return total;
            now.swap(next);
            n = ahead;
        }
    }

    int run(Context &ctx)
    {
        password.ask = ask;
        if (key.empty() && !password.given())
            throw Failure(EXIT_USAGE, "decrypt with what?",
                          "give -k key.pem, or --password, --password-file, --password-env");
        refuse_two_stdins({in, key, password.file});
        refuse_same_file({out}, {key, password.file});
        refuse_stdout(out, ctx.json, false);
        refuse_output(out, force);
        Input source(in);
        Secret header(TY_BOX_HEADER_MAX);
        ty_box_info info;
        if (source.read(header.data(), TY_BOX_PREFIX) < TY_BOX_PREFIX) not_sealed(source.name());
        const ty_err err = ty_box_peek(&info, header.data(), TY_BOX_PREFIX);
        if (err == TY_ERR_FORMAT) not_sealed(source.name());
        check(err, source.name(), "it may need a newer tongyu");
        header.shrink(info.header_len);
        const size_t more = info.header_len - TY_BOX_PREFIX;
        if (source.read(header.data() + TY_BOX_PREFIX, more) < more)
            throw Failure(EXIT_REFUSED, source.name() + ": cut off in the header",
                          "nothing was written; get the file again");
        Wiped<ty_box> box;
        open_header(ctx, box, info, header, source.name());

        Output file(out, output_flags(force, Output::PRIVATE | Output::HOLD));
        const uint64_t total = open_chunks(box, source, file, !ctx.quiet);
        file.commit();
        ctx.result["file"] = source.name();
        ctx.result["output"] = file.name();
        ctx.result["bytes"] = total;
        ctx.result["sealed_for"] = info.kind == TY_BOX_PASSWORD ? "password" : "keys";
        return EXIT_GOOD;
    }
};

void add_box(CLI::App &root, Context &ctx)
{
    const auto enc = std::make_shared<Encrypt>();
    CLI::App *app = add_verb(&root, ctx, "encrypt", "Seal a file for public keys or a password",
                             [enc, &ctx] { return enc->run(ctx); });
    app->add_option("-k,--key", enc->keys, "Public key of a reader; may be given up to 16 times")
        ->type_name("FILE")->allow_extra_args(false);   /* one value each time */
    app->add_flag("--password", enc->ask, "Ask for a password on the terminal");
    enc->password.add_options(app, "to seal the file with");
    add_number(app, "--iterations", enc->iterations, 1000, TY_BOX_ITERATIONS_MAX,
               "PBKDF2 iterations: what each guess of the password costs")
        ->capture_default_str();
    add_path(app, "file", enc->in, "File to seal (default: stdin)");
    add_path(app, "-o,--out", enc->out, "Sealed file (.ty) (default: stdout)");
    add_force(app, enc->force);
    app->footer("Examples:\n  tongyu encrypt -k pub.pem -o letter.ty letter.txt\n"
                "  tar c photos | tongyu encrypt --password-file secret.txt -o photos.ty");

    const auto dec = std::make_shared<Decrypt>();
    app = add_verb(&root, ctx, "decrypt", "Open a sealed file; nothing is written unless all of it verifies",
                   [dec, &ctx] { return dec->run(ctx); });
    add_path(app, "-k,--key", dec->key, "Private key");
    app->add_flag("--password", dec->ask, "Ask for the password on the terminal");
    dec->password.max_iterations = TY_BOX_ITERATIONS_MAX;   /* what is sealed here is opened without further words */
    dec->password.add_opening_options(app, "of the file, or with -k of the key");
    add_path(app, "file", dec->in, "Sealed file (default: stdin)");
    add_path(app, "-o,--out", dec->out, "Plain file, readable only by you (default: stdout)");
    add_force(app, dec->force);
    app->footer("Examples:\n  tongyu decrypt -k key.pem -o letter.txt letter.ty\n"
                "  tongyu decrypt --password photos.ty | tar x");
}
