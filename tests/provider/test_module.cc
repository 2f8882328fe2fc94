// The module as a whole: loading and unloading, threads, forks, and its configuration.
#include "provider/keys.hpp"
#include <atomic>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

TEST(Module, TestsItself) { EXPECT_EQ(OSSL_PROVIDER_self_test(ours().tongyu), 1); }

// Objects that a program may still hold after their library context was freed.
struct Held {
    MdCtx digest{ EVP_MD_CTX_new() }, signer{ EVP_MD_CTX_new() };
    CipherCtx ctr{ EVP_CIPHER_CTX_new() }, gcm{ EVP_CIPHER_CTX_new() };
    Pkey sm2, mldsa;
    PkeyCtx decrypt;
    uint8_t key[16] = { 1 }, iv[16] = { 2 };

    explicit Held(const Side &side) : sm2(generate(side, "SM2")), mldsa(generate(side, "ML-DSA-44"))
    {
        Md md = side.md("SM3");
        Cipher a = side.cipher("SM4-CTR"), b = side.cipher("SM4-GCM");
        decrypt = side.pkey_ctx(sm2.get());
        EXPECT_EQ(EVP_DigestInit_ex2(digest.get(), md.get(), nullptr), 1);
        EXPECT_EQ(EVP_EncryptInit_ex2(ctr.get(), a.get(), key, iv, nullptr), 1);
        EXPECT_EQ(EVP_EncryptInit_ex2(gcm.get(), b.get(), key, iv, nullptr), 1);
        EXPECT_EQ(EVP_PKEY_decrypt_init(decrypt.get()), 1);
        EXPECT_EQ(EVP_DigestSignInit_ex(signer.get(), nullptr, nullptr, side.lib, side.properties,
                                        mldsa.get(), nullptr),
                  1);
    }
    void use()
    {
        uint8_t out[32], sig[2420];
        int n = 0;
        size_t len = sizeof sig;
        EXPECT_EQ(EVP_DigestUpdate(digest.get(), "abc", 3), 1);
        EXPECT_EQ(EVP_DigestFinal_ex(digest.get(), out, nullptr), 1);
        EXPECT_EQ(hex(out, 4), "66c7f0f4");
        EXPECT_EQ(EVP_EncryptUpdate(ctr.get(), out, &n, key, 16), 1);
        EXPECT_EQ(EVP_EncryptUpdate(gcm.get(), out, &n, key, 16), 1);
        EXPECT_EQ(EVP_EncryptFinal_ex(gcm.get(), out, &n), 1);
        EXPECT_EQ(EVP_DigestSign(signer.get(), sig, &len, (const uint8_t *)"abc", 3), 1);
    }
};

TEST(Module, SideBySideAndUnloadedWithLiveContexts)
{
    auto other = std::make_unique<Side>(true);
    const uint64_t mine = ours().count("sm2-keygen");
    Held held(*other), unused(*other);
    EXPECT_EQ(other->count("sm2-keygen"), 2u);
    EXPECT_EQ(ours().count("sm2-keygen"), mine) << "each library context counts for itself";
    other.reset();
    held.use();
}

TEST(Module, LoadsAndUnloadsAgain)
{
    for (int i = 0; i < 20; i++) {
        Side side(true);
        Held(side).use();
    }
}

// Signatures of every thread are right and differ, on keys that all of them use, in two library
// contexts at a time.
TEST(Module, Threads)
{
    Side other(true);
    const Side *side[2] = { &ours(), &other };
    Pkey key[2][2];
    for (int i = 0; i < 2; i++)
        key[i][0] = generate(*side[i], "SM2"), key[i][1] = generate(*side[i], "ML-DSA-44");
    const uint64_t before = ours().count("sm2-sign") + other.count("sm2-sign");
    std::vector<std::thread> threads;
    std::vector<Bytes> last(8);
    std::atomic<int> wrong{ 0 };
    for (size_t t = 0; t < 8; t++)
        threads.emplace_back([&, t] {
            const Side &s = *side[t % 2];
            const Bytes msg = bytes("the same message");
            for (int round = 0; round < 25; round++)
                for (int i = 0; i < 2; i++) {
                    EVP_PKEY *k = key[t % 2][i].get();
                    const char *md = i ? nullptr : "SM3";
                    const Bytes sig = sign(s, k, md, msg);
                    wrong += verify(s, k, md, msg, sig) != 1;
                    if (!i) last[t] = sig;
                }
        });
    for (std::thread &t : threads) t.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(ours().count("sm2-sign") + other.count("sm2-sign"), before + 8 * 25)
        << "no count is lost";
    for (size_t t = 0; t < 8; t++)
        for (size_t u = 0; u < t; u++) EXPECT_NE(last[t], last[u]);
}

// After a fork both processes continue to use contexts that were begun before it, and do not draw
// the same nonces: the signatures of one message differ.
TEST(Module, Fork)
{
    Held held(ours());
    const Bytes msg = bytes("the same message");
    int pipes[2];
    ASSERT_EQ(pipe(pipes), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    const Bytes sig = sign(ours(), held.sm2.get(), "SM3", msg);
    held.use();
    if (child == 0) {
        const bool all = write(pipes[1], sig.data(), sig.size()) == (ssize_t)sig.size();
        _exit(all && !testing::Test::HasFailure() ? 0 : 1);
    }
    int status = -1;
    close(pipes[1]);
    Bytes others(100);
    const ssize_t n = read(pipes[0], others.data(), others.size());
    close(pipes[0]);
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    ASSERT_GT(n, 60);
    others.resize((size_t)n);
    EXPECT_NE(hex(sig), hex(others));
    for (const Bytes &s : { sig, others })
        EXPECT_EQ(verify(ours(), held.sm2.get(), "SM3", msg, s), 1);
}

// The module works even if its file of statistics cannot be opened. If the configuration file
// activates the module, OpenSSL drops the error; if the program loads it, the error is on the
// queue.
TEST(Module, WorksWithoutItsFileOfStatistics)
{
    for (bool by_file : { true, false }) {
        char config[] = "/tmp/tongyu-XXXXXX";
        const int fd = mkstemp(config);
        ASSERT_GE(fd, 0);
        FILE *f = fdopen(fd, "w");
        std::fprintf(f,
                     "openssl_conf = a\n[a]\nproviders = b\n[b]\ntongyu = c\n[c]\n%s"
                     "statistics = /nowhere/s\nmodule = %s/tongyu.so\n",
                     by_file ? "activate = 1\n" : "", module_dir());
        std::fclose(f);
        OSSL_LIB_CTX *lib = OSSL_LIB_CTX_new();
        EXPECT_EQ(OSSL_LIB_CTX_load_config(lib, config), 1);
        unlink(config);
        ERR_clear_error();
        OSSL_PROVIDER *p = by_file ? nullptr : OSSL_PROVIDER_load(lib, "tongyu");
        if (!by_file) expect_error("cannot write the file \"/nowhere/s\"");
        EXPECT_EQ(OSSL_PROVIDER_available(lib, "tongyu"), 1) << by_file;
        Md md(EVP_MD_fetch(lib, "SM3", "provider=tongyu"));
        EXPECT_TRUE(md) << by_file;
        md.reset();
        if (p) OSSL_PROVIDER_unload(p);
        OSSL_LIB_CTX_free(lib);
    }
    ERR_clear_error();
}

static bool write_file(const char *path, const std::string &text)
{
    const int fd = open(path, O_WRONLY | O_CREAT, 0600);
    if (fd < 0) return false;
    const bool ok = write(fd, text.data(), text.size()) == (ssize_t)text.size();
    close(fd);
    return ok;
}

// A file system of one page of memory at this path, seen by this process alone, and full. Users
// other than root need a namespace of their own for that, in which they are root.
static bool mount_full(const std::string &path)
{
    const std::string uid = std::to_string(getuid()), gid = std::to_string(getgid());
    if (unshare(CLONE_NEWNS) != 0
        && (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0
            || !write_file("/proc/self/setgroups", "deny")
            || !write_file("/proc/self/uid_map", "0 " + uid + " 1")
            || !write_file("/proc/self/gid_map", "0 " + gid + " 1")))
        return false;
    return mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0
           && mount("tongyu", path.c_str(), "tmpfs", 0, "size=1,nr_inodes=16") == 0
           && write_file((path + "/other").c_str(), "x");
}

// On a full disk the module counts in its own memory; a process is not ended when it counts.
TEST(Module, FileOfStatisticsOnAFullDisk)
{
    char folder[] = "/tmp/tongyu-XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    const std::string at = folder, config = at + ".cnf";
    ASSERT_TRUE(write_file(config.c_str(), "openssl_conf = a\n[a]\nproviders = b\n[b]\n"
                                           "tongyu = c\n[c]\nactivate = 1\nstatistics = "
                                               + at + "/s\nmodule = " + module_dir()
                                               + "/tongyu.so\n"));
    enum { WORKS, FAILS, CANNOT_MOUNT };
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        if (!mount_full(at)) _exit(CANNOT_MOUNT);
        OSSL_LIB_CTX *lib = OSSL_LIB_CTX_new();
        const bool loaded = OSSL_LIB_CTX_load_config(lib, config.c_str()) == 1;
        Md md(EVP_MD_fetch(lib, "SM3", "provider=tongyu"));
        MdCtx c(EVP_MD_CTX_new());
        _exit(loaded && md && EVP_DigestInit_ex2(c.get(), md.get(), nullptr) == 1 ? WORKS : FAILS);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    unlink(config.c_str());
    rmdir(folder);
    if (WIFEXITED(status) && WEXITSTATUS(status) == CANNOT_MOUNT)
        GTEST_SKIP() << "no file system may be mounted here";
    EXPECT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), WORKS);
}

TEST(Module, HasNoFipsAlgorithms)
{
    Md md(EVP_MD_fetch(ours().lib, "SM3", "fips=yes"));
    EXPECT_FALSE(md);
    Cipher c(EVP_CIPHER_fetch(ours().lib, "SM4-CBC", "fips=yes"));
    EXPECT_FALSE(c);
    ERR_clear_error();
}
