#include "secret.hpp"
#include "fail.hpp"

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

/* 0..15 to its digit, by arithmetic: letters are 'a' - '9' - 1 = 39 further on. */
static uint8_t digit_of(unsigned nibble) { return static_cast<uint8_t>('0' + nibble + ((9 - nibble) >> 8 & 39)); }

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

/* The value of a hexadecimal digit, or 16. Arithmetic on the character, no table: the text may be a key. */
static unsigned digit(unsigned char c)
{
    const unsigned decimal = c - unsigned('0'), letter = (c | 32u) - unsigned('a');
    if (decimal < 10) return decimal;
    return letter < 6 ? letter + 10 : 16;
}

Secret from_hex(const char *text, size_t len, const std::string &what)
{
    if (len % 2) throw Failure(EXIT_USAGE, what + " has an odd number of hexadecimal digits",
                               "two digits make one byte");
    Secret out(len / 2);
    for (size_t i = 0; i < len; i += 2) {
        const unsigned hi = digit(static_cast<unsigned char>(text[i])), lo = digit(static_cast<unsigned char>(text[i + 1]));
        if ((hi | lo) & 16)
            throw Failure(EXIT_USAGE, what + " is not hexadecimal (character " + std::to_string(i + 1 + (hi < 16)) + ")",
                          "use the digits 0-9 and a-f only");
        out[i / 2] = static_cast<uint8_t>(hi << 4 | lo);
    }
    return out;
}

void wipe(std::string &text)
{
    ty_wipe(text.empty() ? nullptr : &text[0], text.size());
    text.clear();
}
