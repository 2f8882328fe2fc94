// SM3 as the standard defines it: whole arrays, registers shifted by one in every round, no
// optimisation; and HMAC, the KDF and PBKDF2 on it. The tests compare the library with these.
#pragma once
extern "C" {
#include "sm3/sm3.h"
}
#include "support/hex.hpp"

namespace reference {

inline uint32_t rotl(uint32_t x, unsigned n)
{
    return n % 32 ? x << n % 32 | x >> (32 - n % 32) : x;
}
inline uint32_t p0(uint32_t x) { return x ^ rotl(x, 9) ^ rotl(x, 17); }
inline uint32_t p1(uint32_t x) { return x ^ rotl(x, 15) ^ rotl(x, 23); }

inline void compress(uint32_t v[8], const uint8_t *in)
{
    uint32_t w[68], w1[64], r[8];
    for (int j = 0; j < 16; j++)
        w[j] = (uint32_t)in[4 * j] << 24 | (uint32_t)in[4 * j + 1] << 16 |
               (uint32_t)in[4 * j + 2] << 8 | in[4 * j + 3];
    for (int j = 16; j < 68; j++)
        w[j] = p1(w[j - 16] ^ w[j - 9] ^ rotl(w[j - 3], 15)) ^ rotl(w[j - 13], 7) ^ w[j - 6];
    for (int j = 0; j < 64; j++) w1[j] = w[j] ^ w[j + 4];
    for (int i = 0; i < 8; i++) r[i] = v[i];
    uint32_t &a = r[0], &b = r[1], &c = r[2], &d = r[3], &e = r[4], &f = r[5], &g = r[6], &h = r[7];
    for (unsigned j = 0; j < 64; j++) {
        const uint32_t t = j < 16 ? 0x79cc4519 : 0x7a879d8a;
        const uint32_t ss1 = rotl(rotl(a, 12) + e + rotl(t, j), 7), ss2 = ss1 ^ rotl(a, 12);
        const uint32_t ff = j < 16 ? a ^ b ^ c : (a & b) | (a & c) | (b & c);
        const uint32_t gg = j < 16 ? e ^ f ^ g : (e & f) | (~e & g);
        const uint32_t tt1 = ff + d + ss2 + w1[j], tt2 = gg + h + ss1 + w[j];
        d = c; c = rotl(b, 9); b = a; a = tt1;
        h = g; g = rotl(f, 19); f = e; e = p0(tt2);
    }
    for (int i = 0; i < 8; i++) v[i] ^= r[i];
}

inline Bytes sm3(Bytes m)
{
    uint32_t v[8] = { 0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600,
                      0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e };
    const uint64_t bits = 8 * (uint64_t)m.size();
    m.push_back(0x80);
    while (m.size() % 64 != 56) m.push_back(0);
    for (int i = 7; i >= 0; i--) m.push_back((uint8_t)(bits >> 8 * i));
    for (size_t i = 0; i < m.size(); i += 64) compress(v, &m[i]);
    Bytes out;
    for (uint32_t x : v)
        for (int i = 3; i >= 0; i--) out.push_back((uint8_t)(x >> 8 * i));
    return out;
}

inline Bytes join(Bytes a, const Bytes &b) { a.insert(a.end(), b.begin(), b.end()); return a; }

inline Bytes hmac(Bytes key, const Bytes &msg)
{
    if (key.size() > 64) key = sm3(key);
    key.resize(64);
    Bytes in = key, out = key;
    for (auto &x : in) x ^= 0x36;
    for (auto &x : out) x ^= 0x5c;
    return sm3(join(out, sm3(join(in, msg))));
}

inline Bytes counter(uint32_t i)
{
    return { (uint8_t)(i >> 24), (uint8_t)(i >> 16), (uint8_t)(i >> 8), (uint8_t)i };
}

inline Bytes kdf(const Bytes &z, size_t len)
{
    Bytes out;
    for (uint32_t i = 1; out.size() < len; i++) out = join(out, sm3(join(z, counter(i))));
    out.resize(len);
    return out;
}

inline Bytes pbkdf2(const Bytes &password, const Bytes &salt, uint32_t iterations, size_t len)
{
    Bytes out;
    for (uint32_t i = 1; out.size() < len; i++) {
        Bytes u = hmac(password, join(salt, counter(i))), t = u;
        for (uint32_t k = 1; k < iterations; k++) {
            u = hmac(password, u);
            for (size_t b = 0; b < t.size(); b++) t[b] ^= u[b];
        }
        out = join(out, t);
    }
    out.resize(len);
    return out;
}

}   // namespace reference

// As long as an object exists, every call uses the named tier of SM3, which this CPU or the
// emulator must be able to run.
struct UseSm3Tier {
    explicit UseSm3Tier(const char *name)
    {
        for (const ty_tier *t = ty_sm3_tiers; t->name; t++)
            if (std::string(t->name) == name) ty_cpu_assume(t->need);
    }
    ~UseSm3Tier() { ty_cpu_assume(0); }
    UseSm3Tier(const UseSm3Tier &) = delete;
    UseSm3Tier &operator=(const UseSm3Tier &) = delete;
};
