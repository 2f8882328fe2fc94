// Files on Windows: they appear whole or not at all; names, errors, and what must not be replaced.
#include "tongyu/os.h"
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <thread>
#include <vector>
#include <windows.h>

namespace fs = std::filesystem;

namespace {

struct File : testing::Test {
    fs::path dir;
    File()
    {
        static int count;
        dir = fs::temp_directory_path() / ("tongyu-test-" + std::to_string(GetCurrentProcessId()) +
                                           "-" + std::to_string(count++));
        fs::create_directory(dir);
    }
    ~File() override { fs::remove_all(dir); }
    std::string operator()(const std::string &name) const
    {
        return (dir / fs::u8path(name)).u8string();
    }
    std::string read(const std::string &name) const
    {
        std::ifstream f(dir / fs::u8path(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(f), {}};
    }
    size_t entries() const
    {
        return (size_t)std::distance(fs::directory_iterator(dir), fs::directory_iterator());
    }
};

ty_err put(const std::string &path, const std::string &text, unsigned flags)
{
    ty_file f;
    ty_err err = ty_file_create(&f, path.c_str(), flags);
    if (err != TY_OK) return err;
    err = ty_file_write(&f, text.data(), text.size());
    if (err == TY_OK) return ty_file_commit(&f);
    ty_file_abort(&f);
    return err;
}

}   // namespace

TEST_F(File, AppearsAtCommitAndNotBefore)
{
    ty_file f;
    ASSERT_EQ(ty_file_create(&f, (*this)("a").c_str(), 0), TY_OK);
    EXPECT_FALSE(fs::exists(dir / "a"));
    ASSERT_EQ(ty_file_write(&f, "one\n", 4), TY_OK);
    ASSERT_EQ(ty_file_write(&f, "", 0), TY_OK);
    ASSERT_EQ(ty_file_write(&f, "two", 3), TY_OK);
    EXPECT_FALSE(fs::exists(dir / "a"));
    EXPECT_EQ(entries(), 1u);
    ASSERT_EQ(ty_file_commit(&f), TY_OK);
    EXPECT_EQ(read("a"), "one\ntwo") << "the C library converts no line ends";
    EXPECT_EQ(entries(), 1u) << "no temporary file is left";
    ty_file_abort(&f);
    EXPECT_EQ(read("a"), "one\ntwo") << "an abort after the commit does nothing";
    EXPECT_EQ(ty_file_write(&f, "x", 1), TY_ERR_IO);
    EXPECT_EQ(ty_file_commit(&f), TY_ERR_IO);
}

TEST_F(File, AbortLeavesNothing)
{
    ty_file f;
    ASSERT_EQ(ty_file_create(&f, (*this)("a").c_str(), TY_FILE_PRIVATE), TY_OK);
    ASSERT_EQ(ty_file_write(&f, "secret", 6), TY_OK);
    EXPECT_EQ(entries(), 1u);
    ty_file_abort(&f);
    EXPECT_EQ(entries(), 0u);
}

TEST_F(File, ExistingFileIsReplacedOnlyWhenAsked)
{
    ASSERT_EQ(put((*this)("a"), "old", 0), TY_OK);
    errno = 0;
    EXPECT_EQ(put((*this)("a"), "new", 0), TY_ERR_IO);
    EXPECT_EQ(errno, EEXIST);
    EXPECT_EQ(read("a"), "old");
    EXPECT_EQ(put((*this)("a"), "new", TY_FILE_REPLACE), TY_OK);
    EXPECT_EQ(put((*this)("p"), "key", TY_FILE_PRIVATE), TY_OK);
    EXPECT_EQ(read("a"), "new");
    EXPECT_EQ(read("p"), "key") << "the owner may read it";
    EXPECT_EQ(entries(), 2u);
}

TEST_F(File, AFileThatAppearsMeanwhileIsKept)
{
    ty_file f;
    ASSERT_EQ(ty_file_create(&f, (*this)("a").c_str(), 0), TY_OK);
    ASSERT_EQ(ty_file_write(&f, "mine", 4), TY_OK);
    ASSERT_EQ(put((*this)("a"), "theirs", 0), TY_OK);
    errno = 0;
    EXPECT_EQ(ty_file_commit(&f), TY_ERR_IO);
    EXPECT_EQ(errno, EEXIST);
    EXPECT_EQ(read("a"), "theirs");
    EXPECT_EQ(entries(), 1u);
}

TEST_F(File, OneOfManyConcurrentWritersWins)
{
    std::atomic<int> won{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; i++)
        threads.emplace_back([&, i] {
            if (put((*this)("a"), std::string(1000, (char)('a' + i)), 0) == TY_OK) won++;
        });
    for (auto &t : threads) t.join();
    EXPECT_EQ(won, 1);
    EXPECT_EQ(entries(), 1u);
    const std::string s = read("a");
    EXPECT_EQ(s, std::string(1000, s[0]));
}

TEST_F(File, DirectoriesAndDevicesAreNotReplaced)
{
    fs::create_directory(dir / "dir");
    const struct { std::string path; int error;
    } rows[] = {
        { (*this)("dir"), EISDIR },
        { (*this)("dir") + "\\", EISDIR },
        { (*this)("dir") + "/", EISDIR },
        { "NUL", EINVAL },
        { "CON", EINVAL },
        { "\\\\.\\NUL", EINVAL },
        { "", ENOENT },
        { (*this)("no\\such"), ENOENT },
        { "\xff\xff", EILSEQ },
    };
    for (const auto &r : rows) {
        errno = 0;
        EXPECT_EQ(put(r.path, "x", TY_FILE_REPLACE), TY_ERR_IO) << r.path;
        EXPECT_EQ(errno, r.error) << r.path;
    }
    EXPECT_EQ(entries(), 1u);
}

TEST_F(File, NamesOfEveryLengthAndScript)
{
    EXPECT_EQ(put((*this)("同余"), "x", 0), TY_OK);
    EXPECT_EQ(read("同余"), "x");
    for (size_t n : { 1u, 100u, 200u })
        EXPECT_EQ(put((*this)(std::string(n, 'n')), "x", 0), TY_OK) << n;
    std::string deep = dir.u8string() + "\\" + std::string(200, 'd');
    ASSERT_EQ(fs::create_directory(fs::u8path(deep)), true);
    EXPECT_EQ(put(deep + "\\" + std::string(200, 'f'), "x", 0), TY_OK) << "beyond 260 characters";
    EXPECT_EQ(put(std::string(100000, 'a'), "x", 0), TY_ERR_SIZE);
    EXPECT_EQ(entries(), 5u);
}

TEST_F(File, RelativeNamesStayInTheCurrentDirectory)
{
    const fs::path old = fs::current_path();
    fs::current_path(dir);
    EXPECT_EQ(put("a", "x", 0), TY_OK);
    EXPECT_EQ(put(".\\b", "x", 0), TY_OK);
    EXPECT_EQ(put("./c", "x", 0), TY_OK);
    fs::current_path(old);
    EXPECT_EQ(entries(), 3u);
}

TEST_F(File, ALongFileIsWritten)
{
    const std::string much(5 << 20, 'm');
    EXPECT_EQ(put((*this)("a"), much, 0), TY_OK);
    EXPECT_EQ(read("a"), much);
}
