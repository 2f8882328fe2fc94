// Vector files: JSON lists of hex strings. Those of tests/vectors are always there; the others are
// optional, TONGYU_VECTORS says where they are, and a test that has none says `skipped`.
#pragma once
#include "support/hex.hpp"
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

using Json = nlohmann::json;

// Large, and in nearly every file: compiled once, in vectors.cc.
extern template class nlohmann::basic_json<>;
extern template class std::map<std::string, Json, std::less<>>;
extern template class std::vector<Json>;
extern template class std::vector<uint8_t>;

// The file's JSON, from TONGYU_VECTORS or else tests/vectors, through gzip where its name ends in
// .gz, or nothing where the file is absent (said once on the console).
std::optional<Json> load_vectors(const std::string &name);

inline Bytes field(const Json &v, const char *key) { return unhex(v.at(key).get<std::string>()); }
