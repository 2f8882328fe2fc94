// Vector files: JSON lists of hex strings. Those of tests/vectors are always there; the others are
// optional, in the folder TONGYU_VECTORS, and a test without them is reported as skipped.
#pragma once
#include "support/hex.hpp"
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

using Json = nlohmann::json;

// These templates are large and used in nearly every file: they are compiled once, in vectors.cc.
extern template class nlohmann::basic_json<>;
extern template class std::map<std::string, Json, std::less<>>;
extern template class std::vector<Json>;
extern template class std::vector<uint8_t>;

// The file's JSON, from TONGYU_VECTORS or else tests/vectors, decompressed by gzip if its name ends
// in .gz; nothing if the file is absent, which is printed.
std::optional<Json> load_vectors(const std::string &name);

inline Bytes field(const Json &v, const char *key) { return unhex(v.at(key).get<std::string>()); }
