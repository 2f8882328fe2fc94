/* The functions of system.hpp and posix_on_windows.hpp. Names are UTF-8: the program's manifest
 * makes it the code page. */
#if defined(_WIN32)
#include "system.hpp"
#include "context.hpp"
#include "signals.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <winsock2.h>   /* before windows.h, which has an older version */
#include <windows.h>
#include <ws2tcpip.h>

/* --- files ------------------------------------------------------------------------------------ */

static bool is_console(HANDLE h)
{
    DWORD mode;
    return GetConsoleMode(h, &mode) != 0;
}

int is_console(int fd) { return is_console(reinterpret_cast<HANDLE>(_get_osfhandle(fd))); }

static int facts_of(HANDLE h, FileStat *facts)
{
    *facts = FileStat();
    BY_HANDLE_FILE_INFORMATION of;
    if (GetFileType(h) == FILE_TYPE_CHAR) {
        facts->st_mode = S_IFCHR;
        facts->st_rdev = is_console(h) ? 1 : 2;   /* the console, or NUL */
    } else if (GetFileType(h) != FILE_TYPE_DISK) {
        facts->st_mode = S_IFIFO;
    } else if (GetFileInformationByHandle(h, &of)) {
        facts->st_mode = of.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? S_IFDIR : S_IFREG;
        facts->st_dev = of.dwVolumeSerialNumber;
        facts->st_ino = static_cast<uint64_t>(of.nFileIndexHigh) << 32 | of.nFileIndexLow;
        facts->st_size = static_cast<long long>(static_cast<uint64_t>(of.nFileSizeHigh) << 32 |
                                                of.nFileSizeLow);
    } else {
        errno = EACCES;
        return -1;
    }
    return 0;
}

int facts_of_fd(int fd, FileStat *facts)
{
    return facts_of(reinterpret_cast<HANDLE>(_get_osfhandle(fd)), facts);
}

int facts_of_name(const char *name, FileStat *facts)
{
    /* Without FILE_FLAG_BACKUP_SEMANTICS directories cannot be opened. */
    const HANDLE h =
        CreateFileA(name, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                    OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    if (h == INVALID_HANDLE_VALUE) {
        const DWORD why = GetLastError();
        const bool absent = why == ERROR_FILE_NOT_FOUND || why == ERROR_PATH_NOT_FOUND ||
                            why == ERROR_INVALID_NAME;
        errno = absent ? ENOENT : EACCES;
        return -1;
    }
    const int r = facts_of(h, facts);
    CloseHandle(h);
    return r;
}

char *realpath(const char *name, char *out) { return _fullpath(out, name, MAX_PATH); }

const char *const temporary_directory_variable = "TMP";

std::string temporary_directory()
{
    char dir[MAX_PATH + 1];
    const DWORD n = GetTempPathA(sizeof dir, dir);
    return n > 0 && n < sizeof dir ? std::string(dir, n) : ".\\";
}

int open_nameless()
{
    char name[MAX_PATH];
    const SignalsHeld held;
    if (!GetTempFileNameA(temporary_directory().c_str(), "ty", 0, name)) {
        errno = ENOENT;
        return -1;
    }
    /* It is deleted when it is closed. */
    const int fd = _open(name, _O_RDWR | _O_BINARY | _O_NOINHERIT | _O_TEMPORARY);
    if (fd < 0) {
        const int why = errno;
        DeleteFileA(name);
        errno = why;
    }
    return fd;
}

/* A name that begins with a drive, C:\name or C:name, is not relative to another directory
 * either. */
bool is_absolute(const std::string &path)
{
    return (!path.empty() && ends_directory(path[0])) || (path.size() > 1 && path[1] == ':');
}

/* Windows keeps the readers of a file in an access control list; its mode does not show them. */
bool others_can_read(const std::string &) { return false; }

/* --- the machine ------------------------------------------------------------------------------ */

unsigned cpu_count()
{
    SYSTEM_INFO machine;
    GetSystemInfo(&machine);
    return machine.dwNumberOfProcessors > 0 ? machine.dwNumberOfProcessors : 1;
}

static double seconds(const FILETIME &t)   /* in units of 100 ns */
{
    const uint64_t units = static_cast<uint64_t>(t.dwHighDateTime) << 32 | t.dwLowDateTime;
    return 1e-7 * static_cast<double>(units);
}

double cpu_seconds()
{
    FILETIME begun, ended, kernel, user;
    if (!GetProcessTimes(GetCurrentProcess(), &begun, &ended, &kernel, &user)) return 0;
    return seconds(kernel) + seconds(user);
}

size_t internet_address(uint8_t bytes[16], const std::string &text)
{
    const int family = text.find(':') == std::string::npos ? AF_INET : AF_INET6;
    if (inet_pton(family, text.c_str(), bytes) != 1) return 0;
    return family == AF_INET ? 4 : 16;
}

/* --- streams and the console ------------------------------------------------------------------ */

void prepare_streams()
{
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) _setmode(fd, _O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
    const HANDLE shown = GetStdHandle(STD_ERROR_HANDLE);
    DWORD mode;
    if (GetConsoleMode(shown, &mode))
        SetConsoleMode(shown, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

int open_terminal() { return _open(TERMINAL, _O_RDWR | _O_BINARY | _O_NOINHERIT); }

static bool show(const std::string &text)
{
    DWORD n;
    const HANDLE out =
        CreateFileA("CONOUT$", GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr,
                    OPEN_EXISTING, 0, nullptr);
    const bool good =
        out != INVALID_HANDLE_VALUE &&
        WriteFile(out, text.data(), static_cast<DWORD>(text.size()), &n, nullptr);
    if (out != INVALID_HANDLE_VALUE) CloseHandle(out);
    if (!good) errno = EIO;
    return good;
}

/* Typed text is UTF-16; it is converted to UTF-8, so that a password has the same bytes as on other
 * systems. */
long ask_quietly(int terminal, const std::string &text, uint8_t *line, size_t room)
{
    const HANDLE in = reinterpret_cast<HANDLE>(_get_osfhandle(terminal));
    std::vector<wchar_t> typed(room / 3);   /* a unit becomes at most three bytes */
    DWORD n = 0;
    bool good;
    {
        const NoEcho quiet(terminal);   /* first, so that early input is neither shown nor lost */
        good = show(text) &&
               ReadConsoleW(in, typed.data(), static_cast<DWORD>(typed.size()), &n, nullptr);
    }
    (void)show("\r\n");
    while (n > 0 && (typed[n - 1] == '\n' || typed[n - 1] == '\r')) n--;
    int len = 0;
    if (n > 0)
        len = WideCharToMultiByte(CP_UTF8, 0, typed.data(), static_cast<int>(n),
                                  reinterpret_cast<char *>(line), static_cast<int>(room), nullptr,
                                  nullptr);
    ty_wipe(typed.data(), typed.size() * sizeof(wchar_t));
    if (!good) errno = EIO;
    return good ? len : -1;
}

/* The provider for OpenSSL, which doctor examines, is not built on Windows. */
void add_doctor(CLI::App &, Context &) {}

/* --- libraries -------------------------------------------------------------------------------- */

void *dlopen(const char *name, int) { return reinterpret_cast<void *>(LoadLibraryA(name)); }

void *dlsym(void *library, const char *name)
{
    return reinterpret_cast<void *>(GetProcAddress(static_cast<HMODULE>(library), name));
}

int dlclose(void *library) { return FreeLibrary(static_cast<HMODULE>(library)) ? 0 : -1; }
#endif
