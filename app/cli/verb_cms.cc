/* cms sign, verify, encrypt, decrypt: messages of GM/T 0010 and RFC 5652, for other programs. */
#include "cms.hpp"
#include "context.hpp"
#include "tongyu/sm4.h"

static CLI::Option *add_form(CLI::App *app, std::string &form, const std::string &otherwise)
{
    return add_choice(app, "--form", form, {"gm", "cms"},
                      "GM/T 0010 or RFC 5652 (default: " + otherwise + ")");
}

static void add_coding(CLI::App *app, std::string &coding)
{
    add_choice(app, "--coding", coding, {"der", "pem"}, "Coding of the message")
        ->capture_default_str();
}

/* The last step for every message: puts ContentInfo around the frame. */
static void put_content_info(Frame &f, bool gm, int type)
{
    f.wrap(DER_SEQUENCE);
    f.wrap(DER_CTX0);
    f.before = der_oid(cms_type(gm, type)) + f.before;
    f.wrap(DER_SEQUENCE);
}

/* --- sign ------------------------------------------------------------------------------------- */

struct CmsSign {
    std::string in = "-", out, coding = "der";
    CmsSigners signers;
    bool detached = false, force = false;

    /* Reads the content to be signed, and keeps it in content if it is part of the message. */
    uint64_t read(Context &ctx, Secret &content)
    {
        Input source(in);
        if (detached)
            return for_each_piece(source, !ctx.quiet,
                                  [&](const uint8_t *p, size_t n) { signers.update(p, n); });
        content = source.read_all(
            CMS_MAX, "a message with its content; --detached signs files of any length");
        signers.update(content.data(), content.size());
        return content.size();
    }

    /* EncapsulatedContentInfo */
    Frame content_info(size_t len, bool gm) const
    {
        Frame f(detached ? 0 : len);
        if (!detached) {
            f.wrap(DER_OCTETS);
            f.wrap(DER_CTX0);
        }
        f.before = der_oid(cms_type(gm, 1)) + f.before;
        f.wrap(DER_SEQUENCE);
        return f;
    }

    int run(Context &ctx)
    {
        std::vector<std::string> inputs = signers.files();
        refuse_same_file({out}, inputs);
        inputs.push_back(in);
        refuse_two_stdins(inputs);
        refuse_stdout(out, ctx.json, coding == "der");
        refuse_output(out, force);
        signers.load(ctx);
        const bool gm = signers.gm();
        Secret content;
        const uint64_t len = read(ctx, content);
        Frame f = content_info(content.size(), gm);
        f.before = der_number(1) + signers.digests() + f.before;
        f.after = signers.certificates() + signers.infos();
        put_content_info(f, gm, 2);

        CmsOutput file(out, force, coding == "pem", gm);
        file.write(f.before);
        file.write(content.data(), content.size());
        file.write(f.after);
        file.commit();
        ctx.result["file"] = in;
        ctx.result["bytes"] = len;
        ctx.result["form"] = gm ? "gm" : "cms";
        ctx.result["detached"] = detached;
        ctx.result["signers"] = signers.names();
        ctx.result["output"] = file.name();
        return EXIT_GOOD;
    }
};

/* --- verify ----------------------------------------------------------------------------------- */

struct CmsVerify {
    std::string in = "-", content, out;
    CmsCheck check_signers;
    bool force = false;

    void fit(const CmsMessage &m) const
    {
        if (m.cms.kind != TY_CMS_SIGNED)
            throw Failure(
                EXIT_INPUT,
                m.name + (m.cms.kind == TY_CMS_ENVELOPED ? ": encrypted, but not signed"
                                                         : ": signed and encrypted"),
                "decrypt it: tongyu cms decrypt" +
                    std::string(m.cms.kind == TY_CMS_ENVELOPED ? ""
                                                               : ", which verifies it as well"));
        if (m.cms.detached && content.empty())
            throw Failure(EXIT_USAGE, m.name + ": does not contain the signed content",
                          "name its file with --content");
        if (!m.cms.detached && !content.empty())
            throw Failure(EXIT_USAGE,
                          m.name + ": contains its content, and --content names something else",
                          "omit --content; -o writes the content to a file");
        if (m.cms.detached && !out.empty())
            throw Failure(EXIT_USAGE,
                          m.name +
                              ": does not contain the content, so -o would have nothing to write",
                          "omit -o");
    }

    int run(Context &ctx)
    {
        std::vector<std::string> inputs = check_signers.certs;
        inputs.push_back(content);
        refuse_same_file({out}, inputs);
        inputs.push_back(in);
        refuse_two_stdins(inputs);
        if (!out.empty()) refuse_stdout(out, ctx.json, false);
        if (!out.empty()) refuse_output(out, force);
        const CmsMessage m(in);
        fit(m);
        check_signers.load(m);
        if (m.cms.detached) {
            Input source(content);
            for_each_piece(source, !ctx.quiet,
                           [&](const uint8_t *p, size_t n) { check_signers.update(p, n); });
        } else {
            check_signers.update(m.cms.content.p, m.cms.content.len);
        }
        ctx.result["file"] = m.name;
        ctx.result["form"] = m.cms.gm ? "gm" : "cms";
        check_signers.verdict(ctx, m);
        if (!out.empty()) {
            Output file(out, output_flags(force));
            file.write(m.cms.content.p, m.cms.content.len);
            file.commit();
            ctx.result["output"] = file.name();
        }
        check_signers.tell(ctx, out);
        return EXIT_GOOD;
    }
};

/* --- encrypt ---------------------------------------------------------------------------------- */

struct CmsEncrypt {
    enum { KEY = 16, BLOCK = 16 };
    std::vector<std::string> recipients;
    std::string in = "-", out, coding = "der";
    CmsSigners signers;
    bool force = false;
    CmsCerts certs;

    void load_recipients()
    {
        for (const auto &path : recipients) {
            auto cert = CmsCert::load(path);
            if (!cert->key.is_sm2())
                throw Failure(EXIT_INPUT,
                              path + ": a certificate with a key of " + cert->key.title() +
                                  ", which cannot encrypt",
                              "ask for one with a key of SM2");
            for (const auto &c : certs)
                if (c->whose() == cert->whose())
                    throw Failure(EXIT_USAGE,
                                  path + ": the same certificate as " + c->name +
                                      ", so one recipient is named twice",
                                  "omit one of them");
            certs.push_back(std::move(cert));
        }
    }

    /* SET OF KeyTransRecipientInfo: the content's key, encrypted for each recipient */
    Der recipient_infos(const Secret &key, bool gm) const
    {
        std::vector<Der> set;
        for (const auto &c : certs) {
            uint8_t ct[KEY + TY_SM2_OVERHEAD], der_ct[KEY + TY_SM2_OVERHEAD + 32];
            size_t len = sizeof der_ct;
            check(ty_sm2_encrypt(ct, key.data(), KEY, TY_SM2_C1C3C2, &c->key.sm2.pub,
                                 ty_rng_system()),
                  c->name);
            check(ty_sm2_ct_to_der(der_ct, &len, ct, sizeof ct), c->name);
            set.push_back(
                der(DER_SEQUENCE,
                    der_number(gm ? 1 : 0) + c->whose() + der_algorithm(cms_oid::SM2_ENCRYPT) +
                        der(DER_OCTETS, std::string(reinterpret_cast<const char *>(der_ct), len))));
        }
        return der_set(std::move(set));
    }

    /* Encrypts the first len bytes of content in place; content has room for one more block after
     * them. Returns the length of the ciphertext. */
    static size_t encrypt_in_place(Secret &content, size_t len, const Secret &key,
                                   const uint8_t iv[BLOCK])
    {
        Wiped<ty_sm4_key> k;
        ty_sm4_stream c;
        size_t n = 0, last = 0;
        ty_sm4_init(&k, key.data());
        check(ty_sm4_start(&c, TY_SM4_CBC_ENCRYPT, TY_SM4_PAD_PKCS7, iv, &k), "encrypting");
        check(ty_sm4_update(content.data(), &n, content.data(), len, &c), "encrypting");
        check(ty_sm4_final(content.data() + n, &last, &c), "encrypting");
        return n + last;
    }

    int run(Context &ctx)
    {
        std::vector<std::string> inputs = signers.files();
        inputs.insert(inputs.end(), recipients.begin(), recipients.end());
        refuse_same_file({out}, inputs);
        inputs.push_back(in);
        refuse_two_stdins(inputs);
        refuse_stdout(out, ctx.json, coding == "der");
        refuse_output(out, force);
        load_recipients();
        signers.load(ctx);
        const bool gm = signers.gm(), both = !signers.empty();
        if (both && !gm)
            throw Failure(EXIT_USAGE,
                          "RFC 5652 has no messages that are both signed and encrypted",
                          "sign first, and encrypt the signed message; or omit --form");
        Input source(in);
        const Secret plain = source.read_all(CMS_MAX, "a message");
        signers.update(plain.data(), plain.size());
        Secret content(plain.size() + BLOCK), secret(KEY + BLOCK);
        if (!plain.empty()) std::memcpy(content.data(), plain.data(), plain.size());
        const ty_rng *const rng = ty_rng_system();
        check(rng->fill(rng->ctx, secret.data(), secret.size()), "the random source");
        const std::string iv(secret.chars() + KEY, BLOCK);
        content.shrink(encrypt_in_place(content, plain.size(), secret, secret.data() + KEY));

        Frame f(content.size());
        f.wrap(DER_BARE0);
        f.before = der_oid(cms_type(gm, 1)) +
                   der(DER_SEQUENCE, der_oid(cms_oid::SM4_CBC) + der(DER_OCTETS, iv)) + f.before;
        f.wrap(DER_SEQUENCE);
        f.before = der_number(gm ? 1 : 0) + recipient_infos(secret, gm) +
                   (both ? signers.digests() : "") + f.before;
        if (both) f.after = signers.certificates() + signers.infos();
        put_content_info(f, gm, both ? 4 : 3);

        CmsOutput file(out, force, coding == "pem", gm);
        file.write(f.before);
        file.write(content.data(), content.size());
        file.write(f.after);
        file.commit();
        ctx.result["file"] = source.name();
        ctx.result["bytes"] = plain.size();
        ctx.result["form"] = gm ? "gm" : "cms";
        ctx.result["recipients"] = Json::array();
        for (const auto &c : certs) ctx.result["recipients"].push_back(c->subject());
        if (both) ctx.result["signers"] = signers.names();
        ctx.result["output"] = file.name();
        return EXIT_GOOD;
    }
};

/* --- decrypt ---------------------------------------------------------------------------------- */

struct CmsDecrypt {
    enum { KEY = CmsEncrypt::KEY, BLOCK = CmsEncrypt::BLOCK };
    std::string key, cert, in = "-", out;
    CmsCheck check_signers;
    Password password;
    bool force = false;

    /* Decrypts the content's key from one recipient's part; false if that is for another key. */
    static bool open(Secret &content_key, const ty_cms_recipient &r, const ty_sm2_key &k)
    {
        uint8_t ct[KEY + TY_SM2_OVERHEAD];
        size_t len = sizeof ct;
        if (ty_sm2_ct_from_der(ct, &len, r.encrypted_key.p, r.encrypted_key.len) != TY_OK ||
            len != sizeof ct)
            return false;
        return ty_sm2_decrypt(content_key.data(), ct, len, TY_SM2_C1C3C2, &k) == TY_OK;
    }

    Secret find_key(const CmsMessage &m, const ty_sm2_key &k) const
    {
        const auto own = cert.empty() ? nullptr : CmsCert::load(cert);
        Secret content_key(KEY);
        ty_cms_recipient r;
        bool named = false;
        for (ty_cert_part rest = m.cms.recipients; ty_cms_next_recipient(&r, &rest);) {
            if (dotted(r.algorithm) != cms_oid::SM2_ENCRYPT) continue;
            if (own && !ty_cms_is_of(&r.whose, &own->carrier.cert)) continue;
            if (open(content_key, r, k)) return content_key;
            named = own != nullptr;
        }
        if (named)
            throw Failure(EXIT_REFUSED,
                          m.name + ": encrypted for the certificate " + cert + ", but " + key +
                              " does not open it",
                          "give the key of the certificate, or get the message again; nothing was "
                          "written");
        throw Failure(EXIT_REFUSED,
                      m.name + ": not encrypted for this " + (own ? "certificate" : "key"),
                      "use another key with -k; nothing was written");
    }

    /* Decrypts the content in place; returns the plaintext, of *len bytes. */
    static uint8_t *decrypt_in_place(size_t *len, CmsMessage &m, const Secret &content_key)
    {
        const ty_cert_part &iv = m.cms.parameters;
        const std::string cipher = dotted(m.cms.cipher);
        if (cipher != cms_oid::SM4_CBC)
            throw Failure(EXIT_INPUT,
                          m.name + ": encrypted with the cipher " + cipher +
                              ", and only SM4 in CBC mode is read",
                          "ask the sender to encrypt with SM4-CBC");
        if (iv.len != 2 + BLOCK || iv.p[0] != DER_OCTETS || iv.p[1] != BLOCK)
            throw Failure(EXIT_INPUT, m.name + ": has no initialization vector of 16 bytes",
                          "the message is damaged");
        if (m.cms.detached)
            throw Failure(EXIT_INPUT, m.name + ": does not contain the ciphertext",
                          "ask for a message that does");
        Wiped<ty_sm4_key> k;
        ty_sm4_stream c;
        size_t n = 0, last = 0;
        uint8_t *const p = m.der.data() + (m.cms.content.p - m.der.data());
        ty_sm4_init(&k, content_key.data());
        check(ty_sm4_start(&c, TY_SM4_CBC_DECRYPT, TY_SM4_PAD_PKCS7, iv.p + 2, &k), m.name);
        check(ty_sm4_update(p, &n, p, m.cms.content.len, &c), m.name);
        if (ty_sm4_final(p + n, &last, &c) != TY_OK)
            throw Failure(EXIT_REFUSED, m.name + ": damaged, cut or altered",
                          "nothing was written; get the message again");
        *len = n + last;
        return p;
    }

    int run(Context &ctx)
    {
        std::vector<std::string> inputs = check_signers.certs;
        inputs.insert(inputs.end(), {key, cert, password.file});
        refuse_same_file({out}, inputs);
        inputs.push_back(in);
        refuse_two_stdins(inputs);
        refuse_stdout(out, ctx.json, false);
        refuse_output(out, force);
        CmsMessage m(in);
        const bool both = m.cms.kind == TY_CMS_SIGNED_ENVELOPED;
        if (m.cms.kind == TY_CMS_SIGNED)
            throw Failure(EXIT_INPUT, m.name + ": signed, but not encrypted",
                          "see tongyu cms verify");
        if (!both && (!check_signers.certs.empty() || check_signers.any))
            throw Failure(EXIT_USAGE, m.name + ": not signed",
                          "omit --cert and --any-signer; a signed message may be inside");
        if (both) check_signers.load(m);
        Wiped<ty_key> k;
        load_key(ctx, k, key, password, Need::Private);
        size_t len = 0;
        const uint8_t *const plain = decrypt_in_place(&len, m, find_key(m, k.sm2));
        ctx.result["file"] = m.name;
        ctx.result["form"] = m.cms.gm ? "gm" : "cms";
        if (both) {
            check_signers.update(plain, len);
            check_signers.verdict(ctx, m);
        }
        Output file(out, output_flags(force, Output::PRIVATE));
        file.write(plain, len);
        file.commit();
        ctx.result["bytes"] = len;
        ctx.result["output"] = file.name();
        if (both) check_signers.tell(ctx, or_dash(out));
        return EXIT_GOOD;
    }
};

static void add_cms_sign(CLI::App *cms, Context &ctx)
{
    const auto sign = std::make_shared<CmsSign>();
    CLI::App *app = add_verb(cms, ctx, "sign", "Sign a file with SM2 or ML-DSA (SignedData)",
                             [sign, &ctx] { return sign->run(ctx); });
    sign->signers.add_options(app, true);
    app->add_flag("--detached", sign->detached, "Omit the content from the message");
    app->add_flag("--no-attributes", sign->signers.no_attributes,
                  "Sign the content itself instead of attributes with its digest and the time");
    add_form(app, sign->signers.form, "gm, or cms with a key of ML-DSA");
    add_coding(app, sign->coding);
    add_path(app, "file", sign->in,
             "File to sign, at most 1 GiB without --detached (default: stdin)");
    add_path(app, "-o,--out", sign->out, "Message (default: stdout)");
    add_force(app, sign->force);
    app->footer(
        "Examples:\n  tongyu cms sign -k key.pem --cert cert.pem -o letter.p7 letter.txt\n"
        "  tongyu cms sign --form cms --id '' -k key.pem --cert cert.pem --detached "
        "-o letter.p7s letter.txt   # for OpenSSL");
}

static void add_cms_verify(CLI::App *cms, Context &ctx)
{
    const auto verify = std::make_shared<CmsVerify>();
    CLI::App *app = add_verb(
        cms, ctx, "verify",
        "Verify a signed message; exit 1 unless every signature is valid. "
        "No path to an authority is checked",
        [verify, &ctx] { return verify->run(ctx); });
    verify->check_signers.add_options(app);
    add_path(app, "--content", verify->content,
             "The file that was signed, if the message does not hold it");
    add_path(app, "file", verify->in,
             "Message, DER, PEM or base64, at most 1 GiB (default: stdin)");
    add_path(app, "-o,--out", verify->out,
             "Where the content is written (default: nowhere)");
    add_force(app, verify->force);
    app->footer("Examples:\n  tongyu cms verify --cert cert.pem -o letter.txt letter.p7\n"
                "  tongyu cms verify --cert cert.pem --content letter.txt letter.p7s");
}

static void add_cms_encrypt(CLI::App *cms, Context &ctx)
{
    const auto enc = std::make_shared<CmsEncrypt>();
    CLI::App *app =
        add_verb(cms, ctx, "encrypt",
                 "Encrypt a file with SM2 and SM4 (EnvelopedData, with -k SignedAndEnvelopedData)",
                 [enc, &ctx] { return enc->run(ctx); });
    app->add_option("-r,--recipient", enc->recipients,
                    "Certificate of a recipient; repeat for each further one")
        ->type_name("FILE")
        ->allow_extra_args(false)
        ->required();
    enc->signers.add_options(app, false);
    /* No attributes: recipients expect the signature to be of the content [RFC 2315, 11]. */
    enc->signers.no_attributes = true;
    add_form(app, enc->signers.form, "gm");
    add_coding(app, enc->coding);
    add_path(app, "file", enc->in, "File to encrypt, at most 1 GiB (default: stdin)");
    add_path(app, "-o,--out", enc->out, "Message (default: stdout)");
    add_force(app, enc->force);
    app->footer(
        "Examples:\n  tongyu cms encrypt -r bob.pem -r carol.pem -o letter.p7 letter.txt\n"
        "  tongyu cms encrypt -r bob.pem -k key.pem --cert cert.pem -o letter.p7 letter.txt");
}

static void add_cms_decrypt(CLI::App *cms, Context &ctx)
{
    const auto dec = std::make_shared<CmsDecrypt>();
    CLI::App *app =
        add_verb(cms, ctx, "decrypt", "Decrypt a message, and verify it if it is signed",
                 [dec, &ctx] { return dec->run(ctx); });
    add_path(app, "-k,--key", dec->key, "Private key of a recipient")->required();
    add_path(app, "-r,--recipient", dec->cert,
             "That recipient's certificate (default: the key is tried on every recipient's part)");
    dec->check_signers.add_options(app);
    dec->password.add_opening_options(app, "of the key");
    add_path(app, "file", dec->in, "Message, DER, PEM or base64, at most 1 GiB (default: stdin)");
    add_path(app, "-o,--out", dec->out, "Plain file, readable only by you (default: stdout)");
    add_force(app, dec->force);
    app->footer(
        "Examples:\n  tongyu cms decrypt -k bob.key -o letter.txt letter.p7\n"
        "  tongyu cms decrypt -k bob.key --cert cert.pem -o letter.txt letter.p7   "
        "# signed by the holder of cert.pem");
}

void add_cms(CLI::App &root, Context &ctx)
{
    CLI::App *cms =
        root.add_subcommand("cms",
                            "Sign, verify, encrypt and decrypt messages of GM/T 0010 and CMS")
            ->group("Verbs");
    add_common(cms, ctx);
    cms->require_subcommand(1);
    add_cms_sign(cms, ctx);
    add_cms_verify(cms, ctx);
    add_cms_encrypt(cms, ctx);
    add_cms_decrypt(cms, ctx);
}
