// Points of binary curves from anywhere (the first byte picks the curve): what is taken has this one encoding, and is a
// point that can be computed with.
#include "fuzz/fuzz.hpp"
#include "tongyu/ecdsa.h"

std::vector<Bytes> fuzz_seeds()
{
    std::vector<Bytes> seeds;
    TestRng r(1);
    const ty_rng rng = r.ty();
    for (const char *name : {"sect113r1", "sect163k1"}) {   // small ones: every point that is taken is multiplied
        const ty_ec_curve *c = ty_ec_curve_named(name);
        uint8_t which = 0;
        while (ty_ec_curve_at(which) != c) which++;
        ty_ec_key key;
        HOLDS(ty_ec_keygen(&key, c, &rng) == TY_OK);
        Bytes whole(2 + 2 * ty_ec_field_len(c), which), half(2 + ty_ec_field_len(c), which);
        ty_ec_pub_get(whole.data() + 1, &key.pub);
        ty_ec_pub_get_compressed(half.data() + 1, &key.pub);
        seeds.insert(seeds.end(), {whole, half});
    }
    return seeds;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    const ty_ec_curve *c = ty_ec_curve_at(data[0] % 18);
    ty_ec_pub pub, z;
    if (ty_ec_pub_set(&pub, c, data + 1, size - 1) != TY_OK) return 0;
    const size_t len = ty_ec_field_len(c), n_len = ty_ec_order_len(c);
    uint8_t again[1 + 2 * TY_EC_MAX], sig[2 * TY_EC_MAX] = {0};
    if (data[1] == 4) ty_ec_pub_get(again, &pub);
    else ty_ec_pub_get_compressed(again, &pub);
    HOLDS(same(again, data[1] == 4 ? 1 + 2 * len : 1 + len, data + 1, size - 1));
    sig[n_len - 1] = 3;
    HOLDS(ty_ec_mul(&z, sig, &pub) == TY_OK);   // 3P is not infinity for P of order n
    HOLDS(ty_ecdsa_verify(sig, 2 * n_len, data, 1, &pub) == TY_ERR_VERIFY);   // s = 0
    return 0;
}
