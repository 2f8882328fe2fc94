// Input: key and IV, 16 bytes each, ciphertext. CBC with padding: if a ciphertext decrypts, its
// plaintext encrypts to the same ciphertext. The bytes of key and IV also set the lengths of
// the pieces.
#include "fuzz/fuzz.hpp"
#include "tongyu/sm4.h"

std::vector<Bytes> fuzz_seeds()
{
    std::vector<Bytes> s;
    TestRng r(7);
    for (size_t n : {0u, 1u, 15u, 16u, 17u, 100u}) {
        Bytes in = r.bytes(32), plain = r.bytes(n), out(n + 32);
        ty_sm4_key k;
        ty_sm4_stream c;
        size_t a = 0, b = 0;
        ty_sm4_init(&k, in.data());
        HOLDS(ty_sm4_start(&c, TY_SM4_CBC_ENCRYPT, TY_SM4_PAD_PKCS7, in.data() + 16, &k) == TY_OK);
        HOLDS(ty_sm4_update(out.data(), &a, plain.data(), n, &c) == TY_OK &&
              ty_sm4_final(out.data() + a, &b, &c) == TY_OK);
        in.insert(in.end(), out.begin(), out.begin() + (long)(a + b));
        s.push_back(in);
    }
    return s;
}

static ty_err run(Bytes &out, ty_sm4_mode mode, const uint8_t *iv, const ty_sm4_key *k,
                  const uint8_t *in, size_t len, const uint8_t *cuts)
{
    ty_sm4_stream c;
    size_t done = 0, n = 0;
    out.assign(len + 64, 0);
    HOLDS(ty_sm4_start(&c, mode, TY_SM4_PAD_PKCS7, iv, k) == TY_OK);
    for (size_t at = 0, i = 0; at < len; i++) {
        const size_t piece = std::min<size_t>(len - at, cuts[i % 16] % 40);
        HOLDS(ty_sm4_update(out.data() + done, &n, in + at, piece, &c) == TY_OK);
        done += n;
        at += piece;
        if (i > 16 && piece == 0 && at < len) {   // all cuts may be zero
            HOLDS(ty_sm4_update(out.data() + done, &n, in + at, len - at, &c) == TY_OK);
            done += n;
            at = len;
        }
    }
    const ty_err err = ty_sm4_final(out.data() + done, &n, &c);
    out.resize(done + n);
    return err;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 32) return 0;
    ty_sm4_key k;
    ty_sm4_init(&k, data);
    Bytes plain, again;
    if (run(plain, TY_SM4_CBC_DECRYPT, data + 16, &k, data + 32, size - 32, data) != TY_OK)
        return 0;
    HOLDS(run(again, TY_SM4_CBC_ENCRYPT, data + 16, &k, plain.data(), plain.size(), data + 16) ==
          TY_OK);
    HOLDS(same(again.data(), again.size(), data + 32, size - 32));
    return 0;
}
