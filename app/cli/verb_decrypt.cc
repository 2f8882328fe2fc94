/* decrypt: sealed files (.ty), opened with a private key or a password. */
#include "armor.hpp"
#include "keys.hpp"
#include "many.hpp"
#include "system.hpp"
#include "tongyu/box.h"

#include <memory>

struct Decrypt {
    Many many;
    std::vector<std::string> keys;
    std::string out;
    Password password;
    Secret pass;                                          /* of the files */
    std::vector<std::unique_ptr<Wiped<ty_key>>> loaded;   /* read from the files in keys */
    bool ask = false, force = false, stream = false;

    [[noreturn]] static void not_sealed(const std::string &name)
    {
        throw Failure(
            EXIT_INPUT, name + ": not a sealed file",
            "check the name; raw ciphertexts are for tongyu cipher -d or tongyu sm2 decrypt");
    }

    /* Loads the next key. */
    void load_next(Context &ctx)
    {
        auto key = std::make_unique<Wiped<ty_key>>();
        load_key(ctx, *key, keys[loaded.size()], password, Need::Private);
        loaded.push_back(std::move(key));
    }

    /* Loads what threads share to open files: the keys, or the password if there are no keys. */
    void load(Context &ctx, const std::string &name)
    {
        if (keys.empty() && pass.empty()) pass = password.get(name, false);
        while (loaded.size() < keys.size()) load_next(ctx);
    }

    ty_err open_for_password(ty_box &box, const ty_box_info &info, const Secret &header) const
    {
        if (info.kind == TY_BOX_PASSWORD)
            return ty_box_open_password(&box, header.data(), header.size(), pass.data(),
                                        pass.size(), info.iterations);
        ScryptMemory room(info.memory);
        return ty_box_open_scrypt(&box, header.data(), header.size(), pass.data(), pass.size(),
                                  room.data(), room.size());
    }

    void open_header(Context &ctx, ty_box &box, const ty_box_info &info, const Secret &header,
                     const std::string &name)
    {
        ty_err err = TY_ERR_KEY;
        if (info.kind != TY_BOX_SM2) {
            if (!keys.empty())
                throw Failure(EXIT_USAGE, name + ": sealed for a password, not for keys",
                              "omit -k and give the password");
            password.check_iterations(name, info.iterations, TY_BOX_ITERATIONS_MAX);
            load(ctx, name);
            err = open_for_password(box, info, header);
            if (err == TY_ERR_VERIFY)
                throw Failure(EXIT_REFUSED, name + ": wrong password, or the file is damaged",
                              "nothing was written");
        } else {
            if (keys.empty())
                throw Failure(EXIT_USAGE, name + ": sealed for keys, not for a password",
                              "give the private key with -k");
            for (size_t i = 0; i < keys.size() && err == TY_ERR_KEY; i++) {
                if (i == loaded.size()) load_next(ctx);   /* only now: it may need a password */
                err = ty_box_open_key(&box, header.data(), header.size(), &loaded[i]->sm2);
            }
            if (err == TY_ERR_KEY)
                throw Failure(EXIT_REFUSED,
                              name + (keys.size() > 1 ? ": not sealed for any of these keys"
                                                      : ": not sealed for this key"),
                              "use another key with -k");
            if (err == TY_ERR_VERIFY)
                throw Failure(EXIT_REFUSED, name + ": the header is damaged",
                              "nothing was written");
        }
        check(err, name, "nothing was written");
    }

    Secret read_header(SealedInput &source, ty_box_info &info) const
    {
        Secret header(TY_BOX_HEADER_MAX);
        if (source.read(header.data(), TY_BOX_PREFIX) < TY_BOX_PREFIX) not_sealed(source.name());
        const ty_err err = ty_box_peek(&info, header.data(), TY_BOX_PREFIX);
        if (err == TY_ERR_FORMAT) not_sealed(source.name());
        check(err, source.name(), "it may need a newer tongyu");
        header.shrink(info.header_len);
        const size_t more = info.header_len - TY_BOX_PREFIX;
        if (source.read(header.data() + TY_BOX_PREFIX, more) < more)
            throw Failure(EXIT_REFUSED, source.name() + ": cut off in the header",
                          "nothing was written; get the file again");
        return header;
    }

    /* Reports damage after total bytes of plaintext, and whether those bytes were released. */
    [[noreturn]] void damaged(const std::string &name, uint64_t total) const
    {
        const std::string place =
            name + ": damaged, cut or altered (in the chunk at byte " + std::to_string(total) + ")";
        if (!stream || total == 0)
            throw Failure(EXIT_REFUSED, place, "nothing was written; get the file again");
        throw Failure(EXIT_REFUSED, place,
                      "the " + std::to_string(total) +
                          " bytes before it were released, and are not all of the file: "
                          "do not use them, and get the file again");
    }

    uint64_t open_chunks(ty_box &box, SealedInput &source, Output &file, Progress &bar) const
    {
        constexpr size_t full = TY_BOX_CHUNK + TY_BOX_TAG;
        Secret now(full), next(full), plain(TY_BOX_CHUNK);
        uint64_t total = 0;
        const auto read = [&](Secret &to) {
            try {
                return source.read(to.data(), full);
            } catch (const Failure &f) {   /* damaged armor is reported in the same way */
                if (f.status != EXIT_REFUSED) throw;
                damaged(source.name(), total);
            }
        };
        for (size_t n = read(now);;) {
            const size_t ahead = n == full ? read(next) : 0;
            /* A last chunk shorter than a tag is reported as a tag that does not verify, like a cut
             * anywhere else. */
            const ty_err err = n < TY_BOX_TAG
                                   ? TY_ERR_VERIFY
                                   : ty_box_open(&box, plain.data(), now.data(), n, ahead == 0);
            if (err == TY_ERR_VERIFY || err == TY_ERR_FORMAT) damaged(source.name(), total);
            check(err, source.name(), "nothing was written");
            file.write(plain.data(), n - TY_BOX_TAG);
            bar.add(n);
            total += n - TY_BOX_TAG;
            if (ahead == 0) return total;
            now.swap(next);
            n = ahead;
        }
    }

    void open(Context &ctx, FileJob &job, Progress &bar)
    {
        SealedInput source(job.in);
        ty_box_info info;
        const Secret header = read_header(source, info);
        Wiped<ty_box> box;
        open_header(ctx, box, info, header, source.name());
        Output file(job.out,
                    output_flags(force, Output::PRIVATE | (stream ? 0u : unsigned(Output::HOLD))));
        const uint64_t total = open_chunks(box, source, file, bar);
        file.commit();
        job.row = {{"file", source.name()},
                   {"output", file.name()},
                   {"bytes", total},
                   {"sealed_for", info.kind == TY_BOX_SM2 ? "keys" : "password"}};
    }

    static std::string plain_name(const std::string &in, const std::string &dir)
    {
        if (in.size() < 4 || in.compare(in.size() - 3, 3, ".ty") != 0 ||
            ends_directory(in[in.size() - 4]))
            throw Failure(
                EXIT_USAGE,
                in + ": does not end in .ty, so the name of the plain file is not known",
                "open it alone, and name the plain file with -o");
        return name_beside(in.substr(0, in.size() - 3), "", dir);
    }

    int run(Context &ctx)
    {
        password.ask = ask;
        password.shared = keys.size() > 1;
        if (keys.empty() && !password.given())
            throw Failure(EXIT_USAGE, "neither a key nor a password was given",
                          "give -k key.pem, or --password, --password-file, --password-env");
        const GroupWork work = [this, &ctx](FileJob *jobs, size_t n, Progress &bar) {
            for (size_t i = 0; i < n; i++) jobs[i].attempt([&] { open(ctx, jobs[i], bar); });
        };
        std::vector<std::string> inputs = keys;
        inputs.push_back(password.file);
        many.take_directory(out);
        if (stream && (many.each() || !(or_dash(out) == "-" || is_special(out))))
            throw Failure(
                EXIT_USAGE,
                "--stream is for pipes and devices: an output file appears when it is complete",
                "omit --stream, or -o");
        if (many.each()) {
            auto jobs = many.plan(out, inputs, force,
                                  [&](const std::string &in) { return plain_name(in, out); });
            load(ctx, "the sealed files");
            return run_many(ctx, jobs, many.threads, "opened", work);
        }
        FileJob job;
        job.in = many.only();
        job.out = out;
        refuse_same_file({out}, inputs);
        inputs.push_back(job.in);
        refuse_two_stdins(inputs);
        refuse_stdout(out, ctx.json, false);
        refuse_output(out, force);
        return run_one(ctx, job, work);
    }
};

void add_decrypt(CLI::App &root, Context &ctx)
{
    const auto dec = std::make_shared<Decrypt>();
    CLI::App *app = add_verb(&root, ctx, "decrypt",
                             "Open sealed files; nothing is written unless all of a file verifies",
                             [dec, &ctx] { return dec->run(ctx); });
    app->add_option("-k,--key", dec->keys,
                    "Private key; may be repeated; the one that fits is used")
        ->type_name("FILE")
        ->allow_extra_args(false);
    app->add_flag("--password", dec->ask, "Ask for the password on the terminal");
    dec->password.add_opening_options(app, "of the file, or with -k of the key,");
    dec->password.max_option->default_str(std::to_string(TY_BOX_ITERATIONS_MAX) + "; of a key " +
                                          std::to_string(KEY_ITERATIONS_MAX));
    dec->many.add_options(
        app, "Sealed files (default: stdin); with several, each FILE.ty is opened into FILE");
    add_path(app, "-o,--out", dec->out,
             "Plain file, readable only by you (default: stdout); for several files, a directory");
    dec->many.add_beside(app, "Open FILE.ty into FILE even if there is just one");
    app->add_flag("--stream", dec->stream,
                  "To a pipe: release each chunk (64 KiB) when it is verified, before the rest is. "
                  "The reader of the pipe must wait for exit status 0: after 1 the released chunks "
                  "are genuine, but not all of the file");
    add_force(app, dec->force);
    app->footer("Examples:\n  tongyu decrypt -k key.pem -o letter.txt letter.ty\n"
                "  tongyu decrypt --password photos.ty | tar x");
}
