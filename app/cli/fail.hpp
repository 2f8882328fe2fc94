/* How a verb fails: one sentence about what happened, one about what to do next, one exit
 * status. */
#ifndef TONGYU_CLI_FAIL_HPP
#define TONGYU_CLI_FAIL_HPP

#include "tongyu/base.h"

#include <stdexcept>
#include <string>

enum Exit { EXIT_GOOD = 0, EXIT_REFUSED = 1, EXIT_USAGE = 2, EXIT_INPUT = 3, EXIT_INTERNAL = 4 };

/* The meaning of each, in the words of --help, the man page and docs/cli.md. */
struct ExitMeaning {
    Exit status;
    const char *text;
};
extern const ExitMeaning exit_meanings[5];

struct Failure : std::runtime_error {
    Exit status;
    std::string next;
    Failure(Exit exit, const std::string &what, std::string next_step = "")
        : std::runtime_error(what), status(exit), next(std::move(next_step)) {}
    std::string line() const { return next.empty() ? what() : std::string(what()) + "; " + next; }
};

/* The exit status for an error that the library returned for some input. */
Exit exit_of(ty_err err);

/* Throws unless err is TY_OK. `what` names the thing that went wrong: "key.pem", "the random
 * source". */
void check(ty_err err, const std::string &what, const std::string &next = "");

/* The text for an errno, in plain words for the usual ones. */
std::string errno_text(int err);

/* What to say after an errno of writing to stdout, a device or a pipe. */
std::string after_write_error(int err);

#endif
