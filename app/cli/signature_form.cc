#include "signature_form.hpp"
#include "tongyu/mldsa.h"

constexpr size_t TEXT_MAX = 2 * 4627 + 200;   /* the longest signature in digits, with line ends */

/* Reads the DER INTEGER at der[at] and advances `at` if the integer is minimally encoded, not
 * negative and at most 73 bytes long (a scalar of 571 bits has 72); otherwise returns an empty
 * Secret. */
static Secret integer_at(const Secret &der, size_t &at)
{
    if (at + 2 > der.size() || der[at] != 2) return Secret();
    const size_t len = der[at + 1], from = at + 2;
    if (len == 0 || len > 73 || from + len > der.size() || der[from] & 0x80) return Secret();
    if (len > 1 && der[from] == 0 && !(der[from + 1] & 0x80)) return Secret();
    at = from + len;
    const size_t zero = len > 1 && der[from] == 0;
    return Secret(der.data() + from + zero, len - zero);
}

/* SEQUENCE { r, s }, and nothing after it. */
static bool is_pair(const Secret &der, Secret &r, Secret &s)
{
    if (der.size() < 8 || der[0] != 0x30) return false;
    const size_t long_form = der[1] == 0x81 ? 1 : 0, len = der[1 + long_form];
    size_t at = 2 + long_form;
    if (len != der.size() - at || (long_form ? len < 0x80 : len >= 0x80)) return false;
    r = integer_at(der, at);
    s = integer_at(der, at);
    return !r.empty() && !s.empty() && at == der.size();
}

bool SignatureForm::read(const Secret &file)
{
    if (file.size() > TEXT_MAX || contains(file, "-----BEGIN ")) return false;
    const Secret bytes = decode_text(Secret(file.data(), file.size()));
    len = bytes.size();
    text = len != file.size();
    for (const ty_mldsa_set set : {TY_MLDSA_44, TY_MLDSA_65, TY_MLDSA_87})
        if (len == ty_mldsa_sig_len(set)) {
            kind = "signature of ML-DSA-" + std::to_string(static_cast<int>(set));
            form = "bytes";
        }
    if (is_pair(bytes, r, s)) {
        kind = "signature of SM2 or ECDSA";
        form = "DER";
    } else if (len == 64 && !text) {   /* 128 digits may also be a public key */
        kind = "signature of SM2, ECDSA or DSTU 4145";
        form = "r || s";
        r = Secret(bytes.data(), 32);
        s = Secret(bytes.data() + 32, 32);
    } else {
        r = Secret();
        s = Secret();
    }
    return !kind.empty();
}
