/* Suggestions for misspelt names. */
#ifndef TONGYU_CLI_DID_YOU_MEAN_HPP
#define TONGYU_CLI_DID_YOU_MEAN_HPP

#include <string>
#include <vector>

/* The nearest candidate by edit distance as "did you mean X?", or an empty string if none is
 * near. */
std::string did_you_mean(const std::string &word, const std::vector<std::string> &candidates);

#endif
