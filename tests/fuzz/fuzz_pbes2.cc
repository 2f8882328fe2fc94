// EncryptedPrivateKeyInfo: parameters that are accepted are written back with the same bytes; a key
// that decrypts is encrypted to the same bytes.
#include "fuzz/fuzz.hpp"
#include "key/fixtures.hpp"
extern "C" {
#include "key/pbes2.h"
#include "key/pem.h"
}

std::vector<Bytes> fuzz_seeds()
{
    std::vector<Bytes> s;
    for (const char *pem :
         { fixture::encrypted, fixture::encrypted_gm, fixture::encrypted_sha256,
           fixture::encrypted_sha1, fixture::encrypted_aes, fixture::encrypted_aes192,
           fixture::encrypted_aes256, fixture::encrypted_scrypt }) {
        uint8_t der[TY_PEM_DER_MAX], out[TY_PBES2_MAX];
        size_t n = 0;
        ty_key_form form;
        ty_pbes2 p;
        HOLDS(ty_pem_read(der, &n, &form, (const uint8_t *)pem, std::strlen(pem)) == TY_OK);
        s.push_back(Bytes(der, der + n));
        if (ty_pbes2_decode(&p, der, n) != TY_OK) continue;
        p.iterations = 1;   // quick, so that mutations reach the decryption
        s.push_back(Bytes(out, out + ty_pbes2_encode(out, sizeof out, &p)));
    }
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ty_pbes2 p;
    uint8_t again[TY_PBES2_MAX], plain[TY_PBES2_SECRET_MAX];
    if (ty_pbes2_decode(&p, data, size) != TY_OK) return 0;
    HOLDS(same(again, ty_pbes2_encode(again, sizeof again, &p), data, size));
    static uint64_t memory[1 << 16];
    const ty_key_limits limits = {512, memory, sizeof memory};
    size_t n;
    const ty_err err = ty_pbes2_decrypt(plain, &n, &p, "secret", 6, &limits);
    HOLDS(err == TY_ERR_UNSUPPORTED || ty_pbes2_cost(&p) <= limits.iterations);
    if (err != TY_OK || p.kdf == TY_PBES2_SCRYPT) return 0;
    ty_pbes2 q = p;
    std::memset(q.secret, 0, sizeof q.secret);
    if (n > TY_PBES2_SECRET_MAX - 16) return 0;
    // CBC and the padding are deterministic
    HOLDS(ty_pbes2_encrypt(&q, plain, n, "secret", 6) == TY_OK);
    HOLDS(same(q.secret, q.secret_len, p.secret, p.secret_len));
    return 0;
}
