/* For whom a file is sealed: public keys one by one, and lists of them. */
#ifndef TONGYU_CLI_RECIPIENTS_HPP
#define TONGYU_CLI_RECIPIENTS_HPP

#include "keys.hpp"

#include <vector>

/* keys are key files. A list is a text: a line is the name of a key file (from where the list
 * lies), a public key in hexadecimal digits, or empty; # begins a remark; keys in PEM may stand
 * among them. The same key twice is refused. */
struct Recipients {
    std::vector<ty_sm2_pub> pubs;
    std::vector<std::string> names;

    Recipients(Context &ctx, const std::vector<std::string> &keys, const std::string &list);

private:
    void add(const ty_sm2_pub &pub, const std::string &name);
    void add_list(Context &ctx, const std::string &list);
};

#endif
