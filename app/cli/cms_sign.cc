/* The signers of a message that is being written. */
#include "cms.hpp"

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
                      count_of(keys.size(), "key") + " of signers and " +
                          count_of(certs.size(), "certificate"),
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
        chain_certs.push_back(std::make_unique<Carrier>(read_certificate(path), path));
        refuse_request(*chain_certs.back(), path);
    }
    const Secret name = id.get();
    for (auto &one : all) {
        if (no_attributes) one->over = std::make_unique<Signable>(one->key, name);
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
    for (const auto &one : chain_certs)
        set.push_back(std::string(one->der.chars(), one->der.size()));
    if (set.empty()) return "";
    Der out = der_set(std::move(set));
    out[0] = static_cast<char>(DER_CTX0);
    return out;
}

/* An attribute of PKCS #9. 3: the content's type, 4: its digest, 5: the signing time. */
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
    if (no_attributes && seems_attributes(begin))
        throw Failure(EXIT_INPUT,
                      "the content looks like the attributes of a signature, and a signature of it "
                      "alone would be valid for another message, too",
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
