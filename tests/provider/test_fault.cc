// Every allocation of the provider fails once: no call that needed it reports success, and nothing
// leaks. Also threads that share keys.
#include "provider/keys.hpp"
#include <atomic>
#include <functional>
#include <link.h>
#include <mutex>
#include <openssl/decoder.h>
#include <openssl/encoder.h>
#include <thread>

// The caller of calloc is found by its return address: only the module's calls are counted, and
// made to fail.
extern "C" void *__libc_calloc(size_t, size_t);
extern "C" void __libc_free(void *);

namespace {
std::atomic<uintptr_t> module_from{ 0 }, module_to{ 0 };
std::atomic<long> calls{ 0 }, failing{ -1 };
std::mutex lock;
void *live[4096];    // the module's allocations; an array, because it is used inside free
size_t live_n = 0;

[[maybe_unused]] bool of_module(void *address)
{
    return (uintptr_t)address >= module_from && (uintptr_t)address < module_to;
}
}    // namespace

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer)
extern "C" void *calloc(size_t n, size_t size)
{
    if (!of_module(__builtin_return_address(0))) return __libc_calloc(n, size);
    if (calls++ == failing) return nullptr;
    void *p = __libc_calloc(n, size);
    std::lock_guard<std::mutex> hold(lock);
    if (live_n < 4096) live[live_n++] = p;
    return p;
}

extern "C" void free(void *p)
{
    if (p && live_n) {
        std::lock_guard<std::mutex> hold(lock);
        for (size_t i = 0; i < live_n; i++)
            if (live[i] == p) {
                live[i] = live[--live_n];
                break;
            }
    }
    __libc_free(p);
}
#define CAN_FAIL 1
#else
#define CAN_FAIL 0    // the sanitizer has its own calloc
#endif

static int note_module(dl_phdr_info *info, size_t, void *)
{
    if (!std::strstr(info->dlpi_name, "/tongyu.so")) return 0;
    module_from = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const auto &part = info->dlpi_phdr[i];
        if (part.p_type != PT_LOAD) continue;
        module_to = std::max<uintptr_t>(module_to, info->dlpi_addr + part.p_vaddr + part.p_memsz);
    }
    return 1;
}

static void find_module()
{
    ours();
    ASSERT_EQ(dl_iterate_phdr(note_module, nullptr), 1);
    ASSERT_LT(module_from, module_to);
}

// Runs the job, which returns whether its results are right, with its first, second, ... allocation
// failing, until it has no more allocations. OpenSSL does without `spared` of them, which are for
// the copy of a context at the end of a signature.
static void each_fails(const char *what, const std::function<bool()> &job, int spared = 0)
{
    find_module();
    if (!CAN_FAIL) GTEST_SKIP() << "the sanitizer has its own calloc";
    long n = 0;
    for (;; n++) {
        const size_t before = live_n;
        calls = 0;
        failing = n;
        const bool done = job();
        failing = -1;
        const bool failed = calls > n;
        EXPECT_EQ(live_n, before) << what << ": allocation " << n << " leaks";
        if (!failed) {
            EXPECT_TRUE(done) << what;
            break;
        }
        if (done && spared-- > 0) {
            ERR_clear_error();
            continue;
        }
        EXPECT_FALSE(done) << what << ": allocation " << n << " failed, and success was reported";
        bool reported = false;
        const char *data;
        int flags;
        while (ERR_get_error_all(nullptr, nullptr, nullptr, &data, &flags))
            reported |= std::strstr(data, "tongyu: no memory") != nullptr;
        EXPECT_TRUE(reported) << what << " " << n;
    }
    EXPECT_GT(n, 0) << what << ": there was no allocation to fail";
    ERR_clear_error();
}

TEST(Fault, Digest)
{
    each_fails("digest", [] {
        Md md = ours().md("SM3");
        MdCtx c(EVP_MD_CTX_new()), d(EVP_MD_CTX_new());
        uint8_t out[32];
        return EVP_DigestInit_ex2(c.get(), md.get(), nullptr) == 1
               && EVP_MD_CTX_copy_ex(d.get(), c.get()) == 1
               && EVP_DigestFinal_ex(d.get(), out, nullptr) == 1;
    });
}

TEST(Fault, Ciphers)
{
    for (const char *name : { "SM4-ECB", "SM4-CBC", "SM4-CTR", "SM4-XTS", "SM4-GCM", "SM4-CCM" })
        each_fails(name, [name] {
            Cipher cipher = ours().cipher(name);
            CipherCtx c(EVP_CIPHER_CTX_new()), d(EVP_CIPHER_CTX_new());
            const Bytes key = TestRng(1).bytes(32), aad(200, 1);
            uint8_t out[64];
            int n;
            if (EVP_EncryptInit_ex2(c.get(), cipher.get(), key.data(), key.data(), nullptr) != 1)
                return false;
            if (!strcmp(name, "SM4-CCM")
                && (EVP_EncryptUpdate(c.get(), nullptr, &n, nullptr, 16) != 1
                    || EVP_EncryptUpdate(c.get(), nullptr, &n, aad.data(), 200) != 1))
                return false;
            return EVP_CIPHER_CTX_copy(d.get(), c.get()) == 1
                   && EVP_EncryptUpdate(d.get(), out, &n, key.data(), 16) == 1;
        });
}

class FaultKeys : public testing::TestWithParam<const char *> {};
TEST_P(FaultKeys, AllCallsWithAKey)
{
    const char *name = GetParam();
    const char *md = strcmp(name, "SM2") ? nullptr : "SM3";
    each_fails(
        name,
        [name, md] {
            Pkey k = generate(ours(), name);
            if (!k) return false;
            Pkey again = moved(ours(), name, k.get());
            Pkey copy(EVP_PKEY_dup(k.get()));
            if (!again || !copy) return false;
            const Bytes s =
                sign(ours(), k.get(), md, bytes("m"),
                     { octet_param(md ? "distid" : "context-string", bytes("name")) }, true);
            return !s.empty()
                   && verify(ours(), k.get(), md, bytes("m"), s,
                             { octet_param(md ? "distid" : "context-string", bytes("name")) })
                          == 1;
        },
        md ? 2 : 1);    // SM2's copy also has a name
    each_fails(name, [name] {
        Pkey k = generate(ours(), name);
        return k && EVP_PKEY_pairwise_check(ours().pkey_ctx(k.get()).get()) == 1;
    });
}
INSTANTIATE_TEST_SUITE_P(All, FaultKeys, testing::Values("SM2", "ML-DSA-44", "ML-DSA-87"));

TEST(Fault, Encryption)
{
    Pkey k = generate(ours(), "SM2");
    each_fails("encryption", [&] {
        PkeyCtx e = ours().pkey_ctx(k.get()), d = ours().pkey_ctx(k.get());
        uint8_t ct[300], out[300];
        size_t n = sizeof ct, m = sizeof out;
        return EVP_PKEY_encrypt_init(e.get()) == 1
               && EVP_PKEY_encrypt(e.get(), ct, &n, (const uint8_t *)"text", 4) == 1
               && EVP_PKEY_decrypt_init(d.get()) == 1
               && EVP_PKEY_decrypt(d.get(), out, &m, ct, n) == 1;
    });
}

TEST(Fault, Exchange)
{
    Pkey k = generate(ours(), "curveSM2");
    each_fails("exchange", [&] {
        PkeyCtx c = ours().pkey_ctx(k.get());
        uint8_t out[32];
        size_t n = sizeof out;
        return EVP_PKEY_derive_init(c.get()) == 1 && EVP_PKEY_derive_set_peer(c.get(), k.get()) == 1
               && EVP_PKEY_derive(c.get(), out, &n) == 1;
    });
}

// libcrypto tries all decoders, so this tests only that nothing leaks, and that a key which is
// returned is right.
TEST(Fault, Files)
{
    find_module();
    Pkey k = generate(ours(), "ML-DSA-44");
    size_t read = 0;
    for (long n = -1; CAN_FAIL && n < 60;
         n++) {    // -1: none fails, and OpenSSL 3.5 fills a cache of decoders
        const size_t before = live_n;
        calls = 0;
        failing = n;
        {
            Bio bio(BIO_new(BIO_s_mem()));
            OSSL_ENCODER_CTX *e = OSSL_ENCODER_CTX_new_for_pkey(k.get(), EVP_PKEY_PUBLIC_KEY, "DER",
                                                                "SubjectPublicKeyInfo", nullptr);
            const int ok = OSSL_ENCODER_to_bio(e, bio.get());
            OSSL_ENCODER_CTX_free(e);
            EVP_PKEY *back = nullptr;
            OSSL_DECODER_CTX *d = OSSL_DECODER_CTX_new_for_pkey(&back, "DER", nullptr, "ML-DSA-44",
                                                                0, ours().lib, nullptr);
            if (ok == 1 && OSSL_DECODER_from_bio(d, bio.get()) == 1) {
                EXPECT_EQ(EVP_PKEY_eq(back, k.get()), 1);
                read++;
            }
            OSSL_DECODER_CTX_free(d);
            EVP_PKEY_free(back);
        }
        failing = -1;
        if (n >= 0) {
            EXPECT_EQ(live_n, before) << n;
        }
        ERR_clear_error();
    }
    if (CAN_FAIL) {
        EXPECT_GT(read, 0u);
    }
}

TEST(Fault, Loading)
{
    find_module();
    if (!CAN_FAIL) GTEST_SKIP() << "the sanitizer has its own calloc";
    const size_t before = live_n;
    OSSL_LIB_CTX *lib = OSSL_LIB_CTX_new();
    OSSL_PROVIDER_set_default_search_path(lib, module_dir());
    calls = 0;
    failing = 0;
    EXPECT_EQ(OSSL_PROVIDER_load(lib, "tongyu"), nullptr);
    failing = -1;
    OSSL_PROVIDER *p = OSSL_PROVIDER_load(lib, "tongyu");
    EXPECT_TRUE(p);
    OSSL_PROVIDER_unload(p);
    OSSL_LIB_CTX_free(lib);
    EXPECT_EQ(live_n, before);
    ERR_clear_error();
}

TEST(Threads, OneKeyManySigners)
{
    Pkey sm2 = generate(ours(), "SM2"), mldsa = generate(ours(), "ML-DSA-44");
    std::atomic<int> right{ 0 };
    std::vector<std::thread> threads;
    const uint64_t before = ours().count("sm2-sign");
    for (int t = 0; t < 4; t++)
        threads.emplace_back([&] {
            for (int i = 0; i < 50; i++) {
                const Bytes msg = TestRng((uint64_t)i).bytes(100);
                right +=
                    verify(ours(), sm2.get(), "SM3", msg, sign(ours(), sm2.get(), "SM3", msg)) == 1;
                right += verify(ours(), mldsa.get(), nullptr, msg,
                                sign(ours(), mldsa.get(), nullptr, msg))
                         == 1;
            }
        });
    for (std::thread &t : threads) t.join();
    EXPECT_EQ(right, 400);
    EXPECT_EQ(ours().count("sm2-sign"), before + 200);
}
