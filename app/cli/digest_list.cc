#include "digest_list.hpp"

#include <algorithm>
#include <cctype>

std::string escaped(const std::string &name)
{
    std::string out;
    for (const char c : name) {
        if (c == '\\') out += "\\\\";
        else if (c == '\n') out += "\\n";
        else if (c == '\r') out += "\\r";
        else out += c;
    }
    return out;
}

bool unescape(std::string &name)
{
    std::string out;
    for (size_t i = 0; i < name.size(); i++) {
        if (name[i] != '\\') {
            out += name[i];
            continue;
        }
        const char c = ++i < name.size() ? name[i] : '\0';
        if (c != '\\' && c != 'n' && c != 'r') return false;
        out += c == 'n' ? '\n' : c == 'r' ? '\r' : c;
    }
    name = out;
    return true;
}

/* Changes the digits to lower case; false unless text consists of pairs of hexadecimal digits. */
static bool normalize_digest(std::string &text)
{
    for (char &c : text) {
        if (c >= 'A' && c <= 'F') c = static_cast<char>(c | 32);
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return false;
    }
    return !text.empty() && text.size() % 2 == 0;
}

/* The label of a line as --alg spells it: SHA2-512/256 and SHA512/256 become sha512-256, SHAKE-128
 * becomes shake128, SM3 becomes sm3. */
static std::string alg_of(const std::string &label)
{
    std::string alg;
    for (const char c : label)
        alg += c == '/' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (alg.compare(0, 5, "sha2-") == 0) alg.erase(3, 2);
    if (alg.compare(0, 6, "shake-") == 0) alg.erase(5, 1);
    return alg;
}

/* Whether the line begins with a label of len characters, which are letters, digits, - and /. */
static bool is_label(const std::string &line, size_t len)
{
    return len > 0 &&
           std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(len), [](char c) {
               return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '/';
           });
}

/* Parses LABEL `opens` NAME `closes` DIGEST. The name ends where `closes` occurs last. */
static bool parse_tagged(ListLine &out, const std::string &line, const char *opens,
                         const std::string &closes)
{
    const size_t open = line.find(opens), skip = std::string(opens).size(),
                 close = line.rfind(closes);
    if (open == std::string::npos || close == std::string::npos || close < open + skip ||
        !is_label(line, open))
        return false;
    out.alg = alg_of(line.substr(0, open));
    out.name = line.substr(open + skip, close - open - skip);
    out.digest = line.substr(close + closes.size());
    return true;
}

bool parse_list_line(ListLine &out, std::string line, size_t digits, bool zero)
{
    out = ListLine();
    if (!zero && !line.empty() && line.back() == '\r') line.pop_back();
    const bool escape = !zero && !line.empty() && line[0] == '\\';
    if (escape) line.erase(0, 1);
    if (!parse_tagged(out, line, " (", ") = ") && !parse_tagged(out, line, "(", ")= ")) {
        if (line.size() < digits + 3 || line[digits] != ' ' ||
            (line[digits + 1] != ' ' && line[digits + 1] != '*'))
            return false;
        out.digest = line.substr(0, digits);
        out.name = line.substr(digits + 2);
    }
    if (escape && !unescape(out.name)) return false;
    return normalize_digest(out.digest) && !out.name.empty();
}
