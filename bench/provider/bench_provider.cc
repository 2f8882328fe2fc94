// The provider compared with OpenSSL's own, through EVP, in one process, alternately: minima of
// many short rounds. Also the library's own call, which shows the cost of OpenSSL's interface.
//     bench-provider [MODULE-DIRECTORY [digests|ciphers|sm2|exchange|mldsa|scaling]...]
#include "tongyu/tongyu.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

using Run = std::function<void()>;
const char *const who[2] = { "provider=tongyu", "provider=default" };
uint8_t in[16384], out[16384 + 64], key[32] = { 1 }, iv[16] = { 2 }, tag[16];

void must(bool ok, const char *what)
{
    if (ok) return;
    std::fprintf(stderr, "bench-provider: %s\n", what);
    ERR_print_errors_fp(stderr);
    std::exit(1);
}

double now()
{
    using namespace std::chrono;
    return duration<double, std::nano>(steady_clock::now().time_since_epoch()).count();
}

// Each in turn, `rounds` times: the minimum nanoseconds of one run. Empty functions are skipped.
std::vector<double> measure(const std::vector<Run> &runs, int inner, int rounds = 60)
{
    std::vector<double> best(runs.size(), 1e30);
    for (int r = 0; r < rounds; r++)
        for (size_t i = 0; i < runs.size(); i++) {
            if (!runs[i]) continue;
            const double from = now();
            for (int j = 0; j < inner; j++) runs[i]();
            best[i] = std::min(best[i], (now() - from) / inner);
        }
    return best;
}

void row(const char *name, Run direct, Run ours, Run theirs, int inner)
{
    const auto t = measure({ direct, ours, theirs }, inner);
    std::printf("%-34s", name);
    if (direct) std::printf("%12.0f", t[0]);
    else std::printf("%12s", "");
    std::printf("%12.0f", t[1]);
    if (theirs) std::printf("%12.0f%9.2f\n", t[2], t[2] / t[1]);
    else std::printf("%12s%9s\n", "none", "");
    std::fflush(stdout);
}

void digests()
{
    EVP_MD_CTX *c[2];
    EVP_MD *md[2];
    for (int i = 0; i < 2; i++)
        must((md[i] = EVP_MD_fetch(nullptr, "SM3", who[i])) && (c[i] = EVP_MD_CTX_new()), "SM3");
    for (size_t n : { size_t(64), size_t(1024), size_t(16384) }) {
        auto evp = [&](int i) {
            return [&, i, n] {
                EVP_DigestInit_ex2(c[i], md[i], nullptr);
                EVP_DigestUpdate(c[i], in, n);
                EVP_DigestFinal_ex(c[i], out, nullptr);
            };
        };
        row(("SM3 " + std::to_string(n) + " B").c_str(), [n] { ty_sm3_hash(out, in, n); }, evp(0),
            evp(1), n > 1000 ? 10 : 100);
    }
}

Run sealing(const char *name, int i, size_t n, bool aead)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(nullptr, name, who[i]);
    if (!cipher) return nullptr;
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    must(EVP_EncryptInit_ex2(c, cipher, key, iv, nullptr) == 1, name);
    EVP_CIPHER_CTX_set_padding(c, 0);
    return [=] {
        int len;
        EVP_EncryptInit_ex2(c, nullptr, nullptr, iv, nullptr);
        if (aead) EVP_EncryptUpdate(c, nullptr, &len, in, 13);
        EVP_EncryptUpdate(c, out, &len, in, (int)n);
        if (!aead) return;
        EVP_EncryptFinal_ex(c, out + n, &len);
        EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_GET_TAG, 16, tag);
    };
}

void ciphers()
{
    ty_sm4_key k;
    ty_sm4_gcm_key g;
    ty_sm4_init(&k, key);
    ty_sm4_gcm_init(&g, key);
    for (const char *name : { "SM4-ECB", "SM4-CBC", "SM4-CTR", "SM4-XTS", "SM4-GCM" })
        for (size_t n : { size_t(16), size_t(1024), size_t(16384) }) {
            const std::string mode = name;
            const bool aead = mode == "SM4-GCM";
            Run direct;
            if (mode == "SM4-CTR") direct = [n, &k] { ty_sm4_ctr(out, in, n, iv, &k); };
            if (aead)
                direct = [n, &g] {
                    must(ty_sm4_gcm_seal(out, tag, 16, in, n, in, 13, iv, 12, &g) == TY_OK, "seal");
                };
            row((mode + " " + std::to_string(n) + " B").c_str(), direct, sealing(name, 0, n, aead),
                sealing(name, 1, n, aead), n > 1000 ? 10 : 100);
        }
    ERR_clear_error();
}

EVP_PKEY *generate(const char *name, int i)
{
    EVP_PKEY *k = nullptr;
    EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_name(nullptr, name, who[i]);
    if (c && EVP_PKEY_keygen_init(c) == 1) EVP_PKEY_generate(c, &k);
    EVP_PKEY_CTX_free(c);
    return k;
}

struct Sm2 {
    EVP_PKEY_CTX *sign, *verify, *decrypt;
    uint8_t sig[80], ct[300];
    size_t sig_len = 80, ct_len = 300;
    explicit Sm2(int i)
    {
        EVP_PKEY *k = generate("SM2", i);
        must(k, "SM2");
        auto context = [&] { return EVP_PKEY_CTX_new_from_pkey(nullptr, k, who[i]); };
        EVP_PKEY_CTX *encrypt = context();
        sign = context(), verify = context(), decrypt = context();
        must(EVP_PKEY_sign_init(sign) == 1 && EVP_PKEY_verify_init(verify) == 1
                 && EVP_PKEY_decrypt_init(decrypt) == 1 && EVP_PKEY_encrypt_init(encrypt) == 1
                 && EVP_PKEY_sign(sign, sig, &sig_len, in, 32) == 1
                 && EVP_PKEY_encrypt(encrypt, ct, &ct_len, in, 64) == 1,
             "SM2");
    }
    void do_sign()
    {
        uint8_t s[80];
        size_t n = 80;
        must(EVP_PKEY_sign(sign, s, &n, in, 32) == 1, "sign");
    }
    void do_verify() { must(EVP_PKEY_verify(verify, sig, sig_len, in, 32) == 1, "verify"); }
    void do_decrypt()
    {
        uint8_t m[300];
        size_t n = 300;
        must(EVP_PKEY_decrypt(decrypt, m, &n, ct, ct_len) == 1, "decrypt");
    }
};

void sm2()
{
    static Sm2 a(0), b(1);
    static ty_sm2_key k;
    static uint8_t sig[64];
    must(ty_sm2_keygen(&k, ty_rng_system()) == TY_OK
             && ty_sm2_sign_digest(sig, in, &k, ty_rng_system()) == TY_OK,
         "SM2");
    row(
        "SM2 sign a digest",
        [] { must(ty_sm2_sign_digest(sig, in, &k, ty_rng_system()) == TY_OK, "sign"); },
        [] { a.do_sign(); }, [] { b.do_sign(); }, 5);
    row(
        "SM2 verify a digest",
        [] { must(ty_sm2_verify_digest(sig, in, &k.pub) == TY_OK, "verify"); },
        [] { a.do_verify(); }, [] { b.do_verify(); }, 5);
    row("SM2 decrypt 64 B", nullptr, [] { a.do_decrypt(); }, [] { b.do_decrypt(); }, 5);
}

Run deriving(int i)
{
    EVP_PKEY *a = generate("curveSM2", i), *b = generate("curveSM2", i);
    if (!a || !b) return nullptr;
    EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_pkey(nullptr, a, who[i]);
    must(EVP_PKEY_derive_init(c) == 1 && EVP_PKEY_derive_set_peer(c, b) == 1, "derive");
    return [c] {
        uint8_t s[32];
        size_t n = 32;
        must(EVP_PKEY_derive(c, s, &n) == 1, "derive");
    };
}

void exchange()
{
    row("curveSM2 derive", nullptr, deriving(0), deriving(1), 5);
    ERR_clear_error();
}

void mldsa()
{
    for (const char *name : { "ML-DSA-44", "ML-DSA-65", "ML-DSA-87" }) {
        Run sign[2], verify[2];
        for (int i = 0; i < 2; i++) {
            EVP_PKEY *k = generate(name, i);
            if (!k) continue;
            auto sig = new std::vector<uint8_t>((size_t)EVP_PKEY_get_size(k));
            auto once = [=](bool check) {
                EVP_MD_CTX *m = EVP_MD_CTX_new();
                size_t n = sig->size();
                must(check
                         ? EVP_DigestVerifyInit_ex(m, nullptr, nullptr, nullptr, who[i], k, nullptr)
                                   == 1
                               && EVP_DigestVerify(m, sig->data(), n, in, 64) == 1
                         : EVP_DigestSignInit_ex(m, nullptr, nullptr, nullptr, who[i], k, nullptr)
                                   == 1
                               && EVP_DigestSign(m, sig->data(), &n, in, 64) == 1,
                     name);
                EVP_MD_CTX_free(m);
            };
            once(false);
            sign[i] = [once] {
                for (int j = 0; j < 20; j++) once(false);
            }; // twenty, because the number of attempts varies
            verify[i] = [once] { once(true); };
        }
        row((std::string(name) + " sign, 20 times").c_str(), nullptr, sign[0], sign[1], 1);
        row((std::string(name) + " verify").c_str(), nullptr, verify[0], verify[1], 5);
    }
    ERR_clear_error();
}

// Runs per second on this number of threads, each with its own run.
double per_second(int threads, const std::function<Run()> &make)
{
    std::vector<std::thread> all;
    std::vector<double> rate((size_t)threads);
    for (int t = 0; t < threads; t++)
        all.emplace_back([&, t] {
            const Run run = make();
            double n = 0, took = 0;
            for (const double from = now(); took < 1e8; n++, took = now() - from) run();
            rate[(size_t)t] = 1e9 * n / took;
        });
    double sum = 0;
    for (int t = 0; t < threads; t++) all[(size_t)t].join(), sum += rate[(size_t)t];
    return sum;
}

// Two threads compared with one: signatures through the provider and by the library's own call, the
// random bytes that they read from the system, and a loop without shared data, which shows what
// this machine can do.
void scaling()
{
    const struct {
        const char *name;
        std::function<Run()> make;
    } rows[] = {
        { "SM2 sign, tongyu",
          [] {
              auto k = std::make_shared<Sm2>(0);
              return [k] { k->do_sign(); };
          } },
        { "SM2 sign, direct",
          [] {
              auto k = std::make_shared<ty_sm2_key>();
              must(ty_sm2_keygen(k.get(), ty_rng_system()) == TY_OK, "SM2");
              return [k] {
                  uint8_t sig[64];
                  must(ty_sm2_sign_digest(sig, in, k.get(), ty_rng_system()) == TY_OK, "sign");
              };
          } },
        { "32 random bytes of the system",
          [] {
              return [] {
                  uint8_t x[32];
                  must(ty_rng_system()->fill(ty_rng_system()->ctx, x, 32) == TY_OK, "random");
              };
          } },
        { "a loop",
          [] {
              return [] {
                  for (volatile int i = 0; i < 10000; i = i + 1) {}
              };
          } },
    };
    std::printf("%-34s%12s%12s%12s%9s\n", "per second", "", "one thread", "two", "ratio");
    for (const auto &r : rows) {
        double one = 0, two = 0;
        for (int i = 0; i < 15; i++)
            one = std::max(one, per_second(1, r.make)), two = std::max(two, per_second(2, r.make));
        std::printf("%-34s%12s%12.0f%12.0f%9.2f\n", r.name, "", one, two, two / one);
    }
}

} // namespace

int main(int argc, char **argv)
{
    OSSL_PROVIDER_set_default_search_path(nullptr, argc > 1 ? argv[1] : TY_PROVIDER_DIR);
    must(OSSL_PROVIDER_load(nullptr, "tongyu") && OSSL_PROVIDER_load(nullptr, "default"),
         "the module does not load");
    std::printf("%s\n%-34s%12s%12s%12s%9s\n", OpenSSL_version(OPENSSL_VERSION),
                "nanoseconds, minimum of 60 rounds", "direct", "tongyu", "default", "ratio");
    const struct {
        const char *name;
        void (*run)();
    } sections[] = { { "digests", digests }, { "ciphers", ciphers }, { "sm2", sm2 },
                     { "exchange", exchange }, { "mldsa", mldsa },   { "scaling", scaling } };
    for (const auto &section : sections) {
        bool wanted = argc < 3;
        for (int i = 2; i < argc; i++) wanted |= std::string(argv[i]) == section.name;
        if (wanted) section.run();
    }
    return 0;
}
