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
#include <unistd.h>

/* --- a signal must leave no temporary file behind ------------------------------------------------------ */

static char pending[sizeof(ty_file::temp)];   /* the temporary file that exists now, or empty */
static volatile sig_atomic_t is_pending;

static void on_signal(int sig)
{
    if (is_pending) unlink(pending);
    signal(sig, SIG_DFL);
    raise(sig);
}

void clean_up_on_signals()
{
    for (const int sig : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
        struct sigaction old;
        if (sigaction(sig, nullptr, &old) == 0 && old.sa_handler == SIG_DFL) signal(sig, on_signal);
    }
}

static void remember(const char *temp)
{
    is_pending = 0;
    std::snprintf(pending, sizeof pending, "%s", temp);
    is_pending = temp[0] != 0;
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

/* What a symbolic link points to, so that the link stays one. */
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

static int open_spool()
{
    const char *dir = std::getenv("TMPDIR");
    std::string name = std::string(dir && *dir ? dir : "/tmp") + "/tongyu-XXXXXX";
    const int fd = mkstemp(&name[0]);   /* mode 0600 */
    if (fd < 0) throw Failure(EXIT_INTERNAL, name + ": " + errno_text(errno), "set TMPDIR to a directory with room");
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

void refuse_two_stdins(std::initializer_list<std::string> names)
{
    if (std::count(names.begin(), names.end(), "-") > 1)
        throw Failure(EXIT_USAGE, "stdin can be read only once", "name a file for all but one of the inputs");
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
        check(ty_file_create(&file, target.c_str(), library_flags(flags)), path, "nothing was written");
        remember(file.temp);
    }
    if (direct >= 0 && (flags & HOLD)) spool = open_spool();
}

Output::~Output()
{
    if (spool >= 0) close(spool);
    if (direct > STDERR_FILENO) close(direct);
    if (file.temp[0]) ty_file_abort(&file);
    is_pending = 0;
}

void Output::put(int fd, const uint8_t *data, size_t len)
{
    while (len > 0) {
        const ssize_t n = ::write(fd, data, len);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) throw Failure(EXIT_INTERNAL, path + ": " + errno_text(errno), "the output is incomplete");
        data += n;
        len -= static_cast<size_t>(n);
    }
}

void Output::write(const void *data, size_t len)
{
    const auto *bytes = static_cast<const uint8_t *>(data);
    if (spool >= 0) put(spool, bytes, len);
    else if (direct >= 0) put(direct, bytes, len);
    else check(ty_file_write(&file, bytes, len), path, "nothing was left behind");
}

void Output::commit()
{
    if (spool >= 0) {
        Secret buf(IO_CHUNK);
        if (lseek(spool, 0, SEEK_SET) != 0) throw Failure(EXIT_INTERNAL, path + ": " + errno_text(errno));
        for (ssize_t n; (n = ::read(spool, buf.data(), buf.size())) != 0;) {
            if (n < 0) throw Failure(EXIT_INTERNAL, "temporary file: " + errno_text(errno), "the output is incomplete");
            put(direct, buf.data(), static_cast<size_t>(n));
        }
    } else if (direct < 0) {
        const ty_err err = ty_file_commit(&file, library_flags(flags));
        is_pending = 0;
        check(err, path, "nothing was left behind");
        file.temp[0] = 0;
    }
}
