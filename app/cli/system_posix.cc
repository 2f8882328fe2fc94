/* The functions of system.hpp on POSIX. */
#if !defined(_WIN32)
#include "system.hpp"
#include "fail.hpp"
#include "signals.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <cstdlib>
#include <sys/resource.h>

/* Opens something that can be neither read nor written. On Linux /dev/null for the other direction
 * would not do: opening /dev/stdin opens that file anew, in the direction that is asked for. A
 * symbolic link itself cannot be opened so. Without /proc the name /dev/stdin leads nowhere. */
static int open_useless(int fd)
{
#if defined(O_PATH)
    (void)fd;
    const int link = open("/proc/self", O_PATH | O_NOFOLLOW);
    return link >= 0 ? link : open("/", O_PATH);
#else
    return open(NULL_DEVICE, fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
#endif
}

/* The next file that is opened gets the number of a stream that is closed, and then a key would be
 * read as stdin, or a warning written into an output. So these numbers are taken. */
void prepare_streams()
{
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open_useless(fd) != fd)
            _exit(EXIT_INTERNAL);
}

const char *const temporary_directory_variable = "TMPDIR";

std::string temporary_directory()
{
    const char *dir = std::getenv(temporary_directory_variable);
    return dir && *dir ? dir : "/tmp";
}

int open_nameless()
{
#if defined(O_TMPFILE)
    const int nameless = open(temporary_directory().c_str(),
                              O_RDWR | O_TMPFILE | O_EXCL | O_CLOEXEC, 0600);
    if (nameless >= 0) return nameless;
#endif
    std::string name = temporary_directory() + "/tongyu-XXXXXX";
    const SignalsHeld held;
    const int fd = mkstemp(&name[0]);   /* mode 0600 */
    if (fd >= 0) unlink(name.c_str());
    return fd;
}

bool is_absolute(const std::string &path) { return !path.empty() && path[0] == '/'; }

bool others_can_read(const std::string &path)
{
    struct stat st;
    return stat(path.c_str(), &st) == 0 && S_ISREG(st.st_mode) &&
           (st.st_mode & (S_IRGRP | S_IROTH)) != 0;
}

unsigned cpu_count()
{
    const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    return cpus > 0 ? static_cast<unsigned>(cpus) : 1;
}

double cpu_seconds()
{
    rusage u;
    getrusage(RUSAGE_SELF, &u);
    return static_cast<double>(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

size_t internet_address(uint8_t bytes[16], const std::string &text)
{
    const int family = text.find(':') == std::string::npos ? AF_INET : AF_INET6;
    if (inet_pton(family, text.c_str(), bytes) != 1) return 0;
    return family == AF_INET ? 4 : 16;
}

int open_terminal() { return open(TERMINAL, O_RDWR | O_CLOEXEC | O_NOCTTY); }

long ask_quietly(int terminal, const std::string &text, uint8_t *line, size_t room)
{
    const NoEcho quiet(terminal);   /* first, so that early input is neither shown nor lost */
    if (write(terminal, text.data(), text.size()) < 0) return -1;
    size_t n = 0;
    char c = 0;
    while (n < room && read(terminal, &c, 1) == 1 && c != '\n') line[n++] = static_cast<uint8_t>(c);
    ty_wipe(&c, 1);
    return static_cast<long>(n);
}
#endif
