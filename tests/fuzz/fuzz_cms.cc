// Signed and enveloped messages: all parts that are read are within the input, the lists end, and
// for a refused input the position is given.
#include "cms/fixtures.hpp"
#include "fuzz/fuzz.hpp"

std::vector<Bytes> fuzz_seeds()
{
    std::vector<Bytes> s;
    for (const char *name : cms_files) {
        s.push_back(read_file(name));
        s.push_back(read_cms(name));
    }
    return s;
}

static const uint8_t *begin, *end;

static void check_within(const ty_cert_part &p)
{
    HOLDS(p.len == 0 || (p.p >= begin && p.p + p.len <= end));
}

static void check_within(const ty_cms_whose &w)
{
    check_within(w.issuer);
    check_within(w.serial);
    check_within(w.key_id);
}

static void signers_of(const ty_cms &m, const ty_cert *cert)
{
    ty_cms_signer s;
    size_t count = 0;
    for (ty_cert_part rest = m.signers; ty_cms_next_signer(&s, &rest); count++) {
        check_within(s.whose);
        for (const ty_cert_part &p :
             {s.digest, s.algorithm, s.signature, s.attributes, s.content_type, s.message_digest})
            check_within(p);
        HOLDS((s.whose.issuer.len != 0) != (s.whose.key_id.len != 0));
        HOLDS(s.attributes.len == 0 || s.content_type.len != 0);
        HOLDS(std::strlen(s.signing_time) == 0 || std::strlen(s.signing_time) == 20);
        if (cert) (void)ty_cms_is_of(&s.whose, cert);
    }
    HOLDS((count != 0) == (m.signers.len != 0));   /* a list that was accepted can be read again */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ty_cms m;
    ty_cert cert;
    size_t where = 0, n = size;
    Bytes der(size + 1);
    if (ty_cms_from_pem(der.data(), &n, data, size) == TY_OK) {
        HOLDS(n <= size);
        data = der.data();
        size = n;
    }
    begin = data;
    end = data + size;
    if (ty_cms_read(&m, &where, data, size) != TY_OK) {
        HOLDS(where <= size && m.kind == 0);
        return 0;
    }
    for (const ty_cert_part &p : {m.content_type, m.content, m.cipher, m.parameters, m.certificates,
                                  m.signers, m.recipients})
        check_within(p);
    ty_cert_part one, rest = m.certificates;
    const ty_cert *found = nullptr;
    while (ty_cms_next_certificate(&one, &rest)) {
        check_within(one);
        if (ty_cert_read(&cert, &where, one.p, one.len) == TY_OK) found = &cert;
    }
    signers_of(m, found);
    ty_cms_recipient r;
    size_t count = 0;
    for (rest = m.recipients; ty_cms_next_recipient(&r, &rest); count++) {
        check_within(r.whose);
        check_within(r.algorithm);
        check_within(r.encrypted_key);
    }
    HOLDS((count != 0) == (m.recipients.len != 0));
    return 0;
}
