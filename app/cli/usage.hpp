/* Mistakes on the command line, in our words. */
#ifndef TONGYU_CLI_USAGE_HPP
#define TONGYU_CLI_USAGE_HPP

#include "context.hpp"

/* Look at the words of the command line before CLI11 does: an unknown verb or option throws with a
 * suggestion. Returns them with the operands last, behind -- if it was given: CLI11 takes no
 * operand on either side of it. */
std::vector<std::string> check_words(const CLI::App &root, int argc, char *const *argv);

/* What CLI11 found wrong: what happened, and what to do next. */
Failure usage(const CLI::App &root, const CLI::ParseError &e);

#endif
