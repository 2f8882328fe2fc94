#include "armor.hpp"
#include "fail.hpp"

#include <algorithm>
#include <cstring>

/* --- reading ----------------------------------------------- */

SealedInput::SealedInput(const std::string &name) : in(name), raw(IO_CHUNK), bytes(ARMOR_BYTES)
{
    raw.shrink(in.read(raw.data(), armor_begin.size()));
    armored = raw.size() == armor_begin.size() &&
              std::memcmp(raw.data(), armor_begin.data(), raw.size()) == 0;
    bytes.shrink(0);
    if (!armored) return;
    char text[2];
    size_t len = 0;
    raw_at = raw.size();
    bytes = Secret(ARMOR_BYTES);
    bytes_at = bytes.size();
    if (!next_line(text, 0, len)) broken("the first line is wrong");
}

void SealedInput::broken(const std::string &why) const
{
    throw Failure(EXIT_REFUSED, in.name() + ": a sealed file with a damaged armor (" + why + ")",
                  "nothing was written; get the file again");
}

bool SealedInput::get(char &c)
{
    if (raw_at == raw.size()) {
        raw = Secret(IO_CHUNK);
        raw.shrink(in.read(raw.data(), IO_CHUNK));
        raw_at = 0;
        if (raw.empty()) return false;
    }
    c = static_cast<char>(raw[raw_at++]);
    return true;
}

/* False if the line is longer than `room`, has a CR without LF, or ends with the file; the file may
 * end with the last line of an armor, which is recognised by its length. */
bool SealedInput::next_line(char *text, size_t room, size_t &len)
{
    char c = 0;
    len = 0;
    while (get(c)) {
        if (c == '\n') return true;
        if (c == '\r') return get(c) && c == '\n';
        if (len == room) return false;
        text[len++] = c;
    }
    return len == armor_end.size();
}

/* bytes = those of the next line; after the last line only white space may follow. */
void SealedInput::next_bytes()
{
    char text[ARMOR_LINE], c;
    size_t len = 0, n = 0;
    bytes = Secret(ARMOR_BYTES);
    bytes_at = 0;
    const bool whole = next_line(text, sizeof text, len);
    const ArmorReader::Result result =
        whole ? reader.line(bytes.data(), n, text, len) : ArmorReader::WRONG;
    if (result == ArmorReader::WRONG)
        broken("a line is not 64 characters of base64, or the last line is missing");
    bytes.shrink(n);
    if (result != ArmorReader::END) return;
    ended = true;
    while (get(c))
        if (c != '\n' && c != '\r' && c != ' ' && c != '\t')
            broken("there is something after the last line");
}

size_t SealedInput::read(uint8_t *out, size_t len)
{
    size_t got = 0;
    if (!armored) {
        got = std::min(len, raw.size() - raw_at);   /* read by the constructor */
        std::memcpy(out, raw.data() + raw_at, got);
        raw_at += got;
        return got + in.read(out + got, len - got);
    }
    while (got < len) {
        if (bytes_at == bytes.size()) {
            if (ended) break;
            next_bytes();
            continue;
        }
        const size_t n = std::min(len - got, bytes.size() - bytes_at);
        std::memcpy(out + got, bytes.data() + bytes_at, n);
        bytes_at += n;
        got += n;
    }
    return got;
}

/* --- writing ----------------------------------------------- */

SealedOutput::SealedOutput(Output &output, bool armor)
    : out(output), armored(armor), line(ARMOR_BYTES)
{
    if (armored) out.write(armor_begin + "\n");
}

void SealedOutput::write(const uint8_t *data, size_t len)
{
    if (!armored) return out.write(data, len);
    std::string text;
    while (len > 0) {
        const size_t n = std::min(len, ARMOR_BYTES - held);
        std::memcpy(line.data() + held, data, n);
        held += n;
        data += n;
        len -= n;
        if (held < ARMOR_BYTES) break;
        text += to_base64(line.data(), held) + "\n";
        held = 0;
    }
    out.write(text);
}

void SealedOutput::finish()
{
    if (!armored) return;
    if (held) out.write(to_base64(line.data(), held) + "\n");
    out.write(armor_end + "\n");
}
