// The shared vector files: JSON lists of hex strings. They are optional: a clone of the project alone
// passes with the standards' own examples, which are written into the tests.
#pragma once
#include "support/hex.hpp"
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

using Json = nlohmann::json;

inline std::string vectors_dir()
{
    const char *e = std::getenv("TONGYU_VECTORS");
    return e ? e : TY_DEFAULT_VECTORS;
}

// The file's JSON, or nothing where the file is absent (said once on the console).
inline std::optional<Json> load_vectors(const std::string &name)
{
    std::ifstream f(vectors_dir() + "/" + name);
    if (!f) {
        std::cout << "[  VECTORS ] " << name << " is absent: only the built-in examples run\n";
        return std::nullopt;
    }
    return Json::parse(f);
}

inline Bytes field(const Json &v, const char *key) { return unhex(v.at(key).get<std::string>()); }
