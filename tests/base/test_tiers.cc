// ty_tier_list: every family is there, weakest tier first, and exactly one tier of each is in use.
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
    int how_many_chosen = 0;
};

static std::map<std::string, Family> families()
{
    std::map<std::string, Family> out;
    for (const auto &r : list()) {
        Family &f = out[r.family];
        f.tiers.push_back(r.tier);
        if (r.chosen) {
            f.chosen = r.tier;
            f.how_many_chosen++;
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
    for (const auto &[name, f] : all) EXPECT_EQ(f.how_many_chosen, 1) << name;
}

#if !defined(TY_TIER)   // there each family has one tier, and the CPU is taken to have it

// The choice in line and the choice by the table are made from the same list, and must agree under
// every limit.
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

TEST(Tiers, TheBestThatRunsIsChosen)
{
    std::map<std::string, std::string> last;
    for (const auto &r : list())
        if (r.runs) last[r.family] = r.tier;
    for (const auto &[name, f] : families()) EXPECT_EQ(f.chosen, last[name]) << name;
}

TEST(Tiers, TheLimitReachesEveryFamily)
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
