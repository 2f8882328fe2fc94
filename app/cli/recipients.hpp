/* For whom a file is sealed: public keys one by one, and lists of them. */
#ifndef TONGYU_CLI_RECIPIENTS_HPP
#define TONGYU_CLI_RECIPIENTS_HPP

#include "keys.hpp"

#include <vector>

/* keys are key files; list is the file of a list, and the names in it start from where it lies. The
 * same key twice is refused. */
struct Recipients {
    std::vector<ty_sm2_pub> pubs;
    std::vector<std::string> names;

    Recipients(Context &ctx, const std::vector<std::string> &keys, const std::string &list);

private:
    void add(const ty_sm2_pub &pub, const std::string &name);
    void add_list(Context &ctx, const std::string &list);
};

#endif
