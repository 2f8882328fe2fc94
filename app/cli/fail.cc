#include "fail.hpp"

#include <cerrno>
#include <cstring>

const ExitMeaning exit_meanings[5] = {
    {EXIT_GOOD, "success"},
    {EXIT_REFUSED, "a signature, tag, digest or password does not verify, a file is not sealed for "
                   "this key, or one of many files failed"},
    {EXIT_USAGE, "usage, or an output file that exists"},
    {EXIT_INPUT, "unreadable or malformed input"},
    {EXIT_INTERNAL, "anything else: the output cannot be written, no memory, no randomness"},
};

Exit exit_of(ty_err err)
{
    switch (err) {
    case TY_OK:              return EXIT_GOOD;
    case TY_ERR_VERIFY:      return EXIT_REFUSED;
    case TY_ERR_FORMAT:
    case TY_ERR_UNSUPPORTED:
    case TY_ERR_SIZE:
    case TY_ERR_NO_INVERSE:
    case TY_ERR_KEY:         return EXIT_INPUT;
    default:                 return EXIT_INTERNAL;
    }
}

void check(ty_err err, const std::string &what, const std::string &next)
{
    if (err == TY_OK) return;
    const int saved = errno;
    throw Failure(exit_of(err),
                  what + ": " + (err == TY_ERR_IO ? errno_text(saved) : ty_err_text(err)), next);
}

std::string errno_text(int err)
{
    switch (err) {
    case ENOENT:  return "no such file or directory";
    case EBADF:   return "is closed";
    case EACCES:  return "permission denied";
    case ENOTDIR: return "a part of the name is not a directory";
    case EISDIR:  return "is a directory";
    case ENOSPC:  return "no space left on the device";
    default:      return std::strerror(err);
    }
}

std::string after_write_error(int err)
{
    return err == EBADF ? "redirect it to a file or a pipe" : "the output is incomplete";
}
