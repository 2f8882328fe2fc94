// Files on POSIX systems: they appear whole or not at all; modes, names, links, errors, and what
// must not be replaced.
#include "support/tempdir.hpp"
#include "tongyu/os.h"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>

static ty_err put(const std::string &path, const std::string &text, unsigned flags)
{
    ty_file f;
    ty_err err = ty_file_create(&f, path.c_str(), flags);
    if (err != TY_OK) return err;
    err = ty_file_write(&f, text.data(), text.size());
    if (err == TY_OK) return ty_file_commit(&f);
    ty_file_abort(&f);
    return err;
}

TEST(File, AppearsAtCommitAndNotBefore)
{
    TempDir d;
    ty_file f;
    ASSERT_EQ(ty_file_create(&f, d("a").c_str(), 0), TY_OK);
    EXPECT_FALSE(d.exists("a"));
    ASSERT_EQ(ty_file_write(&f, "one ", 4), TY_OK);
    ASSERT_EQ(ty_file_write(&f, "", 0), TY_OK);
    ASSERT_EQ(ty_file_write(&f, "two", 3), TY_OK);
    EXPECT_FALSE(d.exists("a"));
    ASSERT_EQ(ty_file_commit(&f), TY_OK);
    EXPECT_EQ(d.read("a"), "one two");
    EXPECT_EQ(d.list(), std::vector<std::string>{"a"}) << "no temporary file is left";
    ty_file_abort(&f);
    ty_file_abort(&f);
    EXPECT_EQ(d.read("a"), "one two") << "an abort after the commit does nothing";
    EXPECT_EQ(ty_file_write(&f, "x", 1), TY_ERR_IO);
    EXPECT_EQ(ty_file_commit(&f), TY_ERR_IO);
}

// Whether temporary files in this directory have no names (O_TMPFILE)
static bool nameless(const TempDir &d)
{
    ty_file f;
    EXPECT_EQ(ty_file_create(&f, d("nameless").c_str(), 0), TY_OK);
    const bool without = f.temp[0] == 0;
    ty_file_abort(&f);
    return without;
}

TEST(File, AbortLeavesNothing)
{
    TempDir d;
    ty_file f;
    ASSERT_EQ(ty_file_create(&f, d("a").c_str(), TY_FILE_PRIVATE), TY_OK);
    ASSERT_EQ(ty_file_write(&f, "secret", 6), TY_OK);
    EXPECT_EQ(d.list().size(), nameless(d) ? 0u : 1u);
    ty_file_abort(&f);
    EXPECT_TRUE(d.list().empty());
    ty_file_abort(&f);
}

TEST(File, ExistingFileIsReplacedOnlyWhenAsked)
{
    TempDir d;
    ASSERT_EQ(put(d("a"), "old", 0), TY_OK);
    errno = 0;
    EXPECT_EQ(put(d("a"), "new", 0), TY_ERR_IO);
    EXPECT_EQ(errno, EEXIST);
    ty_file f;
    errno = 0;
    EXPECT_EQ(ty_file_create(&f, d("a").c_str(), 0), TY_ERR_IO)
        << "at once, not after hours of writing";
    EXPECT_EQ(errno, EEXIST);
    ty_file_abort(&f);
    EXPECT_EQ(d.read("a"), "old");
    EXPECT_EQ(put(d("a"), "new", TY_FILE_REPLACE), TY_OK);
    EXPECT_EQ(d.read("a"), "new");
    EXPECT_EQ(d.list().size(), 1u);
}

TEST(File, AFileThatAppearsMeanwhileIsKept)
{
    TempDir d;
    ty_file f;
    ASSERT_EQ(ty_file_create(&f, d("a").c_str(), 0), TY_OK);
    ASSERT_EQ(ty_file_write(&f, "mine", 4), TY_OK);
    ASSERT_EQ(put(d("a"), "theirs", 0), TY_OK);
    errno = 0;
    EXPECT_EQ(ty_file_commit(&f), TY_ERR_IO);
    EXPECT_EQ(errno, EEXIST);
    EXPECT_EQ(d.read("a"), "theirs");
    EXPECT_EQ(d.list().size(), 1u);
}

TEST(File, OneOfManyConcurrentWritersWins)
{
    TempDir d;
    std::atomic<int> won{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; i++)
        threads.emplace_back([&, i] {
            if (put(d("a"), std::string(1000, (char)('a' + i)), 0) == TY_OK) won++;
        });
    for (auto &t : threads) t.join();
    EXPECT_EQ(won, 1);
    EXPECT_EQ(d.list().size(), 1u);
    const std::string s = d.read("a");
    EXPECT_EQ(s, std::string(1000, s[0]));
}

TEST(File, ModeFollowsTheUmaskOrIsPrivate)
{
    TempDir d;
    const mode_t old = umask(027);
    EXPECT_EQ(put(d("a"), "x", 0), TY_OK);
    EXPECT_EQ(put(d("b"), "x", TY_FILE_PRIVATE), TY_OK);
    umask(0);
    EXPECT_EQ(put(d("c"), "x", TY_FILE_PRIVATE), TY_OK);
    EXPECT_EQ(put(d("a2"), "x", 0), TY_OK);
    umask(old);
    EXPECT_EQ(d.mode("a"), 0640u);
    EXPECT_EQ(d.mode("b"), 0600u);
    EXPECT_EQ(d.mode("c"), 0600u);
    EXPECT_EQ(d.mode("a2"), 0666u);
}

TEST(File, TheTemporaryFileOfAPrivateFileIsPrivateFromTheStart)
{
    TempDir d;
    const mode_t old = umask(0);
    ty_file f;
    ASSERT_EQ(ty_file_create(&f, d("a").c_str(), TY_FILE_PRIVATE), TY_OK);
    umask(old);
    struct stat st;
    ASSERT_EQ(fstat(f.fd, &st), 0);
    EXPECT_EQ(st.st_mode & 0777, 0600u);
    ty_file_abort(&f);
}

TEST(File, DirectoriesPipesAndDevicesAreNotReplaced)
{
    TempDir d;
    ASSERT_EQ(mkdir(d("dir").c_str(), 0700), 0);
    ASSERT_EQ(mkfifo(d("fifo").c_str(), 0600), 0);
    ASSERT_EQ(symlink("/dev/null", d("null").c_str()), 0);
    struct Row { std::string path; int error; };
    std::vector<Row> rows = {
        {d("dir"), EISDIR}, {d("dir/"), EISDIR}, {d("fifo"), EINVAL}, {d("null"), EINVAL},
        {"", ENOENT}, {d("no/such"), ENOENT}, {d("null/x"), ENOTDIR},
    };
    // A device of the test's own, if it may create one, never the system's: without the check, root
    // would lose /dev/null.
    const bool device = mknod(d("device").c_str(), S_IFCHR | 0600, makedev(1, 3)) == 0;
    if (device) rows.push_back({d("device"), EINVAL});
    for (const auto &r : rows) {
        errno = 0;
        EXPECT_EQ(put(r.path, "x", TY_FILE_REPLACE), TY_ERR_IO) << r.path;
        EXPECT_EQ(errno, r.error) << r.path;
    }
    EXPECT_EQ(d.list().size(), device ? 4u : 3u);
}

TEST(File, ADirectoryOrPipeThatAppearsMeanwhileIsKept)
{
    TempDir d;
    for (const bool existed : {false, true})
        for (const bool dir : {false, true}) {
            ty_file f;
            if (existed) { ASSERT_EQ(put(d("a"), "old", 0), TY_OK); }
            ASSERT_EQ(ty_file_create(&f, d("a").c_str(), TY_FILE_REPLACE), TY_OK);
            ASSERT_EQ(ty_file_write(&f, "new", 3), TY_OK);
            if (existed) { ASSERT_EQ(unlink(d("a").c_str()), 0); }
            ASSERT_EQ(dir ? mkdir(d("a").c_str(), 0700) : mkfifo(d("a").c_str(), 0600), 0);
            errno = 0;
            EXPECT_EQ(ty_file_commit(&f), TY_ERR_IO);
            EXPECT_EQ(errno, dir ? EISDIR : EINVAL);
            EXPECT_EQ(d.list(), std::vector<std::string>{"a"}) << "no temporary file is left";
            struct stat st;
            ASSERT_EQ(lstat(d("a").c_str(), &st), 0);
            EXPECT_TRUE(dir ? S_ISDIR(st.st_mode) : S_ISFIFO(st.st_mode));
            ASSERT_EQ(dir ? rmdir(d("a").c_str()) : unlink(d("a").c_str()), 0);
        }
}

TEST(File, ASymbolicLinkIsReplacedNotFollowed)
{
    TempDir d;
    ASSERT_EQ(put(d("target"), "old", 0), TY_OK);
    ASSERT_EQ(symlink("target", d("link").c_str()), 0);
    ASSERT_EQ(symlink("nowhere", d("dangling").c_str()), 0);
    EXPECT_EQ(put(d("link"), "new", 0), TY_ERR_IO);
    EXPECT_EQ(put(d("link"), "new", TY_FILE_REPLACE), TY_OK);
    EXPECT_EQ(put(d("dangling"), "new", TY_FILE_REPLACE), TY_OK);
    EXPECT_EQ(d.read("target"), "old");
    EXPECT_EQ(d.read("link"), "new");
    EXPECT_EQ(d.read("dangling"), "new");
    EXPECT_FALSE(d.exists("nowhere"));
}

TEST(File, NamesOfEveryLength)
{
    TempDir d;
    for (size_t n : {1u, 200u, 255u}) EXPECT_EQ(put(d(std::string(n, 'n')), "x", 0), TY_OK) << n;
    EXPECT_EQ(put(d(std::string(256, 'n')), "x", 0), TY_ERR_IO);
    EXPECT_EQ(d.list().size(), 3u);
    std::string deep = d.path() + "/";
    while (deep.size() < 1022) deep += "./";
    deep.resize(1022);
    if (deep.back() == '.') deep.back() = '/';
    const std::string fits = deep + "f", over = deep + "ff";
    ASSERT_EQ(fits.size(), 1023u);
    EXPECT_EQ(put(fits, "x", 0), TY_OK);
    EXPECT_EQ(put(over, "x", 0), TY_ERR_SIZE);
    EXPECT_EQ(put(std::string(100000, 'a'), "x", 0), TY_ERR_SIZE);
}

TEST(File, RelativeNamesStayInTheCurrentDirectory)
{
    TempDir d;
    char old[4096];
    ASSERT_NE(getcwd(old, sizeof old), nullptr);
    ASSERT_EQ(chdir(d.path().c_str()), 0);
    EXPECT_EQ(put("a", "x", 0), TY_OK);
    EXPECT_EQ(put("./b", "x", 0), TY_OK);
    ASSERT_EQ(chdir(old), 0);
    EXPECT_EQ(d.list(), (std::vector<std::string>{"a", "b"}));
}

TEST(File, NoPermissionIsAnErrorAndLeavesNothing)
{
    TempDir d;
    ASSERT_EQ(chmod(d.path().c_str(), 0755), 0);
    ASSERT_EQ(mkdir(d("ro").c_str(), 0555), 0);
    const pid_t pid = fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {   // root may write everywhere, so become another user
        if (geteuid() == 0 && setuid(65534) != 0) _exit(2);
        _exit(put(d("ro/a"), "x", 0) == TY_ERR_IO && errno == EACCES ? 0 : 1);
    }
    int status;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_EQ(status, 0);
    EXPECT_FALSE(d.exists("ro/a"));
}

TEST(File, AFullDiskOrQuotaLeavesTheOldFile)
{
    TempDir d;
    ASSERT_EQ(put(d("a"), "old", 0), TY_OK);
    const pid_t pid = fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {   // a limit on file size simulates the full disk: a short write, then EFBIG
        signal(SIGXFSZ, SIG_IGN);
        const rlimit r = {10000, 10000};
        setrlimit(RLIMIT_FSIZE, &r);
        const ty_err err = put(d("a"), std::string(20000, 'x'), TY_FILE_REPLACE);
        _exit(err == TY_ERR_IO && errno == EFBIG ? 0 : 1);
    }
    int status;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(d.read("a"), "old");
    EXPECT_EQ(d.list().size(), 1u);
}

TEST(File, AKilledWriterLeavesTheNameAsItWas)
{
    TempDir d;
    ASSERT_EQ(put(d("a"), "old", 0), TY_OK);
    for (const char *name : {"a", "b"}) {
        const pid_t pid = fork();
        ASSERT_GE(pid, 0);
        if (pid == 0) {
            ty_file f;
            if (ty_file_create(&f, d(name).c_str(), TY_FILE_REPLACE) != TY_OK) _exit(1);
            if (ty_file_write(&f, "half of the n", 13) != TY_OK) _exit(1);
            raise(SIGKILL);
        }
        int status;
        ASSERT_EQ(waitpid(pid, &status, 0), pid);
        EXPECT_TRUE(WIFSIGNALED(status));
    }
    EXPECT_EQ(d.read("a"), "old");
    EXPECT_FALSE(d.exists("b"));
    EXPECT_EQ(d.list().size(), nameless(d) ? 1u : 3u)
        << "a file without a name disappears with its writer";
}

TEST(File, IsNotInheritedByPrograms)
{
    TempDir d;
    ty_file f;
    ASSERT_EQ(ty_file_create(&f, d("a").c_str(), 0), TY_OK);
    EXPECT_EQ(fcntl(f.fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    ty_file_abort(&f);
}
