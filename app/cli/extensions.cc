#include "extensions.hpp"
#include "der.hpp"

#include <cstdio>

const std::vector<std::string> key_usage_bits = {
    "digitalSignature", "nonRepudiation", "keyEncipherment", "dataEncipherment", "keyAgreement",
    "keyCertSign",      "cRLSign",        "encipherOnly",    "decipherOnly"};
const std::vector<Purpose> purposes = { { 1, "serverAuth" },   { 2, "clientAuth" },
                                        { 3, "codeSigning" },  { 4, "emailProtection" },
                                        { 8, "timeStamping" }, { 9, "OCSPSigning" } };

/* Takes the next element off rest: its tag and contents. False at the end, and if rest does not
 * begin with an element: the values of extensions may be any bytes. */
static bool take_element(uint8_t &tag, ty_cert_part &contents, ty_cert_part &rest)
{
    if (rest.len < 2) return false;
    size_t len = rest.p[1], head = 2;
    if (len >= 0x80) {
        const size_t octets = len - 0x80;
        if (octets == 0 || octets > 3 || rest.len < 2 + octets) return false;
        for (len = 0; head < 2 + octets; head++) len = len << 8 | rest.p[head];
    }
    if (rest.len - head < len) return false;
    tag = rest.p[0];
    contents = {rest.p + head, len};
    rest = {rest.p + head + len, rest.len - head - len};
    return true;
}

/* Printable ASCII; any other byte, the comma that separates names and the backslash as \XX. */
static std::string shown(const ty_cert_part &text)
{
    static const char digits[] = "0123456789ABCDEF";
    std::string out;
    for (size_t i = 0; i < text.len; i++) {
        const uint8_t c = text.p[i];
        if (c >= 0x20 && c < 0x7f && c != '\\' && c != ',') out += static_cast<char>(c);
        else out += {'\\', digits[c >> 4], digits[c & 15]};
    }
    return out;
}

/* "192.0.2.1", "2001:db8:0:0:0:0:0:1" */
static std::string address(const ty_cert_part &bytes)
{
    std::string out;
    char group[8];
    for (size_t i = 0; i < bytes.len; i += bytes.len == 4 ? 1 : 2) {
        if (bytes.len == 4) std::snprintf(group, sizeof group, "%u", unsigned(bytes.p[i]));
        else std::snprintf(group, sizeof group, "%x", bytes.p[i] * 256u + bytes.p[i + 1]);
        out += (i == 0 ? "" : bytes.len == 4 ? "." : ":") + std::string(group);
    }
    return out;
}

/* GeneralName    [RFC 5280, 4.2.1.6] */
static std::string general_name(uint8_t tag, const ty_cert_part &value)
{
    switch (tag) {
    case 0x81: return "email:" + shown(value);
    case 0x82: return "DNS:" + shown(value);
    case 0x86: return "URI:" + shown(value);
    case 0xa4: return "directory:" + text_of(ty_cert_name_text, value);
    case 0x87:
        if (value.len != 4 && value.len != 16) break;
        return "IP:" + address(value);
    default: break;
    }
    return "a name of another kind";
}

static std::string purpose_name(const ty_cert_part &oid)
{
    const std::string id = dotted(oid);
    for (const auto &p : purposes)
        if (id == "1.3.6.1.5.5.7.3." + std::to_string(p.number)) return p.name;
    return id;
}

/* Of 2.5.29: 17 subjectAltName, 15 keyUsage, 37 extKeyUsage, 19 basicConstraints; of any other
 * extension only the identifier. */
void Extensions::add(const std::string &id, const ty_cert_part &value)
{
    ty_cert_part rest = value, in{}, one{};
    uint8_t tag = 0;
    if (!take_element(tag, in, rest)) {
        others.push_back(id);
    } else if (id == "2.5.29.17") {
        while (take_element(tag, one, in)) names.push_back(general_name(tag, one));
    } else if (id == "2.5.29.15" && tag == DER_BITS) {
        for (size_t bit = 0; bit < key_usage_bits.size() && 1 + bit / 8 < in.len; bit++)
            if (in.p[1 + bit / 8] >> (7 - bit % 8) & 1) key_usage.push_back(key_usage_bits[bit]);
    } else if (id == "2.5.29.37") {
        while (take_element(tag, one, in)) purposes.push_back(purpose_name(one));
    } else if (id == "2.5.29.19") {
        ca = take_element(tag, one, in) && tag == DER_BOOLEAN && one.len == 1 && one.p[0];
    } else {
        others.push_back(id);
    }
}

/* The form was checked when the certificate was read: each extension is an identifier, an optional
 * BOOLEAN, and the value. A request has them in its attribute extensionRequest, 14 of PKCS #9. */
Extensions::Extensions(const ty_cert &cert)
{
    ty_cert_part list{}, one{}, oid{}, value{}, rest = cert.extensions;
    uint8_t tag = 0;
    if (!cert.request) {
        take_element(tag, list, rest);
    } else {
        while (list.len == 0 && take_element(tag, one, rest))
            if (take_element(tag, oid, one) && dotted(oid) == "1.2.840.113549.1.9.14" &&
                take_element(tag, value, one))
                take_element(tag, list, value);
    }
    while (take_element(tag, one, list)) {
        take_element(tag, oid, one);
        while (take_element(tag, value, one) && tag != DER_OCTETS) continue;
        add(dotted(oid), value);
    }
}
