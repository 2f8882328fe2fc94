// Vector files: JSON lists of hex strings. Those of tests/vectors are always there; the others,
// the "shared vectors" of the tests, are optional, in the folder TONGYU_VECTORS (by default
// shared/vectors beside the source tree), and a test without them is reported as skipped.
#pragma once
#include "support/hex.hpp"
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

extern template class std::vector<uint8_t>;   // in nearly every file: compiled once, in vectors.cc

// A value of such a file. The parser's own type stays in vectors.cc: its header takes longer to
// compile than most tests. What a file lacks, and what has another type, throws an exception.
class Json {
public:
    const Json &at(const std::string &key) const { return members.at(key); }
    bool contains(const std::string &key) const { return members.count(key) != 0; }
    std::string value(const std::string &key, const char *otherwise) const
    {
        return contains(key) ? at(key).text() : otherwise;
    }
    bool flag(const std::string &key) const { return contains(key) && at(key).truth(); }

    const std::string &text() const { return scalar.value(); }   // numbers in decimal
    size_t number() const { return std::stoul(text()); }
    bool truth() const;

    std::vector<Json>::const_iterator begin() const { return items.begin(); }
    std::vector<Json>::const_iterator end() const { return items.end(); }
    size_t size() const { return items.size(); }

private:
    friend struct JsonReader;   // vectors.cc
    friend std::ostream &operator<<(std::ostream &out, const Json &v);
    std::optional<std::string> scalar;
    std::vector<Json> items;
    std::map<std::string, Json> members;
};

inline bool operator==(const Json &v, const std::string &text) { return v.text() == text; }
inline bool operator!=(const Json &v, const std::string &text) { return v.text() != text; }

// The file's JSON, from the shared vectors or else tests/vectors, decompressed by gzip if its name
// ends in .gz; nothing if the file is absent, which is printed.
std::optional<Json> load_vectors(const std::string &name);

inline Bytes field(const Json &v, const char *key) { return unhex(v.at(key).text()); }
