/* inspect: what a key, a certificate, a sealed file or a signature holds, except secrets. */
#include "any_key.hpp"
#include "armor.hpp"
#include "context.hpp"
#include "inspect_other.hpp"
#include "io.hpp"
#include "tongyu/box.h"

#include <cstdio>
#include <memory>

struct Inspect {
    std::string in, curve, alg;
    Password password;

    /* Fields for programs, whose names do not change with the text for users. */
    static void add_fields(Json &r, const AnyKey &key)
    {
        r["type"] = key.from.carrier ? (key.from.carrier->cert.request ? "request" : "certificate")
                    : key.is_private() ? "private-key"
                                       : "public-key";
        r["alg"] = key.alg();
        r["private"] = key.is_private();
        r["encrypted"] = key.is_encrypted();
        r["public_key_hex"] = key.public_hex();
    }

    static void add_point(Json &r, const AnyKey &key)
    {
        const Secret point = key.point();
        const size_t len = (point.size() - 1) / 2;
        r["x"] = to_hex(point.data() + 1, len);
        r["y"] = to_hex(point.data() + 1 + len, len);
    }

    void describe_key(Json &r, const AnyKey &key) const
    {
        static const char *const forms[] = {"PKCS#8",
                                            "PKCS#8, encrypted (PBES2)",
                                            "PKCS#8, encrypted (PBES2)",
                                            "SEC1",
                                            "SubjectPublicKeyInfo",
                                            "PKCS#8, encrypted (PBES2)",
                                            "PKCS#8, encrypted (PBES2)",
                                            "PKCS#12",
                                            "SEC1, encrypted (Proc-Type)",
                                            "enveloped (GB/T 35276)"};
        static const char *const contents[] = {"seed", "expanded key", "seed and expanded key"};
        const std::string kind = (key.is_ec() ? "EC" : key.title()) +
                                 (key.is_private() ? " private key" : " public key");
        if (key.from.carrier) {
            key.from.carrier->describe(r);
            r["key"] = kind;
        } else {
            r["kind"] = kind;
            r["form"] = key.from.raw.empty() ? forms[key.form()] : key.from.raw;
        }
        if (key.is_ec()) r["curve"] = key.title();
        if (key.is_mldsa() && key.is_private()) r["content"] = contents[key.file.content];
        if (key.is_encrypted()) {
            r["cipher"] = key.from.lock.cipher;
            r["kdf"] = key.from.lock.kdf;
            r["iterations"] = key.from.lock.iterations;
        }
        if (!key.from.carrier && key.from.raw.empty())
            r["coding"] = key.coding() == TY_KEY_PEM ? "PEM" : "DER";
        if (key.is_mldsa())
            r["public_key"] = std::to_string(ty_mldsa_pub_len(key.mldsa.pub.set)) + " bytes, " +
                              key.public_hex().substr(0, 32) + "...";
        else add_point(r, key);
        r["fingerprint"] = key.fingerprint();
        if (!key.is_sm2()) return;
        uint8_t id[TY_BOX_ID];
        ty_box_recipient_id(id, &key.sm2.pub);
        r["recipient_id"] = to_hex(id, sizeof id);   /* as sealed files name it */
    }

    static std::string for_people(const Json &value)
    {
        if (value.is_array()) {
            std::string all;
            for (const auto &one : value) all += (all.empty() ? "" : ", ") + for_people(one);
            return all;
        }
        if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
        return value.is_string() ? value.get<std::string>() : value.dump();
    }

    int run(Context &ctx)
    {
        refuse_two_stdins({in, password.file});
        Json &r = ctx.result;
        r["file"] = in;
        Input file(in);
        const long long size = file.size();
        Secret head(KEY_FILE_MAX + 1);
        head.shrink(file.read(head.data(), head.size()));
        if (!describe_sealed(r, head, size, in) && !describe_signature(r, head)) {
            if (head.size() > KEY_FILE_MAX)
                throw Failure(EXIT_INPUT,
                              in + ": longer than " + std::to_string(KEY_FILE_MAX) +
                                  " bytes, too long for a key",
                              "check that it is the right file");
            AnyKey key;
            key.from.alg = alg;
            read_any_key(ctx, key, head, in, password, Need::Public, curve);
            describe_key(r, key);
            if (ctx.json) add_fields(r, key);
        }
        if (ctx.json) return EXIT_GOOD;
        r.erase("type");
        for (const auto &row : r.items())
            std::printf("%-12s %s\n", row.key().c_str(), for_people(row.value()).c_str());
        return EXIT_GOOD;
    }
};

void add_inspect(CLI::App &root, Context &ctx)
{
    const auto ins = std::make_shared<Inspect>();
    CLI::App *app = add_verb(&root, ctx, "inspect",
                             "Show what a key, a certificate, a request, a sealed file or a "
                             "signature holds, and nothing secret",
                             [ins, &ctx] { return ins->run(ctx); });
    add_path(app, "-k,--key,key", ins->in, "The file; - is stdin")->required();
    add_curve_option(app, ins->curve);
    add_seed_alg(app, ins->alg);
    ins->password.add_opening_options(app, "of the key");
    app->footer("Examples:\n  tongyu inspect key.pem\n  tongyu inspect letter.ty");
}
