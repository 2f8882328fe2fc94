// The definitions of reference.hpp, compiled with optimisation, which halves the time of the tests
// that use them.
#include "sm4/reference.hpp"
#include <bitset>

namespace reference {

Bits to_bits(const Bytes &x)                       // the top bit of byte 0 first
{
    Bits b;
    for (uint8_t byte : x)
        for (int i = 7; i >= 0; i--) b.push_back(byte >> i & 1);
    return b;
}
Bytes to_bytes(const Bits &b)                      // an incomplete last byte is filled with zeros
{
    Bytes x((b.size() + 7) / 8);
    for (size_t i = 0; i < b.size(); i++)
        x[i / 8] = (uint8_t)(x[i / 8] | (unsigned)b[i] << (7 - i % 8));
    return x;
}

// --- CFB with s bits of feedback [SP 800-38A, 6.3] -----------------------------------------------
Bits cfb(const Block &e, Bits reg, const Bits &in, size_t s, bool decrypt)
{
    Bits out;
    for (size_t at = 0; at < in.size(); at += s) {
        const Bits o = to_bits(e(to_bytes(reg)));
        const size_t n = std::min(s, in.size() - at);
        for (size_t i = 0; i < n; i++) out.push_back(in[at + i] != o[i]);
        const Bits &c = decrypt ? in : out;
        reg.erase(reg.begin(), reg.begin() + (long)n);
        reg.insert(reg.end(), c.begin() + (long)at, c.begin() + (long)(at + n));
    }
    return out;
}

// --- BC and OFBNLF [GB/T 17964-2021, 12 and 13] --------------------------------------------------
Bytes bc(const Block &e, const Bytes &iv, const Bytes &in)
{
    Bytes out, f = iv;
    for (size_t at = 0; at < in.size(); at += 16) {
        const Bytes c = e(part(in, at, 16) + f);
        append(out, c);
        f = f + c;
    }
    return out;
}
Bytes ofbnlf(const Keyed &e, const Bytes &key, const Bytes &iv, const Bytes &in)
{
    Bytes out, k = iv;
    for (size_t at = 0; at < in.size(); at += 16) {
        k = e(key, k);
        append(out, e(k, part(in, at, 16)));
    }
    return out;
}

// --- GF(2^128): a polynomial as 128 bits, x^0 first ----------------------------------------------
Bits times(const Bits &a, const Bits &b)
{
    std::bitset<255> c, y;
    for (size_t j = 0; j < 128; j++) y[j] = b[j];
    for (size_t i = 0; i < 128; i++, y <<= 1)
        if (a[i]) c ^= y;
    for (size_t i = 254; i >= 128; i--)
        for (size_t t : {0, 1, 2, 7})
            if (c[i]) c.flip(i - 128 + t);
    Bits low(128);
    for (size_t i = 0; i < 128; i++) low[i] = c[i];
    return low;
}
// The two bit orders of 16 bytes: GB's begins with the top bit of byte 0, IEEE's with the bottom
// bit of byte 0.
Bytes bits_reversed(Bytes x)
{
    for (auto &b : x) {
        uint8_t r = 0;
        for (int i = 0; i < 8; i++) r = (uint8_t)(r | (b >> i & 1) << (7 - i));
        b = r;
    }
    return x;
}
Bytes times_x(const Bytes &t, bool ieee)
{
    Bits x = to_bits(ieee ? bits_reversed(t) : t);
    x.insert(x.begin(), false);
    if (x[128])
        for (size_t i : {0, 1, 2, 7}) x[i] = !x[i];
    x.resize(128);
    return ieee ? bits_reversed(to_bytes(x)) : to_bytes(x);
}

// --- XTS [IEEE 1619-2018, 5.3 and 5.4; GB/T 17964-2021, 10] --------------------------------------
// e is the cipher under the data key, or its inverse to decrypt; t is the tweak, encrypted under
// the tweak key.
Bytes xts(const Block &e, Bytes t, const Bytes &in, bool ieee, bool decrypt)
{
    const size_t rest = in.size() % 16, m = in.size() / 16;
    const auto xex = [&](const Bytes &x, const Bytes &mask) { return e(x + mask) + mask; };
    Bytes out;
    for (size_t j = 0; j < m - (rest ? 1 : 0); j++, t = times_x(t, ieee))
        append(out, xex(part(in, 16 * j, 16), t));
    if (rest == 0) return out;
    const Bytes next = times_x(t, ieee), last = part(in, 16 * m, rest);
    const Bytes cc = xex(part(in, 16 * (m - 1), 16), decrypt ? next : t);
    Bytes pp = last;
    append(pp, part(cc, rest, 16 - rest));
    append(out, xex(pp, decrypt ? t : next));
    append(out, part(cc, 0, rest));
    return out;
}

// --- HCTR [GB/T 17964-2021, 11; Wang, Feng, Wu 2005] ---------------------------------------------
Bytes big_endian(uint64_t n, size_t len)
{
    Bytes x(len);
    for (size_t i = 0; i < 8 && i < len; i++) x[len - 1 - i] = (uint8_t)(n >> 8 * i);
    return x;
}
Bytes hctr_hash(const Bytes &h, const Bytes &x)     // sum of X_i h^(m+2-i), and |x| h
{
    Bytes padded = x;
    padded.resize((x.size() + 15) / 16 * 16);
    append(padded, big_endian(8 * (uint64_t)x.size(), 16));
    Bytes y(16);
    for (size_t at = 0; at < padded.size(); at += 16)
        y = to_bytes(times(to_bits(y + part(padded, at, 16)), to_bits(h)));
    return y;
}
Bytes hctr(const Block &e, const Block &first, const Bytes &h, const Bytes &tweak, const Bytes &in)
{
    Bytes rest = part(in, 16, in.size() - 16), hashed = rest, out;
    append(hashed, tweak);
    const Bytes a = part(in, 0, 16) + hctr_hash(h, hashed), b = first(a), s = a + b;
    for (size_t at = 0; at < rest.size(); at += 16) {
        const Bytes pad = e(s + big_endian(at / 16 + 1, 16));
        for (size_t i = at; i < rest.size() && i < at + 16; i++) rest[i] ^= pad[i - at];
    }
    hashed = rest;
    append(hashed, tweak);
    out = b + hctr_hash(h, hashed);
    append(out, rest);
    return out;
}

// --- Key wrap [RFC 3394, 2.2.1 "index based"; RFC 5649, 4.1] -------------------------------------
Bytes kw(const Block &e, Bytes a, const Bytes &p)
{
    const size_t n = p.size() / 8;
    std::vector<Bytes> r(n + 1);
    for (size_t i = 1; i <= n; i++) r[i] = part(p, 8 * (i - 1), 8);
    for (size_t j = 0; j <= 5; j++)
        for (size_t i = 1; i <= n; i++) {
            Bytes b = a;
            append(b, r[i]);
            b = e(b);
            a = part(b, 0, 8) + big_endian(n * j + i, 8);
            r[i] = part(b, 8, 8);
        }
    for (size_t i = 1; i <= n; i++) append(a, r[i]);
    return a;
}
Bytes kwp(const Block &e, const Bytes &p, uint32_t mli, const Bytes &check)
{
    Bytes aiv = check, padded = p;
    append(aiv, big_endian(mli, 4));
    padded.resize((p.size() + 7) / 8 * 8);
    if (padded.size() > 8) return kw(e, aiv, padded);
    append(aiv, padded);
    return e(aiv);
}

}   // namespace reference
