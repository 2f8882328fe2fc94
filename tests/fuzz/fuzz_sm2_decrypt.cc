// SM2 decryption of arbitrary bytes as C1 C3 C2: it fails and leaves the output zero or untouched,
// or gives a plaintext that the same parts as C1 C2 C3 give, too. A batch has the same results.
#include "fuzz/fuzz.hpp"
#include "tongyu/sm2_many.h"

static const ty_sm2_key &key()
{
    static const ty_sm2_key k = [] {
        ty_sm2_key x;
        uint8_t d[32] = {1, 2, 3, 4, 5};
        HOLDS(ty_sm2_key_set(&x, d) == TY_OK);
        return x;
    }();
    return k;
}

std::vector<Bytes> fuzz_seeds()
{
    std::vector<Bytes> s;
    TestRng r(5);
    const ty_rng rng = r.ty();
    for (size_t n : {1u, 5u, 32u, 33u, 100u}) {
        Bytes m = r.bytes(n), c(n + 97);
        HOLDS(ty_sm2_encrypt(c.data(), m.data(), n, TY_SM2_C1C3C2, &key().pub, &rng) == TY_OK);
        s.push_back(c);
    }
    return s;
}

// A batch of three: a good ciphertext, these bytes as C1 C3 C2, and the same bytes as C1 C2 C3.
static void beside_others(const uint8_t *data, size_t size, ty_err want, const Bytes &m)
{
    static const Bytes good = fuzz_seeds()[2];
    Bytes first(32), mine(m.size(), 0xee), last(m.size(), 0xee), other(m.size(), 0xee);
    ty_sm2_decrypt_job jobs[] = {
        { first.data(), good.data(), good.size(), TY_SM2_C1C3C2, &key(), TY_ERR_IO },
        { mine.data(), data, size, TY_SM2_C1C3C2, &key(), TY_ERR_IO },
        { last.data(), data, size, TY_SM2_C1C2C3, &key(), TY_ERR_IO },
    };
    const ty_err first_err = ty_sm2_many_decrypt(jobs, 3),
                 other_err = ty_sm2_decrypt(other.data(), data, size, TY_SM2_C1C2C3, &key());
    HOLDS(jobs[0].err == TY_OK && jobs[1].err == want && jobs[2].err == other_err);
    HOLDS(first_err == (want != TY_OK ? want : other_err));
    HOLDS(mine == m && last == other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t n = size > 97 ? size - 97 : 0;
    Bytes m(n, 0xee), again(n);
    const ty_err err = ty_sm2_decrypt(m.data(), data, size, TY_SM2_C1C3C2, &key());
    beside_others(data, size, err, m);
    if (err == TY_ERR_VERIFY) HOLDS(m == Bytes(n, 0));
    if (err != TY_OK) {
        HOLDS(m == Bytes(n, 0) || m == Bytes(n, 0xee));
        return 0;
    }
    HOLDS(n > 0);
    Bytes other(data, data + 65);   // C1 C3 C2 -> C1 C2 C3
    other.insert(other.end(), data + 97, data + size);
    other.insert(other.end(), data + 65, data + 97);
    HOLDS(ty_sm2_decrypt(again.data(), other.data(), size, TY_SM2_C1C2C3, &key()) == TY_OK);
    HOLDS(m == again);
    return 0;
}
