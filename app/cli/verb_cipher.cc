/* cipher: SM4 in its raw modes, for interoperation. Otherwise sealed files (encrypt, decrypt) are
 * the better choice. */
#include "cipher_modes.hpp"
#include "context.hpp"
#include "keys.hpp"

#include <cstdio>
#include <memory>

struct Cipher {
    /* pad: empty if not given */
    std::string alg, in = "-", out, iv_hex, aad_hex, tag_hex, tag_file, pad;
    KeyBytes key;
    uint32_t tag_len = 16, sector_len = 0, sector = 0;
    bool decrypt = false, force = false;

    bool aead() const { return mode_row(alg).kind == Kind::Aead; }

    /* What --iv-hex has to be: "12 bytes, 24 hexadecimal digits", or "7 to 13 bytes". */
    static std::string iv_wanted(const ModeRow &row)
    {
        if (row.name == "sm4-gcm") return "12 bytes, 24 hexadecimal digits";
        if (row.iv_min != row.iv_max)
            return std::to_string(row.iv_min) + " to " + std::to_string(row.iv_max) +
                   " bytes, two digits each";
        return std::to_string(row.iv_min) + " bytes, " + std::to_string(2 * row.iv_min) +
               " hexadecimal digits";
    }

    Secret iv(const ModeRow &row) const
    {
        if (row.iv_max == 0 || sector_len) {
            if (!iv_hex.empty())
                throw Failure(EXIT_USAGE,
                              alg + (sector_len ? " takes --sector or --iv-hex, not both"
                                                : " takes no --iv-hex"),
                              "omit it");
            return Secret(16);
        }
        if (iv_hex.empty())
            throw Failure(EXIT_USAGE, alg + " needs --iv-hex", "give " + iv_wanted(row));
        Secret bytes = from_hex(iv_hex, "--iv-hex");
        if (bytes.size() < row.iv_min || bytes.size() > row.iv_max)
            throw Failure(EXIT_USAGE, "--iv-hex has " + std::to_string(bytes.size()) + " bytes",
                          "give " + iv_wanted(row));
        return bytes;
    }

    /* The tag of a decryption, or room for that of an encryption. */
    Secret tag(const ModeRow &row) const
    {
        if (!row.tag_min) return Secret(16);
        const Exit wrong = tag_file.empty() || !decrypt ? EXIT_USAGE : EXIT_INPUT;
        Secret bytes(tag_len);
        if (decrypt) {
            if (tag_hex.empty() && tag_file.empty())
                throw Failure(EXIT_USAGE, alg + " -d needs the tag",
                              "give --tag-hex or --tag-file");
            const Secret text = tag_file.empty()
                                    ? Secret(tag_hex.data(), tag_hex.size())
                                    : without_line_end(Input(tag_file).read_all(256, "a tag"));
            bytes = from_hex(text.chars(), text.size(), tag_file.empty() ? "--tag-hex" : tag_file,
                             "", wrong);
        }
        if (bytes.size() < row.tag_min || bytes.size() > 16 ||
            (alg == "sm4-ccm" && bytes.size() % 2))
            throw Failure(wrong, "the tag has " + std::to_string(bytes.size()) + " bytes",
                          alg == "sm4-ccm" ? "4, 6, 8, ... 16 are possible"
                          : row.tag_min == 16
                              ? "16 are needed"
                              : std::to_string(row.tag_min) + " to 16 are possible");
        return bytes;
    }

    void check_options() const
    {
        const ModeRow &row = mode_row(alg);
        if (!aead() && !(aad_hex.empty() && tag_hex.empty() && tag_file.empty() && tag_len == 16))
            throw Failure(EXIT_USAGE, alg + " has no additional data and no tag",
                          "omit them, or use --alg sm4-gcm");
        if (row.kind != Kind::Blocks && !pad.empty())
            throw Failure(EXIT_USAGE, alg + " is never padded", "omit --pad");
        if (row.kind != Kind::Xts && (sector_len || sector))
            throw Failure(EXIT_USAGE, alg + " has no sectors", "omit --sector-size and --sector");
        if (sector && !sector_len) throw Failure(EXIT_USAGE, "--sector needs the size of a sector",
                                                 "give --sector-size as well");
        if (decrypt && !tag_hex.empty() && !tag_file.empty())
            throw Failure(EXIT_USAGE, "the tag was given twice", "omit --tag-hex or --tag-file");
        if (decrypt && tag_len != 16) throw Failure(EXIT_USAGE, "--tag-len is for encryption",
                                                    "omit it: the length is that of the given tag");
        if (!decrypt && tag_file == "-") throw Failure(EXIT_USAGE, "--tag-file must be a file",
                                                       "omit the option, and the tag is printed");
        if (!decrypt && !tag_hex.empty())
            throw Failure(EXIT_USAGE, "--tag-hex is for decryption",
                          "the tag is printed, or goes to --tag-file");
    }

    /* These checks come before any file is opened. */
    void check_files(const Context &ctx) const
    {
        refuse_two_stdins({in, key.input(), decrypt ? tag_file : ""});
        refuse_same_file({or_dash(out), decrypt ? "" : tag_file},
                         {key.input(), decrypt ? tag_file : ""});
        if (!decrypt) refuse_same_file({tag_file}, {in});   /* out may replace in */
        refuse_stdout(out, ctx.json, !decrypt);
        if (!decrypt) refuse_output(tag_file, force);
    }

    /* Plaintext is private; if it is verified only at the end, it is held back until then. */
    unsigned flags() const
    {
        const unsigned held = aead() ? unsigned(Output::HOLD) : 0u;
        return output_flags(force, decrypt ? Output::PRIVATE | held : 0u);
    }

    int run(Context &ctx)
    {
        const ModeRow &row = mode_row(alg);
        check_options();
        check_files(ctx);
        ModeInput input;
        input.decrypt = decrypt;
        input.key = key.get(ctx, row.key_len);
        input.iv = iv(row);
        input.aad = from_hex(aad_hex, "--aad-hex");
        input.tag = tag(row);
        input.pad = pad.empty() ? "pkcs7" : pad;
        input.sector_len = sector_len;
        input.sector = sector;
        Input source(in);
        Output file(out, flags());
        /* opened before any work, so that no ciphertext is written without its tag */
        std::unique_ptr<Output> tag_output;
        if (!decrypt && !tag_file.empty())
            tag_output = std::make_unique<Output>(tag_file, output_flags(force));
        const uint64_t len =
            run_mode(row, input, source, file, !ctx.quiet && !goes_to_terminal(out));
        const std::string tag_text = to_hex(input.tag.data(), input.tag.size());
        if (tag_output) {
            tag_output->write(tag_text + "\n");
            tag_output->commit();
        }
        file.commit();
        ctx.result["alg"] = alg;
        ctx.result["direction"] = decrypt ? "decrypt" : "encrypt";
        ctx.result["file"] = source.name();
        ctx.result["output"] = file.name();
        ctx.result["bytes"] = len;
        if (!aead() || decrypt) return EXIT_GOOD;
        ctx.result["tag"] = tag_text;
        if (!tag_output && !ctx.json)
            std::fprintf(file.is_stdout() ? stderr : stdout, "tag %s\n", tag_text.c_str());
        return EXIT_GOOD;
    }
};

void add_cipher(CLI::App &root, Context &ctx)
{
    const auto c = std::make_shared<Cipher>();
    CLI::App *app = add_verb(&root, ctx, "cipher",
                             "Encrypt or decrypt with SM4 in a raw mode, as other programs do",
                             [c, &ctx] { return c->run(ctx); });
    std::vector<std::string> names;
    for (const auto &row : mode_rows()) names.push_back(row.name);
    add_choice(
        app, "--alg", c->alg, names, "Mode",
        { { "sm4-xts",
            "there are two: sm4-xts-gb, as in OpenSSL and GmSSL, and sm4-xts-ieee, as in gmsm, "
            "libgcrypt and Botan" } })
        ->required();
    app->add_flag("-d,--decrypt", c->decrypt, "Decrypt");
    c->key.add_options(app);
    add_text(app, "--iv-hex", c->iv_hex, "HEX",
             "IV, first counter block, nonce or tweak; never twice with one key");
    add_text(app, "--aad-hex", c->aad_hex, "HEX",
             "Modes with a tag: additional data, authenticated but not encrypted");
    add_text(app, "--tag-hex", c->tag_hex, "HEX", "Modes with a tag, -d: the tag");
    add_path(app, "--tag-file", c->tag_file,
             "Modes with a tag: file that the tag is written to, or read from, as digits");
    add_number(app, "--tag-len", c->tag_len, 4, 16,
               "Modes with a tag: its length in bytes when encrypting")
        ->capture_default_str();
    add_choice(app, "--pad", c->pad, {"pkcs7", "iso7816", "x923", "none"},
               "sm4-ecb, -cbc, -bc, -ofbnlf: padding to whole blocks [pkcs7]");
    add_number(app, "--sector-size", c->sector_len, 16, 16 * 1024 * 1024,
               "sm4-xts-*: the input consists of sectors of N bytes, whose numbers are the tweaks");
    add_number(app, "--sector", c->sector, 0, UINT32_MAX,
               "With --sector-size: number of the first sector [0]");
    add_path(app, "file", c->in, "Input (default: stdin)");
    add_path(app, "-o,--out", c->out, "Output (default: stdout)");
    add_force(app, c->force);
    app->footer("Examples:\n"
                "  tongyu cipher --alg sm4-ctr --key-file sm4.key --iv-hex "
                "00000000000000000000000000000001 -o out in\n"
                "  tongyu cipher --alg sm4-gcm --key-file sm4.key --iv-hex "
                "000000000000000000000001 -o out in\n"
                "  tongyu cipher --alg sm4-xts-gb --key-file xts.key --sector-size 512 -o disk.enc "
                "disk.img\n"
                "sm4-gcm-siv, -hctr and, from a pipe, -ccm keep all of the message in memory, 64 "
                "MiB at most;\n"
                "sm4-xts-* without --sector-size 16 MiB, and sm4-kw, -kwp 64 KiB.");
}
