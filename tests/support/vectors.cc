#include "support/vectors.hpp"
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

template class std::vector<uint8_t>;

bool Json::truth() const
{
    if (text() != "true" && text() != "false") throw std::invalid_argument(text());
    return text() == "true";
}

std::ostream &operator<<(std::ostream &out, const Json &v)
{
    if (v.scalar) return out << *v.scalar;
    out << "{";
    for (const Json &item : v.items) out << " " << item;
    for (const auto &[key, member] : v.members) out << " " << key << ": " << member;
    return out << " }";
}

struct JsonReader {
    static Json read(const nlohmann::json &from)
    {
        Json v;
        if (from.is_string()) v.scalar = from.get<std::string>();
        else if (!from.is_structured()) v.scalar = from.dump();
        else if (from.is_array())
            for (const auto &item : from) v.items.push_back(read(item));
        else
            for (const auto &[key, member] : from.items()) v.members[key] = read(member);
        return v;
    }
};

static std::string unzipped(const std::string &path)
{
    std::string text;
    if (FILE *f = popen(("gzip -dc '" + path + "'").c_str(), "r")) {
        char part[1 << 16];
        for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;) text.append(part, n);
        pclose(f);
    }
    return text;
}

static std::string content(std::ifstream &f)
{
    std::ostringstream text;
    text << f.rdbuf();
    return text.str();
}

std::optional<Json> load_vectors(const std::string &name)
{
    const char *given = std::getenv("TONGYU_VECTORS");
    std::string path = (given ? given : TY_DEFAULT_VECTORS) + ("/" + name);
    std::ifstream f(path);
    if (!f) {
        path = TY_OWN_VECTORS + ("/" + name);
        f.open(path);
    }
    if (!f) {
        std::cout << "[  VECTORS ] " << name << " is absent: only the built-in examples run\n";
        return std::nullopt;
    }
    const bool zipped = name.size() > 3 && name.substr(name.size() - 3) == ".gz";
    const std::string text = zipped ? unzipped(path) : content(f);
    if (zipped && text.empty()) {   // for example, Windows without gzip
        std::cout << "[  VECTORS ] " << name << " needs gzip: only the built-in examples run\n";
        return std::nullopt;
    }
    return JsonReader::read(nlohmann::json::parse(text));
}
