// Keys of ML-DSA in DER through OpenSSL's decoders: a key that is read is complete, and is the same
// after export and import.
#include "fuzz/provider.hpp"
#include "tongyu/mldsa_key.h"
#include <openssl/decoder.h>

std::vector<Bytes> fuzz_seeds()
{
    std::vector<Bytes> s;
    for (ty_mldsa_set set : { TY_MLDSA_44, TY_MLDSA_65, TY_MLDSA_87 }) {
        ty_mldsa_key k;
        uint8_t seed[32] = {}, der[TY_MLDSA_ENCODED_MAX];
        HOLDS(ty_mldsa_key_from_seed(&k, seed, set) == TY_OK);
        for (ty_mldsa_content content : { TY_MLDSA_SEED, TY_MLDSA_EXPANDED, TY_MLDSA_BOTH }) {
            size_t n = sizeof der;
            HOLDS(ty_mldsa_key_write(der, &n, &k, content, TY_KEY_PKCS8, TY_KEY_DER, nullptr, 0, 0,
                                     nullptr)
                  == TY_OK);
            s.push_back(Bytes(der, der + n));
        }
        size_t n = sizeof der;
        HOLDS(ty_mldsa_pub_write(der, &n, &k.pub, TY_KEY_DER) == TY_OK);
        s.push_back(Bytes(der, der + n));
    }
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    EVP_PKEY *k = nullptr, *again = nullptr;
    OSSL_PARAM *params = nullptr;
    OSSL_DECODER_CTX *d =
        OSSL_DECODER_CTX_new_for_pkey(&k, "DER", nullptr, nullptr, 0, provider_context(), nullptr);
    const unsigned char *at = data;
    size_t left = size;
    if (OSSL_DECODER_from_data(d, &at, &left) == 1) {
        HOLDS(k && EVP_PKEY_get_size(k) > 2000);
        HOLDS(EVP_PKEY_todata(k, EVP_PKEY_KEYPAIR, &params) == 1
              || EVP_PKEY_todata(k, EVP_PKEY_PUBLIC_KEY, &params) == 1);
        EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_pkey(provider_context(), k, nullptr);
        HOLDS(EVP_PKEY_fromdata_init(c) == 1);
        HOLDS(EVP_PKEY_fromdata(c, &again, EVP_PKEY_KEYPAIR, params) == 1);
        HOLDS(EVP_PKEY_eq(k, again) == 1);
        EVP_PKEY_CTX_free(c);
    }
    OSSL_PARAM_free(params);
    OSSL_DECODER_CTX_free(d);
    EVP_PKEY_free(k);
    EVP_PKEY_free(again);
    ERR_clear_error();
    return 0;
}
