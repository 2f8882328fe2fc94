/* Sealed files as text (docs/file-format.md, "Armor"). */
#ifndef TONGYU_CLI_ARMOR_HPP
#define TONGYU_CLI_ARMOR_HPP

#include "armor_line.hpp"
#include "io.hpp"

/* Reads a sealed file, with or without armor. */
class SealedInput {
    Input in;
    ArmorReader reader;
    Secret raw, bytes;   /* what was read from the file; the decoded bytes of a line */
    size_t raw_at = 0, bytes_at = 0;
    bool armored = false, ended = false;

    bool get(char &c);
    bool next_line(char *text, size_t room, size_t &len);
    void next_bytes();
    [[noreturn]] void broken(const std::string &why) const;

public:
    explicit SealedInput(const std::string &name);
    const std::string &name() const { return in.name(); }
    bool is_armored() const { return armored; }
    size_t read(uint8_t *out, size_t len);   /* as Input::read */
};

/* Writes a sealed file, with or without armor. */
class SealedOutput {
    Output &out;
    bool armored;
    Secret line;
    size_t held = 0;

public:
    SealedOutput(Output &output, bool armor);
    void write(const uint8_t *data, size_t len);
    void finish();   /* writes the end of the armor; to be called before commit */
};

#endif
