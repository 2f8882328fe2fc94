// Whole files with an encrypted key: PEM with and without the legacy headers, PBES2, PKCS #12. The
// cost is known before anything is computed, and the limits are kept; what decrypts is a private
// key, and is not read without the password.
#include "fuzz/fuzz.hpp"
#include "key/fixtures.hpp"
extern "C" {
#include "key/pbes2.h"
#include "key/pem.h"
}

std::vector<Bytes> fuzz_seeds()
{
    std::vector<Bytes> s{unhex(fixture::pkcs12)};
    for (const char *pem :
         { fixture::encrypted_aes192, fixture::encrypted_scrypt, fixture::encrypted_legacy,
           fixture::legacy_aes256, fixture::legacy_des3, fixture::encrypted_des3, fixture::pkcs8,
           fixture::spki }) {
        uint8_t der[TY_PEM_DER_MAX];
        size_t n = 0;
        ty_key_form form;
        s.push_back(text(pem));
        if (ty_pem_read(der, &n, &form, (const uint8_t *)pem, std::strlen(pem)) == TY_OK)
            s.push_back(Bytes(der, der + n));
    }
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint64_t memory[1 << 16];
    const ty_key_limits limits = {512, memory, sizeof memory};
    ty_key_cost cost;
    ty_key k;
    const ty_err cost_err = ty_key_cost_get(&cost, data, size);
    const ty_err err = ty_key_read_limited(&k, data, size, "secret", 6, &limits);
    if (cost_err != TY_OK) {   // reading the file fails with the same error
        HOLDS(err == cost_err);
        for (size_t i = 0; i < sizeof cost; i++) HOLDS(((const uint8_t *)&cost)[i] == 0);
    }
    if (err != TY_OK) {
        for (size_t i = 0; i < sizeof k; i++) HOLDS(((const uint8_t *)&k)[i] == 0);
        return 0;
    }
    HOLDS(cost.iterations <= limits.iterations && cost.memory <= limits.memory_len);
    HOLDS(!cost.encrypted || (k.private_key && k.form == cost.form));
    if (cost.encrypted) HOLDS(ty_key_read(&k, data, size, nullptr, 0) == TY_ERR_ARG);
    return 0;
}
