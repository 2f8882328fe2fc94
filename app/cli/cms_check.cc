/* The signers of a message that is being read. */
#include "cms.hpp"

#include <cstdio>
#include <cstring>

void CmsCheck::add_options(CLI::App *app)
{
    app->add_option("--cert", certs,
                    "Certificate of a signer that you trust; repeat for each further one")
        ->type_name("FILE")
        ->allow_extra_args(false);
    app->add_flag(
        "--any-signer", any,
        "Take certificates from the message, whoever made them: this shows that it is intact, "
        "not who signed it");
    id.add_options(app, "SM2: the signers'");
}

/* The identification of a signer, for error messages. */
static std::string identification(const ty_cms_whose &w)
{
    if (w.issuer.len == 0) return "key identifier " + to_hex(w.key_id.p, w.key_id.len);
    return "serial number " + to_hex(w.serial.p, w.serial.len) + " of " +
           text_of(ty_cert_name_text, w.issuer);
}

/* The signer's certificate: among those given or, with --any-signer, those in the message, which
 * may also be certificates of authorities, with keys of any kind. */
const CmsCert *CmsCheck::find(const ty_cms_whose &whose, const CmsMessage &m)
{
    for (const auto &c : known)
        if (ty_cms_is_of(&whose, &c->carrier.cert)) return c.get();
    ty_cert_part rest = m.cms.certificates, found;
    ty_cert cert;
    size_t where;
    while (any && ty_cms_next_certificate(&found, &rest)) {
        if (ty_cert_read(&cert, &where, found.p, found.len) != TY_OK ||
            !ty_cms_is_of(&whose, &cert))
            continue;
        const std::string at = std::to_string(found.p - m.der.data());
        known.push_back(std::make_unique<CmsCert>(Secret(found.p, found.len),
                                                  m.name + ", certificate at byte " + at));
        return known.back().get();
    }
    throw Failure(EXIT_REFUSED,
                  m.name + ": a signer whose certificate is not among those given: " +
                      identification(whose),
                  any ? "the message does not hold it: give it with --cert"
                      : "if you trust the signer, give the certificate with --cert");
}

/* Hashes of messages with attributes, and the largest parameter set of ML-DSA that each is strong
 * enough for; 0 if none    [RFC 9882, 3.3, table of suitable digests] */
static const struct DigestRow {
    const char *oid, *name;
    int mldsa;
} digest_rows[] = {{cms_oid::SM3, "sm3", 0},
                   {"2.16.840.1.101.3.4.2.1", "sha256", 44},
                   {"2.16.840.1.101.3.4.2.2", "sha384", 65},
                   {cms_oid::SHA512, "sha512", 87},
                   {"2.16.840.1.101.3.4.2.8", "sha3-256", 44},
                   {"2.16.840.1.101.3.4.2.9", "sha3-384", 65},
                   {"2.16.840.1.101.3.4.2.10", "sha3-512", 87},
                   {"2.16.840.1.101.3.4.2.11", "shake128", 44},
                   {"2.16.840.1.101.3.4.2.12", "shake256", 87}};

/* The row of a signer's hash; NULL if it does not suit the key, or the signature's algorithm does
 * not. With ML-DSA and without attributes the hash is not used: any is accepted. */
static const DigestRow *fitting_digest(const AnyKey &key, const ty_cms_signer &info)
{
    const std::string how = dotted(info.algorithm), hash = dotted(info.digest);
    const bool sm2 =
        how == cms_oid::SM2_SIGN || how == cms_oid::SM2_SIGN_SM3 || how == cms_oid::SM2_KEY;
    if (key.is_mldsa() ? how != signature_oid(key, false) : !sm2) return nullptr;
    if (key.is_mldsa() && info.attributes.len == 0) return digest_rows;
    for (const auto &row : digest_rows)
        if (hash == row.oid)
            return (key.is_mldsa() ? row.mldsa >= static_cast<int>(key.mldsa.pub.set)
                                   : hash == cms_oid::SM3)
                       ? &row
                       : nullptr;
    return nullptr;
}

void CmsCheck::start(One &one, const CmsMessage &m) const
{
    const AnyKey &key = one.cert->key;
    const DigestRow *const row = fitting_digest(key, one.info);
    if (!row)
        throw Failure(EXIT_INPUT,
                      m.name + ": a signature by the algorithm " + dotted(one.info.algorithm) +
                          " with the hash " + dotted(one.info.digest) + ", and the certificate " +
                          one.cert->name + " has a key of " + key.title(),
                      "SM2 with SM3 is verified, and ML-DSA with a hash as strong as the key");
    if (one.info.attributes.len) {
        const HashRow &hash = hash_row(row->name);
        one.digest = hash.begin();
        one.digest_len = hash.len;
        return;
    }
    const std::string type = dotted(m.cms.content_type);
    if (type != cms_type(false, 1) && type != cms_type(true, 1))   /* [RFC 5652, 5.3] */
        throw Failure(EXIT_INPUT,
                      m.name + ": content of the type " + type +
                          ", signed without attributes, which only plain data may be",
                      "ask the signer for a message with attributes");
    one.over = std::make_unique<Signable>(key, id.get());
    if (key.is_sm2() && id.is_default()) one.nameless = std::make_unique<Signable>(key, Secret());
}

void CmsCheck::load(const CmsMessage &m)
{
    if (certs.empty() && !any)
        throw Failure(EXIT_USAGE, "no signer's certificate was given",
                      "give the signer's certificate with --cert, or --any-signer");
    for (const auto &path : certs) known.push_back(CmsCert::load(path));
    ty_cert_part rest = m.cms.signers;
    for (auto one = std::make_unique<One>(); ty_cms_next_signer(&one->info, &rest);
         one = std::make_unique<One>()) {
        one->cert = find(one->info.whose, m);
        start(*one, m);
        all.push_back(std::move(one));
    }
    if (all.empty())
        throw Failure(EXIT_REFUSED, m.name + ": no signers", "it contains only certificates");
}

void CmsCheck::update(const uint8_t *data, size_t len)
{
    keep_begin(begin, data, len);
    for (auto &one : all) {
        if (!one->over) one->digest.update(data, len);
        if (one->over) one->over->update(data, len);
        if (one->nameless) one->nameless->update(data, len);
    }
}

bool CmsCheck::holds(One &one, const CmsMessage &m, bool &with_empty_id) const
{
    if (one.over) {
        if (one.over->verify(one.info.signature)) return true;
        with_empty_id = one.nameless && one.nameless->verify(one.info.signature);
        return false;
    }
    const ty_cert_part &a = one.info.attributes;
    uint8_t digest[64];
    one.digest.final(digest);
    if (one.info.message_digest.len != one.digest_len ||
        std::memcmp(one.info.message_digest.p, digest, one.digest_len) != 0)
        return false;
    if (bytes_of(one.info.content_type) != bytes_of(m.cms.content_type)) return false;
    const auto over_attributes = [&](const Secret &name) {
        Signable over(one.cert->key, name);
        over.update("\x31", 1);   /* the tag of SET in place of [0]    [RFC 5652, 5.4] */
        over.update(a.p + 1, a.len - 1);
        return over.verify(one.info.signature);
    };
    if (over_attributes(id.get())) return true;
    with_empty_id = one.cert->key.is_sm2() && id.is_default() && over_attributes(Secret());
    return false;
}

void CmsCheck::verdict(Context &ctx, const CmsMessage &m)
{
    std::string bad;
    bool all_empty = true;
    Json signers = Json::array();
    for (auto &one : all) {
        bool with_empty_id = false;
        if (one->over && seems_attributes(begin))
            throw Failure(
                EXIT_REFUSED,
                m.name +
                    ": content that looks like the attributes of a signature, signed without any",
                "do not trust it; ask the signer for a message with attributes");
        const bool valid = holds(*one, m, with_empty_id);
        const std::string who = one->cert->subject(), when = one->info.signing_time;
        signers.push_back({{"subject", who},
                           {"certificate", one->cert->name},
                           {"alg", one->cert->key.alg()},
                           {"valid", valid}});
        if (!when.empty()) signers.back()["signing_time"] = when;
        if (!valid) bad += (bad.empty() ? "" : "; ") + who;
        if (!valid) all_empty &= with_empty_id;
        report += m.name + ": OK, signed by " + who +
                  (when.empty() ? "" : ", who claims the time " + when) + "\n";
    }
    ctx.result["signers"] = signers;
    ctx.result["valid"] = bad.empty();
    if (!bad.empty() && all_empty)
        throw Failure(EXIT_REFUSED,
                      m.name +
                          ": the signature does not verify with the identity " TY_SM2_ID
                          ", but it does with the empty one, which OpenSSL uses if none is "
                          "given: " + bad,
                      "if that is what the signer meant, verify with --id ''");
    if (!bad.empty())
        throw Failure(EXIT_REFUSED, m.name + ": a signature does not verify, that of " + bad,
                      "check that the content, the certificate and --id are the signer's");
    ctx.note(
        m.name + ": no path, name or date of a certificate was checked" +
        (any ? ", and the certificates may be anybody's: this shows that the message is intact, "
               "not who signed it"
             : ""));
}

void CmsCheck::tell(const Context &ctx, const std::string &output) const
{
    if (!ctx.json && !ctx.quiet) std::fputs(report.c_str(), output == "-" ? stderr : stdout);
}
