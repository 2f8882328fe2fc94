/* sign: signatures over files of any length, with SM2, ML-DSA, ECDSA or DSTU 4145, depending on the
 * key and --scheme. */
#include "engine.hpp"
#include "many.hpp"
#include "signing.hpp"
#include "tongyu/dstu4145.h"
#include "tongyu/ecdsa.h"
#include "tongyu/mldsa_many.h"
#include "tongyu/sm2_many.h"

#include <memory>

struct Sign {
    Many many;
    std::string key, out;
    Signing how;
    Engine engine;
    ty_accel *device = nullptr;   /* with --engine sim */
    Password password;
    AnyKey k;
    bool raw = false, hex = false, base64 = false, force = false, deterministic = false,
         json = false;

    const ty_rng *rng() const { return deterministic ? nullptr : ty_rng_system(); }

    /* The value to sign for a file that could be read, and its signature. */
    struct Part {
        FileJob *job;
        Secret what, sig;
    };

    Secret on_curve(const Secret &digest) const
    {
        const ty_ec_curve *curve = k.ec.pub.curve;
        Secret sig(2 * ty_ec_order_len(curve)), der(TY_ECDSA_DER_MAX);
        if (device)
            check(ty_accel_ecdsa_sign(device, sig.data(), digest.data(), digest.size(), &k.ec,
                                      rng()),
                  "signing on the accelerator");
        else
            check((how.dstu() ? ty_dstu4145_sign : ty_ecdsa_sign)(sig.data(), digest.data(),
                                                                  digest.size(), &k.ec, rng()),
                  "signing");
        if (raw || how.dstu()) return sig;   /* DSTU 4145 has one form, L(r || s) */
        size_t der_len = 0;
        ty_ecdsa_sig_to_der(der.data(), &der_len, sig.data(), curve);
        der.shrink(der_len);
        return der;
    }

    /* Signs a group in one call. Against faults, the library checks the points that it computes for
     * SM2 and on binary curves; a signature of ML-DSA is verified here before it is output. */
    void by_sm2(std::vector<Part> &parts) const
    {
        std::vector<ty_sm2_sign_job> batch;
        for (Part &p : parts) {
            p.sig = Secret(64);
            batch.push_back(
                {p.sig.data(), p.what.data(), nullptr, 0, nullptr, 0, &k.sm2.sm2, TY_OK});
        }
        if ((deterministic ? ty_sm2_many_sign_deterministic(batch.data(), batch.size())
                           : ty_sm2_many_sign(batch.data(), batch.size(), rng())) == TY_OK) {
        }   /* each job has its own error */
        for (size_t i = 0; i < parts.size(); i++)
            parts[i].job->attempt([&] {
                check(batch[i].err, "signing");
                if (raw) return;
                Secret der(TY_SM2_SIG_DER_MAX);
                size_t len = 0;
                ty_sm2_sig_to_der(der.data(), &len, parts[i].sig.data());
                der.shrink(len);
                parts[i].sig = std::move(der);
            });
    }

    void by_mldsa(std::vector<Part> &parts) const
    {
        std::vector<ty_mldsa_sign_job> batch;
        std::vector<ty_mldsa_verify_job> again;
        for (Part &p : parts) {
            p.sig = Secret(ty_mldsa_sig_len(k.mldsa.pub.set));
            batch.push_back({p.sig.data(), p.sig.size(), p.what.data(), nullptr, 0, nullptr, 0,
                             &k.mldsa, nullptr, TY_OK});
            again.push_back({p.sig.data(), p.sig.size(), p.what.data(), nullptr, 0, nullptr, 0,
                             &k.mldsa.pub, nullptr, TY_OK});
        }
        if (ty_mldsa_many_sign(batch.data(), batch.size(), rng()) == TY_OK) {}
        if (ty_mldsa_many_verify(again.data(), again.size()) == TY_OK) {}
        for (size_t i = 0; i < parts.size(); i++)
            parts[i].job->attempt([&] {
                check(batch[i].err ? batch[i].err : again[i].err ? TY_ERR_FAULT : TY_OK, "signing");
            });
    }

    void write(FileJob &job, const Secret &sig) const
    {
        if (!many.each()) job.row["signature"] = to_hex(sig.data(), sig.size());
        if (json && job.out.empty()) return;
        Output file(job.out, output_flags(force));
        if (hex) file.write(to_hex(sig.data(), sig.size()) + "\n");
        else if (base64) file.write(to_base64(sig.data(), sig.size()) + "\n");
        else file.write(sig.data(), sig.size());
        file.commit();
        job.row["output"] = file.name();
    }

    void group(FileJob *jobs, size_t n, Progress &bar) const
    {
        std::vector<Part> parts;
        for (FileJob *job = jobs; job < jobs + n; job++)
            job->attempt([&] {
                uint64_t len = 0;
                if (many.each()) refuse_output(job->out, force);
                Input message(job->in);
                parts.push_back({job, how.to_sign(message, k, len, bar), Secret()});
                job->row = {{"file", message.name()}, {"bytes", len}};
            });
        if (k.is_sm2()) by_sm2(parts);
        else if (k.is_mldsa()) by_mldsa(parts);
        else
            for (Part &p : parts) p.job->attempt([&] { p.sig = on_curve(p.what); });
        for (Part &p : parts) p.job->attempt([&] { write(*p.job, p.sig); });
    }

    void load(Context &ctx)
    {
        k.from.alg = how.alg;
        load_any_key(ctx, k, key, password, Need::Private, how.curve);
        how.fit(k);
        if (k.is_mldsa() && raw)
            throw Failure(EXIT_USAGE,
                          "--raw is for SM2 and ECDSA; an ML-DSA signature has one form",
                          "omit it");
        if (engine.simulated())
            device = engine.ecdsa_device(k.is_ec() ? k.ec.pub.curve : nullptr, how.dstu(),
                                         many.each());
        how.describe(ctx.result, k);
        ctx.result["format"] = raw || k.is_mldsa() || how.dstu() ? "raw" : "der";
    }

    int run(Context &ctx)
    {
        const GroupWork work = [this](FileJob *jobs, size_t n, Progress &bar) {
            group(jobs, n, bar);
        };
        json = ctx.json;
        many.take_directory(out);
        if (many.each()) {
            auto jobs = many.plan(out, {key, password.file}, force, [&](const std::string &in) {
                return name_beside(in, ".sig", out);
            });
            load(ctx);
            return run_many(ctx, jobs, many.threads, "signed", work);
        }
        FileJob job;
        job.in = many.only();
        job.out = out;
        refuse_two_stdins({key, job.in, password.file});
        refuse_same_file({out}, {key, job.in, password.file});
        refuse_output(out, force);
        if (ctx.json && out == "-")
            throw Failure(EXIT_USAGE, "--json and the signature cannot both go to stdout",
                          "omit -o or name a file");
        if (!ctx.json && !hex && !base64) refuse_stdout(out, false, true);
        load(ctx);
        const int status = run_one(ctx, job, work);
        engine.report(ctx.result);
        return status;
    }
};

void add_sign(CLI::App &root, Context &ctx)
{
    const auto sign = std::make_shared<Sign>();
    CLI::App *app =
        add_verb(&root, ctx, "sign",
                 "Sign files (SM2 with SM3, ML-DSA, ECDSA or DSTU 4145, depending on the key)",
                 [sign, &ctx] { return sign->run(ctx); });
    add_path(app, "-k,--key", sign->key, "Private key")->required();
    sign->many.add_options(app, "Files to sign (default: stdin); with several, the signature of "
                                "each is written to FILE.sig beside it");
    add_path(
        app, "-o,--out", sign->out,
        "Signature file (default: stdout); for several files, the directory of the signatures");
    sign->many.add_beside(app, "Write FILE.sig beside the file even if there is just one");
    app->add_flag("--raw", sign->raw, "SM2, ECDSA: write the bytes r||s instead of DER");
    auto *hex = app->add_flag("--hex", sign->hex, "Write hexadecimal digits instead of bytes");
    app->add_flag("--base64", sign->base64, "Write base64 instead of bytes")->excludes(hex);
    sign->how.add_options(app);
    sign->engine.add_option(app);
    app->add_flag("--deterministic", sign->deterministic,
                  "Use no randomness (SM2, ECDSA: RFC 6979): a file always has the same signature");
    sign->password.add_opening_options(app, "of the key");
    add_force(app, sign->force);
    app->footer("Examples:\n  tongyu sign -k key.pem -o letter.sig letter.txt\n"
                "  tongyu sign -k key.pem *.pdf             each gets its .sig; tongyu verify -k "
                "pub.pem *.pdf finds them\n"
                "  openssl dgst -sm3 -verify pub.pem -signature letter.sig -sigopt "
                "distid:1234567812345678 letter.txt\n"
                "  tongyu sign -k mldsa.pem --context invoices -o letter.sig letter.txt\n"
                "  tongyu sign -k sect233r1.pem --hash sha256 -o letter.sig letter.txt\n"
                "  tongyu sign -k dstu257.pem --scheme dstu4145 -o letter.sig letter.txt");
}
