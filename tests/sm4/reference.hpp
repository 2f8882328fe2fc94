// The modes as their standards define them, without regard to speed: over any block cipher with
// 16-byte blocks, with polynomials and registers as lists of bits. Nothing of the library is used
// except the cipher that is passed in.
#pragma once
#include "support/hex.hpp"
#include <algorithm>
#include <functional>

namespace reference {

using Block = std::function<Bytes(const Bytes &)>;        // 16 bytes to 16 bytes
using Keyed = std::function<Bytes(const Bytes &key, const Bytes &)>;
using Bits = std::vector<bool>;

inline Bytes part(const Bytes &x, size_t at, size_t n)
{
    return Bytes(x.begin() + (long)at, x.begin() + (long)(at + n));
}
inline Bytes operator+(const Bytes &a, const Bytes &b)    // the sum of the field, not concatenation
{
    Bytes c = a;
    for (size_t i = 0; i < c.size(); i++) c[i] ^= b[i];
    return c;
}
inline void append(Bytes &to, const Bytes &x) { to.insert(to.end(), x.begin(), x.end()); }

Bits to_bits(const Bytes &x);    // the top bit of byte 0 first
Bytes to_bytes(const Bits &b);   // an incomplete last byte is filled with zeros

// --- CFB with s bits of feedback [SP 800-38A, 6.3] -----------------------------------------------
Bits cfb(const Block &e, Bits reg, const Bits &in, size_t s, bool decrypt);

// --- BC and OFBNLF [GB/T 17964-2021, 12 and 13] --------------------------------------------------
Bytes bc(const Block &e, const Bytes &iv, const Bytes &in);
Bytes ofbnlf(const Keyed &e, const Bytes &key, const Bytes &iv, const Bytes &in);

// --- GF(2^128): a polynomial as 128 bits, x^0 first ----------------------------------------------
Bits times(const Bits &a, const Bits &b);
// The two bit orders of 16 bytes: GB's begins with the top bit of byte 0, IEEE's with the bottom
// bit of byte 0.
Bytes bits_reversed(Bytes x);
Bytes times_x(const Bytes &t, bool ieee);

// --- XTS [IEEE 1619-2018, 5.3 and 5.4; GB/T 17964-2021, 10] --------------------------------------
// e is the cipher under the data key, or its inverse to decrypt; t is the tweak, encrypted under
// the tweak key.
Bytes xts(const Block &e, Bytes t, const Bytes &in, bool ieee, bool decrypt);

// --- HCTR [GB/T 17964-2021, 11; Wang, Feng, Wu 2005] ---------------------------------------------
Bytes big_endian(uint64_t n, size_t len);
Bytes hctr_hash(const Bytes &h, const Bytes &x);   // sum of X_i h^(m+2-i), and |x| h
// `e` is the cipher of the counters; `first`, that of the first block, is e or, to decrypt, its
// inverse.
Bytes hctr(const Block &e, const Block &first, const Bytes &h, const Bytes &tweak, const Bytes &in);

// --- Key wrap [RFC 3394, 2.2.1 "index based"; RFC 5649, 4.1] -------------------------------------
Bytes kw(const Block &e, Bytes a, const Bytes &p);
Bytes kwp(const Block &e, const Bytes &p, uint32_t mli,
          const Bytes &check = { 0xA6, 0x59, 0x59, 0xA6 });

}   // namespace reference
