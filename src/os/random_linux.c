/* Linux: getrandom, or /dev/urandom before Linux 3.17. */
#define _GNU_SOURCE
#include "os/system.h"

#if defined(__linux__)
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#if defined(__GLIBC__) && __GLIBC__ == 2 && __GLIBC_MINOR__ < 25
/* The kernel may have the call although the C library does not declare it. */
static ssize_t getrandom(void *out, size_t len, unsigned flags)
{
#  if defined(SYS_getrandom)
    return syscall(SYS_getrandom, out, len, flags);
#  else
    errno = ENOSYS;
    return -1;
#  endif
}
#else
#  include <sys/random.h>
#endif

static int open_again(const char *path)
{
    int fd;
    do fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    while (fd < 0 && errno == EINTR);
    return fd;
}

/* A file called /dev/urandom may be a regular file in a badly configured chroot: only the device
 * itself is accepted. */
static int is_device(int fd, unsigned minor_number)
{
    struct stat st;
    return fstat(fd, &st) == 0 && S_ISCHR(st.st_mode) && major(st.st_rdev) == 1 &&
           minor(st.st_rdev) == minor_number;
}

/* /dev/urandom can be read even before the kernel has gathered entropy; /dev/random becomes
 * readable once it has. */
static ty_err wait_until_seeded(void)
{
    const int fd = open_again("/dev/random");
    if (fd < 0) return TY_ERR_RNG;
    struct pollfd p = { .fd = fd, .events = POLLIN };
    int n;
    do n = poll(&p, 1, -1);
    while (n < 0 && errno == EINTR);
    const int seeded = n == 1 && is_device(fd, 8);
    close(fd);
    return seeded ? TY_OK : TY_ERR_RNG;
}

static ty_err from_device(uint8_t *out, size_t len)
{
    if (wait_until_seeded() != TY_OK) return TY_ERR_RNG;
    const int fd = open_again("/dev/urandom");
    if (fd < 0) return TY_ERR_RNG;
    ty_err err = is_device(fd, 9) ? TY_OK : TY_ERR_RNG;
    while (err == TY_OK && len > 0) {
        const ssize_t n = read(fd, out, len);
        if (n > 0) {
            out += n;
            len -= (size_t)n;
        } else if (n == 0 || errno != EINTR) {   /* end of file: not the device */
            err = TY_ERR_RNG;
        }
    }
    close(fd);
    return err;
}

/* getrandom waits until the kernel's pool is seeded. It may return fewer bytes than requested, or
 * EINTR. */
ty_err ty_os_random(uint8_t *out, size_t len)
{
    while (len > 0) {
        const ssize_t n = getrandom(out, len, 0);
        if (n > 0) {
            out += n;
            len -= (size_t)n;
        } else if (n < 0 && errno == ENOSYS) {   /* before Linux 3.17 */
            return from_device(out, len);
        } else if (n == 0 || errno != EINTR) {
            return TY_ERR_RNG;
        }
    }
    return TY_OK;
}
#endif
