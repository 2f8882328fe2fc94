/* The lines between the first and the last of a sealed file as text. */
#ifndef TONGYU_CLI_ARMOR_LINE_HPP
#define TONGYU_CLI_ARMOR_LINE_HPP

#include <cstddef>
#include <cstdint>
#include <string>

extern const std::string armor_begin, armor_end;   /* the first line and the last */

constexpr size_t ARMOR_LINE = 64, ARMOR_BYTES = 48;   /* characters of a line, and what they hold */

/* The inside of an armor, line by line. */
class ArmorReader {
    bool last = false;   /* a line that was not full: only the end may follow */

public:
    enum Result { BYTES, END, WRONG };
    /* line is one between the first and the last, without its end; out gets its n bytes. END: it is
     * the last. */
    Result line(uint8_t out[ARMOR_BYTES], size_t &n, const char *text, size_t len);
};

#endif
