// Keys that use exactly one tier, and whether a tier is slow.
#pragma once
extern "C" {   // internal headers are plain C
#include "sm4/sm4.h"
}
#include "sm4/reference.hpp"
#include "support/full.hpp"
#include "support/tiers.hpp"
#include <cstdlib>

template <class F> void each_tier(F f) { for_each_tier<ty_sm4_ops>(ty_sm4_tiers, f); }

// Whether a tier runs only a selection of the cases: an emulated one, at about a millisecond a
// block, or one that is sampled.
inline bool slow_tier(const ty_sm4_ops *ops)
{
    for (const ty_tier *t = ty_sm4_tiers; t->name; t++)
        if (t->ops == ops) return slow_row(ty_sm4_tiers, t);
    return false;
}

inline ty_sm4_key key_on(const ty_sm4_ops *ops, const Bytes &bytes)
{
    ty_sm4_key key;
    ty_sm4_init_on(&key, ops, bytes.data());
    return key;
}

// A block by the portable tier, and that tier as the block cipher of the references
inline Bytes portable(const Bytes &key_bytes, const Bytes &in, bool decrypt = false)
{
    const ty_sm4_key key = key_on(&ty_sm4_ops_c, key_bytes);
    Bytes out(16);
    ty_sm4_ops_c.ecb(out.data(), in.data(), 1, decrypt ? key.dec : key.enc);
    return out;
}
inline reference::Block cipher(const Bytes &key_bytes, bool decrypt = false)
{
    const ty_sm4_key key = key_on(&ty_sm4_ops_c, key_bytes);
    return [key, decrypt](const Bytes &in) {
        Bytes out(16);
        ty_sm4_ops_c.ecb(out.data(), in.data(), 1, decrypt ? key.dec : key.enc);
        return out;
    };
}
