/* Messages about mistakes on the command line, in place of CLI11's. */
#ifndef TONGYU_CLI_USAGE_HPP
#define TONGYU_CLI_USAGE_HPP

#include "context.hpp"

/* Checks the words of the command line before CLI11 parses them: an unknown verb or option throws
 * with a suggestion. Returns the words with the operands last, after -- if it was given, because
 * CLI11 does not accept operands on both sides of it. */
std::vector<std::string> check_words(const CLI::App &root, int argc, char *const *argv);

/* The Failure for an error that CLI11 found: what happened, and what to do next. */
Failure usage(const CLI::App &root, const CLI::ParseError &e);

#endif
