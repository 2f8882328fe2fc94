/* Imitates, when it is preloaded, a filesystem without unnamed temporary files: open with O_TMPFILE
 * fails with EOPNOTSUPP. */
#define _GNU_SOURCE
#undef _FILE_OFFSET_BITS   /* it would make open a name for open64; both are defined here */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

static int refuse_or_open(const char *path, int flags, unsigned mode)
{
    if ((flags & O_TMPFILE) != O_TMPFILE)
        return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    errno = EOPNOTSUPP;
    return -1;
}

#define OPEN(name, more)                             \
    __attribute__((visibility("default")))           \
    int name(const char *path, int flags, ...)       \
    {                                                \
        va_list ap;                                  \
        va_start(ap, flags);                         \
        const unsigned mode = va_arg(ap, unsigned);  \
        va_end(ap);                                  \
        return refuse_or_open(path, flags | more, mode); \
    }
OPEN(open, 0)
OPEN(open64, O_LARGEFILE)
