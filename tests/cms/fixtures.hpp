// Messages made by other programs, in the files next to this one; read_cms returns the DER of one.
#pragma once
#include "support/hex.hpp"
#include "tongyu/cms.h"
#include <cstdio>
#include <cstdlib>
#include <string>

inline const char *const cms_files[] = {
    "openssl-sm2.pem",
    "openssl-sm2-id.pem",
    "openssl-mldsa.pem",
    "gmsm-signed.pem",
    "gmsm-signed-bare.pem",
    "gmsm-detached.pem",
    "gmsm-enveloped.pem",
    "gmsm-enveloped-key-id.pem",
    "gmsm-enveloped-rfc.pem",
    "gmsm-both.pem",
    "bc-sm2.pem",
    "bc-mldsa.pem",
};

inline Bytes read_file(const std::string &name)
{
    const std::string path = std::string(TY_CMS_FIXTURES) + "/" + name;
    std::FILE *f = std::fopen(path.c_str(), "rb");
    if (!f) {
        std::fprintf(stderr, "%s is missing\n", path.c_str());
        std::abort();
    }
    Bytes all(1 << 16);
    all.resize(std::fread(all.data(), 1, all.size(), f));
    std::fclose(f);
    return all;
}

inline Bytes read_cms(const std::string &name)
{
    const Bytes pem = read_file(name);
    Bytes der(pem.size());
    size_t n = der.size();
    if (ty_cms_from_pem(der.data(), &n, pem.data(), pem.size()) != TY_OK) std::abort();
    der.resize(n);
    return der;
}
