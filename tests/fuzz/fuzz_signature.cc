// SEQUENCE { r, s }: an encoding that is accepted is written back with the same bytes. SM2's, and
// ECDSA's with a short and a long order.
#include "fuzz/fuzz.hpp"
#include "tongyu/ec_key.h"

std::vector<Bytes> fuzz_seeds()
{
    return { unhex("304502202d7e71727ce04a1a485c28600115ea7302f20a74864ca367b3cba2649ca1dc93022100d"
                   "7d15ab1434b791f7ae5386d20"
                   "fbea13651e8fb0bbed42787dd28089fada81cb"),
             unhex("3006020101020101"), unhex("300702011102020081"),
             unhex("30090203008000020 27fff") };
}

static void ecdsa(const uint8_t *data, size_t size, const ty_ec_curve *curve)
{
    uint8_t sig[2 * TY_EC_MAX], der[TY_ECDSA_DER_MAX];
    size_t n;
    if (ty_ecdsa_sig_from_der(sig, data, size, curve) != TY_OK) return;
    ty_ecdsa_sig_to_der(der, &n, sig, curve);
    HOLDS(same(der, n, data, size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (const char *name : {"sect163r1", "sect571r1"}) ecdsa(data, size, ty_ec_curve_named(name));
    uint8_t sig[64], der[TY_SM2_SIG_DER_MAX];
    size_t n;
    if (ty_sm2_sig_from_der(sig, data, size) == TY_OK) {
        ty_sm2_sig_to_der(der, &n, sig);
        HOLDS(same(der, n, data, size));
    }
    if (size >= 64) {   // any 64 bytes have an encoding; if it is accepted, it decodes to them
        ty_sm2_sig_to_der(der, &n, data);
        HOLDS(n <= sizeof der);
        HOLDS(ty_sm2_sig_from_der(sig, der, n) != TY_OK || same(sig, 64, data, 64));
    }
    return 0;
}
