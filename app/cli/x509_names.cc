#include "x509_names.hpp"
#include "did_you_mean.hpp"
#include "secret.hpp"

#include <algorithm>

/* --- characters ------------------------------------------------------------------------- */

static bool is_latin(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_alnum(char c) { return is_latin(c) || (c >= '0' && c <= '9'); }

static bool all_of(const std::string &text, bool (*is)(char))
{
    return std::all_of(text.begin(), text.end(), is);
}

static bool is_printable(char c)   /* PrintableString    [X.680, 41.4] */
{
    return is_alnum(c) || (c && std::string(" '()+,-./:=?").find(c) != std::string::npos);
}

static bool is_atom(char c)   /* atext    [RFC 5322, 3.2.3] */
{
    return is_alnum(c) || (c && std::string("!#$%&'*+-/=?^_`{|}~").find(c) != std::string::npos);
}

static bool is_uri(char c)    /* [RFC 3986, 2] */
{
    return is_alnum(c) ||
           (c && std::string("-._~:/?#[]@!$&'()*+,;=%").find(c) != std::string::npos);
}

/* The number of characters of text, which is UTF-8; and whether one of them is a control
 * character. */
static size_t characters(const std::string &text)
{
    return static_cast<size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

static bool has_control(const std::string &text)
{
    for (size_t i = 0; i < text.size(); i++) {
        const auto c = static_cast<uint8_t>(text[i]);
        const bool second_set = c == 0xc2 && static_cast<uint8_t>(text[i + 1]) < 0xa0;
        if (c < 0x20 || c == 0x7f || second_set) return true;
    }
    return false;
}

/* --- hosts, mail addresses, URIs -------------------------------------------------------- */

/* Letters, digits and hyphens, no hyphen at either end    [RFC 1034, 3.5; RFC 1123, 2.1] */
static bool is_host_label(const std::string &label)
{
    return !label.empty() && label.size() <= 63 && label.front() != '-' && label.back() != '-' &&
           all_of(label, [](char c) { return is_alnum(c) || c == '-'; });
}

/* What is wrong with a host's name; empty if nothing is. A * may be its whole first label. */
static std::string wrong_host(const std::string &host, bool may_be_wild)
{
    const bool wild = may_be_wild && host.compare(0, 2, "*.") == 0;
    std::string label;
    if (host.size() > 253) return "is longer than 253 characters";
    for (size_t at = wild ? 2 : 0; at <= host.size();) {
        const size_t dot = std::min(host.find('.', at), host.size());
        label = host.substr(at, dot - at);
        at = dot + 1;
        if (is_host_label(label)) continue;
        if (label.empty()) return host.empty() ? "is empty" : "has an empty part";
        if (label.find('*') != std::string::npos)
            return may_be_wild ? "has a * that is not all of its first part" : "has a *";
        if (label.size() > 63) return "has a part of more than 63 characters";
        return "has a part with characters other than letters, digits and inner hyphens";
    }
    if (all_of(label, [](char c) { return c >= '0' && c <= '9'; })) return "ends in a number";
    return "";
}

static std::string wrong_mail(const std::string &address)
{
    const size_t at = address.rfind('@');
    if (at == std::string::npos) return "has no @";
    if (address.size() > 254) return "is longer than 254 characters";
    const std::string local = address.substr(0, at),
                      why = wrong_host(address.substr(at + 1), false);
    const bool dots = local.empty() || local.front() == '.' || local.back() == '.' ||
                      local.find("..") != std::string::npos;
    if (dots || local.size() > 64 || !all_of(local, [](char c) { return is_atom(c) || c == '.'; }))
        return "has a part before the @ that is not words separated by dots";
    return why.empty() ? "" : "has a host that " + why;
}

/* A scheme, a colon and something after it, each % before two digits    [RFC 3986, 2.1 and 3] */
static std::string wrong_uri(const std::string &uri)
{
    const size_t colon = uri.find(':');
    const std::string scheme = uri.substr(0, std::min(colon, uri.size()));
    const bool good = !scheme.empty() && is_latin(scheme[0]) && all_of(scheme, [](char c) {
        return is_alnum(c) || c == '+' || c == '-' || c == '.';
    });
    if (colon == std::string::npos || !good) return "does not begin with a scheme, such as https:";
    if (colon + 1 == uri.size()) return "has nothing after its scheme";
    if (!all_of(uri, is_uri)) return "has a character that must be written as % and two digits";
    for (size_t i = 0; (i = uri.find('%', i)) != std::string::npos; i++)
        if (i + 2 >= uri.size() || !is_digit(static_cast<uint8_t>(uri[i + 1])) ||
            !is_digit(static_cast<uint8_t>(uri[i + 2])))
            return "has a % without two digits after it";
    return "";
}

static Der checked_name(uint8_t tag, const std::string &option, const std::string &value,
                   const std::string &wrong, const std::string &next)
{
    if (!wrong.empty()) throw Failure(EXIT_USAGE, option + ": '" + value + "' " + wrong, next);
    return der(tag, value);
}

Der host_name(const std::string &host)
{
    const std::string wrong = wrong_host(host, true);
    return checked_name(0x82, "--dns", host, wrong,
                   wrong == "ends in a number"
                       ? "give an address with --ip"
                       : "write www.example.org or *.example.org, other letters as xn--...");
}

Der mail_name(const std::string &address)
{
    return checked_name(0x81, "--email", address, wrong_mail(address), "write alice@example.org");
}

Der uri_name(const std::string &uri)
{
    return checked_name(0x86, "--uri", uri, wrong_uri(uri), "write https://www.example.org/");
}

/* --- the subject ------------------------------------------------------------------------ */

/* Types of a name, how their values are written, and how many characters they have at most
 * [RFC 5280, appendix A; X.520, upper bounds; RFC 4519; RFC 2985] */
static const struct {
    const char *name, *oid;
    uint8_t tag;
    size_t most;
} name_types[] = {
    {"CN", "2.5.4.3", DER_UTF8, 64},
    {"SN", "2.5.4.4", DER_UTF8, 64},
    {"serialNumber", "2.5.4.5", DER_PRINTABLE, 64},
    {"C", "2.5.4.6", DER_PRINTABLE, 2},
    {"L", "2.5.4.7", DER_UTF8, 128},
    {"ST", "2.5.4.8", DER_UTF8, 128},
    {"street", "2.5.4.9", DER_UTF8, 128},
    {"O", "2.5.4.10", DER_UTF8, 64},
    {"OU", "2.5.4.11", DER_UTF8, 64},
    {"title", "2.5.4.12", DER_UTF8, 64},
    {"postalCode", "2.5.4.17", DER_UTF8, 40},
    {"GN", "2.5.4.42", DER_UTF8, 64},
    {"emailAddress", "1.2.840.113549.1.9.1", DER_IA5, 254},
    {"UID", "0.9.2342.19200300.100.1.1", DER_UTF8, 256},
    {"DC", "0.9.2342.19200300.100.1.25", DER_IA5, 63},
};

[[noreturn]] static void bad_subject(const std::string &what)
{
    throw Failure(EXIT_USAGE, "--subject: " + what,
                  "write it as inspect does: 'C=CN, O=Example, CN=Alice'");
}

static void check_value(const std::string &type, uint8_t tag, size_t most, const std::string &value)
{
    if (value.empty()) bad_subject(type + " is empty");
    if (!is_utf8(value)) bad_subject(type + " is not UTF-8");
    if (has_control(value)) bad_subject(type + " has a control character");
    if (type == "C" &&
        (value.size() != 2 || !all_of(value, [](char c) { return c >= 'A' && c <= 'Z'; })))
        bad_subject("C is a country's two capital letters, not '" + value + "'");
    if (tag == DER_PRINTABLE && !all_of(value, is_printable))
        bad_subject(type + " may have letters, digits, spaces and '()+,-./:=? only, unlike '" +
                    value + "'");
    if (type == "DC" && !is_host_label(value))
        bad_subject("DC is one part of a host's name, not '" + value + "'");
    if (type == "emailAddress" && !wrong_mail(value).empty())
        bad_subject("emailAddress '" + value + "' " + wrong_mail(value));
    if (characters(value) > most)
        bad_subject(type + " has " + std::to_string(characters(value)) +
                    " characters, and may have at most " + std::to_string(most));
}

/* AttributeTypeAndValue */
static Der name_pair(const std::string &type, const std::string &value)
{
    for (const auto &t : name_types) {
        if (type != t.name) continue;
        check_value(type, t.tag, t.most, value);
        return der(DER_SEQUENCE, der_oid(t.oid) + der(t.tag, value));
    }
    std::vector<std::string> names;
    for (const auto &t : name_types) names.push_back(t.name);
    const std::string near = did_you_mean(type, names);
    bad_subject("unknown type '" + type + "'" + (near.empty() ? "" : ", " + near));
}

/* The text from `at` up to one of the characters in `ends`, without surrounding spaces and escapes;
 * `at` moves to that character    [RFC 4514, 2.4] */
static std::string take_until(const std::string &text, size_t &at, const std::string &ends)
{
    std::string out;
    size_t kept = 0;   /* length of out without unescaped spaces at its end */
    for (; at < text.size() && ends.find(text[at]) == std::string::npos; at++) {
        const bool escaped = text[at] == '\\';
        if (escaped && ++at == text.size()) bad_subject("a \\ at the end");
        if (escaped && at + 1 < text.size() && is_digit(static_cast<uint8_t>(text[at])) &&
            is_digit(static_cast<uint8_t>(text[at + 1]))) {
            const Secret byte = from_hex(text.substr(at++, 2), "--subject");
            out += static_cast<char>(byte[0]);
        } else if (!out.empty() || escaped || text[at] != ' ') {
            out += text[at];
        }
        if (escaped || text[at] != ' ') kept = out.size();
    }
    return out.substr(0, kept);
}

Der subject_name(const std::string &text)
{
    std::string names;
    std::vector<Der> together;
    std::vector<std::string> types;   /* of together */
    for (size_t at = 0; at < text.size();) {
        const std::string type = take_until(text, at, "=,+");
        if (at == text.size() || text[at] != '=') bad_subject("'" + type + "' has no =");
        const std::string value = take_until(text, ++at, ",+");
        together.push_back(name_pair(type, value));
        if (std::count(types.begin(), types.end(), type))
            bad_subject(type + " occurs twice in one part");
        types.push_back(type);
        const bool more = at < text.size() && text[at] == '+';
        if (at < text.size() && at + 1 == text.size())
            bad_subject("nothing follows its last " + text.substr(at));
        if (!more) {
            names += der_set(std::move(together));
            together.clear();
            types.clear();
        }
        at++;
    }
    return der(DER_SEQUENCE, names);
}
