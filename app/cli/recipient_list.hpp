/* Lists of readers, as text. A line is the name of a key file, a public key in hexadecimal digits,
 * or empty; # begins a comment. A list may also contain keys in PEM. */
#ifndef TONGYU_CLI_RECIPIENT_LIST_HPP
#define TONGYU_CLI_RECIPIENT_LIST_HPP

#include <string>
#include <vector>

struct ListedReader {
    bool is_file;       /* text is the name of a key file; otherwise the key, in hex or PEM */
    std::string text;
    size_t line;        /* its last line in the list, from 1 */
};

/* list: the name of the list in messages. A zero byte, and a key in PEM without its last line, are
 * Failures. */
std::vector<ListedReader> parse_recipient_list(const char *text, size_t len,
                                               const std::string &list);

#endif
