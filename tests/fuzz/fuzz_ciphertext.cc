// SEQUENCE { x, y, C3, C2 }: an encoding that is accepted is written back with the same bytes, in a
// buffer of exactly the size that the call reports.
#include "fuzz/fuzz.hpp"
#include "tongyu/key.h"

std::vector<Bytes> fuzz_seeds()
{
    const Bytes der = unhex("306f022100bae97955efedd47e600736b68c1e99c5b4c049fe979cc1b63c661306b396"
                            "523b02210081ea7d76fc5620e1e7fd"
                            "9a79b6b5bb4b28482e5587fa156bc89098a0da9bdd780420cd75d8c345da1c2be58df7"
                            "e9ec801c0dfd2dda06751d9e526f05"
                            "3f2ad9a0a57e0405a2679194b9");
    return { der, unhex("302b0201010201020420" + std::string(64, 'a') + "040111"),
             unhex("3081ac0201010201020420" + std::string(64, 'a') + "048180" +
                   std::string(256, 'b')) };
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t n = 0, m = 0;
    if (ty_sm2_ct_from_der(nullptr, &n, data, size) == TY_ERR_SIZE) {
        Bytes raw(n), der;
        HOLDS(ty_sm2_ct_from_der(raw.data(), &n, data, size) == TY_OK && n == raw.size());
        HOLDS(ty_sm2_ct_to_der(nullptr, &m, raw.data(), n) == TY_ERR_SIZE);
        der.resize(m);
        HOLDS(ty_sm2_ct_to_der(der.data(), &m, raw.data(), n) == TY_OK && m == der.size());
        HOLDS(same(der.data(), m, data, size));
    }
    return 0;
}
