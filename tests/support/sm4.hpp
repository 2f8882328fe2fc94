// Functions for the tests of SM4's AEADs and MACs: loops over every tier of the cipher, the block
// cipher on byte strings, parts of a message, and every flipped bit of a string.
#pragma once
extern "C" {   // internal headers are plain C
#include "mod/f2_128.h"
#include "sm4/sm4.h"
}
#include "support/full.hpp"
#include "support/guard.hpp"
#include "support/hex.hpp"
#include "support/rng.hpp"
#include "support/tiers.hpp"
#include "support/vectors.hpp"
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>

// Calls f(slow) for each tier: ty_sm4_init chooses this tier, and GHASH uses the best one of a CPU
// of that level. slow: f is to run a selection of the cases, because the tier runs in the emulator,
// where a block takes about a millisecond, or is only to be sampled.
inline void each_cipher_tier(const std::function<void(bool)> &f)
{
    for_each_tier<ty_sm4_ops>(ty_sm4_tiers, [&](const ty_sm4_ops *ops, const char *) {
        ty_cpu need = 0;
        for (const ty_tier *t = ty_sm4_tiers; t->name; t++)
            if (t->ops == ops) need = t->need;
        const bool slow = tier_is_slow();
        ty_cpu_assume(need);
        EXPECT_EQ(ty_sm4_best(), ops);
        f(slow);
        ty_cpu_assume(0);
    });
}

// Calls f for every shared vector for whose algorithm `wanted` is true, on every tier (for a
// selection of the short ones on slow tiers); returns the number of vectors of each algorithm.
inline std::map<std::string, int>
each_vector(const Json &all, const std::function<bool(const std::string &)> &wanted,
            const std::function<void(const Json &)> &f)
{
    std::map<std::string, int> count;
    each_cipher_tier([&](bool slow) {
        count.clear();
        for (const char *list : {"published", "differential"})
            for (const Json &v : all.at(list)) {
                const std::string alg = v.at("alg").text();
                if (!wanted(alg)) continue;
                if (count[alg]++ % 8 && slow) continue;
                if (slow && v.at("pt").text().size() > 600) continue;
                f(v);
                if (testing::Test::HasFatalFailure()) return;
            }
    });
    for (const auto &[alg, n] : count) std::cout << "[  VECTORS ] " << alg << ": " << n << "\n";
    return count;
}

inline Bytes operator^(Bytes a, const Bytes &b)   // as long as the shorter one
{
    a.resize(std::min(a.size(), b.size()));
    for (size_t i = 0; i < a.size(); i++) a[i] ^= b[i];
    return a;
}

inline Bytes operator+(Bytes a, const Bytes &b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

inline Bytes part(const Bytes &x, size_t from, size_t to)
{
    return Bytes(x.begin() + (long)std::min(from, x.size()),
                 x.begin() + (long)std::min(to, x.size()));
}

inline Bytes padded(Bytes x)   // zeros up to whole blocks
{
    x.resize((x.size() + 15) / 16 * 16);
    return x;
}

inline Bytes number(uint64_t n, size_t width)   // big-endian
{
    Bytes x(width);
    for (size_t i = 0; i < width && i < 8; i++) x[width - 1 - i] = (uint8_t)(n >> 8 * i);
    return x;
}

// The block cipher, computed with the public ECB functions on the portable tier: the tests'
// definitions of modes use it.
struct Block {
    ty_sm4_key key;
    explicit Block(const Bytes &k)
    {
        key.ops = &ty_sm4_ops_c;
        ty_sm4_ops_c.schedule(key.enc, k.data());
        std::reverse_copy(key.enc, key.enc + 32, key.dec);
    }
    Bytes e(Bytes x) const
    {
        EXPECT_EQ(ty_sm4_ecb_encrypt(x.data(), x.data(), x.size(), &key), TY_OK);
        return x;
    }
    Bytes d(Bytes x) const
    {
        EXPECT_EQ(ty_sm4_ecb_decrypt(x.data(), x.data(), x.size(), &key), TY_OK);
        return x;
    }
};

// Calls f(at, n) for consecutive parts of len bytes, each shorter than `most`, some of them empty
inline void pieces(TestRng &rng, size_t len, size_t most,
                   const std::function<void(size_t, size_t)> &f)
{
    f(0, 0);
    for (size_t at = 0, some; at < len; at += some) {
        some = std::min<size_t>(len - at, rng.below(most));
        f(at, some);
    }
}

inline void each_flipped_bit(Bytes x, const std::function<void(const Bytes &)> &f)
{
    for (size_t bit = 0; bit < 8 * x.size(); bit++) {
        x[bit / 8] ^= (uint8_t)(1 << bit % 8);
        f(x);
        x[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}
