// Helpers of the SM2 tests: every tier in turn, keys from bytes, calls that return Bytes.
#pragma once
extern "C" {
#include "sm2/sm2_internal.h"
}
#include "support/guard.hpp"
#include "support/rng.hpp"
#include "support/tiers.hpp"
#include "support/vectors.hpp"

static const char N_HEX[] = "fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123";
static const char P_HEX[] = "fffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff";
static const char G_HEX[] = "32c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7"
                            "bc3736a2f4f6779c59bdcee36b692153d0a9877cc62a474002df32e52139f0a0";

// The default identity
static const Bytes ID = bytes(TY_SM2_ID);

// While the object exists, the library uses this tier for everything.
struct UseTier {
    explicit UseTier(const char *name)
    {
        const ty_tier *t = ty_ec_sm2_tiers;
        while (std::string(t->name) != name) t++;
        ty_cpu_assume(t->need);   // also one that is emulated
    }
    ~UseTier() { ty_cpu_assume(0); }
};

template <class F> void each_tier(F run)
{
    for_each_tier<ty_ec_sm2_ops>(ty_ec_sm2_tiers, [&](const ty_ec_sm2_ops *ops, const char *name) {
        UseTier use(name);
        EXPECT_EQ(ty_ec_sm2_best(), ops);
        run();
    });
}

// x + small for a big-endian x: enough arithmetic to write n - 2 or p + 1.
inline Bytes plus(Bytes x, int small)
{
    int carry = small;
    for (size_t i = x.size(); i-- > 0;) {
        const int t = x[i] + carry;
        x[i] = (uint8_t)(t & 255);
        carry = t >> 8;
    }
    return x;
}

inline Bytes number(int small) { return plus(Bytes(32), small); }
inline Bytes cat(std::initializer_list<Bytes> parts)
{
    Bytes out;
    for (const Bytes &p : parts) out.insert(out.end(), p.begin(), p.end());
    return out;
}

inline ty_sm2_key key_of(const Bytes &d)
{
    ty_sm2_key key;
    EXPECT_EQ(ty_sm2_key_set(&key, d.data()), TY_OK);
    return key;
}

inline ty_sm2_pub pub_of(const Bytes &encoded)
{
    ty_sm2_pub pub;
    EXPECT_EQ(ty_sm2_pub_set(&pub, encoded.data(), encoded.size()), TY_OK);
    return pub;
}

inline Bytes pub_bytes(const ty_sm2_pub &pub)
{
    Bytes out(65);
    ty_sm2_pub_get(out.data(), &pub);
    return out;
}

// Every case of one kind in sm2.json, published ones first. They are counted, so that a loop that
// finds nothing fails.
template <class F> void each_vector(const char *alg, int published, int differential, F run)
{
    const auto file = load_vectors("sm2.json");
    if (!file) GTEST_SKIP() << "no vector files";
    int seen[2] = {0, 0}, list = 0;
    for (const char *name : {"published", "differential"}) {
        for (const Json &v : file->at(name))
            if (v.at("alg") == alg) { seen[list]++; run(v); }
        list++;
    }
    EXPECT_EQ(seen[0], published);
    EXPECT_EQ(seen[1], differential);
}
