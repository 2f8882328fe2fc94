// Enveloped keys: the right envelope gives a key pair, any other input an error and zeros.
#include "fuzz/fuzz.hpp"
#include "key/fixtures.hpp"
#include "tongyu/key.h"

std::vector<Bytes> fuzz_seeds()
{
    return {unhex(fixture::enveloped)};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static ty_sm2_key recipient;
    static const ty_err ready = ty_sm2_key_set(&recipient, unhex(fixture::d).data());
    ty_key k;
    HOLDS(ready == TY_OK);
    if (ty_key_from_enveloped(&k, data, size, &recipient) == TY_OK) {
        HOLDS(k.private_key == 1 && k.form == TY_KEY_ENVELOPED &&
              same(&k.pub, sizeof k.pub, &k.sm2.pub, sizeof k.pub));
        return 0;
    }
    for (size_t i = 0; i < sizeof k; i++) HOLDS(((const uint8_t *)&k)[i] == 0);
    return 0;
}
