/* mac: message authentication codes of files, in the format of hash. */
#include "context.hpp"
#include "hmac.hpp"
#include "io.hpp"
#include "keys.hpp"
#include "tongyu/sm4_mac.h"

#include <cstdio>
#include <memory>

struct Mac {
    std::string alg = "hmac-sm3", expect, iv_hex;
    std::vector<std::string> files;
    KeyBytes key;
    CLI::Option *verify_option = nullptr;

    bool verifying() const { return verify_option->count() > 0; }
    bool is_hmac() const { return alg.compare(0, 5, "hmac-") == 0; }

    Secret hmac_of(const Secret &bytes, Input &in, bool progress) const
    {
        const HashRow &hash = hash_row(alg.substr(5));
        Hmac mac(hash, bytes.data(), bytes.size());
        for_each_piece(in, progress, mac);
        Secret out(hash.len);
        mac.final(out.data());
        return out;
    }

    static Secret cmac_of(const Secret &bytes, Input &in, bool progress)
    {
        Wiped<ty_sm4_cmac_key> key;
        Wiped<ty_sm4_cmac> mac;
        ty_sm4_cmac_init(&key, bytes.data());
        ty_sm4_cmac_start(&mac, &key);
        for_each_piece(in, progress, [&](const uint8_t *p, size_t n) {
            check(ty_sm4_cmac_update(&mac, p, n), in.name());
        });
        Secret out(TY_SM4_BLOCK);
        check(ty_sm4_cmac_final(out.data(), out.size(), &mac), in.name());
        return out;
    }

    static Secret gmac_of(const Secret &bytes, const Secret &iv, Input &in, bool progress)
    {
        Wiped<ty_sm4_gcm_key> key;
        Wiped<ty_sm4_gmac> mac;
        ty_sm4_gcm_init(&key, bytes.data());
        check(ty_sm4_gmac_start(&mac, iv.data(), iv.size(), &key), "the nonce");
        for_each_piece(in, progress, [&](const uint8_t *p, size_t n) {
            check(ty_sm4_gmac_update(&mac, p, n), in.name());
        });
        Secret out(TY_SM4_BLOCK);
        check(ty_sm4_gmac_final(out.data(), out.size(), &mac), in.name());
        return out;
    }

    void check_options() const
    {
        const bool gmac = alg == "gmac-sm4";
        /* most often an unset variable in a script, which must not take the code for valid */
        if (verifying() && expect.empty())
            throw Failure(EXIT_USAGE, "the code of --verify is empty",
                          "give its hexadecimal digits, or omit --verify to compute it");
        if (verifying() && files.size() != 1)
            throw Failure(EXIT_USAGE, "--verify takes one file", "check them one by one");
        if (gmac && iv_hex.empty())
            throw Failure(EXIT_USAGE, "gmac-sm4 needs --iv-hex",
                          "give 12 bytes, 24 digits, never twice with one key");
        if (!gmac && !iv_hex.empty())
            throw Failure(EXIT_USAGE, alg + " takes no --iv-hex", "omit it");
        if (gmac && !verifying() && files.size() != 1)
            throw Failure(EXIT_USAGE,
                          "gmac-sm4 takes one file: two codes with one IV reveal the key",
                          "give each file an IV of its own, or use cmac-sm4");
    }

    int run(Context &ctx)
    {
        if (files.empty()) files.push_back("-");
        check_options();
        std::vector<std::string> inputs = files;
        inputs.push_back(key.input());
        refuse_two_stdins(inputs);
        const Secret bytes = key.get(ctx, is_hmac() ? 0 : TY_SM4_BLOCK),
                     wanted = from_hex(expect, "--verify"), iv = from_hex(iv_hex, "--iv-hex");
        Json rows = Json::array();
        for (const auto &name : files) {
            Input in(name);
            const Secret tag = is_hmac()           ? hmac_of(bytes, in, !ctx.quiet)
                               : alg == "cmac-sm4" ? cmac_of(bytes, in, !ctx.quiet)
                                                   : gmac_of(bytes, iv, in, !ctx.quiet);
            if (verifying() &&
                (wanted.size() != tag.size() || !ty_equal(wanted.data(), tag.data(), tag.size())))
                throw Failure(EXIT_REFUSED, name + ": the code does not verify",
                              "check the file, the key and the code");
            rows.push_back({{"file", name}, {"mac", to_hex(tag.data(), tag.size())}});
            if (ctx.json) continue;
            if (!verifying())
                std::fputs(line_of(to_hex(tag.data(), tag.size()), name, false, "").c_str(),
                           stdout);
            else if (!ctx.quiet) std::printf("%s: OK\n", name.c_str());
        }
        ctx.result["alg"] = alg;
        ctx.result["files"] = rows;
        if (verifying()) ctx.result["valid"] = true;
        return EXIT_GOOD;
    }
};

void add_mac(CLI::App &root, Context &ctx)
{
    const auto mac = std::make_shared<Mac>();
    CLI::App *app = add_verb(&root, ctx, "mac", "Compute message authentication codes of files",
                             [mac, &ctx] { return mac->run(ctx); });
    app->add_option("file", mac->files, "Files (default: stdin)")->type_name("FILE");
    std::vector<std::string> algs;
    for (const auto &name : hmac_hash_names()) algs.push_back("hmac-" + name);
    algs.insert(algs.end(), {"cmac-sm4", "gmac-sm4"});
    add_choice(app, "--alg", mac->alg, algs, "Algorithm")->capture_default_str();
    mac->key.add_options(app);
    add_text(app, "--iv-hex", mac->iv_hex, "HEX",
             "gmac-sm4: the nonce, 12 bytes; never twice with one key");
    mac->verify_option = add_text(app, "--verify", mac->expect, "HEX",
                                  "Compare with this code; exit 1 if it differs");
    app->footer("Examples:\n  tongyu mac --alg hmac-sm3 --key-file mac.key letter.txt\n"
                "  tongyu mac --alg cmac-sm4 --key-file sm4.key letter.txt");
}
