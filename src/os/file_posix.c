/* Files that appear whole or not at all: write a file without a name (O_TMPFILE) or, if the system
 * has no such files, a temporary file in the same directory; sync it, give it its name, sync the
 * directory. Whatever stops the program in between, the final name refers to the old file or to the
 * new one, never to a part; and a file without a name leaves nothing behind even after SIGKILL,
 * with one exception: to replace an existing file it briefly has a temporary name (.tongyu-...),
 * which SIGKILL may leave behind. */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64   /* files beyond 2 GiB on 32-bit machines */
#include "os/system.h"
#include "tongyu/os.h"

#if defined(TY_OS_POSIX)
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMP_PREFIX ".tongyu-"
#define TEMP_RANDOM 8    /* bytes of randomness, two hex digits each */
/* a collision of 64 random bits means that something is wrong; give up soon */
#define TEMP_TRIES  16

_Static_assert(sizeof((ty_file *)0)->temp >=
                   sizeof((ty_file *)0)->path + sizeof TEMP_PREFIX + 2 * TEMP_RANDOM,
               "the longest temporary name fits");

static ty_err io_error(int number)
{
    errno = number;
    return TY_ERR_IO;
}

/* The directory part of path, with its slash: "a/b/c" -> 4, "c" -> 0. */
static size_t dir_len(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Checks whether a rename onto path is allowed. Only regular files, and symbolic links to them or
 * to nothing, may be replaced: a file in place of /dev/null would break the system. Returns 0 or an
 * errno. */
static int may_take(const char *path, unsigned flags)
{
    struct stat st;
    if (lstat(path, &st) != 0) return errno == ENOENT ? 0 : errno;
    if (!(flags & TY_FILE_REPLACE)) return EEXIST;
    if (S_ISLNK(st.st_mode) && stat(path, &st) != 0) return errno == ENOENT ? 0 : errno;
    if (S_ISDIR(st.st_mode)) return EISDIR;
    return S_ISREG(st.st_mode) ? 0 : EINVAL;
}

/* A name in the directory of path that cannot be guessed or be in use; its length does not depend
 * on that of the file, so a name of NAME_MAX bytes works too. */
static ty_err temp_name(ty_file *f)
{
    static const char digits[] = "0123456789abcdef";
    uint8_t r[TEMP_RANDOM];
    const ty_rng *rng = ty_rng_system();
    if (rng->fill(rng->ctx, r, sizeof r) != TY_OK) return io_error(EAGAIN);
    char *p = f->temp + dir_len(f->path);
    memcpy(p, TEMP_PREFIX, sizeof TEMP_PREFIX - 1);
    p += sizeof TEMP_PREFIX - 1;
    for (size_t i = 0; i < sizeof r; i++) {
        *p++ = digits[r[i] >> 4];
        *p++ = digits[r[i] & 15];
    }
    *p = '\0';
    return TY_OK;
}

/* The directory of path, or ".". */
static void dir_of(char dir[TY_AT_LEAST(1024)], const char *path)
{
    const size_t n = dir_len(path);
    memcpy(dir, path, n);
    if (n == 0) dir[0] = '.';
    dir[n ? n : 1] = '\0';
}

/* The path in /proc of a file without a name, valid as long as the file is open. */
static void proc_name(char name[TY_AT_LEAST(32)], int fd)
{
    snprintf(name, 32, "/proc/self/fd/%d", fd);
}

/* Opens a file without a name in the directory of path; -1 if the system has no such files, or
 * could not name the file later. */
static int open_nameless(const char *path, mode_t mode)
{
#if defined(O_TMPFILE)
    char dir[sizeof ((ty_file *)0)->path], name[32];
    dir_of(dir, path);
    const int fd = open(dir, O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
    if (fd < 0) return -1;
    proc_name(name, fd);
    if (access(name, F_OK) == 0) return fd;
    close(fd);
#else
    (void)path;
    (void)mode;
#endif
    return -1;
}

ty_err ty_file_create(ty_file *f, const char *path, unsigned flags)
{
    const size_t len = strnlen(path, sizeof f->path);
    memset(f, 0, sizeof *f);
    f->fd = -1;
    f->flags = flags;
    if (len == sizeof f->path) return TY_ERR_SIZE;
    if (len == 0) return io_error(ENOENT);
    if (path[len - 1] == '/') return io_error(EISDIR);
    const int obstacle = may_take(path, flags);
    if (obstacle) return io_error(obstacle);

    const mode_t mode = flags & TY_FILE_PRIVATE ? 0600 : 0666;
    memcpy(f->path, path, len + 1);
    if ((f->fd = open_nameless(path, mode)) >= 0) return TY_OK;
    memcpy(f->temp, path, dir_len(path));
    for (int tries = 0; f->fd < 0 && tries < TEMP_TRIES; tries++) {
        ty_err err = temp_name(f);
        if (err == TY_OK) {
            f->fd = open(f->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
            if (f->fd < 0 && errno != EEXIST && errno != EINTR) err = TY_ERR_IO;
        }
        if (err != TY_OK) break;
    }
    if (f->fd < 0) {
        f->temp[0] = '\0';
        return TY_ERR_IO;
    }
    return TY_OK;
}

ty_err ty_file_write(ty_file *f, const void *data, size_t len)
{
    const uint8_t *p = data;
    if (f->fd < 0) return io_error(EBADF);
    while (len > 0) {
        /* macOS refuses more than INT_MAX at once with EINVAL, Linux writes less */
        const ssize_t n = write(f->fd, p, len < INT_MAX ? len : INT_MAX);
        if (n > 0) {
            p += n;
            len -= (size_t)n;
        } else if (n == 0) {
            return io_error(ENOSPC);   /* no progress and no reason given: never loop on it */
        } else if (errno != EINTR) {
            return TY_ERR_IO;
        }
    }
    return TY_OK;
}

/* fsync of macOS leaves the data in the disk's own cache. */
#if defined(F_FULLFSYNC)
/* not every filesystem has it */
static int sync_disk(int fd) { return fcntl(fd, F_FULLFSYNC) == 0 ? 0 : fsync(fd); }
#else
static int sync_disk(int fd) { return fsync(fd); }
#endif

static int sync_again(int fd)
{
    int r;
    do r = sync_disk(fd);
    while (r != 0 && errno == EINTR);
    return r;
}

static int open_dir(const char *path)
{
    char dir[sizeof ((ty_file *)0)->path];
    dir_of(dir, path);
    int fd;
    do fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (fd < 0 && errno == EINTR);
    return fd;
}

/* A rename that fails if the target exists. */
#if defined(RENAME_NOREPLACE)   /* Linux, with glibc 2.28 or another library that has it */
static int rename_new(const char *from, const char *to)
{
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}
#elif defined(RENAME_EXCL)      /* macOS */
static int rename_new(const char *from, const char *to)
{
    return renamex_np(from, to, RENAME_EXCL);
}
#else
static int rename_new(const char *from, const char *to)
{
    (void)from, (void)to;
    errno = ENOSYS;
    return -1;
}
#endif

/* Renames temp to path if nothing has that name, atomically. */
static int name_new(const char *temp, const char *path)
{
    if (rename_new(temp, path) == 0) return 0;
    /* ENOSYS, EINVAL, ENOTSUP: an old kernel or filesystem */
    if (errno != ENOSYS && errno != EINVAL && errno != ENOTSUP) return -1;
    if (link(temp, path) != 0) return -1;
    (void)unlink(temp);   /* the file is in place; a second name left behind does no harm */
    return 0;
}

static int close_once(ty_file *f)
{
    const int bad = close(f->fd) != 0 && errno != EINTR;   /* after EINTR Linux has closed it */
    f->fd = -1;
    return bad;
}

/* Gives a file without a name its name. An existing file cannot be replaced by a link: then the
 * file gets a temporary name, and is renamed onto the existing one. */
static int name_nameless(ty_file *f)
{
    char proc[32];
    proc_name(proc, f->fd);
    if (linkat(AT_FDCWD, proc, AT_FDCWD, f->path, AT_SYMLINK_FOLLOW) == 0) return 0;
    if (errno != EEXIST || !(f->flags & TY_FILE_REPLACE)) return -1;
    memcpy(f->temp, f->path, dir_len(f->path));
    if (temp_name(f) == TY_OK && linkat(AT_FDCWD, proc, AT_FDCWD, f->temp, AT_SYMLINK_FOLLOW) == 0)
        return rename(f->temp, f->path);
    f->temp[0] = '\0';
    return -1;
}

ty_err ty_file_commit(ty_file *f)
{
    if (f->fd < 0) return io_error(EBADF);
    const int nameless = !f->temp[0];
    int dir = -1, failed = sync_again(f->fd);
    /* A directory that may be written but not read (a drop box) cannot be opened, and so not
     * synced; the file in it is synced all the same. */
    if (!failed) failed = (dir = open_dir(f->path)) < 0 && errno != EACCES;
    /* close may be the first call to report an error, for example over NFS, which has no files
     * without names. */
    if (!failed && !nameless) failed = close_once(f);
    if (!failed) {
        const int obstacle = may_take(f->path, f->flags);   /* create may have been long ago */
        failed = obstacle != 0;
        if (obstacle) errno = obstacle;
    }
    if (!failed)
        failed = nameless                     ? name_nameless(f)
                 : f->flags & TY_FILE_REPLACE ? rename(f->temp, f->path)
                                              : name_new(f->temp, f->path);
    if (!failed) {
        f->temp[0] = '\0';
        if (nameless) (void)close_once(f);   /* synced and in place */
        /* EINVAL: this filesystem does not sync directories */
        failed = dir >= 0 && sync_again(dir) != 0 && errno != EINVAL;
    }
    const int number = errno;
    if (dir >= 0) close(dir);
    ty_file_abort(f);   /* nothing to do if all went well */
    errno = number;
    return failed ? TY_ERR_IO : TY_OK;
}

void ty_file_abort(ty_file *f)
{
    const int number = errno;   /* the error that made the caller give up is the one to report */
    if (f->fd >= 0) close(f->fd);
    if (f->temp[0]) (void)unlink(f->temp);
    f->fd = -1;
    f->temp[0] = '\0';
    errno = number;
}
#endif
