#include "armor_line.hpp"

#include <cstring>

const std::string armor_begin = "-----BEGIN TONGYU SEALED FILE-----",
                  armor_end = "-----END TONGYU SEALED FILE-----";

/* The value of a digit of base64; -1 for any other character. */
static int value_of(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

ArmorReader::Result ArmorReader::line(uint8_t out[ARMOR_BYTES], size_t &n, const char *text,
                                      size_t len)
{
    n = 0;
    if (len == armor_end.size() && std::memcmp(text, armor_end.data(), len) == 0) return END;
    if (last || len == 0 || len > ARMOR_LINE || len % 4) return WRONG;
    size_t pads = text[len - 1] != '=' ? 0 : text[len - 2] != '=' ? 1 : 2;
    for (size_t i = 0; i < len; i += 4) {
        unsigned group = 0;
        for (size_t j = 0; j < 4; j++) {
            const bool pad = i + j >= len - pads;
            const int value = pad ? 0 : value_of(text[i + j]);
            if (value < 0) return WRONG;
            group = group << 6 | static_cast<unsigned>(value);
        }
        for (int shift = 16; shift >= 0; shift -= 8)
            out[n++] = static_cast<uint8_t>(group >> shift);
    }
    for (n -= pads; pads > 0; pads--)
        if (out[n + pads - 1] != 0) return WRONG;   /* unused bits must be zero */
    last = len < ARMOR_LINE || text[len - 1] == '=';
    return BYTES;
}
