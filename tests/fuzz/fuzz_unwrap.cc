// Input: a key of 16 bytes, a wrapped key. A key that is unwrapped is wrapped to the same bytes,
// and a refused one leaves zeros; in place and in another buffer.
#include "fuzz/fuzz.hpp"
#include "tongyu/sm4_wrap.h"

std::vector<Bytes> fuzz_seeds()
{
    std::vector<Bytes> s;
    TestRng r(8);
    for (const size_t n : {1u, 7u, 8u, 9u, 16u, 24u, 40u, 61u}) {
        const Bytes key = r.bytes(16), plain = r.bytes(n);
        ty_sm4_key k;
        ty_sm4_init(&k, key.data());
        Bytes kwp(TY_SM4_KWP_LEN(n)), kw(n + 8);
        HOLDS(ty_sm4_kwp_wrap(kwp.data(), plain.data(), n, &k) == TY_OK);
        kwp.insert(kwp.begin(), key.begin(), key.end());
        s.push_back(kwp);
        if (n % 8 || n < 16) continue;
        HOLDS(ty_sm4_kw_wrap(kw.data(), plain.data(), n, &k) == TY_OK);
        kw.insert(kw.begin(), key.begin(), key.end());
        s.push_back(kw);
    }
    return s;
}

// Whether unwrapping len bytes succeeded: `out` is its result in another buffer,
// `place` that in place.
static bool opened(ty_err err, const Bytes &out, ty_err err_in_place, const Bytes &place,
                   size_t len)
{
    HOLDS(err == err_in_place);
    if (err == TY_ERR_ARG) return false;
    HOLDS(same(out.data(), len - 8, place.data(), len - 8));
    if (err == TY_OK) return true;
    HOLDS(err == TY_ERR_VERIFY);
    HOLDS(out == Bytes(len - 8));
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 16 || size > 4096) return 0;
    const uint8_t *in = data + 16;
    const size_t len = size - 16, room = len < 8 ? 0 : len - 8;
    ty_sm4_key k;
    ty_sm4_init(&k, data);
    Bytes out(room, 0x5A), place(in, in + len), again(len + 16);
    ty_err err = ty_sm4_kw_unwrap(out.data(), in, len, &k);
    if (opened(err, out, ty_sm4_kw_unwrap(place.data(), place.data(), len, &k), place, len)) {
        HOLDS(ty_sm4_kw_wrap(again.data(), out.data(), len - 8, &k) == TY_OK);
        HOLDS(same(again.data(), len, in, len));
    } else if (err == TY_ERR_ARG) {
        HOLDS(len % 8 || len < 24);
        HOLDS(out == Bytes(room, 0x5A));
    }
    size_t n = 99, m = 99;
    out.assign(room, 0x5A);
    place.assign(in, in + len);
    err = ty_sm4_kwp_unwrap(out.data(), &n, in, len, &k);
    if (opened(err, out, ty_sm4_kwp_unwrap(place.data(), &m, place.data(), len, &k), place, len)) {
        HOLDS(n == m && TY_SM4_KWP_LEN(n) == len);
        HOLDS(ty_sm4_kwp_wrap(again.data(), out.data(), n, &k) == TY_OK);
        HOLDS(same(again.data(), len, in, len));
    } else {
        HOLDS(n == 0 && m == 0);
        HOLDS(err != TY_ERR_ARG || out == Bytes(room, 0x5A));
    }
    return 0;
}
