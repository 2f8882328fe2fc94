// ML-DSA signing with more memory than the minimum: the file that depends on TY_MLDSA_RAM is
// compiled again for several amounts: which values are kept in memory depends on them. All must
// make the signatures of ty_mldsa_sign_mu.
#include "support/full.hpp"
#include "support/rng.hpp"
#include "support/vectors.hpp"
#include "tongyu/mldsa.h"
#include <memory>

// the amounts in tests/CMakeLists.txt
#define TY_TEST_ROOMS(X) X(9216) X(10240) X(12032) X(16384) X(32768) X(49152) X(79872)
#define ROOM(ram)                                                                              \
    extern "C" ty_err room_##ram##_encoded_mu(uint8_t *, size_t, const uint8_t *, const uint8_t *, \
                                              size_t, const ty_rng *);
TY_TEST_ROOMS(ROOM)
#undef ROOM

namespace {

typedef ty_err (*Sign)(uint8_t *, size_t, const uint8_t *, const uint8_t *, size_t, const ty_rng *);
struct Room {
    int ram;
    Sign sign;
};
const Room rooms[] = {
#define ROOM(ram) {ram, room_##ram##_encoded_mu},
    TY_TEST_ROOMS(ROOM)
#undef ROOM
};
const ty_mldsa_set sets[] = {TY_MLDSA_44, TY_MLDSA_65, TY_MLDSA_87};

struct Case {
    std::unique_ptr<ty_mldsa_key> key{new ty_mldsa_key};
    Bytes encoded, mu;
    Case(ty_mldsa_set set, TestRng &rng) : mu(rng.bytes(64))
    {
        const Bytes seed = rng.bytes(32);
        EXPECT_EQ(ty_mldsa_key_from_seed(key.get(), seed.data(), set), TY_OK);
        encoded.assign(key->bytes, key->bytes + ty_mldsa_key_len(set));
    }
    ty_err sign(Bytes &sig, const Room &room) const
    {
        sig.assign(ty_mldsa_sig_len(key->pub.set), 0xee);
        return room.sign(sig.data(), sig.size(), mu.data(), encoded.data(), encoded.size(), NULL);
    }
};

}   // namespace

TEST(MldsaRoom, TheSameSignatures)
{
    TestRng rng;
    for (const ty_mldsa_set set : sets)
        for (int n = 0; n < (full() ? 40 : 6); n++) {
            const Case c(set, rng);
            Bytes want(ty_mldsa_sig_len(set)), sig;
            ASSERT_EQ(ty_mldsa_sign_mu(want.data(), want.size(), c.mu.data(), c.key.get(), NULL),
                      TY_OK);
            for (const Room &room : rooms) {
                ASSERT_EQ(c.sign(sig, room), TY_OK);
                EXPECT_EQ(sig, want) << room.ram;
            }
        }
}

// Each invalid value of a field of s1 and s2 (a coefficient below -eta), as each of the first eight
// and of the last eight coefficients, so at every position in a byte.
TEST(MldsaRoom, InvalidCoefficients)
{
    TestRng rng;
    for (const ty_mldsa_set set : sets) {
        Case c(set, rng);
        const size_t bits = set == TY_MLDSA_65 ? 4 : 3, most = set == TY_MLDSA_65 ? 8 : 4;
        const size_t polys = set == TY_MLDSA_44 ? 8 : set == TY_MLDSA_65 ? 11 : 15;
        Bytes sig, zeros(ty_mldsa_sig_len(set));
        for (size_t place = 0; place < 16; place++)
            for (size_t value = most + 1; value < size_t(1) << bits; value++) {
                const size_t at = place < 8 ? place : 256 * polys - 16 + place;
                const Bytes before = c.encoded;
                for (size_t b = 0; b < bits; b++) {
                    const size_t bit = 8 * 128 + bits * at + b;
                    c.encoded[bit / 8] &= uint8_t(~(1u << bit % 8));
                    c.encoded[bit / 8] |= uint8_t((value >> b & 1) << bit % 8);
                }
                EXPECT_EQ(c.sign(sig, rooms[0]), TY_ERR_KEY) << at << " " << value;
                EXPECT_EQ(sig, zeros);
                c.encoded = before;
            }
    }
}
