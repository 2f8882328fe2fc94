/* Signed and encrypted messages (GM/T 0010, RFC 5652): certificates, signers, and the message
 * itself. */
#ifndef TONGYU_CLI_CMS_HPP
#define TONGYU_CLI_CMS_HPP

#include "any_key.hpp"
#include "der.hpp"
#include "digest.hpp"
#include "io.hpp"
#include "tongyu/cms.h"

#include <memory>

/* The longest message, or content of one, that is kept in memory. */
constexpr size_t CMS_MAX = size_t(1) << 30;

/* Object identifiers that signing and verifying both use. */
namespace cms_oid {
constexpr char SM2_SIGN[] = "1.2.156.10197.1.301.1", SM2_SIGN_SM3[] = "1.2.156.10197.1.501",
               SM2_KEY[] = "1.2.156.10197.1.301";
constexpr char SM2_ENCRYPT[] = "1.2.156.10197.1.301.3", SM4_CBC[] = "1.2.156.10197.1.104.2",
               SM3[] = "1.2.156.10197.1.401";
constexpr char SHA512[] = "2.16.840.1.101.3.4.2.3",
               ML_DSA[] = "2.16.840.1.101.3.4.3.";   /* and 17, 18 or 19 */
constexpr char GM[] = "1.2.156.10197.6.1.4.2.",
               PKCS7[] = "1.2.840.113549.1.7.";   /* and the kind of content */
}
/* The object identifier of a type of content */
std::string cms_type(bool gm, int number);    /* 1: data, 2: signed, 3: enveloped, 4: both */
std::string signature_oid(const AnyKey &key, bool gm);

/* The signature of one key over a message that is given in pieces. id: the SM2 identity. */
class Signable {
    const AnyKey &key;
    ty_sm3 sm3{};
    ty_mldsa_mu mu{};

public:
    Signable(const AnyKey &signer, const Secret &id);
    void update(const void *data, size_t len);
    std::string sign();   /* in DER for SM2. Ends the message, as verify does */
    bool verify(const ty_cert_part &signature);
};

/* The key that a certificate or a request carries, of SM2 or ML-DSA. */
void read_carried_key(AnyKey &key, const Carrier &carrier, const std::string &name);

/* read_certificate: the contents of a certificate file, PEM or DER, which may also be a request.
 * refuse_request: throws if it is one. */
Secret read_certificate(const std::string &path);
void refuse_request(const Carrier &carrier, const std::string &name);

/* A certificate with its key, of SM2 or ML-DSA. */
struct CmsCert {
    std::string name;                         /* its file, or where it was found */
    Carrier carrier;
    AnyKey key;
    CmsCert(const Secret &data, const std::string &where);
    static std::unique_ptr<CmsCert> load(const std::string &path);
    std::string subject() const { return text_of(ty_cert_name_text, carrier.cert.subject); }
    Der whose() const;                        /* IssuerAndSerialNumber */
};
using CmsCerts = std::vector<std::unique_ptr<CmsCert>>;

/* A message that was read, DER, PEM or base64. */
struct CmsMessage {
    std::string name;
    Secret der;
    ty_cms cms{};
    explicit CmsMessage(const std::string &path);
};

/* Whether content is a set of attributes or begins like one: SET { SEQUENCE { OBJECT IDENTIFIER,
 * with lengths of any form. The signature of a message with attributes is also valid for a message
 * without any whose content is that set, so such content is neither signed nor accepted without
 * attributes    [RFC 5652, 5.4] */
bool seems_attributes(const std::string &begin);
void keep_begin(std::string &begin, const uint8_t *data, size_t len);   /* for seems_attributes */

/* The signers of a message that is being written. */
class CmsSigners {
    struct One {
        std::unique_ptr<CmsCert> cert;
        AnyKey key;
        /* a signature over the content itself; NULL: over attributes, with its digest */
        std::unique_ptr<Signable> over;
        RunningHash digest;
    };
    std::vector<std::unique_ptr<One>> all;
    std::vector<std::unique_ptr<Carrier>> chain_certs;   /* --chain: keys of any algorithm */
    std::string begin;                        /* of the content */

    Der info(One &one, bool gm) const;

public:
    /* Options of a verb that signs. */
    std::vector<std::string> keys, certs, chain;
    std::string form;
    Password password;
    Identity id;
    bool no_attributes = false, no_certs = false;

    void add_options(CLI::App *app, bool required);
    std::vector<std::string> files() const;
    void load(Context &ctx);
    bool empty() const { return all.empty(); }
    bool gm() const;                          /* --form; by default whether all keys are SM2's */
    void update(const uint8_t *data, size_t len);
    Der digests() const;                      /* SET OF AlgorithmIdentifier */
    Der certificates() const;                 /* [0] IMPLICIT SET OF Certificate, or nothing */
    Der infos() const;                        /* SET OF SignerInfo, after the last update */
    Json names() const;
};

/* The signers of a message that is being read. */
class CmsCheck {
    struct One {
        ty_cms_signer info{};
        const CmsCert *cert = nullptr;
        std::unique_ptr<Signable> over, nameless;   /* the second: with SM2's empty identity */
        RunningHash digest;
        size_t digest_len = 0;
    };
    std::vector<std::unique_ptr<One>> all;
    CmsCerts known;
    std::string begin;   /* of the content */
    std::string report;  /* the lines that tell() prints once all signatures verify */

    const CmsCert *find(const ty_cms_whose &whose, const CmsMessage &m);
    void start(One &one, const CmsMessage &m) const;
    bool holds(One &one, const CmsMessage &m, bool &with_empty_id) const;

public:
    /* Options of a verb that verifies. */
    std::vector<std::string> certs;
    bool any = false;
    Identity id;

    void add_options(CLI::App *app);
    void load(const CmsMessage &m);
    void update(const uint8_t *data, size_t len);
    void verdict(Context &ctx, const CmsMessage &m);   /* throws unless every signature holds */
    /* prints the report: on stdout, or on stderr if the content goes to stdout (output is "-") */
    void tell(const Context &ctx, const std::string &output) const;
};

std::string to_pem(const std::string &bytes, const std::string &label);

/* Writes a message in DER or PEM. */
class CmsOutput {
    Output file;
    std::string label, rest;                  /* of PEM, else empty; bytes of the next line */

public:
    CmsOutput(const std::string &name, bool force, bool pem, bool gm);
    void write(const void *data, size_t len);
    void write(const std::string &s) { write(s.data(), s.size()); }
    void commit();
    const std::string &name() const { return file.name(); }
};

#endif
