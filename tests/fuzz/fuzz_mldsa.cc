// ML-DSA: any bytes as a signature, a public key and a private key. A hint that is accepted is
// written back with the same bytes; a public key and the verifier prepared from it agree on every
// verdict; a private key that is accepted signs, and its signature verifies.
extern "C" {
#include "mldsa/mldsa.h"
}
#include "fuzz/fuzz.hpp"
#include "tongyu/mldsa.h"
#include <memory>

namespace {

const ty_mldsa_set sets[] = {TY_MLDSA_44, TY_MLDSA_65, TY_MLDSA_87};

struct Fixed {   // one key of each set
    ty_mldsa_key key[3];
    ty_mldsa_verifier ready[3];
    Fixed()
    {
        const uint8_t seed[32] = {1};
        for (int i = 0; i < 3; i++) {
            HOLDS(ty_mldsa_key_from_seed(&key[i], seed, sets[i]) == TY_OK);
            HOLDS(ty_mldsa_verifier_init(&ready[i], &key[i].pub) == TY_OK);
        }
    }
};

const Fixed &fixed()
{
    static const std::unique_ptr<Fixed> f(new Fixed);
    return *f;
}

const uint8_t mu[64] = {7};

void signature(const uint8_t *sig, size_t sig_len, int i)
{
    const ty_mldsa_row *row = ty_mldsa_find(sets[i]);
    const ty_err err = ty_mldsa_verify_mu(sig, sig_len, mu, &fixed().key[i].pub);
    HOLDS(err == TY_OK || err == TY_ERR_VERIFY);
    HOLDS(ty_mldsa_verifier_verify_mu(sig, sig_len, mu, &fixed().ready[i]) == err);
    if (sig_len != row->sig_len) return;
    uint32_t h[8][8];
    uint8_t out[128];
    const size_t n = (size_t)row->omega + row->k;
    const uint8_t *hint = sig + sig_len - n;
    if (!ty_mldsa_hint_unpack_vt(h, hint, row)) return;
    ty_mldsa_hint_pack(out, h, row);
    HOLDS(same(out, n, hint, n));
}

void private_key(const uint8_t *in, size_t in_len)
{
    const std::unique_ptr<ty_mldsa_key> key(new ty_mldsa_key);
    if (ty_mldsa_key_set(key.get(), in, in_len) != TY_OK) return;
    HOLDS(same(key->bytes, ty_mldsa_key_len(key->pub.set), in, in_len));
    Bytes sig(ty_mldsa_sig_len(key->pub.set));
    HOLDS(ty_mldsa_sign_mu(sig.data(), sig.size(), mu, key.get(), nullptr) == TY_OK);
    HOLDS(ty_mldsa_verify_mu(sig.data(), sig.size(), mu, &key->pub) == TY_OK);
}

}   // namespace

std::vector<Bytes> fuzz_seeds()
{
    std::vector<Bytes> v;
    for (int i = 0; i < 3; i++) {
        const ty_mldsa_key &key = fixed().key[i];
        Bytes sig(ty_mldsa_sig_len(sets[i]));
        HOLDS(ty_mldsa_sign_mu(sig.data(), sig.size(), mu, &key, nullptr) == TY_OK);
        v.push_back(sig);
        v.push_back(Bytes(key.bytes, key.bytes + ty_mldsa_key_len(sets[i])));
        v.push_back(Bytes(key.pub.bytes, key.pub.bytes + ty_mldsa_pub_len(sets[i])));
    }
    return v;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int i = 0; i < 3; i++)
        if (size == ty_mldsa_sig_len(sets[i]) || size % 3 == (size_t)i) signature(data, size, i);
    private_key(data, size);
    ty_mldsa_pub pub;
    if (ty_mldsa_pub_set(&pub, data, size) == TY_OK) {
        HOLDS(same(pub.bytes, ty_mldsa_pub_len(pub.set), data, size));
        const Bytes sig(ty_mldsa_sig_len(pub.set));
        HOLDS(ty_mldsa_verify_mu(sig.data(), sig.size(), mu, &pub) == TY_ERR_VERIFY);
    }
    return 0;
}
