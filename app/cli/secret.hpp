/* Bytes that are wiped before their memory is freed: keys, passwords, plaintext buffers. */
#ifndef TONGYU_CLI_SECRET_HPP
#define TONGYU_CLI_SECRET_HPP

#include "fail.hpp"
#include "tongyu/base.h"

#include <cstring>
#include <memory>
#include <string>
#include <utility>

/* A buffer that never grows, so that no copy is left behind. It can be moved, but not copied. */
class Secret {
    std::unique_ptr<uint8_t[]> bytes;
    size_t used = 0, room = 0;

public:
    Secret() = default;
    explicit Secret(size_t len) : bytes(new uint8_t[len ? len : 1]()), used(len), room(len) {}
    Secret(const void *data, size_t len) : Secret(len)
    {
        if (len) std::memcpy(bytes.get(), data, len);
    }
    Secret(Secret &&o) noexcept { swap(o); }
    Secret &operator=(Secret &&o) noexcept { swap(o); return *this; }
    Secret(const Secret &) = delete;
    Secret &operator=(const Secret &) = delete;
    ~Secret() { ty_wipe(bytes.get(), bytes ? room : 0); }

    void swap(Secret &o) noexcept
    {
        std::swap(bytes, o.bytes);
        std::swap(used, o.used);
        std::swap(room, o.room);
    }
    uint8_t *data() { return bytes.get(); }
    const uint8_t *data() const { return bytes.get(); }
    const char *chars() const { return reinterpret_cast<const char *>(bytes.get()); }
    size_t size() const { return used; }
    bool empty() const { return used == 0; }
    void shrink(size_t len) { if (len < used) used = len; }
    uint8_t &operator[](size_t i) { return bytes[i]; }
    uint8_t operator[](size_t i) const { return bytes[i]; }
};

/* A C struct of the library, initially zero and wiped at the end of its scope. */
template <class T> struct Wiped : T {
    Wiped() : T() {}
    Wiped(const Wiped &) = delete;
    Wiped &operator=(const Wiped &) = delete;
    ~Wiped() { ty_wipe(static_cast<T *>(this), sizeof(T)); }
};

/* Hexadecimal digits. from_hex accepts either case. Its Failure names `what`, but never shows
 * the text; `next` and `exit` are the advice and the exit status of that Failure. */
Secret to_digits(const Secret &bytes);   /* a line of digits that is wiped like the bytes */
std::string to_hex(const uint8_t *bytes, size_t len);
Secret from_hex(const char *text, size_t len, const std::string &what, const std::string &next = "",
                Exit exit = EXIT_USAGE);
/* the bytes of a line of digits; anything else is returned unchanged */
Secret decode_digits(Secret file);
/* the same for digits, or base64 in any number of lines; public data only */
Secret decode_text(Secret file);
std::string to_base64(const uint8_t *bytes, size_t len);
Secret without_line_end(Secret text);
bool is_digit(uint8_t c);
bool contains(const Secret &data, const std::string &bytes);   /* public data only */
inline Secret from_hex(const std::string &text, const std::string &what)
{
    return from_hex(text.data(), text.size(), what);
}

/* Wipes a std::string that holds a secret. */
void wipe(std::string &text);

#endif
