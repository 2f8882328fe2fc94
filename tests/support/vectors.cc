#include "support/vectors.hpp"
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

template class nlohmann::basic_json<>;
template class std::map<std::string, Json, std::less<>>;
template class std::vector<Json>;
template class std::vector<uint8_t>;

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
    return Json::parse(text);
}
