/* encrypt: sealed files (.ty), for public keys or for a password. */
#include "armor.hpp"
#include "keys.hpp"
#include "many.hpp"
#include "recipients.hpp"
#include "tongyu/box.h"

#include <memory>

struct Encrypt {
    Many many;
    std::vector<std::string> keys;
    std::string list, out, kdf;
    Password password;
    Secret pass;
    std::vector<ty_sm2_pub> pubs;
    bool ask = false, force = false, armor = false;
    uint32_t iterations = TY_BOX_ITERATIONS, memory = 128;
    CLI::Option *iterations_option = nullptr, *memory_option = nullptr;

    bool for_keys() const { return !keys.empty() || !list.empty(); }
    bool by_scrypt() const { return kdf == "scrypt"; }

    void check_options() const
    {
        const auto refuse = [](const std::string &what, const std::string &next) {
            throw Failure(EXIT_USAGE, what, next);
        };
        if (for_keys() == password.given())
            refuse(for_keys() ? "a file is sealed for keys or for a password, not both"
                              : "neither a public key nor a password was given",
                   "give -k pub.pem (again for each reader), or --password, --password-file, "
                   "--password-env");
        if (for_keys()) {
            if (!kdf.empty()) refuse("--kdf is for passwords", "omit it");
            if (memory_option->count()) refuse("--memory is for passwords", "omit it");
            if (iterations_option->count()) refuse("--iterations is for passwords", "omit it");
        }
        if (by_scrypt() && iterations_option->count())
            refuse("--iterations belongs to PBKDF2", "scrypt has --memory");
        if (!by_scrypt() && memory_option->count())
            refuse("--memory belongs to scrypt", "give --kdf scrypt as well");
        if (memory & (memory - 1))
            refuse("--memory " + std::to_string(memory) + " is not a power of two",
                   "give 1, 2, 4, ... 1024");
    }

    /* Loads what every file needs, before the first is opened. */
    void prepare(Context &ctx)
    {
        if (!for_keys()) {
            pass = password.get(many.each()          ? "the sealed files"
                                : many.only() == "-" ? "the sealed file"
                                                     : many.only(),
                                true);
            ctx.result["sealed_for"] = "password";
            return;
        }
        const Recipients all(ctx, keys, list);
        if (all.pubs.size() > TY_BOX_RECIPIENTS_MAX)
            throw Failure(EXIT_USAGE,
                          "at most " + std::to_string(TY_BOX_RECIPIENTS_MAX) +
                              " readers are possible",
                          "omit some");
        pubs = all.pubs;
        ctx.result["sealed_for"] = all.names;
    }

    /* N = 2^(10 + log2 MiB), r = 8: 128 N r bytes. */
    ty_box_costs costs() const
    {
        uint8_t log_n = 10;
        while ((1u << (log_n - 10)) < memory) log_n++;
        return {log_n, 8, 1};
    }

    void start(ty_box &box, SealedOutput &file) const
    {
        uint8_t header[TY_BOX_HEADER_MAX];
        size_t len = sizeof header;
        const ty_rng *const rng = ty_rng_system();
        if (!pubs.empty()) {
            check(ty_box_seal_pub(&box, header, &len, pubs.data(), pubs.size(), rng), "sealing");
        } else if (by_scrypt()) {
            ScryptMemory room(ty_box_scrypt_memory(costs()));
            check(ty_box_seal_scrypt(&box, header, &len, pass.data(), pass.size(), costs(),
                                     room.data(), room.size(), rng),
                  "sealing");
        } else {
            check(
                ty_box_seal_password(&box, header, &len, pass.data(), pass.size(), iterations, rng),
                "sealing");
        }
        file.write(header, len);
    }

    void seal(FileJob &job, Progress &bar) const
    {
        Input source(job.in);
        Output file(job.out, output_flags(force));
        SealedOutput to(file, armor);
        Wiped<ty_box> box;
        start(box, to);

        /* One chunk is read ahead: the chunk after which nothing follows is the last. */
        Secret now(TY_BOX_CHUNK), next(TY_BOX_CHUNK), sealed(TY_BOX_CHUNK + TY_BOX_TAG);
        uint64_t total = 0;
        for (size_t n = source.read(now.data(), TY_BOX_CHUNK);;) {
            const size_t ahead = n == TY_BOX_CHUNK ? source.read(next.data(), TY_BOX_CHUNK) : 0;
            check(ty_box_seal(&box, sealed.data(), now.data(), n, ahead == 0), "sealing");
            to.write(sealed.data(), n + TY_BOX_TAG);
            bar.add(n);
            total += n;
            if (ahead == 0) break;
            now.swap(next);
            n = ahead;
        }
        to.finish();
        file.commit();
        job.row = {{"file", source.name()}, {"output", file.name()}, {"bytes", total}};
    }

    int run(Context &ctx)
    {
        password.ask = ask;
        check_options();
        const GroupWork work = [this](FileJob *jobs, size_t n, Progress &bar) {
            for (size_t i = 0; i < n; i++) jobs[i].attempt([&] { seal(jobs[i], bar); });
        };
        std::vector<std::string> inputs = keys;
        inputs.insert(inputs.end(), {list, password.file});
        many.take_directory(out);
        if (many.each()) {
            auto jobs = many.plan(out, inputs, force, [&](const std::string &in) {
                return name_beside(in, ".ty", out);
            });
            prepare(ctx);
            return run_many(ctx, jobs, many.threads, "sealed", work);
        }
        FileJob job;
        job.in = many.only();
        job.out = out;
        refuse_same_file({out}, inputs);   /* out may replace the input */
        inputs.push_back(job.in);
        refuse_two_stdins(inputs);
        refuse_stdout(out, ctx.json, !armor);
        refuse_output(out, force);
        prepare(ctx);
        return run_one(ctx, job, work);
    }
};

void add_encrypt(CLI::App &root, Context &ctx)
{
    const auto enc = std::make_shared<Encrypt>();
    CLI::App *app = add_verb(&root, ctx, "encrypt", "Seal files for public keys or a password",
                             [enc, &ctx] { return enc->run(ctx); });
    app->add_option("-k,--key", enc->keys,
                    "Public key of a reader, or a certificate or request with it; up to 16 times")
        ->type_name("FILE")
        ->allow_extra_args(false);   /* one value each time */
    add_path(app, "--recipients", enc->list,
             "File of readers: names of key files, public keys in digits, or keys in PEM");
    app->add_flag("--password", enc->ask, "Ask for a password on the terminal");
    enc->password.add_options(app, "to seal the file with");
    add_choice(app, "--kdf", enc->kdf, {"pbkdf2", "scrypt"},
               "What makes each guess of the password expensive: time, or time and memory "
               "(default: pbkdf2)");
    enc->iterations_option = add_number(app, "--iterations", enc->iterations, 1000,
                                        TY_BOX_ITERATIONS_MAX, "PBKDF2: iterations")
                                 ->capture_default_str();
    enc->memory_option =
        add_number(app, "--memory", enc->memory, 1, 1024, "scrypt: MiB of memory, a power of two")
            ->capture_default_str();
    app->add_flag("--armor", enc->armor,
                  "Write text (base64) instead of bytes; decrypt recognises it");
    enc->many.add_options(
        app, "Files to seal (default: stdin); with several, each is sealed into FILE.ty beside it");
    add_path(
        app, "-o,--out", enc->out,
        "Sealed file (.ty) (default: stdout); for several files, the directory for sealed files");
    enc->many.add_beside(app, "Write FILE.ty beside the file even if there is just one");
    add_force(app, enc->force);
    app->footer("Examples:\n  tongyu encrypt -k pub.pem -o letter.ty letter.txt\n"
                "  tongyu encrypt --recipients team.txt *.pdf\n"
                "  tar c photos | tongyu encrypt --password-file secret.txt -o photos.ty");
}
