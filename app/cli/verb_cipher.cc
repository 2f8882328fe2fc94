/* cipher: SM4 in its raw modes, for interoperation. Sealed files (encrypt, decrypt) are what people should use. */
#include "context.hpp"
#include "io.hpp"
#include "keys.hpp"
#include "tongyu/sm4.h"

#include <cstdio>
#include <memory>

/* A mode as the stream it is: pieces in, pieces out, and what is left at the end. */
class Mode {
public:
    virtual ~Mode() = default;
    virtual size_t update(uint8_t *out, const uint8_t *in, size_t len) = 0;   /* out has room for len + 15 */
    virtual size_t final(uint8_t *) { return 0; }
};

class Stream : public Mode {   /* all but GCM */
    Wiped<ty_sm4_key> key;
    Wiped<ty_sm4_stream> stream;
    std::string name;
    bool decrypts;

public:
    Stream(ty_sm4_mode mode, ty_sm4_pad pad, const Secret &bytes, const uint8_t *iv, const std::string &input)
        : name(input), decrypts(mode == TY_SM4_ECB_DECRYPT || mode == TY_SM4_CBC_DECRYPT)
    {
        ty_sm4_init(&key, bytes.data());
        check(ty_sm4_start(&stream, mode, pad, iv, &key), name);
    }
    size_t update(uint8_t *out, const uint8_t *in, size_t len) override
    {
        size_t n = 0;
        check(ty_sm4_update(out, &n, in, len, &stream), name);
        return n;
    }
    size_t final(uint8_t *out) override
    {
        size_t n = 0;
        if (ty_sm4_final(out, &n, &stream) != TY_OK)
            throw Failure(EXIT_INPUT, name + (decrypts ? ": not whole blocks, or not padded as expected" : ": not whole blocks of 16 bytes"),
                          decrypts ? "check key, IV and --no-pad" : "leave --no-pad away");
        return n;
    }
};

class Gcm : public Mode {
    Wiped<ty_sm4_gcm_key> key;
    Wiped<ty_sm4_gcm> stream;
    std::string name;
    bool decrypts;
    Secret &tag;   /* read at the end of a decryption, written at the end of an encryption */

public:
    Gcm(bool decrypt, const Secret &bytes, const Secret &nonce, const Secret &aad, Secret &tag_at,
        const std::string &input)
        : name(input), decrypts(decrypt), tag(tag_at)
    {
        ty_sm4_gcm_init(&key, bytes.data());
        check(ty_sm4_gcm_start(&stream, nonce.data(), nonce.size(), &key), "the nonce");
        check(ty_sm4_gcm_aad(&stream, aad.data(), aad.size()), "the additional data");
    }
    size_t update(uint8_t *out, const uint8_t *in, size_t len) override
    {
        check(decrypts ? ty_sm4_gcm_decrypt(out, in, len, &stream) : ty_sm4_gcm_encrypt(out, in, len, &stream), name);
        return len;
    }
    size_t final(uint8_t *out) override
    {
        (void)update(out, out, 0);   /* an empty message has a direction, too */
        if (!decrypts) check(ty_sm4_gcm_final(tag.data(), tag.size(), &stream), name);
        else if (ty_sm4_gcm_verify(tag.data(), tag.size(), &stream) != TY_OK)
            throw Failure(EXIT_REFUSED, name + ": the tag does not verify",
                          "nothing was written; check key, IV, additional data and tag");
        return 0;
    }
};

struct Cipher {
    std::string alg, in = "-", out, iv_hex, aad_hex, tag_hex, tag_file;
    KeyBytes key;
    bool decrypt = false, no_pad = false, force = false;

    bool gcm() const { return alg == "sm4-gcm"; }

    Secret iv() const
    {
        if (alg == "sm4-ecb") {
            if (!iv_hex.empty()) throw Failure(EXIT_USAGE, "sm4-ecb takes no --iv-hex", "leave it away");
            return Secret(16);
        }
        if (iv_hex.empty()) throw Failure(EXIT_USAGE, alg + " needs --iv-hex", gcm()
                                          ? "give 12 bytes, 24 digits" : "give 16 bytes, 32 digits");
        Secret bytes = from_hex(iv_hex, "--iv-hex");
        if (!gcm() && bytes.size() != 16)
            throw Failure(EXIT_USAGE, "--iv-hex has " + std::to_string(bytes.size()) + " bytes",
                          "give 16 bytes, 32 hexadecimal digits");
        return bytes;
    }

    Secret given_tag() const
    {
        if (!decrypt || !gcm()) return Secret(16);
        if (tag_hex.empty() && tag_file.empty()) throw Failure(EXIT_USAGE, "sm4-gcm -d needs the tag",
                                                               "give --tag-hex or --tag-file");
        std::string digits = tag_hex;
        if (digits.empty()) {
            const Secret text = Input(tag_file).read_all(256, "a tag");
            digits.assign(text.chars(), text.size());
            while (!digits.empty() && (digits.back() == '\n' || digits.back() == '\r')) digits.pop_back();
        }
        Secret tag = from_hex(digits, "the tag");
        if (tag.size() < 12 || tag.size() > 16)
            throw Failure(EXIT_USAGE, "the tag has " + std::to_string(tag.size()) + " bytes", "12 to 16 are possible");
        return tag;
    }

    void check_options() const
    {
        if (!gcm() && !(aad_hex.empty() && tag_hex.empty() && tag_file.empty()))
            throw Failure(EXIT_USAGE, alg + " has no additional data and no tag",
                          "leave them away, or use --alg sm4-gcm");
        if (no_pad && (gcm() || alg == "sm4-ctr")) throw Failure(EXIT_USAGE, alg + " is never padded",
                                                                 "leave --no-pad away");
        if (decrypt && !tag_hex.empty() && !tag_file.empty())
            throw Failure(EXIT_USAGE, "the tag was given twice", "leave --tag-hex or --tag-file away");
        if (!decrypt && tag_file == "-") throw Failure(EXIT_USAGE, "--tag-file names a file",
                                                       "leave it away: without it the tag is printed");
        if (!decrypt && !tag_hex.empty()) throw Failure(EXIT_USAGE, "--tag-hex is for decryption",
                                                        "the tag is printed, or goes to --tag-file");
    }

    std::unique_ptr<Mode> start(const Secret &bytes, const Secret &nonce, const Secret &aad, Secret &tag,
                                const std::string &name) const
    {
        if (gcm()) return std::make_unique<Gcm>(decrypt, bytes, nonce, aad, tag, name);
        if (alg == "sm4-ctr")
            return std::make_unique<Stream>(TY_SM4_CTR, TY_SM4_PAD_NONE, bytes, nonce.data(), name);
        const bool cbc = alg == "sm4-cbc";
        const ty_sm4_mode mode = decrypt ? (cbc ? TY_SM4_CBC_DECRYPT : TY_SM4_ECB_DECRYPT) : (cbc
            ? TY_SM4_CBC_ENCRYPT : TY_SM4_ECB_ENCRYPT);
        return std::make_unique<Stream>(mode, no_pad ? TY_SM4_PAD_NONE : TY_SM4_PAD_PKCS7, bytes, nonce.data(), name);
    }

    /* Nothing is opened before all of this is in order. */
    void check_files(const Context &ctx) const
    {
        refuse_two_stdins({in, key.file, decrypt ? tag_file : ""});
        refuse_same_file({or_stdout(out), decrypt ? "" : tag_file}, {key.file, decrypt ? tag_file : ""});
        if (!decrypt) refuse_same_file({tag_file}, {in});   /* out may take the place of in */
        refuse_stdout(out, ctx.json, !decrypt);
        if (!decrypt) refuse_output(tag_file, force);
    }

    int run(Context &ctx)
    {
        check_options();
        check_files(ctx);
        const Secret bytes = key.get(ctx, 16), nonce = iv(), aad = from_hex(aad_hex, "--aad-hex");
        Secret tag = given_tag();
        Input source(in);
        const unsigned more = decrypt ? (gcm() ? unsigned(Output::PRIVATE | Output::HOLD) : unsigned(Output::PRIVATE)) : 0u;
        Output file(out, output_flags(force, more));
        std::unique_ptr<Output> beside;   /* the tag of an encryption: never without it, so opened before any work */
        if (!decrypt && !tag_file.empty()) beside = std::make_unique<Output>(tag_file, output_flags(force));
        const auto mode = start(bytes, nonce, aad, tag, source.name());
        Secret buf(IO_CHUNK + 16);
        const uint64_t len = for_each_piece(source, !ctx.quiet, [&](const uint8_t *p, size_t n) {
            file.write(buf.data(), mode->update(buf.data(), p, n));
        });
        file.write(buf.data(), mode->final(buf.data()));
        const std::string tag_text = to_hex(tag.data(), tag.size());
        if (beside) {
            beside->write(tag_text + "\n");
            beside->commit();
        }
        file.commit();
        ctx.result["alg"] = alg;
        ctx.result["direction"] = decrypt ? "decrypt" : "encrypt";
        ctx.result["file"] = source.name();
        ctx.result["output"] = file.name();
        ctx.result["bytes"] = len;
        if (!gcm() || decrypt) return EXIT_GOOD;
        ctx.result["tag"] = tag_text;
        if (!beside && !ctx.json) std::fprintf(file.is_stdout() ? stderr : stdout, "tag %s\n", tag_text.c_str());
        return EXIT_GOOD;
    }
};

void add_cipher(CLI::App &root, Context &ctx)
{
    const auto c = std::make_shared<Cipher>();
    CLI::App *app = add_verb(&root, ctx, "cipher", "SM4 in a raw mode, for interoperation",
                             [c, &ctx] { return c->run(ctx); });
    add_choice(app, "-a,--alg", c->alg, {"sm4-cbc", "sm4-ctr", "sm4-gcm", "sm4-ecb"}, "Mode")->required();
    app->add_flag("-d,--decrypt", c->decrypt, "Decrypt");
    c->key.add_options(app);
    add_text(app, "--iv-hex", c->iv_hex, "HEX", "IV, first counter block or nonce; never twice with one key");
    add_text(app, "--aad-hex", c->aad_hex, "HEX", "sm4-gcm: additional data, authenticated but not encrypted");
    add_text(app, "--tag-hex", c->tag_hex, "HEX", "sm4-gcm -d: the tag (12 to 16 bytes)");
    add_path(app, "--tag-file", c->tag_file, "sm4-gcm: file that takes or has the tag as digits");
    app->add_flag("--no-pad", c->no_pad, "sm4-cbc, sm4-ecb: whole blocks, no PKCS#7 padding");
    add_path(app, "file", c->in, "Input; stdin if left away or -");
    add_path(app, "-o,--out", c->out, "Output; stdout if left away");
    add_force(app, c->force);
    app->footer("Examples:\n  tongyu cipher --alg sm4-ctr --key-file sm4.key --iv-hex 00000000000000000000000000000001 -o out.bin in.bin\n"
                "  tongyu cipher --alg sm4-gcm --key-file sm4.key --iv-hex 000000000000000000000001 -o out.bin in.bin");
}
