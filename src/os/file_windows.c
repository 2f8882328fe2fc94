/* Files that appear whole or not at all, on Windows: write a temporary file in the same directory,
 * flush it, move it to its name. Names are UTF-8. */
#include "os/system.h"
#include "tongyu/os.h"

#if defined(_WIN32)
#include <windows.h>

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <sddl.h>
#include <stdio.h>
#include <string.h>

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

/* GetLastError as an errno */
static int last_error(void)
{
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_NETPATH:
    case ERROR_PATH_NOT_FOUND:     return ENOENT;
    case ERROR_DIRECTORY:          return ENOTDIR;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:     return EEXIST;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_WRITE_PROTECT:      return EACCES;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:   return ENOSPC;
    case ERROR_NOT_SAME_DEVICE:    return EXDEV;
    case ERROR_TOO_MANY_OPEN_FILES: return EMFILE;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:        return ENOMEM;
    case ERROR_FILENAME_EXCED_RANGE: return ENAMETOOLONG;
    case ERROR_NO_UNICODE_TRANSLATION: return EILSEQ;
    default:                       return EIO;
    }
}

/* The length of the directory part of path with its separator: "a\b/c" -> 4, "C:c" -> 2,
 * "c" -> 0. */
static size_t dir_len(const char *path)
{
    size_t n = strlen(path);
    while (n > 0 && path[n - 1] != '/' && path[n - 1] != '\\' && path[n - 1] != ':') n--;
    return n;
}

/* The absolute path, with the prefix that lifts the limit of 260 characters. Returns 0 or an
 * errno. */
enum { WIDE = 4096 };
static const wchar_t long_local[] = L"\\\\?\\", long_share[] = L"\\\\?\\UNC\\";

static int wide(wchar_t out[WIDE], const char *path)
{
    wchar_t given[sizeof ((ty_file *)0)->temp], whole[WIDE - 8];
    if (!MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, given,
                             sizeof given / sizeof *given))
        return last_error();
    const DWORD n = GetFullPathNameW(given, WIDE - 8, whole, NULL);
    if (n == 0) return last_error();
    if (n >= WIDE - 8) return ENAMETOOLONG;
    const wchar_t *prefix = long_local, *rest = whole;
    if (whole[0] == '\\' && whole[1] == '\\') {
        if (whole[2] == '.' && whole[3] == '\\') return EINVAL;   /* a device: "NUL" is \\.\NUL */
        const int plain = whole[2] == '?' && whole[3] == '\\';
        prefix = plain ? L"" : long_share;
        rest = plain ? whole : whole + 2;
    }
    wcscpy(out, prefix);
    wcscat(out, rest);
    return 0;
}

/* Checks whether path may be the target of a move: it does not exist, or is a file that may be
 * replaced. Returns 0 or an errno. */
static int may_take(const char *path, unsigned flags)
{
    wchar_t name[WIDE];
    const int bad = wide(name, path);
    if (bad) return bad;
    const DWORD a = GetFileAttributesW(name);
    if (a == INVALID_FILE_ATTRIBUTES) {
        const int number = last_error();
        return number == ENOENT ? 0 : number;
    }
    if (!(flags & TY_FILE_REPLACE)) return EEXIST;
    if (a & FILE_ATTRIBUTE_DIRECTORY) return EISDIR;
    return a & FILE_ATTRIBUTE_DEVICE ? EINVAL : 0;
}

/* A name in the directory of path that cannot be guessed or be in use. */
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

/* The security descriptor of a private file: full access for this user and the system, and nothing
 * inherited from the directory. The caller frees it with LocalFree. NULL and errno if it fails. */
static PSECURITY_DESCRIPTOR only_mine(void)
{
    union { TOKEN_USER user; uint8_t room[sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE]; } of;
    char text[256];
    DWORD len;
    HANDLE token;
    LPSTR sid = NULL;
    PSECURITY_DESCRIPTOR made = NULL;
    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token)) {
        errno = last_error();
        return NULL;
    }
    if (GetTokenInformation(token, TokenUser, &of, sizeof of, &len) &&
        ConvertSidToStringSidA(of.user.User.Sid, &sid)) {
        (void)snprintf(text, sizeof text, "D:P(A;;FA;;;%s)(A;;FA;;;SY)", sid);
        (void)ConvertStringSecurityDescriptorToSecurityDescriptorA(text, SDDL_REVISION_1, &made,
                                                                   NULL);
    }
    errno = last_error();
    if (sid) LocalFree(sid);
    CloseHandle(token);
    return made;
}

/* A new file, not inherited by child processes. Returns a descriptor, or -1 and errno. */
static int open_new(const char *path, unsigned flags)
{
    wchar_t name[WIDE];
    SECURITY_ATTRIBUTES s = { sizeof s, NULL, FALSE };
    const int bad = wide(name, path);
    if (bad) {
        errno = bad;
        return -1;
    }
    if ((flags & TY_FILE_PRIVATE) && !(s.lpSecurityDescriptor = only_mine())) return -1;
    const HANDLE h = CreateFileW(name, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE, &s,
                                 CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
    errno = last_error();
    if (s.lpSecurityDescriptor) LocalFree(s.lpSecurityDescriptor);
    if (h == INVALID_HANDLE_VALUE) return -1;
    const int fd = _open_osfhandle((intptr_t)h, _O_WRONLY | _O_BINARY);
    if (fd < 0) {
        CloseHandle(h);
        (void)DeleteFileW(name);
        errno = EMFILE;
    }
    return fd;
}

ty_err ty_file_create(ty_file *f, const char *path, unsigned flags)
{
    const size_t len = strnlen(path, sizeof f->path);
    memset(f, 0, sizeof *f);
    f->fd = -1;
    f->flags = flags;
    if (len == sizeof f->path) return TY_ERR_SIZE;
    if (len == 0) return io_error(ENOENT);
    if (dir_len(path) == len) return io_error(EISDIR);
    const int obstacle = may_take(path, flags);
    if (obstacle) return io_error(obstacle);

    memcpy(f->path, path, len + 1);
    memcpy(f->temp, path, dir_len(path));
    for (int tries = 0; f->fd < 0 && tries < TEMP_TRIES; tries++) {
        ty_err err = temp_name(f);
        if (err == TY_OK) {
            f->fd = open_new(f->temp, flags);
            if (f->fd < 0 && errno != EEXIST) err = TY_ERR_IO;
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
        const int n = _write(f->fd, p, len < INT_MAX ? (unsigned)len : INT_MAX);
        if (n < 0) return TY_ERR_IO;
        /* no progress and no reason given: never loop on it */
        if (n == 0) return io_error(ENOSPC);
        p += n;
        len -= (size_t)n;
    }
    return TY_OK;
}

/* Renames temp to path atomically; the change is written to the disk before the call returns.
 * Returns 0 or an errno. */
static int give_name(const char *temp, const char *path, unsigned flags)
{
    wchar_t from[WIDE], to[WIDE];
    int bad = wide(from, temp);
    if (!bad) bad = wide(to, path);
    if (bad) return bad;
    const DWORD replace = flags & TY_FILE_REPLACE ? MOVEFILE_REPLACE_EXISTING : 0;
    return MoveFileExW(from, to, MOVEFILE_WRITE_THROUGH | replace) ? 0 : last_error();
}

ty_err ty_file_commit(ty_file *f)
{
    if (f->fd < 0) return io_error(EBADF);
    int number = _commit(f->fd) == 0 ? 0 : errno;
    if (!number) {
        number = _close(f->fd) == 0 ? 0 : errno;
        f->fd = -1;
    }
    if (!number) number = may_take(f->path, f->flags);   /* create may have been long ago */
    if (!number) number = give_name(f->temp, f->path, f->flags);
    if (!number) f->temp[0] = '\0';
    ty_file_abort(f);   /* nothing to do if all went well */
    return number ? io_error(number) : TY_OK;
}

void ty_file_abort(ty_file *f)
{
    const int number = errno;   /* the error that made the caller give up is the one to report */
    wchar_t name[WIDE];
    if (f->fd >= 0) _close(f->fd);
    if (f->temp[0] && wide(name, f->temp) == 0) (void)DeleteFileW(name);
    f->fd = -1;
    f->temp[0] = '\0';
    errno = number;
}
#endif
