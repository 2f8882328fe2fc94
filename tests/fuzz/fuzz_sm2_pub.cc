// A point that is accepted is encoded in both forms, and each is decoded to the same point.
#include "fuzz/fuzz.hpp"
#include "key/fixtures.hpp"
#include "tongyu/sm2.h"

std::vector<Bytes> fuzz_seeds()
{
    const Bytes p = unhex(fixture::pub);
    Bytes c(p.begin(), p.begin() + 33);
    c[0] = (uint8_t)(2 | (p[64] & 1));
    return {p, Bytes(p.begin() + 1, p.end()), c};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ty_sm2_pub p, q;
    if (ty_sm2_pub_set(&p, data, size) != TY_OK) return 0;
    uint8_t full[65], half[33];
    ty_sm2_pub_get(full, &p);
    ty_sm2_pub_get_compressed(half, &p);
    HOLDS((size == 65 && same(full, 65, data, size)) ||
          (size == 64 && same(full + 1, 64, data, size)) ||
          (size == 33 && same(half, 33, data, size)));
    HOLDS(ty_sm2_pub_set(&q, full, 65) == TY_OK && same(&p, sizeof p, &q, sizeof q));
    HOLDS(ty_sm2_pub_set(&q, half, 33) == TY_OK && same(&p, sizeof p, &q, sizeof q));
    return 0;
}
