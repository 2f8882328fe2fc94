// Any bytes as signatures and ciphertexts through EVP: verification gives a verdict, and a refused
// ciphertext leaves its output unchanged or zero. The first byte selects the kind.
#include "fuzz/provider.hpp"

static EVP_PKEY *key_of(unsigned kind)
{
    static EVP_PKEY *const k[] = { provider_key("SM2"), provider_key("ML-DSA-44"),
                                   provider_key("ML-DSA-87") };
    return k[kind % 3];
}

static const uint8_t msg[] = "what was signed";

std::vector<Bytes> fuzz_seeds()
{
    std::vector<Bytes> s;
    for (uint8_t kind = 0; kind < 3; kind++) {
        Bytes sig(1 + (size_t)EVP_PKEY_get_size(key_of(kind)));
        size_t n = sig.size() - 1;
        EVP_MD_CTX *c = EVP_MD_CTX_new();
        HOLDS(EVP_DigestSignInit_ex(c, nullptr, kind ? nullptr : "SM3", provider_context(), nullptr,
                                    key_of(kind), nullptr)
              == 1);
        HOLDS(EVP_DigestSign(c, sig.data() + 1, &n, msg, sizeof msg) == 1);
        EVP_MD_CTX_free(c);
        sig[0] = kind;
        sig.resize(1 + n);
        s.push_back(sig);
    }
    EVP_PKEY_CTX *e = EVP_PKEY_CTX_new_from_pkey(provider_context(), key_of(0), nullptr);
    Bytes ct(300);
    size_t n = 299;
    HOLDS(EVP_PKEY_encrypt_init(e) == 1
          && EVP_PKEY_encrypt(e, ct.data() + 1, &n, msg, sizeof msg) == 1);
    EVP_PKEY_CTX_free(e);
    ct[0] = 3;
    ct.resize(1 + n);
    s.push_back(ct);
    return s;
}

static void decrypt(const uint8_t *data, size_t size)
{
    EVP_PKEY_CTX *d = EVP_PKEY_CTX_new_from_pkey(provider_context(), key_of(0), nullptr);
    Bytes out(size + 1, 0xaa);
    size_t n = out.size();
    HOLDS(EVP_PKEY_decrypt_init(d) == 1);
    if (EVP_PKEY_decrypt(d, out.data(), &n, data, size) == 1) HOLDS(n + 97 < size);
    else
        for (uint8_t b : out) HOLDS(b == 0xaa || b == 0);
    EVP_PKEY_CTX_free(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size) return 0;
    const unsigned kind = data[0] % 4;
    if (kind == 3) decrypt(data + 1, size - 1);
    else {
        EVP_MD_CTX *c = EVP_MD_CTX_new();
        HOLDS(EVP_DigestVerifyInit_ex(c, nullptr, kind ? nullptr : "SM3", provider_context(),
                                      nullptr, key_of(kind), nullptr)
              == 1);
        const int right = EVP_DigestVerify(c, data + 1, size - 1, msg, sizeof msg);
        HOLDS(right == 0 || right == 1);
        EVP_MD_CTX_free(c);
    }
    ERR_clear_error();
    return 0;
}
