// SM4 compared with AES: the lines of gmsm's wiki page "SM4性能优化" (October 2023) that are about
// AES, 46 of its 127, with the corresponding SM4 lines, and both ciphers on this machine: AES by
// libcrypto, SM4 by this library. All operations run in turn, and the minimum of each is shown; the
// calls of malloc in each operation are counted.
//     bench-wiki-aes [SECONDS]
#include <openssl/evp.h>
#include <tongyu/sm4.h>
#include <tongyu/sm4_aead.h>
#include <tongyu/sm4_xts.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#if defined(__GLIBC__)
extern "C" void *__libc_malloc(size_t);
static size_t allocations, allocated;
// for both libraries, as the program's malloc takes precedence over the system's
extern "C" void *malloc(size_t n)
{
    allocations++;
    allocated += n;
    return __libc_malloc(n);
}
#else
static size_t allocations, allocated;   // not counted here
#endif

namespace {
using Call = std::function<void()>;

uint8_t key[64], iv[16], aad[8192], text[8192], aes_out[8192 + 16], sm4_out[8192 + 16], tag[16];

[[noreturn]] void fail(const char *what)
{
    std::fprintf(stderr, "bench-wiki-aes: %s failed\n", what);
    std::exit(1);
}

void good(bool ok, const char *what) { if (!ok) fail(what); }
void good(ty_err e, const char *what) { good(e == TY_OK, what); }

using Context = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;

// A context with its key; a call then sets the IV, as in the wiki's benchmarks.
std::shared_ptr<Context> context(const EVP_CIPHER *cipher, int encrypt)
{
    auto c = std::make_shared<Context>(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
    good(*c && EVP_CipherInit_ex(c->get(), cipher, nullptr, key, nullptr, encrypt) == 1, "AES");
    EVP_CIPHER_CTX_set_padding(c->get(), 0);
    return c;
}

Call aes(const EVP_CIPHER *cipher, int encrypt, size_t n)
{
    const auto c = context(cipher, encrypt);
    return [=] {
        int len;
        good(EVP_CipherInit_ex(c->get(), nullptr, nullptr, nullptr, iv, -1) == 1 &&
                 EVP_CipherUpdate(c->get(), aes_out, &len, text, (int)n) == 1, "AES");
    };
}

// n bytes are encrypted and authenticated, or for SIGN only authenticated, as additional data
enum What { SEAL, OPEN, SIGN };

Call aes_aead(const EVP_CIPHER *cipher, What what, size_t n)
{
    const bool ccm = EVP_CIPHER_get_mode(cipher) == EVP_CIPH_CCM_MODE;
    const size_t body = what == SIGN ? 0 : n, head = what == SIGN ? n : 0;
    auto run = [=](EVP_CIPHER_CTX *c, bool seal, const uint8_t *in, uint8_t *out, uint8_t *t) {
        int len;
        bool ok = EVP_CipherInit_ex(c, nullptr, nullptr, nullptr, nullptr, seal) == 1;
        if (ccm)
            ok = ok && EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_TAG, 16, seal ? nullptr : t) == 1;
        ok = ok && EVP_CipherInit_ex(c, nullptr, nullptr, ccm ? key : nullptr, iv, seal) == 1;
        if (ccm) ok = ok && EVP_CipherUpdate(c, nullptr, &len, nullptr, (int)body) == 1;
        if (head) ok = ok && EVP_CipherUpdate(c, nullptr, &len, aad, (int)head) == 1;
        if (body || ccm) ok = ok && EVP_CipherUpdate(c, out, &len, in, (int)body) == 1;
        if (!ccm && !seal) ok = ok && EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_TAG, 16, t) == 1;
        if (!ccm || seal) ok = ok && EVP_CipherFinal_ex(c, out + body, &len) == 1;
        if (seal) ok = ok && EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_GET_TAG, 16, t) == 1;
        good(ok, "AES");
    };
    auto c = std::make_shared<Context>(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
    good(EVP_CipherInit_ex(c->get(), cipher, nullptr, nullptr, nullptr, 1) == 1 &&
             EVP_CIPHER_CTX_ctrl(c->get(), EVP_CTRL_AEAD_SET_IVLEN, 12, nullptr) == 1 &&
             EVP_CipherInit_ex(c->get(), nullptr, nullptr, key, nullptr, 1) == 1, "AES");
    auto sealed = std::make_shared<std::vector<uint8_t>>(n + 16);
    auto t = std::make_shared<std::vector<uint8_t>>(16);
    run(c->get(), true, text, sealed->data(), t->data());
    if (what == OPEN) return [=] { run(c->get(), false, sealed->data(), aes_out, t->data()); };
    return [=] { run(c->get(), true, text, aes_out, tag); };
}

ty_sm4_key sm4_key;
ty_sm4_gcm_key gcm_key;
ty_sm4_xts_key xts_key;

Call gcm(What what, size_t n)
{
    const size_t body = what == SIGN ? 0 : n, head = what == SIGN ? n : 0;
    auto sealed = std::make_shared<std::vector<uint8_t>>(n + 16);
    uint8_t *t = sealed->data() + n;
    good(ty_sm4_gcm_seal(sealed->data(), t, 16, text, body, aad, head, iv, 12, &gcm_key),
         "SM4-GCM");
    if (what == OPEN)
        return [=] {
            good(ty_sm4_gcm_open(sm4_out, sealed->data(), n, t, 16, aad, head, iv, 12, &gcm_key),
                 "SM4-GCM");
        };
    return [=] {
        good(ty_sm4_gcm_seal(sm4_out, tag, 16, text, body, aad, head, iv, 12, &gcm_key), "SM4-GCM");
    };
}

Call ccm(What what, size_t n)
{
    const size_t body = what == SIGN ? 0 : n, head = what == SIGN ? n : 0;
    auto sealed = std::make_shared<std::vector<uint8_t>>(n + 16);
    uint8_t *t = sealed->data() + n;
    good(ty_sm4_ccm_seal(sealed->data(), t, 16, text, body, aad, head, iv, 12, &sm4_key),
         "SM4-CCM");
    if (what == OPEN)
        return [=] {
            good(ty_sm4_ccm_open(sm4_out, sealed->data(), n, t, 16, aad, head, iv, 12, &sm4_key),
                 "SM4-CCM");
        };
    return [=] {
        good(ty_sm4_ccm_seal(sm4_out, tag, 16, text, body, aad, head, iv, 12, &sm4_key), "SM4-CCM");
    };
}

// MB/s in the wiki: AES and SM4 on its i5-8265U, then on its i5-9500; 0: not measured there. The
// page has XTS twice, before ("block by block") and after several blocks were processed together,
// and with keys of both lengths.
struct Row {
    const char *name;
    size_t size;
    double aes1, sm41, aes2, sm42;
    Call aes, sm4;
    double best[2] = {1e300, 1e300};
    size_t calls[2] = {}, bytes[2] = {};
};

// Bytes and allocations of a call in the wiki's Go, AES then SM4
const char *wiki_allocations(const std::string &name)
{
    if (name.compare(0, 3, "CCM") == 0) return "656 B/6, 688 B/6";
    const bool blocks =
        name.compare(0, 3, "XTS") == 0 && name.find("block by block") == std::string::npos;
    return blocks ? "0 B/0, 64 B/1" : "0 B/0, 0 B/0";
}

double seconds(const Call &f, int times)
{
    const auto from = std::chrono::steady_clock::now();
    for (int i = 0; i < times; i++) f();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count() / times;
}

void measure(std::vector<Row> &rows, double total)
{
    for (Row &r : rows)
        for (int which = 0; which < 2; which++) {
            const Call &f = which ? r.sm4 : r.aes;
            f();                                     // the first call may allocate more
            const size_t calls = allocations, bytes = allocated;
            f();
            r.calls[which] = allocations - calls;
            r.bytes[which] = allocated - bytes;
        }
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(total);
    do {
        for (Row &r : rows) {
            r.best[0] = std::min(r.best[0], seconds(r.aes, 8));
            r.best[1] = std::min(r.best[1], seconds(r.sm4, 8));
        }
    } while (std::chrono::steady_clock::now() < end);
}

std::string number(double x)
{
    char s[32] = "";
    if (x > 0) std::snprintf(s, sizeof s, x < 100 ? "%.1f" : "%.0f", x);
    return s;
}

void print(const std::vector<Row> &rows)
{
    std::printf("SM4 and AES-128, MB/s. wiki: gmsm's, its i5-8265U and i5-9500. here: %s and "
                "Tongyu %s, in turn, minima.\n"
                "ratio: AES over SM4. alloc: bytes and allocations of a call, AES then SM4, in the "
                "wiki and here%s.\n\n",
                OpenSSL_version(OPENSSL_VERSION), ty_version(),
#if defined(__GLIBC__)
                "");
#else
                " (not counted without glibc)");
#endif
    std::printf("| | 8265U: AES | SM4 | ratio | 9500: AES | SM4 | ratio | here: AES | SM4 | ratio "
                "| alloc | here |\n"
                "|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    double worst = 0, wiki = 0;
    const char *where = "", *wiki_where = "";
    int lines = 0;
    for (const Row &r : rows) {
        const auto ratio = [](double a, double b) { return a > 0 && b > 0 ? a / b : 0; };
        const double mb[2] = {(double)r.size / r.best[0] / 1e6, (double)r.size / r.best[1] / 1e6};
        std::printf("| %s, %zu | %s | %s | %s | %s | %s | %s | %s | %s | %.2f | %s | %zu B/%zu, "
                    "%zu B/%zu |\n",
                    r.name, r.size, number(r.aes1).c_str(), number(r.sm41).c_str(),
                    number(ratio(r.aes1, r.sm41)).c_str(), number(r.aes2).c_str(),
                    number(r.sm42).c_str(), number(ratio(r.aes2, r.sm42)).c_str(),
                    number(mb[0]).c_str(), number(mb[1]).c_str(), mb[0] / mb[1],
                    wiki_allocations(r.name), r.bytes[0], r.calls[0], r.bytes[1], r.calls[1]);
        lines += (r.aes1 > 0) + (r.aes2 > 0);
        if (mb[0] / mb[1] > worst) { worst = mb[0] / mb[1]; where = r.name; }
        if (ratio(r.aes2, r.sm42) > wiki) { wiki = ratio(r.aes2, r.sm42); wiki_where = r.name; }
    }
    std::printf("\n%d figures of AES in the wiki. Its conclusion: AES is more than 20 times as "
                "fast, in GCM, and about 10 with AVX2; by its\n"
                "figures for the i5-9500 up to %.0f (%s). Here at most %.1f (%s).\n",
                lines, wiki, wiki_where, worst, where);
}

std::vector<Row> table()
{
    // a stream of "1K" is five bytes shorter in the wiki
    const size_t K = 1024, S = 1019, L = 8187, M = 8192;
    const auto *cbc = EVP_aes_128_cbc(), *cfb = EVP_aes_128_cfb128(), *ofb = EVP_aes_128_ofb(),
               *ctr = EVP_aes_128_ctr(), *g = EVP_aes_128_gcm(), *c = EVP_aes_128_ccm(),
               *x128 = EVP_aes_128_xts(), *x256 = EVP_aes_256_xts();
    const auto sm4_cbc = [](int encrypt, size_t n) {
        return [=] {
            good(
                (encrypt ? ty_sm4_cbc_encrypt : ty_sm4_cbc_decrypt)(sm4_out, text, n, iv, &sm4_key),
                "SM4-CBC");
        };
    };
    const auto stream = [](auto f, size_t n) { return [=] { f(sm4_out, text, n, iv, &sm4_key); }; };
    const auto xts = [](size_t n) {
        return [=] { good(ty_sm4_xts_ieee_encrypt(sm4_out, text, n, iv, &xts_key), "SM4-XTS"); };
    };
    return {
        { "CBC encrypt", K, 800.49, 50.34, 1017.63, 75.32, aes(cbc, 1, K), sm4_cbc(1, K) },
        { "CBC decrypt", K, 612.98, 178.44, 1061.74, 253.68, aes(cbc, 0, K), sm4_cbc(0, K) },
        { "CFB encrypt", S, 488.83, 47.88, 714.92, 73.61, aes(cfb, 1, S),
          stream(ty_sm4_cfb_encrypt, S) },
        { "CFB decrypt", S, 574.31, 56.64, 761.56, 73.72, aes(cfb, 0, S),
          stream(ty_sm4_cfb_decrypt, S) },
        { "CFB decrypt", L, 584.56, 57.98, 778.09, 73.91, aes(cfb, 0, L),
          stream(ty_sm4_cfb_decrypt, L) },
        { "OFB", S, 833.65, 46.05, 1142.41, 76.00, aes(ofb, 1, S), stream(ty_sm4_ofb, S) },
        { "CTR", S, 741.94, 169.65, 984.00, 248.66, aes(ctr, 1, S), stream(ty_sm4_ctr, S) },
        { "CTR", L, 714.01, 168.99, 998.46, 250.38, aes(ctr, 1, L), stream(ty_sm4_ctr, L) },
        { "GCM seal", K, 3329.79, 191.99, 4113.39, 233.52, aes_aead(g, SEAL, K), gcm(SEAL, K) },
        { "GCM open", K, 3272.58, 123.85, 4836.19, 233.80, aes_aead(g, OPEN, K), gcm(OPEN, K) },
        { "GCM sign", K, 5619.56, 2384.52, 8258.43, 3183.11, aes_aead(g, SIGN, K), gcm(SIGN, K) },
        { "GCM sign", M, 7681.92, 5043.29, 10723.55, 8498.90, aes_aead(g, SIGN, M), gcm(SIGN, M) },
        { "GCM seal", M, 4798.52, 168.72, 5058.99, 246.77, aes_aead(g, SEAL, M), gcm(SEAL, M) },
        { "GCM open", M, 3829.27, 153.44, 6183.50, 246.77, aes_aead(g, OPEN, M), gcm(OPEN, M) },
        { "CCM sign", K, 0, 0, 824.78, 69.34, aes_aead(c, SIGN, K), ccm(SIGN, K) },
        { "CCM seal", K, 0, 0, 433.44, 53.61, aes_aead(c, SEAL, K), ccm(SEAL, K) },
        { "CCM open", K, 0, 0, 439.54, 53.15, aes_aead(c, OPEN, K), ccm(OPEN, K) },
        { "CCM sign", M, 0, 0, 1082.71, 71.66, aes_aead(c, SIGN, M), ccm(SIGN, M) },
        { "CCM seal", M, 0, 0, 517.17, 56.92, aes_aead(c, SEAL, M), ccm(SEAL, M) },
        { "CCM open", M, 0, 0, 523.44, 57.14, aes_aead(c, OPEN, M), ccm(OPEN, M) },
        { "XTS encrypt, block by block", 512, 0, 0, 439.08, 67.42, aes(x128, 1, 512), xts(512) },
        { "XTS encrypt, block by block", K, 0, 0, 478.18, 68.49, aes(x128, 1, K), xts(K) },
        { "XTS encrypt, block by block", 4096, 0, 0, 453.71, 69.01, aes(x128, 1, 4096), xts(4096) },
        { "XTS encrypt, AES-256, block by block", 512, 0, 0, 430.24, 67.42, aes(x256, 1, 512),
          xts(512) },
        { "XTS encrypt, AES-256, block by block", K, 0, 0, 421.79, 68.49, aes(x256, 1, K), xts(K) },
        { "XTS encrypt, AES-256, block by block", 4096, 0, 0, 443.63, 69.01, aes(x256, 1, 4096),
          xts(4096) },
        { "XTS encrypt", 512, 0, 0, 480.82, 175.93, aes(x128, 1, 512), xts(512) },
        { "XTS encrypt", K, 0, 0, 487.20, 190.28, aes(x128, 1, K), xts(K) },
        { "XTS encrypt", 4096, 0, 0, 485.26, 206.66, aes(x128, 1, 4096), xts(4096) },
        { "XTS encrypt, AES-256", 512, 0, 0, 417.81, 175.93, aes(x256, 1, 512), xts(512) },
        { "XTS encrypt, AES-256", K, 0, 0, 415.35, 190.28, aes(x256, 1, K), xts(K) },
        { "XTS encrypt, AES-256", 4096, 0, 0, 435.38, 206.66, aes(x256, 1, 4096), xts(4096) },
    };
}
}

int main(int argc, char **argv)
{
    const double total = argc > 1 ? std::strtod(argv[1], nullptr) : 5;
    if (argc > 2 || !(total > 0)) {
        std::fprintf(stderr, "bench-wiki-aes [SECONDS]\n");
        return 2;
    }
#if defined(__GLIBC__)
    const size_t before = allocations;
    EVP_CIPHER_CTX_free(EVP_CIPHER_CTX_new());
    good(allocations > before, "counting allocations");
#endif
    // the two halves must differ for XTS
    for (size_t i = 0; i < sizeof key; i++) key[i] = (uint8_t)(i * 7 + 1);
    ty_sm4_init(&sm4_key, key);
    ty_sm4_gcm_init(&gcm_key, key);
    good(ty_sm4_xts_init(&xts_key, key), "SM4-XTS");
    std::vector<Row> rows = table();
    measure(rows, total);
    print(rows);
    return 0;
}
