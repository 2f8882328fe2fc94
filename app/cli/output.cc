/* Outputs: files that appear whole or not at all, stdout, devices and pipes. */
#include "io.hpp"
#include "fail.hpp"
#include "signals.hpp"
#include "system.hpp"

#include <cerrno>
#include <climits>
#include <cstdlib>

/* Output writes to this file, so that a link is kept. A dangling link is replaced like a file. */
std::string through_links(const std::string &path)
{
    FileStat st;
    char real[PATH_MAX];
    if (lstat(path.c_str(), &st) == 0 && S_ISLNK(st.st_mode) && realpath(path.c_str(), real))
        return real;
    return path;
}

[[noreturn]] static void spool_failed(int err)
{
    throw Failure(EXIT_INTERNAL,
                  "a temporary file in " + temporary_directory() + ": " + errno_text(err),
                  std::string("set ") + temporary_directory_variable +
                      " to a directory with free space; nothing was written");
}

static int open_spool()
{
    const int fd = open_nameless();
    if (fd < 0) spool_failed(errno);
    return fd;
}

static unsigned library_flags(unsigned flags)
{
    return (flags & Output::FORCE ? unsigned(TY_FILE_REPLACE) : 0u) |
           (flags & Output::PRIVATE ? unsigned(TY_FILE_PRIVATE) : 0u);
}

Output::Output(const std::string &name, unsigned output_flags)
    : path(name.empty() ? "-" : name), flags(output_flags)
{
    file.fd = -1;
    refuse_output(path, flags & FORCE);
    if (path == "-") {
        direct = STDOUT_FILENO;
    } else if (is_special(path)) {
        direct = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
        if (direct < 0)
            throw Failure(EXIT_INTERNAL, path + ": " + errno_text(errno), "choose another output");
    } else {
        const std::string target = through_links(path);
        const SignalsHeld held;
        check(ty_file_create(&file, target.c_str(), library_flags(flags)), path,
              "nothing was written");
        slot = remember(file.temp);
    }
    if (direct >= 0 && (flags & HOLD)) spool = open_spool();
}

Output::~Output()
{
    if (spool >= 0) close(spool);
    if (direct > STDERR_FILENO) close(direct);
    ty_file_abort(&file);
    forget(slot);
}

/* All of data to fd: 0, or an errno. */
static int put(int fd, const uint8_t *data, size_t len)
{
    while (len > 0) {
        const ssize_t n = ::write(fd, data, len);
        if (n < 0 && errno == EINTR) continue;
        /* no progress and no reason given: never loop on it */
        if (n <= 0) return n == 0 ? ENOSPC : errno;
        data += n;
        len -= static_cast<size_t>(n);
    }
    return 0;
}

void Output::put_direct(const uint8_t *data, size_t len)
{
    const int err = put(direct, data, len);
    if (err)
        throw Failure(EXIT_INTERNAL, (is_stdout() ? "stdout" : path) + ": " + errno_text(err),
                      after_write_error(err));
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
        if (lseek(spool, 0, SEEK_SET) != 0)
            throw Failure(EXIT_INTERNAL, path + ": " + errno_text(errno));
        for (ssize_t n; (n = ::read(spool, buf.data(), buf.size())) != 0;) {
            if (n < 0)
                throw Failure(EXIT_INTERNAL, "temporary file: " + errno_text(errno),
                              "the output is incomplete");
            put_direct(buf.data(), static_cast<size_t>(n));
        }
    } else if (direct < 0) {
        const SignalsHeld held;   /* a file that replaces another has two names for a moment */
        const ty_err err = ty_file_commit(&file);
        forget(slot);
        check(err, path, "nothing was left behind");
    }
}

void write_both(Output &first, const Secret &one, Output &second, const Secret &two)
{
    first.write(one.data(), one.size());
    /* what was written to a device or pipe cannot be undone */
    if (!second.is_direct()) second.write(two.data(), two.size());
    first.commit();
    if (second.is_direct()) second.write(two.data(), two.size());
    second.commit();
}
