/* Inputs: files and stdin, read in pieces. */
#include "io.hpp"
#include "fail.hpp"
#include "system.hpp"

#include <algorithm>
#include <cerrno>

static_assert(sizeof(off_t) == 8, "off_t needs 64 bits, for files beyond 2 GiB");

Input::Input(const std::string &name) : path(name.empty() ? "-" : name), fd(STDIN_FILENO)
{
    if (path == "-") return;
    fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        throw Failure(EXIT_INPUT, path + ": " + errno_text(errno),
                      "check the name and its permissions");
    FileStat st;
    if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
        close(fd);
        throw Failure(EXIT_INPUT, path + ": is a directory",
                      "name a file, or pack it first (tar cf - " + path + ")");
    }
}

Input::~Input()
{
    if (fd != STDIN_FILENO) close(fd);
}

long long Input::size() const
{
    FileStat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) return -1;
    /* another process may have read a part of stdin */
    const off_t here = lseek(fd, 0, SEEK_CUR);
    return here < 0 || here > st.st_size ? -1 : static_cast<long long>(st.st_size - here);
}

size_t Input::read(uint8_t *out, size_t len)
{
    size_t got = 0;
    while (got < len && !ended) {
        const ssize_t n = ::read(fd, out + got, len - got);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EBADF && path == "-")
            throw Failure(EXIT_INPUT, "stdin: " + errno_text(errno),
                          "name a file, or redirect stdin from a file or a pipe");
        if (n < 0)
            throw Failure(EXIT_INPUT, path + ": " + errno_text(errno), "nothing was written");
        ended = n == 0;
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
            throw Failure(EXIT_INPUT,
                          path + ": longer than " + std::to_string(limit) +
                              " bytes, too long for " + what,
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
