/* The command's interface to the operating system: names of POSIX, and functions of system_posix.cc
 * or system_windows.cc where systems differ more. */
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

/* The characters that end a directory in a name, the null device, and the terminal. */
#if defined(_WIN32)
constexpr char PATH_ENDS[] = "/\\:", NULL_DEVICE[] = "NUL", TERMINAL[] = "CONIN$";
#else
constexpr char PATH_ENDS[] = "/", NULL_DEVICE[] = "/dev/null", TERMINAL[] = "/dev/tty";
#endif

inline bool ends_directory(char c) { return c != '\0' && std::strchr(PATH_ENDS, c); }

/* Whether a name means the same from every directory. */
bool is_absolute(const std::string &path);

/* To be called first. No file gets the number of a standard stream that is closed: reading and
 * writing such a stream fails. On Windows the streams become binary, and the text on them UTF-8. */
void prepare_streams();

/* A directory for temporary files, and the environment variable that selects another one. */
std::string temporary_directory();
extern const char *const temporary_directory_variable;

/* Opens a new temporary file that has no name, or is deleted when it is closed, for this process
 * alone. Returns -1 with errno if that fails. */
int open_nameless();

/* Whether this is a regular file whose mode lets other users of this machine read it. */
bool others_can_read(const std::string &path);

/* The number of CPUs of this machine, at least 1; the CPU time of this process, in seconds. */
unsigned cpu_count();
double cpu_seconds();

/* Parses an IP address. Returns its length in bytes, 4 or 16, or 0 if text is not an address. */
size_t internet_address(uint8_t bytes[16], const std::string &text);

/* Opens the terminal of the user, whatever stdin is; -1 if there is none. */
int open_terminal();

/* Writes text to the terminal, then reads a line of at most `room` bytes with echo off, without
 * its end. Returns its length, or -1 with errno if that fails. */
long ask_quietly(int terminal, const std::string &text, uint8_t *line, size_t room);

#endif
