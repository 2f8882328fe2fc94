#include "fail.hpp"

#include <cerrno>
#include <cstring>

Exit exit_of(ty_err err)
{
    switch (err) {
    case TY_OK:              return EXIT_GOOD;
    case TY_ERR_VERIFY:      return EXIT_REFUSED;
    case TY_ERR_FORMAT:
    case TY_ERR_UNSUPPORTED:
    case TY_ERR_SIZE:
    case TY_ERR_KEY:         return EXIT_INPUT;
    default:                 return EXIT_INTERNAL;
    }
}

void check(ty_err err, const std::string &what, const std::string &next)
{
    if (err == TY_OK) return;
    const int saved = errno;
    std::string text = what + ": " + ty_err_text(err);
    if (err == TY_ERR_IO) text += " (" + errno_text(saved) + ")";
    throw Failure(exit_of(err), text, next);
}

std::string errno_text(int err)
{
    switch (err) {
    case ENOENT: return "no such file or directory";
    case EACCES: return "permission denied";
    case EISDIR: return "is a directory";
    case ENOSPC: return "no space left on the device";
    default:     return std::strerror(err);
    }
}
