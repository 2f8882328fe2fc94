// Vector files that are kept compressed: JSON through gzip, which every system of this project has.
#pragma once
#include "support/vectors.hpp"
#include <cstdio>

inline std::optional<Json> load_gz_vectors(const std::string &name)
{
    const std::string path = vectors_dir() + "/" + name;
    std::string text;
    if (std::ifstream(path).good())
        if (FILE *f = popen(("gzip -dc '" + path + "'").c_str(), "r")) {
            char part[1 << 16];
            for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;) text.append(part, n);
            pclose(f);
        }
    if (text.empty()) {
        std::cout << "[  VECTORS ] " << name << " is absent: only the built-in examples run\n";
        return std::nullopt;
    }
    return Json::parse(text);
}
