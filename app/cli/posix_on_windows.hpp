/* The POSIX functions that the command uses, on Windows. */
#ifndef TONGYU_CLI_POSIX_ON_WINDOWS_HPP
#define TONGYU_CLI_POSIX_ON_WINDOWS_HPP

#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <ctime>

#define O_CLOEXEC (_O_NOINHERIT | _O_BINARY)
#define O_NOCTTY 0
#define S_ISLNK(mode) 0   /* links are always followed */

/* In the C library's own functions a file has no inode number, and every device is a terminal. */
struct FileStat {
    unsigned st_mode;
    uint64_t st_dev, st_ino, st_rdev;
    long long st_size;
};
int facts_of_name(const char *name, FileStat *facts);
int facts_of_fd(int fd, FileStat *facts);
int is_console(int fd);
#undef stat
#undef lstat
#undef fstat
#define stat(name, facts) facts_of_name(name, facts)
#define lstat(name, facts) facts_of_name(name, facts)
#define fstat(fd, facts) facts_of_fd(fd, facts)
#define isatty(fd) is_console(fd)

inline std::tm *gmtime_r(const std::time_t *t, std::tm *out)
{
    return gmtime_s(out, t) == 0 ? out : nullptr;
}

char *realpath(const char *name, char *out);

enum { RTLD_NOW, RTLD_LOCAL = 0 };
void *dlopen(const char *name, int how);
void *dlsym(void *library, const char *name);
int dlclose(void *library);

#endif
