/* DER, encoded from the inside out: each function that encodes returns one element. For
 * short public data only. */
#ifndef TONGYU_CLI_DER_HPP
#define TONGYU_CLI_DER_HPP

#include "tongyu/cert.h"

#include <cstdint>
#include <string>
#include <vector>

using Der = std::string;

enum : uint8_t {
    DER_BOOLEAN = 0x01,
    DER_INTEGER = 0x02,
    DER_BITS = 0x03,
    DER_OCTETS = 0x04,
    DER_NULL = 0x05,
    DER_UTF8 = 0x0c,
    DER_PRINTABLE = 0x13,
    DER_IA5 = 0x16,
    DER_UTC_TIME = 0x17,
    DER_GENERALIZED_TIME = 0x18,
    DER_SEQUENCE = 0x30,
    DER_SET = 0x31,
    DER_BARE0 = 0x80,   /* [0] IMPLICIT of a primitive type */
    DER_CTX0 = 0xa0     /* [0] of a constructed one, or EXPLICIT */
};

Der der_head(uint8_t tag, size_t len);   /* of an element whose contents have len bytes */
Der der(uint8_t tag, const std::string &contents);
bool is_oid(const std::string &dotted);               /* whether der_oid can encode it */
bool is_der_element(const std::string &bytes);
bool is_utf8(const std::string &text);
Der der_oid(const std::string &dotted);                /* "1.2.156.10197.1.501" */
Der der_algorithm(const std::string &dotted);          /* AlgorithmIdentifier without parameters */
Der der_number(uint8_t n);                             /* INTEGER below 128 */
Der der_bits(const std::string &bytes);                /* BIT STRING of whole bytes */
Der der_set(std::vector<Der> elements);                /* SET OF, sorted as DER requires */
Der der_now();                                         /* the current time as Time of RFC 5280 */

inline std::string bytes_of(const ty_cert_part &part)
{
    return std::string(reinterpret_cast<const char *>(part.p), part.len);
}
/* A name or an object identifier as text, with ty_cert_name_text or ty_cert_oid_text. */
std::string text_of(size_t (*write)(char *, size_t, const ty_cert_part *),
                    const ty_cert_part &part);
std::string dotted(const ty_cert_part &oid);           /* "1.2.156.10197.1.501" */

/* What precedes and follows content of len bytes, which may be long and is not copied. */
struct Frame {
    std::string before, after;
    size_t len;
    explicit Frame(size_t content_len) : len(content_len) {}
    void wrap(uint8_t tag) { before = der_head(tag, before.size() + len + after.size()) + before; }
    size_t size() const { return before.size() + len + after.size(); }
};

#endif
