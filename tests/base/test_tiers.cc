// ty_tier_list: it lists every family, weakest tier first, and exactly one tier of each is in use.
extern "C" {
#include "about/families.h"
#include "base/levels.h"
}
#include "tongyu/base.h"
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

static std::vector<ty_tier_row> list()
{
    std::vector<ty_tier_row> rows(ty_tier_list(nullptr, 0));
    EXPECT_EQ(ty_tier_list(rows.data(), rows.size()), rows.size());
    return rows;
}

struct Family {
    std::vector<std::string> tiers;
    std::string chosen;
    int chosen_count = 0;
};

static std::map<std::string, Family> families()
{
    std::map<std::string, Family> out;
    for (const auto &r : list()) {
        Family &f = out[r.family];
        f.tiers.push_back(r.tier);
        if (r.chosen) {
            f.chosen = r.tier;
            f.chosen_count++;
            EXPECT_EQ(r.runs, 1) << r.family << " uses a tier that cannot run";
        }
    }
    return out;
}

TEST(Tiers, EveryFamilyHasExactlyOneChosen)
{
    const auto all = families();
#define IS_LISTED(name, family) EXPECT_EQ(all.count(#name), 1u) << #name << " is missing";
    TY_FAMILIES(IS_LISTED)
    for (const auto &[name, f] : all) EXPECT_EQ(f.chosen_count, 1) << name;
}

#if !defined(TY_TIER)   // with it each family has one tier, which the CPU is assumed to run

// The inline function that chooses a tier and the table of tiers are generated from the same list;
// both must choose the same tier under every limit.
TEST(Tiers, TheInlineChoiceIsThatOfTheTable)
{
    for (size_t i = 0; ty_tier_level(i); i++) {
        if (ty_tier_limit(ty_tier_level(i)) != TY_OK) continue;
#    define SAME_CHOICE(name, family)                                                              \
        EXPECT_EQ((const void *)ty_##family##_best(), ty_tier_best(ty_##family##_tiers))           \
            << #name << " at " << ty_tier_level(i);
        TY_FAMILIES(SAME_CHOICE)
    }
    ASSERT_EQ(ty_tier_limit(nullptr), TY_OK);
}

TEST(Tiers, TheFirstTierRunsEverywhere)
{
    for (const auto &[name, f] : families()) EXPECT_EQ(f.tiers.front(), "c") << name;
}

TEST(Tiers, TheBestTierThatRunsIsChosen)
{
    std::map<std::string, std::string> last;
    for (const auto &r : list())
        if (r.runs) last[r.family] = r.tier;
    for (const auto &[name, f] : families()) EXPECT_EQ(f.chosen, last[name]) << name;
}

TEST(Tiers, TheLimitAppliesToEveryFamily)
{
    ASSERT_EQ(ty_tier_limit("c"), TY_OK);
    for (const auto &[name, f] : families()) EXPECT_EQ(f.chosen, "c") << name;
    for (const auto &r : list())
        EXPECT_EQ(r.runs, std::string(r.tier) == "c") << r.family << " " << r.tier;
    ASSERT_EQ(ty_tier_limit(nullptr), TY_OK);
}

#endif

TEST(Tiers, AShortArrayIsFilledAndNotOverrun)
{
    const auto all = list();
    for (size_t n = 0; n < all.size(); n++) {
        std::vector<ty_tier_row> rows(n + 1, ty_tier_row{"untouched", "untouched", 7, 7});
        EXPECT_EQ(ty_tier_list(rows.data(), n), all.size());
        for (size_t i = 0; i < n; i++) EXPECT_STREQ(rows[i].tier, all[i].tier);
        EXPECT_STREQ(rows[n].tier, "untouched");
    }
}
