// A libcrypto with ML-DSA, OpenSSL 3.5 or later: the one that TONGYU_LIBCRYPTO names, or the
// system's if it is new enough. It is loaded at run time and its functions are declared here, since
// the headers of the system may be older.
#pragma once
#include "support/hex.hpp"
#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <iostream>
#include <memory>
#include <string>

struct Libcrypto {
    struct Param {   // OSSL_PARAM
        const char *key;
        unsigned type;
        void *data;
        size_t size, used;
    };
    using Object = std::unique_ptr<void, void (*)(void *)>;

    void *(*Q_keygen)(void *, const char *, const char *, ...);
    void (*PKEY_free)(void *);
    void *(*CTX_new_from_name)(void *, const char *, const char *);
    void (*CTX_free)(void *);
    int (*i2d_private)(const void *, unsigned char **);
    int (*i2d_public)(const void *, unsigned char **);
    void *(*d2i_private)(void *, const unsigned char **, long);
    void *(*d2i_public)(void *, const unsigned char **, long);
    void *(*MD_new)();
    void (*MD_free)(void *);
    int (*Sign_init)(void *, void *, const char *, void *, const char *, void *, const Param *);
    int (*Sign)(void *, unsigned char *, size_t *, const unsigned char *, size_t);
    int (*Verify_init)(void *, void *, const char *, void *, const char *, void *, const Param *);
    int (*Verify)(void *, const unsigned char *, size_t, const unsigned char *, size_t);
    void *(*Provider_load)(void *, const char *);
    int (*Provider_set)(void *, const char *, const char *);
    bool there = false;

    static const Libcrypto &get()
    {
        static const Libcrypto one;
        return one;
    }

    Object key(void *p) const { return Object(p, PKEY_free); }
    Object keygen(const char *alg) const { return key(Q_keygen(nullptr, nullptr, alg)); }
    Object read(const Bytes &der, bool private_key) const
    {
        const unsigned char *p = der.data();
        return key((private_key ? d2i_private : d2i_public)(nullptr, &p, (long)der.size()));
    }
    Bytes write(const Object &k, bool private_key) const
    {
        unsigned char *p = nullptr;
        const auto f = private_key ? i2d_private : i2d_public;
        Bytes out((size_t)std::max(f(k.get(), nullptr), 0));
        p = out.data();
        out.resize((size_t)std::max(f(k.get(), &p), 0));
        return out;
    }
    // sets what private keys written from now on contain: "seed-only", "priv-only", "seed-priv"
    bool write_as(const char *form) const
    {
        void *const p = Provider_load(nullptr, "default");
        return p && Provider_set(p, "ml-dsa.output_formats", form);
    }
    Bytes sign(const Object &k, const Bytes &msg, const Bytes &ctx, size_t room) const
    {
        const Object md(MD_new(), MD_free);
        Bytes sig(room);
        size_t n = room;
        const Params p(ctx);
        if (Sign_init(md.get(), nullptr, nullptr, nullptr, nullptr, k.get(), p.list) != 1 ||
            Sign(md.get(), sig.data(), &n, msg.data(), msg.size()) != 1)
            n = 0;
        sig.resize(n);
        return sig;
    }
    bool verify(const Object &k, const Bytes &sig, const Bytes &msg, const Bytes &ctx) const
    {
        const Object md(MD_new(), MD_free);
        const Params p(ctx);
        return Verify_init(md.get(), nullptr, nullptr, nullptr, nullptr, k.get(), p.list) == 1 &&
               Verify(md.get(), sig.data(), sig.size(), msg.data(), msg.size()) == 1;
    }

private:
    struct Params {
        Param list[2];
        explicit Params(const Bytes &ctx) : list{}
        {
            // type 5: OSSL_PARAM_OCTET_STRING
            if (!ctx.empty())
                list[0] = { "context-string", 5, (void *)ctx.data(), ctx.size(), (size_t)-1 };
        }
    };
    template <class F> bool find(void *lib, F &f, const char *name)
    {
        return (f = (F)dlsym(lib, name)) != nullptr;
    }

    Libcrypto()
    {
        const char *const path = std::getenv("TONGYU_LIBCRYPTO");
        for (const char *name : {path ? path : "libcrypto.so.4", "libcrypto.so.3"}) {
            void *const lib = dlopen(name, RTLD_NOW | RTLD_LOCAL);
            there = lib && find(lib, Q_keygen, "EVP_PKEY_Q_keygen") &&
                    find(lib, PKEY_free, "EVP_PKEY_free") &&
                    find(lib, CTX_new_from_name, "EVP_PKEY_CTX_new_from_name") &&
                    find(lib, CTX_free, "EVP_PKEY_CTX_free") &&
                    find(lib, i2d_private, "i2d_PrivateKey") &&
                    find(lib, i2d_public, "i2d_PUBKEY") &&
                    find(lib, d2i_private, "d2i_AutoPrivateKey") &&
                    find(lib, d2i_public, "d2i_PUBKEY") && find(lib, MD_new, "EVP_MD_CTX_new") &&
                    find(lib, MD_free, "EVP_MD_CTX_free") &&
                    find(lib, Sign_init, "EVP_DigestSignInit_ex") &&
                    find(lib, Sign, "EVP_DigestSign") &&
                    find(lib, Verify_init, "EVP_DigestVerifyInit_ex") &&
                    find(lib, Verify, "EVP_DigestVerify") &&
                    find(lib, Provider_load, "OSSL_PROVIDER_load") &&
                    find(lib, Provider_set, "OSSL_PROVIDER_add_conf_parameter");
            if (!there) continue;
            const Object ctx(CTX_new_from_name(nullptr, "ML-DSA-44", nullptr), CTX_free);
            there = ctx != nullptr;
            if (there || path) break;
        }
        if (!there)
            std::cout << "[ OPENSSL  ] no libcrypto with ML-DSA (TONGYU_LIBCRYPTO names one): "
                         "nothing to compare with\n";
    }
};
