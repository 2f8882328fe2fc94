/* Expressions of integers: read and computed in one pass. */
#ifndef TONGYU_CLI_CALC_HPP
#define TONGYU_CLI_CALC_HPP

#include "big.hpp"

#include <map>

/* What is wrong with an expression, and at which of its characters, counted from 0. */
struct CalcError : Failure {
    size_t at;
    CalcError(Exit exit, size_t where, const std::string &what, const std::string &hint)
        : Failure(exit, what, hint), at(where) {}
};

class Calculator {
    std::map<std::string, Big> variables;

public:
    /* The value of "expression" or "name = expression", which is then also that of the name and of
     * _. */
    Big evaluate(const std::string &text);
};

/* The functions, one on a line with what they do: for the help. */
std::string calc_functions();

#endif
