// The provider inside a fuzz target, as OpenSSL sees it: built in, alone in a library context.
#pragma once
#include "fuzz/fuzz.hpp"
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>

extern "C" OSSL_provider_init_fn OSSL_provider_init;

inline OSSL_LIB_CTX *provider_context()
{
    static OSSL_LIB_CTX *lib = [] {
        OSSL_LIB_CTX *c = OSSL_LIB_CTX_new();
        HOLDS(c && OSSL_PROVIDER_add_builtin(c, "tongyu", OSSL_provider_init) == 1);
        HOLDS(OSSL_PROVIDER_load(c, "tongyu"));
        return c;
    }();
    return lib;
}

inline EVP_PKEY *provider_key(const char *name)
{
    EVP_PKEY *k = nullptr;
    EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_name(provider_context(), name, nullptr);
    HOLDS(c && EVP_PKEY_keygen_init(c) == 1 && EVP_PKEY_generate(c, &k) == 1);
    EVP_PKEY_CTX_free(c);
    return k;
}
