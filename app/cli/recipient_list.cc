#include "recipient_list.hpp"
#include "secret.hpp"

#include <algorithm>

/* The line without its comment and the surrounding white space */
static std::string trimmed(std::string line)
{
    line.erase(std::min(line.find('#'), line.size()));
    const size_t from = line.find_first_not_of(" \t\r"), to = line.find_last_not_of(" \t\r");
    return from == std::string::npos ? "" : line.substr(from, to - from + 1);
}

/* Whether the line is x || y or a point, compressed or not, in hexadecimal digits; no file is
 * expected to have such a name. */
static bool is_key_in_digits(const std::string &line)
{
    return (line.size() == 66 || line.size() == 128 || line.size() == 130) &&
           std::all_of(line.begin(), line.end(),
                       [](char c) { return is_digit(static_cast<uint8_t>(c)); });
}

std::vector<ListedReader> parse_recipient_list(const char *text, size_t len,
                                               const std::string &list)
{
    std::vector<ListedReader> readers;
    std::string pem;
    const char *p = text, *const end = text + len;
    for (size_t number = 1; p < end; number++) {
        const char *const eol = std::find(p, end, '\n');
        const std::string whole(p, eol), line = pem.empty() ? trimmed(whole) : whole;
        p = eol == end ? end : eol + 1;
        if (whole.find('\0') != std::string::npos)
            throw Failure(EXIT_INPUT, list + ": line " + std::to_string(number) + ": a zero byte",
                          "check that it is the right file; a list is text");
        if (!pem.empty() || line.compare(0, 11, "-----BEGIN ") == 0) {
            pem += (pem.empty() ? line : whole) + "\n";
            if (line.compare(0, 9, "-----END ") != 0) continue;
            readers.push_back({false, std::move(pem), number});
            pem.clear();
        } else if (!line.empty()) {
            readers.push_back({!is_key_in_digits(line), line, number});
        }
    }
    if (!pem.empty())
        throw Failure(EXIT_INPUT, list + ": a key in PEM without its last line",
                      "get the list again");
    return readers;
}
