/* Lists of readers, as text. A line is the name of a key file, a public key in hexadecimal digits,
 * or empty; # begins a remark; keys in PEM may stand among them. */
#ifndef TONGYU_CLI_RECIPIENT_LIST_HPP
#define TONGYU_CLI_RECIPIENT_LIST_HPP

#include <string>
#include <vector>

struct ListedReader {
    bool is_file;       /* text is the name of a key file; otherwise the key, in digits or PEM */
    std::string text;
    size_t line;        /* the last one of it, from 1 */
};

/* list: what messages call it. A key in PEM that does not end, and a zero
 * byte, are Failures. */
std::vector<ListedReader> parse_recipient_list(const char *text, size_t len,
                                               const std::string &list);

#endif
