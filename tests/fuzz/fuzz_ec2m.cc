// Any bytes as points of binary curves (the first byte selects the curve): one that is accepted is
// written back with the same bytes, and works in computations.
#include "fuzz/fuzz.hpp"
#include "tongyu/dstu4145.h"
#include "tongyu/ec_any.h"
#include "tongyu/ecdsa.h"

std::vector<Bytes> fuzz_seeds()
{
    std::vector<Bytes> seeds;
    TestRng r(1);
    const ty_rng rng = r.ty();
    // small curves, because every point that is accepted is multiplied
    for (const char *name : {"sect113r1", "sect163k1"}) {
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
    ty_ec_params p;
    ty_ec_params_get(&p, ty_ec_curve_named("sect113r1"));   // 15 bytes for everything
    for (uint8_t way = 0xf0; way < 0xfa; way++) {
        Bytes seed = {way, (uint8_t)p.poly_len, (uint8_t)p.n_len};
        for (const uint8_t *number : { (const uint8_t *)p.poly, p.a, p.b, p.x, p.y, p.n })
            seed.insert(seed.end(), number, number + 15);
        seeds.push_back(seed);
    }
    return seeds;
}

// After a first byte of 0xf0 or above: the parameters of a curve of at most 127 bits. They are the
// lengths of the polynomial and of the order, then the six numbers, each as long as the polynomial.
// Parameters that are accepted work in computations.
static void any_curve(const uint8_t *data, size_t size)
{
    if (size < 4 || data[1] > 16 || data[2] > 16) return;
    ty_ec_params p = {};
    p.poly_len = data[1];
    p.n_len = data[2];
    // bytes beyond the length of an element are ignored, missing ones are 0
    const size_t len = p.poly_len;
    uint8_t numbers[6][16] = {};
    const uint8_t *at = data + 3;
    for (auto &number : numbers)
        for (size_t i = 0; i < len && at < data + size; i++) number[i] = *at++;
    std::copy(numbers[0], numbers[0] + len, p.poly);
    p.a = numbers[1];
    p.b = numbers[2];
    p.x = numbers[3];
    p.y = numbers[4];
    p.n = numbers[5];
    static ty_ec_any any;
    const char *why = nullptr;
    const ty_ec_way way = (ty_ec_way)(data[0] % 5);
    if (ty_ec_any_init(&any, &p, way, data[0] & 8 ? 256 : 0, &why) != TY_OK) {
        HOLDS(why && *why);
        return;
    }
    const ty_ec_curve *c = ty_ec_any_curve(&any);
    ty_ec_key key;
    uint8_t d[16] = {}, x[16], sig[32];
    d[ty_ec_order_len(c) - 1] = 3;
    HOLDS(ty_ec_key_set(&key, c, d, ty_ec_order_len(c)) == TY_OK);
    HOLDS(ty_ec_ecdh(x, &key.pub, &key) == TY_OK);
    HOLDS(ty_ecdsa_sign(sig, data, 1, &key, nullptr) == TY_OK);
    HOLDS(ty_ecdsa_verify(sig, 2 * ty_ec_order_len(c), data, 1, &key.pub) == TY_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    if (data[0] >= 0xf0) {
        any_curve(data, size);
        return 0;
    }
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
    HOLDS(ty_dstu4145_verify(sig, 2 * n_len, data, 1, &pub) == TY_ERR_VERIFY);
    return 0;
}
