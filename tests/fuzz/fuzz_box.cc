// A sealed file, for the password "p" or one fixed key: opening its header fails and leaves zeros,
// or its last chunk is opened or refused, and the state refuses further chunks.
#include "fuzz/fuzz.hpp"
#include "tongyu/box.h"

static const ty_sm2_key &key()
{
    static const ty_sm2_key k = [] {
        ty_sm2_key x;
        uint8_t d[32] = {9, 8, 7};
        HOLDS(ty_sm2_key_set(&x, d) == TY_OK);
        return x;
    }();
    return k;
}

std::vector<Bytes> fuzz_seeds()
{
    std::vector<Bytes> s;
    TestRng r(6);
    const ty_rng rng = r.ty();
    for (size_t n : {0u, 1u, 300u}) {
        for (int kind = 0; kind < 3; kind++) {
            ty_box b;
            Bytes f(TY_BOX_HEADER_MAX), plain = r.bytes(n);
            size_t h = f.size();
            const ty_sm2_pub pubs[2] = {key().pub, key().pub};
            uint64_t memory[1 << 10];
            HOLDS((kind == 2 ? ty_box_seal_scrypt(&b, f.data(), &h, "p", 1, {3, 1, 1}, memory,
                                                  sizeof memory, &rng)
                   : kind    ? ty_box_seal_pub(&b, f.data(), &h, pubs, 1 + n % 2, &rng)
                             : ty_box_seal_password(&b, f.data(), &h, "p", 1, 2, &rng)) == TY_OK);
            f.resize(h + n + TY_BOX_TAG);
            HOLDS(ty_box_seal(&b, f.data() + h, plain.data(), n, 1) == TY_OK);
            s.push_back(f);
        }
    }
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ty_box_info info;
    ty_box b = {};
    if (ty_box_peek(&info, data, size) != TY_OK) return 0;
    HOLDS(info.header_len <= TY_BOX_HEADER_MAX);
    if (size < info.header_len) return 0;
    HOLDS(info.memory <= TY_BOX_MEMORY_MAX);
    static uint64_t memory[1 << 13];
    const ty_err err =
        info.kind == TY_BOX_SCRYPT
            ? info.iterations > 1024
                  ? TY_ERR_VERIFY
                  : ty_box_open_scrypt(&b, data, info.header_len, "p", 1, memory, sizeof memory)
        : info.kind == TY_BOX_PASSWORD
            ? ty_box_open_password(&b, data, info.header_len, "p", 1, 100)
            : ty_box_open_key(&b, data, info.header_len, &key());
    if (err != TY_OK) {
        for (size_t i = 0; i < sizeof b; i++) HOLDS(((const uint8_t *)&b)[i] == 0);
        return 0;
    }
    if (info.kind == TY_BOX_SM2) HOLDS(ty_box_is_for(data, info.header_len, &key().pub));
    const uint8_t *chunk = data + info.header_len;
    const size_t n = size - info.header_len;
    if (n > 4096) return 0;
    Bytes out(n < 16 ? 0 : n - 16, 0xee);
    const ty_err opened = ty_box_open(&b, out.data(), chunk, n, 1);
    if (opened == TY_ERR_VERIFY) HOLDS(out == Bytes(out.size(), 0));
    HOLDS(opened == TY_OK || opened == TY_ERR_VERIFY || opened == TY_ERR_FORMAT);
    HOLDS(ty_box_open(&b, out.data(), chunk, n, 1) == TY_ERR_STATE);
    return 0;
}
