// Parameters of any name, type and length for keys, ciphers and signatures: none is read beyond its
// end, and a key that is imported is complete. The input: the object, then for each parameter
// name, type, length and bytes.
#include "fuzz/provider.hpp"

static const char *const names[] = { "pub",
                                     "priv",
                                     "seed",
                                     "group",
                                     "encoded-pub-key",
                                     "point-format",
                                     "include-public",
                                     "ivlen",
                                     "tag",
                                     "tlsaad",
                                     "tlsivfixed",
                                     "tlsivinv",
                                     "padding",
                                     "num",
                                     "xts_standard",
                                     "distid",
                                     "digest",
                                     "digest-size",
                                     "tls-version",
                                     "context-string",
                                     "deterministic",
                                     "mu",
                                     "message-encoding",
                                     "signature",
                                     "test-entropy",
                                     "encoding" };
static const char *const keys[] = { "SM2", "curveSM2", "ML-DSA-44", "ML-DSA-65", "ML-DSA-87" };
static const char *const ciphers[] = { "SM4-ECB", "SM4-CBC", "SM4-CTR",
                                       "SM4-GCM", "SM4-CCM", "SM4-XTS" };

std::vector<Bytes> fuzz_seeds()
{
    std::vector<Bytes> s;
    for (uint8_t object = 0; object < 16; object++)
        for (uint8_t name = 0; name < sizeof names / sizeof *names; name++)
            for (uint8_t len : { 0, 1, 4, 12, 16, 32, 65 }) {
                Bytes b = { object, name, (uint8_t)(len % 5), len };
                b.insert(b.end(), len, (uint8_t)(0x40 + name));
                s.push_back(b);
            }
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size) return 0;
    const unsigned object = data[0];
    std::vector<Bytes> memory;
    std::vector<OSSL_PARAM> params;
    for (size_t at = 1; at + 3 <= size && params.size() < 8;) {
        const char *name = names[data[at] % (sizeof names / sizeof *names)];
        const unsigned type = data[at + 1] % 5;
        const size_t len = std::min<size_t>(data[at + 2] * (type == 4 ? 41u : 1u), size - at - 3);
        // a copy, so that a read beyond its end is detected
        memory.push_back(Bytes(data + at + 3, data + at + 3 + len));
        Bytes &b = memory.back();
        at += 3 + len;
        if (type == 2) b.push_back(0);
        static const unsigned types[] = { OSSL_PARAM_INTEGER, OSSL_PARAM_UNSIGNED_INTEGER,
                                          OSSL_PARAM_UTF8_STRING, OSSL_PARAM_OCTET_STRING,
                                          OSSL_PARAM_OCTET_STRING };
        params.push_back({ name, types[type], b.data(), len, OSSL_PARAM_UNMODIFIED });
    }
    params.push_back(OSSL_PARAM_construct_end());
    if (object % 3 == 0) {
        EVP_PKEY *k = nullptr;
        EVP_PKEY_CTX *c =
            EVP_PKEY_CTX_new_from_name(provider_context(), keys[object / 3 % 5], nullptr);
        if (EVP_PKEY_fromdata_init(c) == 1
            && EVP_PKEY_fromdata(c, &k, EVP_PKEY_KEYPAIR, params.data()) == 1)
            HOLDS(EVP_PKEY_get_bits(k) > 0);
        EVP_PKEY_free(k);
        EVP_PKEY_CTX_free(c);
    } else if (object % 3 == 1) {
        static const uint8_t key[32] = { 1, 2, 3 };
        uint8_t out[64];
        int n;
        EVP_CIPHER *cipher = EVP_CIPHER_fetch(provider_context(), ciphers[object / 3 % 6], nullptr);
        EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
        HOLDS(EVP_CipherInit_ex2(c, cipher, key, key, object & 1, nullptr) == 1);
        (void)EVP_CIPHER_CTX_set_params(c, params.data());
        (void)EVP_CipherUpdate(c, out, &n, key, 32);
        (void)EVP_CipherFinal_ex(c, out, &n);
        EVP_CIPHER_CTX_free(c);
        EVP_CIPHER_free(cipher);
    } else {
        static EVP_PKEY *const k[] = { provider_key("SM2"), provider_key("ML-DSA-44") };
        EVP_MD_CTX *c = EVP_MD_CTX_new();
        EVP_PKEY_CTX *of = nullptr;
        uint8_t sig[2420];
        size_t n = sizeof sig;
        const unsigned which = object / 3 % 2;
        HOLDS(EVP_DigestSignInit_ex(c, &of, which ? nullptr : "SM3", provider_context(), nullptr,
                                    k[which], nullptr)
              == 1);
        (void)EVP_PKEY_CTX_set_params(of, params.data());
        (void)EVP_DigestSign(c, sig, &n, data, size);
        EVP_MD_CTX_free(c);
    }
    ERR_clear_error();
    return 0;
}
