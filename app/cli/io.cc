#include "io.hpp"
#include "fail.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

static_assert(sizeof(off_t) == 8, "files beyond 2 GiB on 32-bit machines");

/* --- a signal leaves no temporary file behind, and no silent terminal ------------------------------------ */

constexpr int PENDING_MAX = 4;
static char pending[PENDING_MAX][sizeof(ty_file::temp)];   /* the temporary files that exist now */
static volatile sig_atomic_t is_pending[PENDING_MAX];

static termios echoing;                       /* the terminal as it was, for as long as it is without echo */
static volatile sig_atomic_t quiet_fd = -1;

/* Only calls that POSIX allows in a handler. In the background the terminal is another's, and stays as it is. */
static void on_signal(int sig)
{
    for (int i = 0; i < PENDING_MAX; i++)
        if (is_pending[i]) unlink(pending[i]);
    const int fd = quiet_fd;
    if (fd >= 0 && tcgetpgrp(fd) == getpgrp()) {
        tcflush(fd, TCIFLUSH);   /* half a password is not the shell's next command */
        tcsetattr(fd, TCSANOW, &echoing);
    }
    signal(sig, SIG_DFL);
    raise(sig);
}

void clean_up_on_signals()
{
    for (const int sig : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGXCPU}) {
        struct sigaction old;
        if (sigaction(sig, nullptr, &old) == 0 && old.sa_handler == SIG_DFL) signal(sig, on_signal);
    }
    signal(SIGXFSZ, SIG_IGN);   /* write fails with EFBIG instead: an error like a full disk */
}

/* Signals wait for as long as this lives: between a file and its place in the list none must come. */
class SignalsHeld {
    sigset_t old;

public:
    SignalsHeld()
    {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, &old);
    }
    ~SignalsHeld() { sigprocmask(SIG_SETMASK, &old, nullptr); }
};

static int remember(const char *temp)
{
    for (int i = 0; i < PENDING_MAX; i++) {
        if (is_pending[i]) continue;
        std::snprintf(pending[i], sizeof pending[i], "%s", temp);
        is_pending[i] = 1;
        return i;
    }
    return -1;   /* no verb has as many outputs */
}

static void forget(int &slot)
{
    if (slot >= 0) is_pending[slot] = 0;
    slot = -1;
}

NoEcho::NoEcho(int terminal) : fd(terminal)
{
    if (tcgetattr(fd, &echoing) != 0) return;
    termios quiet = echoing;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    quiet.c_lflag |= ECHONL;
    quiet_fd = fd;   /* before the change: to restore what has not changed does no harm */
    if (tcsetattr(fd, TCSAFLUSH, &quiet) != 0) quiet_fd = -1;
}

NoEcho::~NoEcho()
{
    if (quiet_fd < 0) return;
    tcsetattr(fd, TCSAFLUSH, &echoing);
    quiet_fd = -1;
}

/* --- progress ------------------------------------------------------------------------------------------ */

Progress::Progress(std::string what, long long bytes, bool wanted)
    : label(std::move(what)), size(bytes), on(wanted && isatty(STDERR_FILENO)) {}

void Progress::add(size_t bytes)
{
    using namespace std::chrono;
    done += static_cast<long long>(bytes);
    if (!on) return;
    const auto now = steady_clock::now();
    const double elapsed = duration<double>(now - begun).count();
    if (elapsed < 1 || now - drawn < milliseconds(100)) return;
    drawn = now;
    shown = true;
    const double mb = static_cast<double>(done) / 1e6;
    if (size <= 0) {
        std::fprintf(stderr, "\r\033[K%s  %.0f MB  %.0f MB/s", label.c_str(), mb, mb / elapsed);
    } else {
        const double part = std::min(1.0, static_cast<double>(done) / static_cast<double>(size));
        const int bar = static_cast<int>(part * 24);
        std::fprintf(stderr, "\r\033[K%s  [%.*s%*s] %3.0f %%  %.0f MB/s  %.0f s left", label.c_str(), bar,
                     "========================", 24 - bar, "", part * 100, mb / elapsed, elapsed / part - elapsed);
    }
    std::fflush(stderr);
}

Progress::~Progress()
{
    if (shown) std::fputs("\r\033[K", stderr);
}

/* --- input --------------------------------------------------------------------------------------------- */

Input::Input(const std::string &name) : path(name.empty() ? "-" : name), fd(STDIN_FILENO)
{
    if (path == "-") return;
    fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) throw Failure(EXIT_INPUT, path + ": " + errno_text(errno), "check the name and its permissions");
    struct stat st;
    if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
        close(fd);
        throw Failure(EXIT_INPUT, path + ": is a directory", "name a file, or pack it first (tar cf - " + path + ")");
    }
}

Input::~Input()
{
    if (fd != STDIN_FILENO) close(fd);
}

long long Input::size() const
{
    struct stat st;
    return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? static_cast<long long>(st.st_size) : -1;
}

size_t Input::read(uint8_t *out, size_t len)
{
    size_t got = 0;
    while (got < len) {
        const ssize_t n = ::read(fd, out + got, len - got);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) throw Failure(EXIT_INPUT, path + ": " + errno_text(errno), "nothing was written");
        if (n == 0) break;
        got += static_cast<size_t>(n);
    }
    return got;
}

Secret Input::read_all(size_t limit, const std::string &what)
{
    const long long hint = size();
    Secret buf(std::min<size_t>(limit, hint >= 0 ? static_cast<size_t>(hint) : 4096) + 1);
    for (size_t n = 0;;) {
        n += read(buf.data() + n, buf.size() - n);
        if (n > limit)
            throw Failure(EXIT_INPUT, path + ": longer than " + std::to_string(limit) + " bytes, too long for " + what,
                          "check that it is the right file");
        if (n < buf.size()) {
            buf.shrink(n);
            return buf;
        }
        Secret more(std::min(limit + 1, 2 * buf.size()));
        std::memcpy(more.data(), buf.data(), n);
        buf = std::move(more);
    }
}

/* --- output -------------------------------------------------------------------------------------------- */

/* What a symbolic link points to, so that the link stays one. One that leads nowhere is replaced like a file. */
static std::string through_links(const std::string &path)
{
    struct stat st;
    char real[PATH_MAX];
    if (lstat(path.c_str(), &st) == 0 && S_ISLNK(st.st_mode) && realpath(path.c_str(), real)) return real;
    return path;
}

static bool is_special(const std::string &path)
{
    struct stat st;
    return stat(path.c_str(), &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static std::string spool_dir()
{
    const char *dir = std::getenv("TMPDIR");
    return dir && *dir ? dir : "/tmp";
}

[[noreturn]] static void spool_failed(int err)
{
    throw Failure(EXIT_INTERNAL, "a temporary file in " + spool_dir() + ": " + errno_text(err),
                  "set TMPDIR to a directory with room; nothing was written");
}

static int open_spool()
{
    std::string name = spool_dir() + "/tongyu-XXXXXX";
    const SignalsHeld held;
    const int fd = mkstemp(&name[0]);   /* mode 0600 */
    if (fd < 0) spool_failed(errno);
    unlink(name.c_str());
    return fd;
}

void refuse_existing(const std::string &name, bool force)
{
    struct stat st;
    if (force || name.empty() || name == "-" || is_special(name) || lstat(name.c_str(), &st) != 0) return;
    throw Failure(EXIT_USAGE, name + " exists", "nothing was written; use another name, or --force to replace it");
}

void refuse_stdout(const std::string &name, bool json, bool binary)
{
    if (!name.empty() && name != "-") return;
    if (json) throw Failure(EXIT_USAGE, "--json and the data both want stdout", "name an output file with -o");
    if (binary && isatty(STDOUT_FILENO))
        throw Failure(EXIT_USAGE, "the output is binary and stdout is a terminal",
                      "name an output file with -o, or use a pipe");
}

static bool is_stdin(const std::string &name) { return name == "-" || name == "/dev/stdin" || name == "/dev/fd/0"; }

void refuse_two_stdins(const std::vector<std::string> &names)
{
    if (std::count_if(names.begin(), names.end(), is_stdin) > 1)
        throw Failure(EXIT_USAGE, "stdin can be read only once", "name a file for all but one of the inputs");
}

/* Where a name leads: the file that is there, or the directory and the last part of the name of one that is not. */
struct Place {
    dev_t dev = 0;
    ino_t ino = 0;
    std::string rest;
    bool sink = false;   /* /dev/null has room for everybody */

    explicit Place(const std::string &name, int standard)
    {
        struct stat st, null;
        const size_t slash = name.rfind('/');
        if (name == "-" ? fstat(standard, &st) == 0 : stat(name.c_str(), &st) == 0) {
            sink = S_ISCHR(st.st_mode) && stat("/dev/null", &null) == 0 && st.st_rdev == null.st_rdev;
        } else if (stat(slash == std::string::npos ? "." : name.substr(0, slash + 1).c_str(), &st) == 0) {
            rest = name.substr(slash + 1);
        } else {
            rest = name;
            return;
        }
        dev = st.st_dev;
        ino = st.st_ino;
    }
    bool operator==(const Place &o) const { return !sink && dev == o.dev && ino == o.ino && rest == o.rest; }
};

void refuse_same_file(const std::vector<std::string> &outputs, const std::vector<std::string> &inputs)
{
    for (size_t i = 0; i < outputs.size(); i++) {
        if (outputs[i].empty()) continue;
        const Place place(outputs[i], STDOUT_FILENO);
        for (size_t j = 0; j < i; j++)
            if (!outputs[j].empty() && place == Place(outputs[j], STDOUT_FILENO))
                throw Failure(EXIT_USAGE, outputs[i] + ": two outputs in one file", "give each its own name");
        for (const auto &input : inputs)
            if (!input.empty() && outputs[i] != "-" && input != "-" && place == Place(input, STDIN_FILENO))
                throw Failure(EXIT_USAGE, outputs[i] + ": an input that the output would destroy",
                              "give the output another name");
    }
}

static unsigned library_flags(unsigned flags)
{
    return (flags & Output::FORCE ? unsigned(TY_FILE_REPLACE) : 0u) |
           (flags & Output::PRIVATE ? unsigned(TY_FILE_PRIVATE) : 0u);
}

Output::Output(const std::string &name, unsigned output_flags) : path(name.empty() ? "-" : name), flags(output_flags)
{
    refuse_existing(path, flags & FORCE);
    if (path == "-") {
        direct = STDOUT_FILENO;
    } else if (is_special(path)) {
        direct = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
        if (direct < 0) throw Failure(EXIT_INTERNAL, path + ": " + errno_text(errno), "choose another output");
    } else {
        const std::string target = through_links(path);
        const SignalsHeld held;
        check(ty_file_create(&file, target.c_str(), library_flags(flags)), path, "nothing was written");
        slot = remember(file.temp);
    }
    if (direct >= 0 && (flags & HOLD)) spool = open_spool();
}

Output::~Output()
{
    if (spool >= 0) close(spool);
    if (direct > STDERR_FILENO) close(direct);
    if (file.temp[0]) ty_file_abort(&file);
    forget(slot);
}

/* All of data to fd: 0, or an errno. */
static int put(int fd, const uint8_t *data, size_t len)
{
    while (len > 0) {
        const ssize_t n = ::write(fd, data, len);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n == 0 ? ENOSPC : errno;   /* no progress and no reason given: never loop on it */
        data += n;
        len -= static_cast<size_t>(n);
    }
    return 0;
}

void Output::put_direct(const uint8_t *data, size_t len)
{
    const int err = put(direct, data, len);
    if (err) throw Failure(EXIT_INTERNAL, path + ": " + errno_text(err), "the output is incomplete");
}

void Output::write(const void *data, size_t len)
{
    const auto *bytes = static_cast<const uint8_t *>(data);
    if (spool >= 0) {
        const int err = put(spool, bytes, len);
        if (err) spool_failed(err);
    } else if (direct >= 0) {
        put_direct(bytes, len);
    } else {
        check(ty_file_write(&file, bytes, len), path, "nothing was left behind");
    }
}

void Output::commit()
{
    if (spool >= 0) {
        Secret buf(IO_CHUNK);
        if (lseek(spool, 0, SEEK_SET) != 0) throw Failure(EXIT_INTERNAL, path + ": " + errno_text(errno));
        for (ssize_t n; (n = ::read(spool, buf.data(), buf.size())) != 0;) {
            if (n < 0) throw Failure(EXIT_INTERNAL, "temporary file: " + errno_text(errno), "the output is incomplete");
            put_direct(buf.data(), static_cast<size_t>(n));
        }
    } else if (direct < 0) {
        const ty_err err = ty_file_commit(&file);
        forget(slot);
        check(err, path, "nothing was left behind");
        file.temp[0] = 0;
    }
}

void write_both(Output &first, const Secret &one, Output &second, const Secret &two)
{
    first.write(one.data(), one.size());
    if (!second.is_direct()) second.write(two.data(), two.size());   /* what is sent cannot be called back */
    first.commit();
    if (second.is_direct()) second.write(two.data(), two.size());
    second.commit();
}
