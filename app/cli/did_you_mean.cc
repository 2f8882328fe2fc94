#include "did_you_mean.hpp"

#include <algorithm>

/* Optimal string alignment distance (restricted Damerau-Levenshtein): insertions, deletions,
 * substitutions and transpositions of adjacent characters. */
static size_t distance(const std::string &a, const std::string &b)
{
    std::vector<size_t> before, above(b.size() + 1), row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); j++) above[j] = j;
    for (size_t i = 1; i <= a.size(); i++) {
        row[0] = i;
        for (size_t j = 1; j <= b.size(); j++) {
            row[j] =
                std::min({ above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1]) });
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before = above;
        above = row;
    }
    return above[b.size()];
}

/* In lower case, so that differences in case do not count. */
static std::string lower_case(std::string word)
{
    for (char &c : word)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 'a' - 'A');
    return word;
}

std::string did_you_mean(const std::string &typed, const std::vector<std::string> &candidates)
{
    const std::string word = lower_case(typed);
    size_t best = 1 + std::max<size_t>(1, word.size() / 3);
    std::string found;
    for (const auto &c : candidates) {
        /* The beginning of a longer name counts as distance 1. */
        const std::string name = lower_case(c);
        const bool begins = word.size() >= 2 && name.compare(0, word.size(), word) == 0;
        const size_t d = begins ? 1 : distance(word, name);
        if (d < best) {
            best = d;
            found = c;
        }
    }
    return found.empty() ? found : "did you mean " + found + "?";
}
