#include "cms.hpp"
#include "key_kind.hpp"

#include <cstdio>

std::string cms_type(bool gm, int number)
{
    return (gm ? cms_oid::GM : cms_oid::PKCS7) + std::to_string(number);
}

std::string signature_oid(const AnyKey &key, bool gm)
{
    const ty_mldsa_set set = key.mldsa.pub.set;
    const int last = set == TY_MLDSA_44 ? 17 : set == TY_MLDSA_65 ? 18 : 19;
    if (key.is_mldsa()) return cms_oid::ML_DSA + std::to_string(last);
    return gm ? cms_oid::SM2_SIGN : cms_oid::SM2_SIGN_SM3;
}

/* --- one signature ---------------------------------------------------------------------- */

Signable::Signable(const AnyKey &signer, const Secret &id) : key(signer)
{
    if (key.is_mldsa()) check(ty_mldsa_mu_init(&mu, nullptr, 0, &key.mldsa.pub), "signing");
    else check(ty_sm2_hash_init(&sm3, id.data(), id.size(), &key.sm2.pub), "the identity");
}

void Signable::update(const void *data, size_t len)
{
    if (key.is_mldsa()) ty_mldsa_mu_update(&mu, static_cast<const uint8_t *>(data), len);
    else ty_sm3_update(&sm3, static_cast<const uint8_t *>(data), len);
}

std::string Signable::sign()
{
    uint8_t hash[TY_MLDSA_MU_LEN], rs[64], der[TY_SM2_SIG_DER_MAX];
    if (key.is_mldsa()) {
        std::string sig(ty_mldsa_sig_len(key.mldsa.pub.set), '\0');
        ty_mldsa_mu_final(hash, &mu);
        check(ty_mldsa_sign_checked(reinterpret_cast<uint8_t *>(&sig[0]), sig.size(), hash,
                                    &key.mldsa, ty_rng_system()),
              "signing");
        return sig;
    }
    size_t len = 0;
    ty_sm3_final(hash, &sm3);
    check(ty_sm2_sign_digest(rs, hash, &key.sm2.sm2, ty_rng_system()), "signing");
    ty_sm2_sig_to_der(der, &len, rs);
    return std::string(reinterpret_cast<const char *>(der), len);
}

bool Signable::verify(const ty_cert_part &signature)
{
    uint8_t hash[TY_MLDSA_MU_LEN], rs[64];
    if (key.is_mldsa()) {
        ty_mldsa_mu_final(hash, &mu);
        return ty_mldsa_verify_mu(signature.p, signature.len, hash, &key.mldsa.pub) == TY_OK;
    }
    ty_sm3_final(hash, &sm3);
    return ty_sm2_sig_from_der(rs, signature.p, signature.len) == TY_OK &&
           ty_sm2_verify_digest(rs, hash, &key.sm2.pub) == TY_OK;
}

/* --- certificates ----------------------------------------------------------------------- */

void read_carried_key(AnyKey &key, const Carrier &carrier, const std::string &name)
{
    const ty_cert_part &spki = carrier.cert.key;
    ty_err err = ty_key_read(&key.sm2, spki.p, spki.len, nullptr, 0);
    if (err == TY_ERR_UNSUPPORTED)
        err = ty_mldsa_key_read(&key.mldsa, &key.file, spki.p, spki.len, nullptr, 0);
    if (err == TY_OK) return;
    const std::string kind = kind_of_key(Secret(spki.p, spki.len));
    throw Failure(EXIT_INPUT,
                  name + ": " + (carrier.cert.request ? "a request" : "a certificate") + " with " +
                      (kind.empty() ? "a key that is not valid or of an unknown algorithm" : kind) +
                      " (at byte " + std::to_string(spki.p - carrier.der.data()) +
                      "), and this needs a key of SM2 or of ML-DSA",
                  "ask its owner for another");
}

static void refuse_request(const Carrier &carrier, const std::string &name)
{
    if (carrier.cert.request)
        throw Failure(EXIT_INPUT, name + ": a request, and this needs a certificate",
                      "have it signed by an authority, or by yourself");
}

CmsCert::CmsCert(const Secret &data, const std::string &where) : name(where), carrier(data, where)
{
    refuse_request(carrier, name);
    read_carried_key(key, carrier, name);
}

static Secret read_certificate(const std::string &path)
{
    Secret data = Input(path).read_all(64 * 1024, "a certificate");
    if (!is_carrier(data))
        throw Failure(EXIT_INPUT,
                      path + ": not a certificate" +
                          (data.empty() ? " (it is empty)" : " (wrong at byte 0)"),
                      "give the file with the certificate, PEM or DER");
    return data;
}

std::unique_ptr<CmsCert> CmsCert::load(const std::string &path)
{
    return std::make_unique<CmsCert>(read_certificate(path), path);
}

Der CmsCert::whose() const
{
    return der(DER_SEQUENCE,
               bytes_of(carrier.cert.issuer) + der(DER_INTEGER, bytes_of(carrier.cert.serial)));
}

/* --- a message that is read ------------------------------------------------------------- */

[[noreturn]] static void not_a_message(const CmsMessage &m, ty_err err, size_t where)
{
    const std::string at = " (at byte " + std::to_string(where) + ")";
    const uint8_t *const p = m.der.data() + where;
    const size_t left = m.der.size() - where;
    if (err == TY_ERR_UNSUPPORTED)   /* an OBJECT IDENTIFIER stands there, whole */
        throw Failure(EXIT_INPUT,
                      m.name + ": a message of the kind " + dotted({p + 2, p[1]}) + at +
                          ", and signed ones, enveloped ones and those that are both are read",
                      "ask its sender for one of these");
    if (left >= 2 && (p[0] & 0x20) != 0 && (p[1] == 0x80 || p[0] == 0x24))
        throw Failure(EXIT_INPUT,
                      m.name + ": BER with an indefinite length or a string in pieces" + at +
                          ", and DER alone is read",
                      "ask its sender for DER");
    throw Failure(EXIT_INPUT,
                  m.name +
                      ": not a message of CMS or GM/T 0010 in DER, PEM or base64 (wrong at byte " +
                      std::to_string(where) + ")",
                  contains(m.der, "MIME-Version")
                      ? "S/MIME is not read: write it with openssl cms -outform DER"
                      : "check that it is the right file");
}

CmsMessage::CmsMessage(const std::string &path) : name(path == "" ? "-" : path)
{
    der = Input(path).read_all(CMS_MAX, "a message");
    const bool text = !der.empty() && der[0] != DER_SEQUENCE;
    const bool pem = text && contains(der, "-----BEGIN ");
    if (text && !pem) der = unspell(std::move(der));
    if (pem) {
        Secret bytes(der.size());
        size_t len = bytes.size();
        if (ty_cms_from_pem(bytes.data(), &len, der.data(), der.size()) != TY_OK)
            not_a_message(*this, TY_ERR_FORMAT, 0);
        bytes.shrink(len);
        der.swap(bytes);
    }
    size_t where = 0;
    const ty_err err = ty_cms_read(&cms, &where, der.data(), der.size());
    if (err != TY_OK) not_a_message(*this, err, where);
}

/* --- content that could be attributes ------------------------------------------------------ */

/* Content that is itself a set of attributes, or begins as one: SET { SEQUENCE { OBJECT IDENTIFIER,
 * with lengths of any form. A signature over attributes and one over such content, signed without
 * attributes, are the same signature, so neither side takes part in it    [RFC 5652, 5.4] */
static bool seems_attributes(const std::string &begin)
{
    const std::string tags = {DER_SET, DER_SEQUENCE, 0x06};
    size_t at = 0;
    for (const char tag : tags) {
        if (at + 1 >= begin.size() || begin[at] != tag) return false;
        const uint8_t len = static_cast<uint8_t>(begin[at + 1]);
        at += 2u + (len > 0x80 ? len - 0x80u : 0);
    }
    return true;
}

/* What seems_attributes has to see: three headers, the longest. */
static void keep_begin(std::string &begin, const uint8_t *data, size_t len)
{
    constexpr size_t enough = 3 * (2 + 0x7f);
    if (begin.size() < enough)
        begin.append(reinterpret_cast<const char *>(data), std::min(len, enough - begin.size()));
}

/* --- signers of a message that is made -------------------------------------------------- */

void CmsSigners::add_options(CLI::App *app, bool required)
{
    auto *k = app->add_option("-k,--key", keys,
                              std::string("Private key of a signer; repeat for each further one") +
                                  (required ? "" : " (default: the message is not signed)"))
                  ->type_name("FILE")
                  ->allow_extra_args(false);
    auto *c = app->add_option("--cert", certs, "Certificate of a signer, in the order of the keys")
                  ->type_name("FILE")
                  ->allow_extra_args(false);
    if (required) k->required(), c->required();
    app->add_option("--chain", chain,
                    "Another certificate to include, for example an authority's; may be repeated")
        ->type_name("FILE")
        ->allow_extra_args(false);
    app->add_flag("--no-certs", no_certs, "Leave out the signers' certificates");
    id.add_options(app, "SM2: the signers'");
    password.add_opening_options(app, "of the keys");
}

std::vector<std::string> CmsSigners::files() const
{
    std::vector<std::string> names = keys;
    names.insert(names.end(), certs.begin(), certs.end());
    names.insert(names.end(), chain.begin(), chain.end());
    names.push_back(password.file);
    return names;
}

void CmsSigners::load(Context &ctx)
{
    if (keys.size() != certs.size())
        throw Failure(EXIT_USAGE,
                      std::to_string(keys.size()) + " keys of signers and " +
                          std::to_string(certs.size()) + " certificates",
                      "give each -k key.pem its --cert cert.pem");
    for (size_t i = 0; i < keys.size(); i++) {
        auto one = std::make_unique<One>();
        load_any_key(ctx, one->key, keys[i], password, Need::Private);
        one->cert = CmsCert::load(certs[i]);
        if (one->key.is_ec() || one->key.fingerprint() != one->cert->key.fingerprint())
            throw Failure(EXIT_INPUT, certs[i] + ": not the certificate of the key " + keys[i],
                          "give each key its own");
        all.push_back(std::move(one));
    }
    for (const auto &path : chain) {
        more.push_back(std::make_unique<Carrier>(read_certificate(path), path));
        refuse_request(*more.back(), path);
    }
    const Secret name = id.get();
    for (auto &one : all) {
        if (bare) one->over = std::make_unique<Signable>(one->key, name);
        else one->digest = hash_row(one->key.is_mldsa() ? "sha512" : "sm3").begin();
        if (gm() && one->key.is_mldsa())
            throw Failure(EXIT_USAGE, "GM/T 0010 has no " + one->key.title(), "omit --form gm");
    }
}

bool CmsSigners::gm() const
{
    bool sm2 = true;
    for (const auto &one : all) sm2 &= one->key.is_sm2();
    return form.empty() ? sm2 : form == "gm";
}

void CmsSigners::update(const uint8_t *data, size_t len)
{
    keep_begin(begin, data, len);
    for (auto &one : all) {
        if (one->over) one->over->update(data, len);
        else one->digest.update(data, len);
    }
}

static std::string digest_oid(const AnyKey &key)
{
    return key.is_mldsa() ? cms_oid::SHA512 : cms_oid::SM3;
}

Der CmsSigners::digests() const
{
    bool sm3 = false, sha512 = false;
    for (const auto &one : all) (one->key.is_mldsa() ? sha512 : sm3) = true;
    std::vector<Der> set;
    if (sm3) set.push_back(der_algorithm(cms_oid::SM3));
    if (sha512) set.push_back(der_algorithm(cms_oid::SHA512));
    return der_set(std::move(set));
}

Der CmsSigners::certificates() const
{
    std::vector<Der> set;
    for (const auto &one : all)
        if (!no_certs)
            set.push_back(
                std::string(one->cert->carrier.der.chars(), one->cert->carrier.der.size()));
    for (const auto &one : more) set.push_back(std::string(one->der.chars(), one->der.size()));
    if (set.empty()) return "";
    Der out = der_set(std::move(set));
    out[0] = static_cast<char>(DER_CTX0);
    return out;
}

static Der attribute(int number, const Der &value)
{
    return der(DER_SEQUENCE,
               der_oid("1.2.840.113549.1.9." + std::to_string(number)) + der(DER_SET, value));
}

Der CmsSigners::info(One &one, bool gm) const
{
    std::string middle, signature;
    if (one.over) {
        signature = one.over->sign();
    } else {
        const HashRow &row = hash_row(one.key.is_mldsa() ? "sha512" : "sm3");
        std::string digest(row.len, '\0');
        one.digest.final(reinterpret_cast<uint8_t *>(&digest[0]));
        Der attributes = der_set({attribute(3, der_oid(cms_type(gm, 1))),
                                  attribute(4, der(DER_OCTETS, digest)), attribute(5, der_now())});
        Signable over(one.key, id.get());
        over.update(attributes.data(), attributes.size());
        signature = over.sign();
        attributes[0] = static_cast<char>(DER_CTX0);
        middle = attributes;
    }
    return der(DER_SEQUENCE,
               der_number(1) + one.cert->whose() + der_algorithm(digest_oid(one.key)) + middle +
                   der_algorithm(signature_oid(one.key, gm)) + der(DER_OCTETS, signature));
}

Der CmsSigners::infos() const
{
    if (bare && seems_attributes(begin))
        throw Failure(EXIT_INPUT,
                      "the content looks like the attributes of a signature, and a signature of it "
                      "alone would be one of another message, too",
                      "sign it with attributes: omit --no-attributes");
    std::vector<Der> set;
    for (const auto &one : all) set.push_back(info(*one, gm()));
    return der_set(std::move(set));
}

Json CmsSigners::names() const
{
    Json out = Json::array();
    for (const auto &one : all) out.push_back(one->cert->subject());
    return out;
}

/* --- signers of a message that is read -------------------------------------------------- */

void CmsCheck::add_options(CLI::App *app)
{
    app->add_option("--cert", certs,
                    "Certificate of a signer that you trust; repeat for each further one")
        ->type_name("FILE")
        ->allow_extra_args(false);
    app->add_flag(
        "--any-signer", any,
        "Take certificates out of the message, whoever made them: this shows that it is whole, "
        "not who signed it");
    id.add_options(app, "SM2: the signers'");
}

static std::string whose_text(const ty_cms_whose &w)
{
    if (w.issuer.len == 0) return "key identifier " + to_hex(w.key_id.p, w.key_id.len);
    return "serial number " + to_hex(w.serial.p, w.serial.len) + " of " +
           text_of(ty_cert_name_text, w.issuer);
}

/* Among those given, and where that is enough among those in the message, which may hold others,
 * too: of authorities, with keys of any kind. */
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
                  m.name +
                      ": a signer whose certificate is not among those given: " + whose_text(whose),
                  any ? "the message does not hold it: give it with --cert"
                      : "if it is one that you trust, give it with --cert");
}

/* Hashes of attributes, and the largest set of ML-DSA whose strength each has: 0 if none
 * [RFC 9882, 3.3, table of suitable digests] */
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

/* The hash of a signer; NULL if the key and the signature's algorithm do not go with it. Without
 * attributes ML-DSA has no use for it, and what is named is ignored. */
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
                      "SM2 with SM3 is verified here, and ML-DSA with a hash as strong as it is");
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
        throw Failure(EXIT_REFUSED, m.name + ": nobody signed it", "it holds certificates alone");
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
        over.update("\x31", 1);   /* a SET, which they are, and not [0] */
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
        told += m.name + ": OK, signed by " + who + (when.empty() ? "" : ", who says at " + when) +
                "\n";
    }
    ctx.result["signers"] = signers;
    ctx.result["valid"] = bad.empty();
    if (!bad.empty() && all_empty)
        throw Failure(EXIT_REFUSED,
                      m.name +
                          ": the signature does not verify with the identity " TY_SM2_ID
                          ", but it does with the empty one, which OpenSSL takes when it is told "
                          "none: " + bad,
                      "if that is what the signer meant, verify with --id ''");
    if (!bad.empty())
        throw Failure(EXIT_REFUSED, m.name + ": a signature does not verify, that of " + bad,
                      "check that the content, the certificate and --id are the signer's");
    ctx.note(
        m.name + ": no path, name or date of a certificate was checked" +
        (any ? ", and the certificates may be anybody's: this shows that the message is whole, "
               "not who signed it"
             : ""));
}

void CmsCheck::tell(const Context &ctx, const std::string &output) const
{
    if (!ctx.json && !ctx.quiet) std::fputs(told.c_str(), output == "-" ? stderr : stdout);
}

/* --- output ----------------------------------------------------------------------------- */

constexpr size_t PEM_LINE = 48;   /* bytes, 64 characters */

static std::string pem_line(const std::string &bytes)
{
    return bytes.empty()
               ? ""
               : to_base64(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()) + "\n";
}

std::string to_pem(const std::string &bytes, const std::string &label)
{
    std::string text = "-----BEGIN " + label + "-----\n";
    for (size_t at = 0; at < bytes.size(); at += PEM_LINE)
        text += pem_line(bytes.substr(at, PEM_LINE));
    return text + "-----END " + label + "-----\n";
}

CmsOutput::CmsOutput(const std::string &name, bool force, bool pem, bool gm)
    : file(name, output_flags(force)), label(!pem ? "" : gm ? "PKCS7" : "CMS")
{
    if (pem) file.write("-----BEGIN " + label + "-----\n");
}

void CmsOutput::write(const void *data, size_t len)
{
    if (label.empty()) {
        file.write(data, len);
        return;
    }
    const auto *p = static_cast<const char *>(data);
    for (size_t n; len > 0; p += n, len -= n) {
        n = std::min(len, PEM_LINE - rest.size());
        rest.append(p, n);
        if (rest.size() < PEM_LINE) continue;
        file.write(pem_line(rest));
        rest.clear();
    }
}

void CmsOutput::commit()
{
    file.write(pem_line(rest));
    if (!label.empty()) file.write("-----END " + label + "-----\n");
    file.commit();
}
