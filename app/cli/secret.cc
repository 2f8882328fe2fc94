#include "secret.hpp"

#include <algorithm>

std::string to_hex(const uint8_t *bytes, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    std::string out;
    out.reserve(2 * len);
    for (size_t i = 0; i < len; i++) {
        out += digits[bytes[i] >> 4];
        out += digits[bytes[i] & 15];
    }
    return out;
}

/* The digit of 0..15, by arithmetic: for letters an offset of 'a' - '9' - 1 = 39 is added. */
static uint8_t digit_of(unsigned nibble)
{
    return static_cast<uint8_t>('0' + nibble + ((9 - nibble) >> 8 & 39));
}

Secret to_digits(const Secret &bytes)
{
    Secret line(2 * bytes.size() + 1);
    for (size_t i = 0; i < bytes.size(); i++) {
        line[2 * i] = digit_of(bytes[i] >> 4);
        line[2 * i + 1] = digit_of(bytes[i] & 15);
    }
    line[2 * bytes.size()] = '\n';
    return line;
}

/* All ones if from <= c < from + count, else zero: the top bit of a difference of small numbers
 * is its sign. */
static unsigned within(unsigned c, unsigned from, unsigned count)
{
    const unsigned x = c - from;
    return 0u - ((~x & (x - count)) >> 31);
}

/* The value of a hexadecimal digit, by arithmetic without tables or branches, because the text may
 * be a key. *good becomes zero if c is not a digit. */
static unsigned digit(unsigned char c, unsigned *good)
{
    const unsigned letter = c | 32u, decimal = within(c, '0', 10), alpha = within(letter, 'a', 6);
    *good &= decimal | alpha;
    return ((c - '0') & decimal) | ((letter - 'a' + 10) & alpha);
}

bool is_digit(uint8_t c)
{
    unsigned good = ~0u;
    (void)digit(c, &good);
    return good != 0;
}

Secret from_hex(const char *text, size_t len, const std::string &what, const std::string &next,
                Exit exit)
{
    Secret out(len / 2 + 1);
    unsigned good = ~0u;
    size_t digits = 0;   /* before the first other character; counted without a branch */
    for (size_t i = 0; i < len; i++) {
        const unsigned value = digit(static_cast<unsigned char>(text[i]), &good);
        digits += good & 1;
        out[i / 2] = static_cast<uint8_t>(out[i / 2] << 4 | value);
    }
    if (!good)
        throw Failure(exit,
                      what + " is not hexadecimal (character " + std::to_string(digits + 1) + ")",
                      next.empty() ? "use the digits 0-9 and a-f only" : next);
    if (len % 2) throw Failure(exit, what + " has an odd number of hexadecimal digits",
                               "two digits make one byte");
    out.shrink(len / 2);
    return out;
}

Secret without_line_end(Secret text)
{
    while (!text.empty() && (text[text.size() - 1] == '\n' || text[text.size() - 1] == '\r'))
        text.shrink(text.size() - 1);
    return text;
}

Secret decode_digits(Secret file)
{
    const Secret line = without_line_end(Secret(file.data(), file.size()));
    size_t digits = 0;
    for (size_t i = 0; i < line.size(); i++) digits += is_digit(line[i]);
    if (line.empty() || line.size() % 2 || digits != line.size()) return file;
    return from_hex(line.chars(), line.size(), "");
}

static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string to_base64(const uint8_t *bytes, size_t len)
{
    std::string text;
    for (size_t i = 0; i < len; i += 3) {
        const size_t have = len - i < 3 ? len - i : 3;
        unsigned group = 0;
        for (size_t j = 0; j < 3; j++) group = group << 8 | (j < have ? bytes[i + j] : 0u);
        for (size_t j = 0; j < 4; j++) text += j <= have ? base64[group >> (18 - 6 * j) & 63] : '=';
    }
    return text;
}

/* The bytes of base64 with padding, ignoring line ends; empty if the text is anything else. */
static Secret from_base64(const Secret &text)
{
    Secret out(text.size());
    size_t chars = 0, pads = 0, n = 0;
    unsigned group = 0;
    for (size_t i = 0; i < text.size(); i++) {
        const char c = text.chars()[i];
        if (c == '\n' || c == '\r') continue;
        const char *const at = c ? std::strchr(base64, c) : nullptr;
        if (c == '=') pads++;
        else if (!at || pads) return Secret();
        group = group << 6 | (at ? static_cast<unsigned>(at - base64) : 0u);
        if (++chars % 4) continue;
        for (int shift = 16; shift >= 0; shift -= 8)
            out[n++] = static_cast<uint8_t>(group >> shift);
    }
    const bool spare =
        (pads == 1 && out[n ? n - 1 : 0]) || (pads == 2 && (n < 2 || out[n - 1] || out[n - 2]));
    if (chars == 0 || chars % 4 || pads > 2 || spare) return Secret();
    out.shrink(n - pads);
    return out;
}

Secret decode_text(Secret file)
{
    const size_t len = file.size();
    Secret bytes = decode_digits(std::move(file));
    if (bytes.size() != len) return bytes;
    Secret decoded = from_base64(bytes);
    return decoded.empty() ? std::move(bytes) : std::move(decoded);
}

bool contains(const Secret &data, const std::string &bytes)
{
    /* char on both sides, because bytes above 7f may be negative */
    const char *const end = data.chars() + data.size();
    return std::search(data.chars(), end, bytes.begin(), bytes.end()) != end;
}

void wipe(std::string &text)
{
    ty_wipe(text.empty() ? nullptr : &text[0], text.size());
}
