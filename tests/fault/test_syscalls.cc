// Every system call of src/os is made to fail, to be interrupted, or to do only a part of its work.
// The linker replaces the library's calls by calls of __wrap_...; a script lists what the next
// calls of each name do.
#include "support/tempdir.hpp"
#include "tongyu/os.h"
#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <poll.h>
#include <pthread.h>
#include <sys/stat.h>

namespace {
// error 0: do it for real, at most `limit` bytes; limit 0: return 0
struct Step { int error; size_t limit; };
const size_t all = ~(size_t)0;
std::map<std::string, std::deque<Step>> script;
std::map<std::string, int> calls;
std::vector<std::string> journal;   // what happened to files, in order
int inherited = 0;                  // descriptors that a child process would get
bool squat = false;      // before the next open, another process makes a link under that name
bool nameless = false;   // allow nameless files; otherwise the older method is tested
bool active = false;

// What the next call of this name does.
Step next(const char *name)
{
    if (!active) return {0, all};
    calls[name]++;
    auto &q = script[name];
    if (q.empty()) return {0, all};
    const Step s = q.front();
    q.pop_front();
    return s;
}
bool fails(const char *name)
{
    const Step s = next(name);
    if (s.error) errno = s.error;
    return s.error != 0;
}
struct Script {
    explicit Script(std::map<std::string, std::deque<Step>> s)
    {
        script = std::move(s);
        calls.clear();
        journal.clear();
        inherited = 0;
        active = true;
        errno = 0;
    }
    ~Script() { active = false; script.clear(); }
    static bool used() { for (auto &q : script) if (!q.second.empty()) return false; return true; }
};
}

extern "C" {
int __real_open(const char *, int, ...);
int __real_open64(const char *, int, ...);
ssize_t __real_read(int, void *, size_t);
ssize_t __real_write(int, const void *, size_t);
int __real_close(int);
int __real_fsync(int);
int __real_rename(const char *, const char *);
int __real_renameat2(int, const char *, int, const char *, unsigned);
int __real_link(const char *, const char *);
int __real_unlink(const char *);
int __real_linkat(int, const char *, int, const char *, int);
int __real_access(const char *, int);
ssize_t __real_getrandom(void *, size_t, unsigned);
int __real_poll(struct pollfd *, nfds_t, int);
int __real_fstat(int, struct stat *);
int __real_fstat64(int, struct stat64 *);
int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static void opening(const char *path, int flags)
{
    if (!active) return;
    if (!(flags & O_CLOEXEC)) inherited++;
    if (squat && flags & O_CREAT && (flags & O_TMPFILE) != O_TMPFILE) {
        squat = false;
        if (symlink("theirs", path) != 0) std::abort();
    }
}
static bool is_dir(int fd)
{
    struct stat64 s;
    return __real_fstat64(fd, &s) == 0 && S_ISDIR(s.st_mode);
}
static void note(const std::string &what) { if (active) journal.push_back(what); }

#define OPEN(name)                                                                                 \
    int __wrap_##name(const char *path, int flags, ...)                                            \
    {                                                                                              \
        va_list ap;                                                                                \
        va_start(ap, flags);                                                                       \
        const unsigned mode = va_arg(ap, unsigned);                                                \
        va_end(ap);                                                                                \
        const bool unnamed = (flags & O_TMPFILE) == O_TMPFILE;                                     \
        if (active && unnamed && !nameless) {                                                      \
            errno = EOPNOTSUPP;                                                                    \
            return -1;                                                                             \
        }                                                                                          \
        const char *what = unnamed                      ? "tmpfile"                                \
                           : std::strstr(path, "/dev/") ? path                                     \
                           : flags & O_CREAT            ? "open"                                   \
                                                        : "opendir";                               \
        opening(path, flags);                                                                      \
        return fails(what) ? -1 : __real_##name(path, flags, mode);                                \
    }
OPEN(open)
OPEN(open64)
ssize_t __wrap_read(int fd, void *p, size_t n)
{
    const Step s = next("read");
    if (s.error) { errno = s.error; return -1; }
    return s.limit == 0 ? 0 : __real_read(fd, p, std::min(n, s.limit));
}
ssize_t __wrap_write(int fd, const void *p, size_t n)
{
    note("write");
    const Step s = next("write");
    if (s.error) { errno = s.error; return -1; }
    return s.limit == 0 ? 0 : __real_write(fd, p, std::min(n, s.limit));
}
ssize_t __wrap_getrandom(void *p, size_t n, unsigned f)
{
    const Step s = next("getrandom");
    if (s.error) { errno = s.error; return -1; }
    return s.limit == 0 ? 0 : __real_getrandom(p, std::min(n, s.limit), f);
}
int __wrap_close(int fd)
{
    note(is_dir(fd) ? "close directory" : "close file");
    const bool bad = fails("close");
    const int e = errno;
    __real_close(fd);
    errno = e;
    return bad ? -1 : 0;
}
int __wrap_fsync(int fd)
{
    note(is_dir(fd) ? "sync directory" : "sync file");
    return fails("fsync") ? -1 : __real_fsync(fd);
}
int __wrap_rename(const char *a, const char *b)
{
    note("rename");
    return fails("rename") ? -1 : __real_rename(a, b);
}
int __wrap_renameat2(int x, const char *a, int y, const char *b, unsigned f)
{
    note("rename");
    return fails("renameat2") ? -1 : __real_renameat2(x, a, y, b, f);
}
int __wrap_link(const char *a, const char *b)
{
    note("link");
    return fails("link") ? -1 : __real_link(a, b);
}
int __wrap_linkat(int x, const char *a, int y, const char *b, int f)
{
    note("linkat");
    return fails("linkat") ? -1 : __real_linkat(x, a, y, b, f);
}
int __wrap_access(const char *a, int how) { return fails("access") ? -1 : __real_access(a, how); }
int __wrap_unlink(const char *a) { return fails("unlink") ? -1 : __real_unlink(a); }
int __wrap_poll(struct pollfd *p, nfds_t n, int t)
{
    const Step s = next("poll");
    if (s.error) { errno = s.error; return -1; }
    return s.limit == 0 ? 0 : __real_poll(p, n, t);
}
int __wrap_fstat(int fd, struct stat *s)
{
    const Step st = next("fstat");
    if (st.error) { errno = st.error; return -1; }
    const int r = __real_fstat(fd, s);
    if (st.limit == 0) s->st_mode = S_IFREG | 0644;   // pretend that it is a regular file
    return r;
}
int __wrap_fstat64(int fd, struct stat64 *s)
{
    return fails("fstat64") ? -1 : __real_fstat64(fd, s);
}
int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *p)
{
    const Step s = next("pthread_create");
    return s.error ? s.error : __real_pthread_create(t, a, f, p);
}
}

// --- randomness

static ty_err draw(size_t n, bool *zero)
{
    std::vector<uint8_t> b(n, 0xee);
    const ty_rng *r = ty_rng_system();
    const ty_err err = r->fill(r->ctx, b.data(), n);
    *zero = std::count(b.begin(), b.end(), 0) == (long)n;
    EXPECT_TRUE(err != TY_OK || std::count(b.begin(), b.end(), 0xee) < 20)
        << "all of it was written";
    return err;
}

static const Step short7{0, 7}, none{0, 0}, intr{EINTR, 0}, nosys{ENOSYS, 0}, eio{EIO, 0};

TEST(RandomFaults, InterruptsAndShortReadsAreFinished)
{
    bool zero;
    for (auto q : std::vector<std::deque<Step>>{ { intr },
                                                 { intr, intr, intr },
                                                 { short7 },
                                                 { short7, intr, { 0, 1 }, intr, short7 } }) {
        Script s({{"getrandom", q}});
        EXPECT_EQ(draw(200, &zero), TY_OK);
        EXPECT_EQ(calls["getrandom"], (int)q.size() + 1);
        EXPECT_EQ(calls["/dev/urandom"], 0);
    }
}

TEST(RandomFaults, AnErrorOrNothingIsAFailureAndZeroesTheOutput)
{
    bool zero;
    for (auto q : std::vector<std::deque<Step>>{ { eio },
                                                 { short7, eio },
                                                 { none },
                                                 { { EAGAIN, 0 } },
                                                 { { EPERM, 0 } },
                                                 { { EFAULT, 0 } } }) {
        Script s({{"getrandom", q}});
        EXPECT_EQ(draw(200, &zero), TY_ERR_RNG);
        EXPECT_TRUE(zero);
    }
}

TEST(RandomFaults, WithoutTheSystemCallTheDeviceIsUsed)
{
    bool zero;
    for (auto q : std::vector<std::map<std::string, std::deque<Step>>>{
             {}, {{"/dev/urandom", {intr}}}, {{"/dev/random", {intr}}}, {{"poll", {intr, intr}}},
             {{"read", {intr, short7, intr, {0, 1}}}}}) {
        q["getrandom"] = {short7, nosys};
        Script s(q);
        EXPECT_EQ(draw(200, &zero), TY_OK);
        EXPECT_EQ(calls["/dev/urandom"], 1 + (int)q.count("/dev/urandom"));
        EXPECT_EQ(calls["close"], 2);
        EXPECT_TRUE(Script::used());
    }
}

TEST(RandomFaults, TheDeviceMustBeTheDeviceAndAnswer)
{
    bool zero;
    for (auto q : std::vector<std::map<std::string, std::deque<Step>>>{
             { { "/dev/urandom", { { ENOENT, 0 } } } },
             { { "/dev/random", { { EMFILE, 0 } } } },
             { { "poll", { eio } } },
             { { "poll", { none } } },
             { { "read", { eio } } },
             { { "read", { none } } },
             { { "read", { short7, none } } },
             { { "fstat", { eio } } },
             { { "fstat", { none } } },
             { { "fstat", { { 0, all }, eio } } },
             { { "fstat", { { 0, all }, none } } } }) {
        if (q.count("fstat") && sizeof(long) == 4) continue;   // fstat64 there
        q["getrandom"] = {nosys};
        Script s(q);
        EXPECT_EQ(draw(200, &zero), TY_ERR_RNG) << q.begin()->first;
        EXPECT_TRUE(zero);
        EXPECT_EQ(calls["close"], calls["/dev/urandom"] + calls["/dev/random"] -
                                      (q.count("/dev/urandom") || q.count("/dev/random")))
            << "no descriptor leaks";
    }
}

// --- files

// A text in which repeated, missing or exchanged parts are noticed
static const std::string content = [] {
    std::string s;
    for (int i = 0; s.size() < 5000; i++) s += std::to_string(i) + " ";
    return s;
}();

static ty_err put(const TempDir &d, unsigned flags, const std::string &text = content)
{
    ty_file f;
    ty_err err = ty_file_create(&f, d("a").c_str(), flags);
    if (err != TY_OK) return err;
    err = ty_file_write(&f, text.data(), text.size());
    if (err == TY_OK) return ty_file_commit(&f);
    ty_file_abort(&f);
    return err;
}

TEST(FileFaults, InterruptsAndShortWritesAreFinished)
{
    for (auto q : std::vector<std::map<std::string, std::deque<Step>>>{
             { { "open", { intr, { EEXIST, 0 } } } },
             { { "write", { intr, short7, intr, { 0, 1 } } } },
             { { "fsync", { intr, intr } } },
             { { "opendir", { intr } } },
             { { "close", { intr } } },
             { { "fsync", { { 0, all }, intr } } },
             { { "fsync", { { 0, all }, { EINVAL, 0 } } } },
             { { "renameat2", { { EINVAL, 0 } } } },
             { { "renameat2", { nosys } } },
             { { "renameat2", { nosys } }, { "unlink", { eio } } } }) {
        TempDir d;
        {
            Script s(q);
            EXPECT_EQ(put(d, 0), TY_OK) << q.begin()->first;
            EXPECT_TRUE(Script::used()) << q.begin()->first;
        }
        EXPECT_EQ(d.read("a"), content);
        EXPECT_EQ(d.list().size(), q.count("unlink") ? 2u : 1u);
    }
}

TEST(FileFaults, EveryFailureLeavesTheNameAsItWas)
{
    const struct {
        std::map<std::string, std::deque<Step>> q;
        int error;
        bool replace_only, new_only;
    } rows[] = {
        { { { "open", { { EACCES, 0 } } } }, EACCES, false, false },
        { { { "open", { { EROFS, 0 } } } }, EROFS, false, false },
        { { { "open", std::deque<Step>(16, Step{ EEXIST, 0 }) } }, EEXIST, false, false },
        { { { "getrandom", { eio } } }, EAGAIN, false, false },
        { { { "write", { { ENOSPC, 0 } } } }, ENOSPC, false, false },
        { { { "write", { short7, { EDQUOT, 0 } } } }, EDQUOT, false, false },
        { { { "write", { none } } }, ENOSPC, false, false },
        { { { "fsync", { eio } } }, EIO, false, false },
        { { { "opendir", { { EMFILE, 0 } } } }, EMFILE, false, false },
        { { { "close", { { EDQUOT, 0 } } } }, EDQUOT, false, false },
        { { { "rename", { { EXDEV, 0 } } } }, EXDEV, true, false },
        { { { "renameat2", { { EACCES, 0 } } } }, EACCES, false, true },
        { { { "renameat2", { nosys } }, { "link", { { EPERM, 0 } } } }, EPERM, false, true },
    };
    for (const auto &r : rows)
        for (bool replace : {false, true}) {
            if (replace ? r.new_only : r.replace_only) continue;
            TempDir d;
            if (replace) d.write("a", "old");
            {
                Script s(r.q);
                EXPECT_EQ(put(d, replace ? (unsigned)TY_FILE_REPLACE : 0u), TY_ERR_IO)
                    << r.q.begin()->first;
                EXPECT_EQ(errno, r.error) << r.q.begin()->first;
                EXPECT_TRUE(Script::used());
            }
            EXPECT_EQ(d.read("a"), replace ? "old" : "");
            EXPECT_EQ(d.list().size(), replace ? 1u : 0u)
                << "no temporary file is left after " << r.q.begin()->first;
        }
}

// The name may appear only when the contents are on the disk; then the directory is synced, so that
// the name is on the disk too.
TEST(FileFaults, TheOrderOfThings)
{
    const struct {
        unsigned flags;
        bool old_kernel;
    } rows[] = { { 0, false }, { TY_FILE_REPLACE, false }, { 0, true } };
    for (const auto &r : rows) {
        TempDir d;
        std::vector<std::string> want = {"write", "sync file", "close file", "rename"};
        if (r.old_kernel) want.push_back("link");
        want.insert(want.end(), {"sync directory", "close directory"});
        Script s({{"renameat2", r.old_kernel ? std::deque<Step>{nosys} : std::deque<Step>{}}});
        EXPECT_EQ(put(d, r.flags), TY_OK);
        EXPECT_EQ(journal, want);
    }
}

// The temporary name cannot be guessed; if it is taken even so, nothing is written through it.
TEST(FileFaults, ATemporaryNameThatIsTakenIsLeftAlone)
{
    TempDir d;
    d.write("theirs", "old");
    {
        Script s({});
        squat = true;
        EXPECT_EQ(put(d, 0), TY_OK);
        EXPECT_FALSE(squat);
        EXPECT_EQ(calls["open"], 2);
    }
    EXPECT_EQ(d.read("theirs"), "old");
    EXPECT_EQ(d.read("a"), content);
    EXPECT_EQ(d.list().size(), 3u) << "the link is still there";
}

TEST(FileFaults, NoDescriptorIsInheritedByPrograms)
{
    TempDir d;
    bool zero;
    Script s({{"getrandom", {{0, all}, nosys}}});   // the first call is for the temporary name
    EXPECT_EQ(put(d, 0), TY_OK);
    EXPECT_EQ(draw(20, &zero), TY_OK);
    EXPECT_EQ(calls["open"] + calls["opendir"] + calls["/dev/random"] + calls["/dev/urandom"], 4);
    EXPECT_EQ(inherited, 0);
}

// A directory that may be written but not read cannot be synced; the rest is done.
TEST(FileFaults, ADropBox)
{
    TempDir d;
    {
        Script s({{"opendir", {{EACCES, 0}}}});
        EXPECT_EQ(put(d, 0), TY_OK);
        EXPECT_TRUE(Script::used());
        EXPECT_EQ(journal,
                  (std::vector<std::string>{ "write", "sync file", "close file", "rename" }));
    }
    EXPECT_EQ(d.read("a"), content);
    EXPECT_EQ(d.list().size(), 1u);
}

// Cleaning up may fail too, but the error that made it necessary is reported.
TEST(FileFaults, TheFirstErrorIsReported)
{
    const std::map<std::string, std::deque<Step>> rows[] = {
        {{"write", {{ENOSPC, 0}}}, {"close", {eio}}},
        {{"write", {{ENOSPC, 0}}}, {"unlink", {eio}}},
        {{"renameat2", {{ENOSPC, 0}}}, {"close", {{0, all}, eio}}},
        {{"renameat2", {{ENOSPC, 0}}}, {"unlink", {eio}}},
    };
    for (const auto &q : rows) {
        TempDir d;
        Script s(q);
        EXPECT_EQ(put(d, 0), TY_ERR_IO);
        EXPECT_EQ(errno, ENOSPC) << q.begin()->first;
        EXPECT_TRUE(Script::used());
        EXPECT_FALSE(d.exists("a"));
    }
}

TEST(FileFaults, OnlyTheDirectorySyncComesAfterTheName)
{
    TempDir d;
    {
        Script s({{"fsync", {{0, all}, eio}}});
        EXPECT_EQ(put(d, 0), TY_ERR_IO);
        EXPECT_EQ(errno, EIO);
    }
    EXPECT_EQ(d.read("a"), content) << "complete, though perhaps not durable";
    EXPECT_EQ(d.list().size(), 1u);
}

TEST(FileFaults, NoDescriptorLeaks)
{
    TempDir d;
    const int before = dup(0);
    __real_close(before);
    for (const char *name : {"open", "write", "fsync", "opendir", "close", "renameat2"}) {
        Script s({{name, {eio}}});
        EXPECT_EQ(put(d, 0), TY_ERR_IO) << name;
    }
    const int after = dup(0);
    __real_close(after);
    EXPECT_EQ(before, after);
}

// --- nameless files

struct Nameless {
    Nameless() { nameless = true; }
    ~Nameless() { nameless = false; }
    static bool here()   // does this system have them?
    {
        TempDir d;
        ty_file f;
        const bool have = ty_file_create(&f, d("a").c_str(), 0) == TY_OK && !f.temp[0];
        ty_file_abort(&f);
        return have;
    }
};

TEST(NamelessFaults, WithoutThemTheOlderMethodIsUsed)
{
    const Nameless on;
    for (auto q :
         std::vector<std::map<std::string, std::deque<Step>>>{{{"tmpfile", {{EOPNOTSUPP, 0}}}},
                                                              {{"tmpfile", {{EISDIR, 0}}}},
                                                              {{"access", {{ENOENT, 0}}}}}) {
        if (q.count("access") && !Nameless::here()) continue;
        TempDir d;
        {
            Script s(q);
            EXPECT_EQ(put(d, 0), TY_OK);
            EXPECT_EQ(calls["open"], 1) << q.begin()->first;
            EXPECT_EQ(calls["linkat"], 0);
        }
        EXPECT_EQ(d.read("a"), content);
        EXPECT_EQ(d.list().size(), 1u);
    }
}

TEST(NamelessFaults, TheOrderOfThings)
{
    const Nameless on;
    if (!Nameless::here()) GTEST_SKIP() << "no nameless files on this system";
    for (const bool exists : {false, true})
        for (const unsigned flags : {0u, (unsigned)TY_FILE_REPLACE}) {
            if (exists && !flags) continue;
            TempDir d;
            if (exists) d.write("a", "old");
            std::vector<std::string> want = {"write", "sync file", "linkat"};
            if (exists)
                want.insert(want.end(),
                            {"linkat", "rename"}); /* linkat cannot replace a file */
            want.insert(want.end(), {"close file", "sync directory", "close directory"});
            {
                Script s({});
                EXPECT_EQ(put(d, flags), TY_OK);
                EXPECT_EQ(journal, want);
                EXPECT_EQ(calls["open"], 0);
                EXPECT_EQ(inherited, 0);
            }
            EXPECT_EQ(d.read("a"), content);
            EXPECT_EQ(d.list().size(), 1u);
        }
}

TEST(NamelessFaults, EveryFailureLeavesTheNameAsItWas)
{
    const Nameless on;
    if (!Nameless::here()) GTEST_SKIP() << "no nameless files on this system";
    const struct {
        std::map<std::string, std::deque<Step>> q;
        int error;
        bool replace_only;
    } rows[] = {
        {{{"write", {{ENOSPC, 0}}}}, ENOSPC, false},
        {{{"fsync", {eio}}}, EIO, false},
        {{{"opendir", {{EMFILE, 0}}}}, EMFILE, false},
        {{{"linkat", {{EACCES, 0}}}}, EACCES, false},
        {{{"linkat", {{0, all}, {ENOSPC, 0}}}}, ENOSPC, true},
        {{{"getrandom", {eio}}}, EAGAIN, true},
        {{{"rename", {{EXDEV, 0}}}}, EXDEV, true},
    };
    const int before = dup(0);
    __real_close(before);
    for (const auto &r : rows)
        for (const bool replace : {false, true}) {
            if (r.replace_only && !replace) continue;
            TempDir d;
            if (replace) d.write("a", "old");
            {
                Script s(r.q);
                EXPECT_EQ(put(d, replace ? (unsigned)TY_FILE_REPLACE : 0u), TY_ERR_IO)
                    << r.q.begin()->first;
                EXPECT_EQ(errno, r.error) << r.q.begin()->first;
                EXPECT_TRUE(Script::used());
            }
            EXPECT_EQ(d.read("a"), replace ? "old" : "");
            EXPECT_EQ(d.list().size(), replace ? 1u : 0u)
                << "nothing is left after " << r.q.begin()->first;
        }
    const int after = dup(0);
    __real_close(after);
    EXPECT_EQ(before, after);
}

// --- threads

// If all threads or the last few cannot be created, the caller does their part.
TEST(ThreadFaults, TheCallerDoesTheRest)
{
    for (size_t good : {0, 1, 3}) {
        std::vector<int> seen(50);
        const auto part = [](void *ctx, size_t from, size_t to) {
            for (size_t i = from; i < to; i++) ((int *)ctx)[i]++;
            return from == 42 ? TY_ERR_KEY : TY_OK;
        };
        std::deque<Step> steps(good, Step{0, all});
        steps.push_back({EAGAIN, 0});
        Script s({{"pthread_create", steps}});
        EXPECT_EQ(ty_parallel(seen.size(), 1, 8, part, seen.data()), TY_ERR_KEY);
        EXPECT_TRUE(Script::used());
        EXPECT_EQ(calls["pthread_create"], (int)good + 1) << "no further try";
        EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), 50);
    }
}
