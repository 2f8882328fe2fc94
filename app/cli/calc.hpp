/* Integer expressions, parsed and evaluated in one pass. */
#ifndef TONGYU_CLI_CALC_HPP
#define TONGYU_CLI_CALC_HPP

#include "big.hpp"

#include <map>

/* An error in an expression; `at` is its offset in bytes. */
struct CalcError : Failure {
    size_t at;
    CalcError(Exit exit, size_t where, const std::string &what, const std::string &hint)
        : Failure(exit, what, hint), at(where) {}
};

class Calculator {
    std::map<std::string, Big> variables;

public:
    /* The value of "expression" or "name = expression", which is also assigned to the name and to
     * _. */
    Big evaluate(const std::string &text);
};

/* The functions, one per line with a description, for the help text. */
std::string calc_functions();

#endif
