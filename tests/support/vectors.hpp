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
using Bytes = std::vector<uint8_t>;
extern template class nlohmann::basic_json<>;
extern template class std::vector<uint8_t>;
extern template class std::vector<Json>;
extern template class std::map<std::string, Json, std::less<>>;

std::optional<Json> load_vectors(const std::string &name);

inline Bytes field(const Json &v, const char *key) { return unhex(v.at(key).get<std::string>()); }
