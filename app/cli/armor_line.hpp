/* Decoding of the lines of an armor (docs/file-format.md, "Armor"). */
#ifndef TONGYU_CLI_ARMOR_LINE_HPP
#define TONGYU_CLI_ARMOR_LINE_HPP

#include <cstddef>
#include <cstdint>
#include <string>

extern const std::string armor_begin, armor_end;   /* the first line and the last */

constexpr size_t ARMOR_LINE = 64, ARMOR_BYTES = 48;   /* of a full line: characters, bytes */

/* Decodes the lines after the first one, one at a time. */
class ArmorReader {
    bool last = false;   /* the line before was not full: only the end may follow */

public:
    enum Result { BYTES, END, WRONG };
    /* out[n] = the bytes of the line text[len], which comes without its line end. END: it is the
     * last line of the armor, and n = 0. */
    Result line(uint8_t out[ARMOR_BYTES], size_t &n, const char *text, size_t len);
};

#endif
