#include "der.hpp"
#include "system.hpp"

#include <algorithm>
#include <ctime>
#include <regex>

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

/* Two or more numbers below 10^18; the second is below 40 after 0 and 1    [X.660] */
bool is_oid(const std::string &text)
{
    static const std::regex numbers("[0-2](\\.(0|[1-9][0-9]{0,17}))+");
    if (!std::regex_match(text, numbers)) return false;
    return text[0] == '2' || std::stoull(text.substr(2)) < 40;
}

/* One element of DER and nothing after it; its contents are not examined    [X.690, 10.1] */
bool is_der_element(const std::string &bytes)
{
    if (bytes.size() < 2 || (bytes[0] & 0x1f) == 0x1f) return false;
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
    size_t len = byte(1), head = 2;
    if (len > 0x80) {
        const size_t octets = len & 0x7f;
        if (octets > 4 || bytes.size() < 2 + octets) return false;
        for (len = 0; head < 2 + octets; head++) len = len << 8 | byte(head);
        if (len < 0x80 || len >> (8 * (octets - 1)) == 0) return false;
    } else if (len == 0x80) {
        return false;
    }
    return bytes.size() == head + len;
}

/* UTF-8 without surrogates or overlong forms    [RFC 3629, 4] */
bool is_utf8(const std::string &text)
{
    for (size_t i = 0; i < text.size();) {
        const auto c = static_cast<unsigned char>(text[i++]);
        const int more = c < 0x80   ? 0
                         : c < 0xc2 ? -1
                         : c < 0xe0 ? 1
                         : c < 0xf0 ? 2
                         : c < 0xf5 ? 3
                                    : -1;
        if (more < 0 || text.size() - i < static_cast<size_t>(more)) return false;
        uint32_t point = more ? c & (0x3f >> more) : c;
        for (int k = 0; k < more; k++, i++) {
            const auto d = static_cast<unsigned char>(text[i]);
            if ((d & 0xc0) != 0x80) return false;
            point = point << 6 | (d & 0x3f);
        }
        if ((more == 2 && (point < 0x800 || (point >= 0xd800 && point < 0xe000))) ||
            (more == 3 && (point < 0x10000 || point > 0x10ffff)))
            return false;
    }
    return true;
}

/* Numbers with seven bits per byte, the first two numbers as one    [X.690, 8.19] */
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
              elements.end());   /* by bytes: char_traits<char> compares them as unsigned */
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

std::string text_of(size_t (*write)(char *, size_t, const ty_cert_part *), const ty_cert_part &part)
{
    char none;
    std::string text(write(&none, 1, &part) + 1, '\0');
    write(&text[0], text.size(), &part);
    text.pop_back();
    return text;
}

std::string dotted(const ty_cert_part &oid) { return text_of(ty_cert_oid_text, oid); }
