/* Lines of lists of digests, as coreutils, BSD and OpenSSL write them. */
#ifndef TONGYU_CLI_DIGEST_LIST_HPP
#define TONGYU_CLI_DIGEST_LIST_HPP

#include <string>

/* What a line says. alg: the hash that it names, as --alg has it; empty where a line names none,
 * which coreutils' do not. */
struct ListLine {
    std::string alg, digest, name;   /* digest in small letters */
};

/* "digest  name", "digest *name"; "SHA256 (name) = digest"; "SHA2-256(name)= digest". In the first
 * two a leading backslash says that the name is escaped, unless the list is one of -z, where every
 * name is as it is. digits: how long a digest is of which the line does not name the hash. False
 * for anything else. */
bool parse_list_line(ListLine &out, std::string line, size_t digits, bool zero);

/* A name with a newline, a carriage return or a backslash is escaped, and its line starts with a
 * backslash: one line stays one file. unescape is false for what escaped never writes. */
std::string escaped(const std::string &name);
bool unescape(std::string &name);

#endif
