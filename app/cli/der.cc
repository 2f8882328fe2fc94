#include "der.hpp"
#include "carrier.hpp"

#include <algorithm>
#include <ctime>

Der der_head(uint8_t tag, size_t len)
{
    std::string head;
    if (len < 0x80) {
        head += static_cast<char>(len);
    } else {
        for (; len; len >>= 8) head.insert(head.begin(), static_cast<char>(len & 0xff));
        head.insert(head.begin(), static_cast<char>(0x80 + head.size()));
    }
    return static_cast<char>(tag) + head;
}

Der der(uint8_t tag, const std::string &contents)
{
    return der_head(tag, contents.size()) + contents;
}

/* Numbers of seven bits a byte, the first two in one    [X.690, 8.19] */
Der der_oid(const std::string &text)
{
    std::string out;
    unsigned long long first = 0;
    int place = 0;
    for (size_t at = 0; at <= text.size(); place++) {
        const size_t dot = std::min(text.find('.', at), text.size());
        unsigned long long n = std::stoull(text.substr(at, dot - at));
        at = dot + 1;
        if (place == 0) {
            first = n;
            continue;
        }
        if (place == 1) n += 40 * first;
        std::string septets(1, static_cast<char>(n & 0x7f));
        while (n >>= 7) septets.insert(septets.begin(), static_cast<char>(0x80 | (n & 0x7f)));
        out += septets;
    }
    return der(0x06, out);
}

Der der_algorithm(const std::string &text) { return der(DER_SEQUENCE, der_oid(text)); }

Der der_number(uint8_t n) { return der(DER_INTEGER, std::string(1, static_cast<char>(n))); }

Der der_bits(const std::string &bytes) { return der(DER_BITS, std::string(1, '\0') + bytes); }

Der der_set(std::vector<Der> elements)
{
    std::sort(elements.begin(),
              elements.end());   /* of bytes: char_traits<char> compares them as unsigned */
    std::string all;
    for (const auto &e : elements) all += e;
    return der(DER_SET, all);
}

Der der_now()
{
    const std::time_t now = std::time(nullptr);
    std::tm t{};
    gmtime_r(&now, &t);
    const bool utc = t.tm_year < 150;   /* until 2049    [RFC 5280, 4.1.2.5] */
    char text[32];
    const size_t n = std::strftime(text, sizeof text, utc ? "%y%m%d%H%M%SZ" : "%Y%m%d%H%M%SZ", &t);
    return der(utc ? DER_UTC_TIME : DER_GENERALIZED_TIME, std::string(text, n));
}

std::string dotted(const ty_cert_part &oid) { return text_of(ty_cert_oid_text, oid); }
