// Keys of both providers, for tests.
#pragma once
#include "provider/evp.hpp"

inline Pkey generate(const Side &side, const char *name, const OSSL_PARAM *params = nullptr)
{
    EVP_PKEY *k = nullptr;
    PkeyCtx c = side.pkey_ctx(name);
    if (!c || EVP_PKEY_keygen_init(c.get()) != 1
        || (params && EVP_PKEY_CTX_set_params(c.get(), params) != 1))
        return nullptr;
    EVP_PKEY_generate(c.get(), &k);
    return Pkey(k);
}

inline Pkey from_params(const Side &side, const char *name, int selection, OSSL_PARAM *params)
{
    EVP_PKEY *k = nullptr;
    PkeyCtx c = side.pkey_ctx(name);
    if (!c || EVP_PKEY_fromdata_init(c.get()) != 1) return nullptr;
    EVP_PKEY_fromdata(c.get(), &k, selection, params);
    return Pkey(k);
}

// A copy of the key on that side, made from its parameters.
inline Pkey moved(const Side &side, const char *name, EVP_PKEY *key,
                  int selection = EVP_PKEY_KEYPAIR)
{
    OSSL_PARAM *params = nullptr;
    if (EVP_PKEY_todata(key, selection, &params) != 1) return nullptr;
    Pkey k = from_params(side, name, selection, params);
    OSSL_PARAM_free(params);
    return k;
}

inline Bytes octets(EVP_PKEY *k, const char *name)
{
    size_t n = 0;
    if (EVP_PKEY_get_octet_string_param(k, name, nullptr, 0, &n) != 1) return {};
    Bytes out(n);
    EVP_PKEY_get_octet_string_param(k, name, out.data(), n, &n);
    return out;
}

inline OSSL_PARAM octet_param(const char *name, const Bytes &b)
{
    return OSSL_PARAM_construct_octet_string(name, (void *)b.data(), b.size());
}

using Params = std::vector<OSSL_PARAM>;
inline Params with_end(Params p)
{
    p.push_back(OSSL_PARAM_construct_end());
    return p;
}

// A signature of msg, in one call or in chunks; md may be null. Parameters are set after the init
// call, as 3.0 requires.
inline Bytes sign(const Side &side, EVP_PKEY *k, const char *md, const Bytes &msg,
                  Params params = {}, bool chunks = false)
{
    MdCtx c(EVP_MD_CTX_new());
    params = with_end(params);
    size_t n = 0;
    EVP_PKEY_CTX *of_key = nullptr;
    if (EVP_DigestSignInit_ex(c.get(), &of_key, md, side.lib, side.properties, k, nullptr) != 1
        || EVP_PKEY_CTX_set_params(of_key, params.data()) != 1)
        return {};
    if (!chunks) {
        if (EVP_DigestSign(c.get(), nullptr, &n, msg.data(), msg.size()) != 1) return {};
        Bytes sig(n);
        if (EVP_DigestSign(c.get(), sig.data(), &n, msg.data(), msg.size()) != 1) return {};
        sig.resize(n);
        return sig;
    }
    for (size_t at = 0; at < msg.size(); at += 7)
        if (EVP_DigestSignUpdate(c.get(), msg.data() + at, std::min<size_t>(7, msg.size() - at))
            != 1)
            return {};
    if (EVP_DigestSignFinal(c.get(), nullptr, &n) != 1) return {};
    Bytes sig(n);
    if (EVP_DigestSignFinal(c.get(), sig.data(), &n) != 1) return {};
    sig.resize(n);
    return sig;
}

// 1 if the signature verifies, 0 if not, -1 if a call before the verdict fails.
inline int verify(const Side &side, EVP_PKEY *k, const char *md, const Bytes &msg, const Bytes &sig,
                  Params params = {}, bool chunks = false)
{
    MdCtx c(EVP_MD_CTX_new());
    params = with_end(params);
    EVP_PKEY_CTX *of_key = nullptr;
    if (EVP_DigestVerifyInit_ex(c.get(), &of_key, md, side.lib, side.properties, k, nullptr) != 1
        || EVP_PKEY_CTX_set_params(of_key, params.data()) != 1)
        return -1;
    if (!chunks)
        return EVP_DigestVerify(c.get(), sig.data(), sig.size(), msg.data(), msg.size()) == 1;
    for (size_t at = 0; at < msg.size(); at += 7)
        if (EVP_DigestVerifyUpdate(c.get(), msg.data() + at, std::min<size_t>(7, msg.size() - at))
            != 1)
            return -1;
    return EVP_DigestVerifyFinal(c.get(), sig.data(), sig.size()) == 1;
}
