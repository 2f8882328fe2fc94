// Two library contexts of OpenSSL: one with our provider and the default provider, the other with
// the default provider alone. The module is $TONGYU_PROVIDER_DIR/tongyu.so, by default that of the
// build.
#pragma once
#include "support/hex.hpp"
#include "support/rng.hpp"
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <map>
#include <memory>

#ifndef TY_PROVIDER_DIR
#define TY_PROVIDER_DIR "."
#endif

template <auto free_it> struct Freed {
    template <class T> void operator()(T *p) const { free_it(p); }
};
using MdCtx = std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX_free>>;
using Md = std::unique_ptr<EVP_MD, Freed<EVP_MD_free>>;
using Cipher = std::unique_ptr<EVP_CIPHER, Freed<EVP_CIPHER_free>>;
using CipherCtx = std::unique_ptr<EVP_CIPHER_CTX, Freed<EVP_CIPHER_CTX_free>>;
using Pkey = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using PkeyCtx = std::unique_ptr<EVP_PKEY_CTX, Freed<EVP_PKEY_CTX_free>>;
using Bio = std::unique_ptr<BIO, Freed<BIO_free_all>>;

inline const char *module_dir()
{
    const char *d = std::getenv("TONGYU_PROVIDER_DIR");
    return d ? d : TY_PROVIDER_DIR;
}

// A library context; algorithms are fetched from it with "provider=tongyu" or "provider=default".
struct Side {
    OSSL_LIB_CTX *lib = nullptr;
    OSSL_PROVIDER *tongyu = nullptr, *standard = nullptr;
    const char *properties;

    explicit Side(bool ours) : properties(ours ? "provider=tongyu" : "provider=default")
    {
        lib = OSSL_LIB_CTX_new();
        if (ours) {
            OSSL_PROVIDER_set_default_search_path(lib, module_dir());
            tongyu = OSSL_PROVIDER_load(lib, "tongyu");
            if (!tongyu) {
                ERR_print_errors_fp(stderr);
                std::abort();
            }
        }
        standard = OSSL_PROVIDER_load(lib, "default");
        if (ours) EVP_set_default_properties(lib, "?provider=tongyu");
    }
    ~Side()
    {
        if (tongyu) OSSL_PROVIDER_unload(tongyu);
        OSSL_PROVIDER_unload(standard);
        OSSL_LIB_CTX_free(lib);
    }
    Side(const Side &) = delete;
    Side &operator=(const Side &) = delete;

    Md md(const char *name) const { return Md(EVP_MD_fetch(lib, name, properties)); }
    Cipher cipher(const char *name) const
    {
        return Cipher(EVP_CIPHER_fetch(lib, name, properties));
    }
    PkeyCtx pkey_ctx(const char *name) const
    {
        return PkeyCtx(EVP_PKEY_CTX_new_from_name(lib, name, properties));
    }
    PkeyCtx pkey_ctx(EVP_PKEY *k) const
    {
        return PkeyCtx(EVP_PKEY_CTX_new_from_pkey(lib, k, properties));
    }
    uint64_t count(const char *what) const
    {
        uint64_t v = 0;
        OSSL_PARAM p[] = { OSSL_PARAM_construct_uint64(what, &v), OSSL_PARAM_construct_end() };
        EXPECT_EQ(OSSL_PROVIDER_get_params(tongyu, p), 1);
        return v;
    }
};

inline Side &ours()
{
    static Side side(true);
    return side;
}
inline Side &theirs()
{
    static Side side(false);
    return side;
}

inline unsigned openssl_version() { return OPENSSL_version_major() << 8 | OPENSSL_version_minor(); }

// Exactly one error of the provider must be on the queue, and contain these words. Empties the
// queue.
inline void expect_error(const char *words)
{
    int of_ours = 0;
    std::string all;
    const char *file, *func, *data;
    int line, flags;
    while (unsigned long e = ERR_get_error_all(&file, &line, &func, &data, &flags)) {
        char text[256];
        ERR_error_string_n(e, text, sizeof text);
        all += std::string(text) + ": " + data + "\n";
        if (std::string(data).rfind("tongyu: ", 0) == 0) {
            of_ours++;
            EXPECT_NE(std::string(data).find(words), std::string::npos)
                << data << "\nwanted: " << words;
        }
    }
    EXPECT_EQ(of_ours, 1) << words << "\n" << all;
}

// A function of OpenSSL newer than 3.0, by its name, or null if this libcrypto does not have it.
template <class F> F *later(const char *name)
{
    return reinterpret_cast<F *>(dlsym(RTLD_DEFAULT, name));
}

// Why OpenSSL does not support something: its last error, for the message of a skipped test.
inline std::string openssl_says()
{
    char text[256] = "no reason given";
    if (unsigned long e = ERR_peek_last_error()) ERR_error_string_n(e, text, sizeof text);
    ERR_clear_error();
    return text;
}
#define NOT_THERE(what)                                                                            \
    do {                                                                                           \
        std::printf("not in OpenSSL %s: %s (%s)\n", OpenSSL_version(OPENSSL_VERSION_STRING), what, \
                    openssl_says().c_str());                                                       \
        GTEST_SKIP() << what;                                                                      \
    } while (0)
