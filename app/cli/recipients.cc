#include "recipients.hpp"
#include "io.hpp"
#include "recipient_list.hpp"
#include "system.hpp"

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
                          name + ": the same key as " + names[i] + ", so one reader is named twice",
                          "omit one of them");
    pubs.push_back(pub);
    names.push_back(name);
}

void Recipients::add_list(Context &ctx, const std::string &list)
{
    const Secret text = Input(list).read_all(LIST_MAX, "a list of readers");
    const size_t slash = list.find_last_of(PATH_ENDS);
    const std::string dir = slash == std::string::npos ? "" : list.substr(0, slash + 1);
    const auto readers = parse_recipient_list(text.chars(), text.size(), list);
    for (const auto &r : readers) {
        const std::string where = list + ": line " + std::to_string(r.line);
        const std::string name = !r.is_file ? where : is_absolute(r.text) ? r.text : dir + r.text;
        if (r.is_file && (is_stdin(r.text) || is_stdin(name)))
            throw Failure(EXIT_INPUT, where + ": a list cannot name stdin as a key file",
                          "name the file, or give it with -k -");
        Wiped<ty_key> k;
        if (r.is_file) load_key(ctx, k, name, Password(), Need::Public);
        else
            read_key(ctx, k, Secret(r.text.data(), r.text.size()), where, Password(), Need::Public);
        add(k.pub, name);
    }
    if (readers.empty())
        throw Failure(EXIT_INPUT, list + ": names no readers",
                      "write names of key files into it, one per line");
}
