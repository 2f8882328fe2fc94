// Bytes from and to hexadecimal, for tests; text that is not hexadecimal ends the program.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using Bytes = std::vector<uint8_t>;

inline Bytes unhex(const std::string &s)
{
    Bytes out;
    std::string digits;
    for (char c : s)
        if (c != ' ' && c != '\n') digits += c;
    if (digits.size() % 2) {
        std::fprintf(stderr, "unhex: odd length: %s\n", s.c_str());
        std::abort();
    }
    for (size_t i = 0; i < digits.size(); i += 2) {
        char *end;
        const std::string pair = digits.substr(i, 2);
        out.push_back((uint8_t)std::strtoul(pair.c_str(), &end, 16));
        if (*end) { std::fprintf(stderr, "unhex: not hexadecimal: %s\n", s.c_str()); std::abort(); }
    }
    return out;
}

inline std::string hex(const void *p, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    std::string s(2 * n, '0');
    // by pointer: without optimisation a test would spend most of its time in std::string
    char *to = &s[0];
    for (const uint8_t *b = (const uint8_t *)p; n--; b++) {
        *to++ = digits[*b >> 4];
        *to++ = digits[*b & 15];
    }
    return s;
}

inline std::string hex(const Bytes &b) { return hex(b.data(), b.size()); }
inline Bytes bytes(const std::string &s) { return Bytes(s.begin(), s.end()); }
