/* Lines of lists of digests, as coreutils, BSD and OpenSSL write them. */
#ifndef TONGYU_CLI_DIGEST_LIST_HPP
#define TONGYU_CLI_DIGEST_LIST_HPP

#include <string>

/* The contents of a line. alg: the hash that it names, spelt as for --alg; empty if it names none,
 * like the lines of coreutils. */
struct ListLine {
    std::string alg, digest, name;   /* digest in lower case */
};

/* Parses "digest  name", "digest *name", "SHA256 (name) = digest" and "SHA2-256(name)= digest". A
 * leading backslash means that the name is escaped, unless `zero` is set for a list of -z, in
 * which names are not escaped. digits: the length of the digest in a line that does not name its
 * hash. False for anything else. */
bool parse_list_line(ListLine &out, std::string line, size_t digits, bool zero);

/* A name with a newline, a carriage return or a backslash is escaped, and its line starts with a
 * backslash, so that each file has one line. unescape returns false if a backslash is followed by
 * anything but n, r or a backslash. */
std::string escaped(const std::string &name);
bool unescape(std::string &name);

#endif
