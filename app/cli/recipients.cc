#include "recipients.hpp"
#include "io.hpp"
#include "system.hpp"

#include <algorithm>

constexpr size_t LIST_MAX = 1024 * 1024;

Recipients::Recipients(Context &ctx, const std::vector<std::string> &keys, const std::string &list)
{
    for (const auto &name : keys) {
        Wiped<ty_key> k;
        load_key(ctx, k, name, Password(), Need::Public);
        add(k.pub, name);
    }
    if (!list.empty()) add_list(ctx, list);
}

void Recipients::add(const ty_sm2_pub &pub, const std::string &name)
{
    for (size_t i = 0; i < pubs.size(); i++)
        if (ty_equal(&pubs[i], &pub, sizeof pub))
            throw Failure(EXIT_USAGE,
                          name + ": the same key as " + names[i] + ", for one reader twice",
                          "omit one of them");
    pubs.push_back(pub);
    names.push_back(name);
}

/* Without its remark, and the white space around. */
static std::string trimmed(std::string line)
{
    line.erase(std::min(line.find('#'), line.size()));
    const size_t from = line.find_first_not_of(" \t\r"), to = line.find_last_not_of(" \t\r");
    return from == std::string::npos ? "" : line.substr(from, to - from + 1);
}

/* 64 bytes x || y, or a point, whole or compressed. A file with such a name would be an odd one. */
static bool is_key_in_digits(const std::string &line)
{
    return (line.size() == 66 || line.size() == 128 || line.size() == 130) &&
           std::all_of(line.begin(), line.end(),
                       [](char c) { return is_digit(static_cast<uint8_t>(c)); });
}

void Recipients::add_list(Context &ctx, const std::string &list)
{
    const Secret text = Input(list).read_all(LIST_MAX, "a list of readers");
    const size_t slash = list.find_last_of(PATH_ENDS), before = pubs.size();
    const std::string dir = slash == std::string::npos ? "" : list.substr(0, slash + 1);
    const char *p = text.chars(), *const end = p + text.size();
    std::string pem;
    for (size_t number = 1; p < end; number++) {
        const char *const eol = std::find(p, end, '\n');
        const std::string whole(p, eol), line = pem.empty() ? trimmed(whole) : whole,
                                         where = list + ": line " + std::to_string(number);
        p = eol == end ? end : eol + 1;
        const auto read = [&](const std::string &key) {
            Wiped<ty_key> k;
            read_key(ctx, k, Secret(key.data(), key.size()), where, Password(), Need::Public);
            add(k.pub, where);
        };
        if (!pem.empty() || line.compare(0, 11, "-----BEGIN ") == 0) {
            pem += whole + "\n";
            if (line.compare(0, 9, "-----END ") != 0) continue;
            read(pem);
            pem.clear();
        } else if (is_key_in_digits(line)) {
            read(line);
        } else if (!line.empty()) {
            const std::string name = is_absolute(line) ? line : dir + line;
            if (is_stdin(line) || is_stdin(name))
                throw Failure(EXIT_INPUT, where + ": stdin is no key file in a list",
                              "name the file, or give it with -k -");
            Wiped<ty_key> k;
            load_key(ctx, k, name, Password(), Need::Public);
            add(k.pub, name);
        }
    }
    if (!pem.empty())
        throw Failure(EXIT_INPUT, list + ": a key in PEM without its last line",
                      "get the list again");
    if (pubs.size() == before)
        throw Failure(EXIT_INPUT, list + ": no reader in it",
                      "write names of key files into it, one a line");
}
