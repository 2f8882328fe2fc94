/* verify: signatures of one file, or of many. */
#include "engine.hpp"
#include "many.hpp"
#include "signing.hpp"
#include "tongyu/dstu4145.h"
#include "tongyu/ecdsa_many.h"
#include "tongyu/mldsa_many.h"
#include "tongyu/sm2_many.h"

#include <cstdio>
#include <cstring>
#include <memory>

struct Verify {
    Many many;
    std::string key, sig;
    Signing how;
    Engine engine;
    ty_accel *device = nullptr;   /* with --engine sim */
    Password password;
    AnyKey k;

    /* The value that was signed for a file that could be read, and the signature to verify. */
    struct Part {
        FileJob *job;
        Secret what, theirs;
        Secret bare;   /* of a pipe, which is read once: the digest with an empty identity */
        ty_err err;
    };

    /* Reads r || s from a file that holds it as bytes, as DER, or as digits or base64 of either;
     * format is set to "raw" or "der". */
    Secret read_pair(const std::string &file, std::string &format) const
    {
        const size_t expected = k.is_ec() ? 2 * ty_ec_order_len(k.ec.pub.curve) : 64;
        const std::string kind = how.dstu() ? "DSTU 4145" : k.is_ec() ? "ECDSA" : "SM2";
        Secret s = Input(file).read_all(1024, "a signature of " + kind);
        if (s.size() != expected) s = decode_text(std::move(s));
        format = s.size() == expected ? "raw" : "der";
        if (s.size() == expected) return s;
        if (how.dstu())
            throw Failure(EXIT_INPUT,
                          file + ": not a signature of DSTU 4145 (" + std::to_string(expected) +
                              " bytes, their digits or base64)",
                          "check that it is the right file");
        Secret rs(expected);
        const ty_err err =
            k.is_ec() ? ty_ecdsa_sig_from_der(rs.data(), s.data(), s.size(), k.ec.pub.curve)
                      : ty_sm2_sig_from_der(rs.data(), s.data(), s.size());
        if (err != TY_OK)
            throw Failure(EXIT_INPUT,
                          file + ": not a signature of " + kind + " (neither DER nor " +
                              std::to_string(expected) + " bytes r||s)",
                          "check that it is the right file");
        return rs;
    }

    Secret read_mldsa(const std::string &file) const
    {
        const size_t expected = ty_mldsa_sig_len(k.mldsa.pub.set);
        Secret s = Input(file).read_all(16384, "an ML-DSA signature");
        if (s.size() != expected) s = decode_text(std::move(s));
        if (s.size() != expected)
            throw Failure(EXIT_INPUT,
                          file + ": not a signature of " + k.alg() + " (" +
                              std::to_string(expected) + " bytes, their digits or base64)",
                          "check that it is the right file");
        return s;
    }

    void check_all(std::vector<Part> &parts) const
    {
        std::vector<ty_sm2_verify_job> sm2;
        std::vector<ty_mldsa_verify_job> mldsa;
        std::vector<ty_ecdsa_verify_job> ecdsa;
        for (const Part &p : parts) {
            const Secret &s = p.theirs, &w = p.what;
            if (k.is_sm2())
                sm2.push_back({s.data(), w.data(), nullptr, 0, nullptr, 0, &k.sm2.pub, TY_OK});
            else if (k.is_mldsa())
                mldsa.push_back({s.data(), s.size(), w.data(), nullptr, 0, nullptr, 0, &k.mldsa.pub,
                                 nullptr, TY_OK});
            else if (!how.dstu() && !device)
                ecdsa.push_back({s.data(), s.size(), w.data(), w.size(), &k.ec.pub, TY_OK});
        }
        if (ty_sm2_many_verify(sm2.data(), sm2.size()) == TY_OK) {
        }   /* each job has its own verdict */
        if (ty_mldsa_many_verify(mldsa.data(), mldsa.size()) == TY_OK) {}
        if (ty_ecdsa_many_verify(ecdsa.data(), ecdsa.size()) == TY_OK) {}
        ty_ec_pub q;
        if (how.dstu()) ty_dstu4145_pub(&q, &k.ec.pub);
        for (size_t i = 0; i < parts.size(); i++) {
            const Secret &s = parts[i].theirs, &w = parts[i].what;
            parts[i].err = device
                               ? ty_accel_ecdsa_verify(device, s.data(), s.size(), w.data(),
                                                       w.size(), &k.ec.pub)
                           : how.dstu()
                               ? ty_dstu4145_verify(s.data(), s.size(), w.data(), w.size(), &q)
                           : k.is_sm2()   ? sm2[i].err
                           : k.is_mldsa() ? mldsa[i].err
                                          : ecdsa[i].err;
        }
    }

    /* Whether the signature verifies with an empty identity, with which OpenSSL signs where none is
     * given. A file is read again for this; for a pipe both digests were computed. */
    bool empty_would_do(const Part &part) const
    {
        if (!k.is_sm2() || !how.id.is_default() || how.digest_given) return false;
        uint8_t e[TY_SM3_LEN];
        if (!part.bare.empty()) {
            std::memcpy(e, part.bare.data(), sizeof e);
        } else {
            Signing with = how;
            with.id.text.clear();
            Input again(part.job->in);
            uint64_t len;
            Progress none("", -1, false);
            std::memcpy(e, with.to_sign(again, k, len, none).data(), sizeof e);
        }
        return ty_sm2_verify_digest(part.theirs.data(), e, &k.sm2.pub) == TY_OK;
    }

    void judge(const Part &part) const
    {
        FileJob &job = *part.job;
        const std::string name = job.row["file"];
        if (part.err == TY_ERR_FAULT || part.err == TY_ERR_RNG)
            check(part.err, "verifying on the accelerator");
        job.row["valid"] = part.err == TY_OK;
        /* r or s out of range is a signature that does not verify, not a malformed file. */
        if (part.err == TY_OK) return;
        if (empty_would_do(part))
            throw Failure(
                EXIT_REFUSED,
                name + ": the signature does not verify with the identity " TY_SM2_ID
                       ", but it does with the empty one, which OpenSSL uses if none is given",
                "if that is what the signer meant, verify with --id ''");
        throw Failure(EXIT_REFUSED, name + ": the signature does not verify",
                      std::string("check the file, the key, the ") +
                          (k.is_mldsa() ? "context"
                           : k.is_ec()  ? "hash, the scheme"
                                        : "identity") +
                          " and the signature");
    }

    /* In a job, `out` is the name of the signature. */
    void group(FileJob *jobs, size_t n, Progress &bar)
    {
        std::vector<Part> parts;
        for (FileJob *job = jobs; job < jobs + n; job++)
            job->attempt([&] {
                std::string format = "raw";
                uint64_t len = 0;
                Secret theirs = k.is_mldsa() ? read_mldsa(job->out) : read_pair(job->out, format);
                Input message(job->in);
                const bool once = job->in == "-" || message.size() < 0;
                Secret bare(once ? TY_SM3_LEN : 0);
                Secret what = how.to_sign(message, k, len, bar, once ? bare.data() : nullptr);
                parts.push_back({job, std::move(what), std::move(theirs), std::move(bare), TY_OK});
                job->row = {{"file", message.name()}, {"bytes", len}, {"format", format}};
            });
        check_all(parts);
        for (const Part &p : parts) p.job->attempt([&] { judge(p); });
    }

    std::string signature_of(const std::string &in) const
    {
        return sig.empty() || is_directory(sig) ? name_beside(in, ".sig", sig) : sig;
    }

    int run(Context &ctx)
    {
        const GroupWork work = [this](FileJob *jobs, size_t n, Progress &bar) {
            group(jobs, n, bar);
        };
        const auto say_ok = [&ctx](const FileJob &job) {
            if (!ctx.json && !ctx.quiet) std::printf("%s: OK\n", job.in.c_str());
        };
        std::vector<FileJob> jobs(1);
        if (many.each()) {
            if (!sig.empty() && !is_directory(sig))
                throw Failure(
                    EXIT_USAGE, sig + ": one signature for " + count_of(many.files.size(), "file"),
                    "omit -s to use FILE.sig, or name the directory of the signatures");
            jobs =
                many.plan("", {key, password.file}, false, [](const std::string &) { return ""; });
            for (FileJob &job : jobs) job.out = signature_of(job.in);
        } else {
            jobs[0].in = many.only();
            if (sig.empty() && jobs[0].in == "-")
                throw Failure(
                    EXIT_USAGE,
                    "--signature FILE is missing (a message from stdin has no FILE.sig)",
                    "give it with -s");
            jobs[0].out = signature_of(jobs[0].in);
            refuse_two_stdins({key, jobs[0].in, sig, password.file});
        }
        k.from.alg = how.alg;
        load_any_key(ctx, k, key, password, Need::Public, how.curve);
        how.fit(k);
        if (engine.simulated())
            device = engine.ecdsa_device(k.is_ec() ? k.ec.pub.curve : nullptr, how.dstu(),
                                         many.each());
        how.describe(ctx.result, k);
        if (many.each()) return run_many(ctx, jobs, many.threads, "verified", work, say_ok);
        run_one(ctx, jobs[0], work, false);
        engine.report(ctx.result);
        say_ok(jobs[0]);
        return EXIT_GOOD;
    }
};

void add_verify(CLI::App &root, Context &ctx)
{
    const auto verify = std::make_shared<Verify>();
    CLI::App *app = add_verb(&root, ctx, "verify", "Verify signatures; exit 1 if one is not valid",
                             [verify, &ctx] { return verify->run(ctx); });
    add_path(app, "-k,--key", verify->key,
             "Public key, or a certificate, request or private key with it")
        ->required();
    add_path(
        app, "-s,--signature", verify->sig,
        "Signature: DER, r||s or ML-DSA's, or the digits or base64 of these; or the directory "
        "of the signatures (default: FILE.sig beside each file)");
    verify->many.add_options(app, "Files that were signed (default: stdin)");
    verify->how.add_options(app);
    verify->engine.add_option(app);
    verify->password.add_opening_options(app, "of the key");
    app->footer("Examples:\n  tongyu verify -k pub.pem -s letter.sig letter.txt\n  tongyu verify "
                "-k pub.pem *.pdf");
}
