// The texts that the command reads line by line: lists of digests, and sealed files as text. A line
// of a list that is accepted is written again with the same meaning; a line of armor is accepted
// only in its unique base64 encoding.
#include "digest_list.hpp"
#include "armor_line.hpp"
#include "fuzz/fuzz.hpp"

std::vector<Bytes> fuzz_seeds()
{
    const std::string d = "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0";
    std::vector<Bytes> s;
    for (const std::string &line : std::vector<std::string>{
             d + "  name", d + " *name", "\\" + d + "  a\\\\b\\nc", "SM3 (a) = " + d,
             "SHA2-256(a)= " + d, "SHAKE-128(a b)= 00ff", "SHA2-512/256(x)= " + d, "TWFu",
             "TWE=", std::string(64, 'A'), armor_begin, armor_end})
        for (char mode : {'\0', '\1', '\2'}) s.push_back(bytes(std::string(1, mode) + line));
    return s;
}

static void list(const std::string &line, bool zero)
{
    ListLine a, b;
    if (!parse_list_line(a, line, 64, zero)) return;
    HOLDS(!a.name.empty() && !a.digest.empty() && a.digest.size() % 2 == 0);
    HOLDS(a.digest.find_first_not_of("0123456789abcdef") == std::string::npos);
    HOLDS(a.alg.size() <= line.size() && a.name.size() <= line.size());
    if (zero || (a.alg.empty() && a.digest.size() != 64)) return;
    const std::string shown = escaped(a.name), start = shown == a.name ? "" : "\\";
    const std::string again = a.alg.empty() ? start + a.digest + "  " + shown
                                            : start + a.alg + " (" + shown + ") = " + a.digest;
    HOLDS(again.find('\n') == std::string::npos);
    HOLDS(parse_list_line(b, again, 64, zero));
    HOLDS(a.name == b.name && a.digest == b.digest && a.alg.empty() == b.alg.empty());
}

static void armor(const std::string &text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    ArmorReader reader;
    uint8_t out[ARMOR_BYTES];
    size_t n = 0, at = 0;
    bool full = true;
    while (at <= text.size()) {
        const size_t eol = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, eol - at);
        at = eol + 1;
        const ArmorReader::Result result = reader.line(out, n, line.data(), line.size());
        HOLDS(n <= ARMOR_BYTES);
        if (result != ArmorReader::BYTES) return;
        HOLDS(full);   /* no line follows one that is not full */
        full = n == ARMOR_BYTES;
        std::string same;
        for (size_t i = 0; i < n; i += 3) {
            unsigned group = 0;
            for (size_t j = 0; j < 3; j++) group = group << 8 | (i + j < n ? out[i + j] : 0u);
            for (size_t j = 0; j < 4; j++)
                same += i + j <= n ? digits[group >> (18 - 6 * j) & 63] : '=';
        }
        HOLDS(same == line);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    const std::string text((const char *)data + 1, size - 1);
    if (data[0] % 3 == 2) armor(text);
    else list(text, data[0] % 3 == 1);
    return 0;
}
