/* Tongyu: the operating system's randomness, files that appear whole or not at all, and threads.
 * The only part of the library that makes system calls. */
#ifndef TONGYU_OS_H
#define TONGYU_OS_H

#include "tongyu/base.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* ty_rng_system: the system's random source: getrandom, or /dev/urandom where that call is missing;
 * BCryptGenRandom on Windows; getentropy on macOS, the BSDs and under WASI, where this is the only
 * function of this header. It has no state of its own, so a fork cannot make two processes draw the
 * same bytes. Never NULL; thread-safe.
 *   err    fill returns TY_ERR_RNG when the kernel gives nothing; out is then zeroed */
TY_API const ty_rng *ty_rng_system(void);

/* ty_file: a file that is written in the directory of its final name. It appears under that name
 * only at commit, complete and synced; until then, and after an abort or a crash, whatever had that
 * name before is untouched. Where the system has files without names (O_TMPFILE and /proc on
 * Linux), it has no name until then, and nothing is left behind however the program ends; only to
 * replace a file, commit gives it a temporary name for a moment, which SIGKILL may leave behind. */
typedef struct ty_file {
    int fd;
    unsigned flags;    /* those of ty_file_create */
    char path[1024];   /* final name, NUL-terminated */
    char temp[1056];   /* temporary name in the same directory; empty when the file has none */
} ty_file;

enum {
    /* an existing file of that name is replaced; without it create and commit refuse */
    TY_FILE_REPLACE = 1,
    /* mode 0600 instead of 0666 under the umask; on Windows for this user and the system alone */
    TY_FILE_PRIVATE = 2
};

/* ty_file_create: open a file without a name, or a temporary one next to path, which is UTF-8 on
 * Windows. If path is a symbolic link to a file, the link is replaced, not the file.
 *   err    TY_ERR_SIZE: path too long
 *          TY_ERR_IO: errno is set (EEXIST: exists and TY_FILE_REPLACE is not given; EISDIR: a
 *          directory; EINVAL: a device, pipe or socket, which is never replaced) */
TY_API TY_MUST_CHECK ty_err ty_file_create(ty_file *f, const char *path, unsigned flags);

/* ty_file_write: append all len bytes.     err    TY_ERR_IO: errno is set; call ty_file_abort */
TY_API TY_MUST_CHECK ty_err ty_file_write(ty_file *f, const void *data, size_t len);

/* ty_file_commit: sync, give the file its name, sync the directory. On an error the temporary file
 * is gone and the name is as it was; only if the very last step fails, the sync of the directory,
 * is the complete file in place.
 *   err    TY_ERR_IO: errno is set; EEXIST, EISDIR and EINVAL as for ty_file_create, because the
 *          name is checked again */
TY_API TY_MUST_CHECK ty_err ty_file_commit(ty_file *f);

/* ty_file_abort: remove the temporary file. Harmless on a file that is committed or aborted. */
TY_API void ty_file_abort(ty_file *f);

/* ty_parallel: calls part(ctx, from, to) for ranges [from, to) of `grain` consecutive numbers (the
 * last may be shorter), which together are 0 .. n-1, each number once, on several threads, the
 * calling one among them. Returns when all ranges are done.
 *   in     grain 0 counts as 1. threads: the maximum; 0 for one per CPU that this process may use;
 *          never more than 64.
 *          part runs on several threads at once, must not touch what a call for another range
 *          writes, and must not leave by longjmp. A random source that the calls share must be
 *          thread-safe: ty_rng_system is
 *   err    the error of the lowest range for which part returned one. All other ranges are
 *          processed all the same
 *   notes  If threads cannot be created, fewer are used, down to the calling one alone. New threads
 *          take no signals, and have 1 MB of stack at least.
 *          With jobs of <tongyu/sm2_many.h>: part calls ty_sm2_many_verify(jobs + from, to - from),
 *          grain 64 to 256; the same with those of <tongyu/ecdsa_many.h>, grain 32 to 64 */
TY_API TY_MUST_CHECK ty_err ty_parallel(size_t n, size_t grain, unsigned threads,
                                        ty_err (*part)(void *ctx, size_t from, size_t to),
                                        void *ctx);

#if defined(__cplusplus)
}
#endif
#endif
