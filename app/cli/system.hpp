/* What the command asks of the system, by POSIX's names, and where systems differ more than that: a
 * function of system_posix.cc or system_windows.cc. */
#ifndef TONGYU_CLI_SYSTEM_HPP
#define TONGYU_CLI_SYSTEM_HPP

#if defined(_WIN32)
#include "posix_on_windows.hpp"
#else
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
using FileStat = struct stat;
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

/* What ends the directory in a name, what takes everything, and what somebody types into. */
#if defined(_WIN32)
constexpr char PATH_ENDS[] = "/\\:", NULL_DEVICE[] = "NUL", TERMINAL[] = "CONIN$";
#else
constexpr char PATH_ENDS[] = "/", NULL_DEVICE[] = "/dev/null", TERMINAL[] = "/dev/tty";
#endif

inline bool ends_directory(char c) { return c != '\0' && std::strchr(PATH_ENDS, c); }

/* Whether a name means the same from every directory. */
bool is_absolute(const std::string &path);

/* Before everything else: bytes go through standard streams as they are, and text is UTF-8. */
void prepare_streams();

/* A directory for temporary files, and the variable of the environment that names another. */
std::string temporary_directory();
extern const char *const temporary_directory_variable;

/* A new file without a name, or whose name goes with it, for this process alone: -1 and errno. */
int open_nameless();

/* A regular file that others on this machine can read, as far as its mode tells. */
bool others_can_read(const std::string &path);

/* The CPUs of this machine, at least 1; and what this process has had of them, in seconds. */
unsigned cpu_count();
double cpu_seconds();

/* The bytes of an address of the internet, and how many: 4 or 16, or 0 if text is none. */
size_t internet_address(uint8_t bytes[16], const std::string &text);

/* The terminal that somebody types into, whatever stdin is; -1 if there is none. */
int open_terminal();

/* Show text there; then a line that is typed, without its end, not shown. Returns its length, -1
 * and errno if text cannot be shown. */
long ask_quietly(int terminal, const std::string &text, uint8_t *line, size_t room);

#endif
