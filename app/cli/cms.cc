/* What signing and verifying share: one signature, certificates, reading and writing a message. */
#include "cms.hpp"
#include "key_kind.hpp"

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

void refuse_request(const Carrier &carrier, const std::string &name)
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

Secret read_certificate(const std::string &path)
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
    if (err == TY_ERR_UNSUPPORTED)   /* a complete OBJECT IDENTIFIER is at p */
        throw Failure(EXIT_INPUT,
                      m.name + ": a message of the kind " + dotted({p + 2, p[1]}) + at +
                          ", and only signed and enveloped messages are read",
                      "ask its sender for one of these");
    if (left >= 2 && (p[0] & 0x20) != 0 && (p[1] == 0x80 || p[0] == 0x24))
        throw Failure(EXIT_INPUT,
                      m.name + ": BER with an indefinite length or a constructed string" + at +
                          ", and only DER is read",
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
    if (text && !pem) der = decode_text(std::move(der));
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

/* --- content that could be attributes --------------------------------------------------- */

bool seems_attributes(const std::string &begin)
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

void keep_begin(std::string &begin, const uint8_t *data, size_t len)
{
    constexpr size_t enough = 3 * (2 + 0x7f);
    if (begin.size() < enough)
        begin.append(reinterpret_cast<const char *>(data), std::min(len, enough - begin.size()));
}

/* --- output ----------------------------------------------------------------------------- */

constexpr size_t PEM_LINE = 48;   /* bytes of a line, 64 characters */

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
