/* The readers for whom a file is sealed. */
#ifndef TONGYU_CLI_RECIPIENTS_HPP
#define TONGYU_CLI_RECIPIENTS_HPP

#include "keys.hpp"

#include <vector>

/* keys are names of key files. list is the name of a list of readers, or empty; the names in it are
 * relative to its directory. The same key twice is a Failure. */
struct Recipients {
    std::vector<ty_sm2_pub> pubs;
    std::vector<std::string> names;

    Recipients(Context &ctx, const std::vector<std::string> &keys, const std::string &list);

private:
    void add(const ty_sm2_pub &pub, const std::string &name);
    void add_list(Context &ctx, const std::string &list);
};

#endif
