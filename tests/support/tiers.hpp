// A loop over a family's tiers: natively if the CPU can run them, else in the emulator. A tier that
// neither can run is printed, and is a failure if TONGYU_ALL_TIERS is set.
#pragma once
#include "emu/emu.h"
#include "support/full.hpp"
#include "tongyu/base.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>
#include <string>

// Set where emulation would be too slow.
inline bool no_emulation() { return std::getenv("TONGYU_NO_EMULATION") != nullptr; }

// n, or a tenth of it on a slow tier
inline int few(int n) { return tier_is_slow() ? (n + 9) / 10 : n; }

// Whether t is the portable tier and only to be sampled, because a stronger one runs all cases.
inline bool only_sampled(const ty_tier *rows, const ty_tier *t)
{
    if (!sampling() || std::string(t->name) != "c") return false;
    for (const ty_tier *other = rows; other->name; other++)
        if (other != t && other->ops && !(other->need & ~ty_cpu_have())) return true;
    return false;
}

// Whether tier t runs only a selection of the cases; may also be called before it runs.
inline bool slow_row(const ty_tier *rows, const ty_tier *t)
{
    return (t->need & ~ty_cpu_have()) != 0 || only_sampled(rows, t);
}

// Calls run(ops, name) for each tier. run_must_emulate: every tier executes its own instructions in
// this test. In others a wide tier may process a short message with the code of a narrower one, so
// that no instruction is emulated.
template <class Ops, class F>
void for_each_tier(const ty_tier *rows, F run, bool run_must_emulate = false)
{
    for (const ty_tier *t = rows; t->name; t++) {
        if (!t->ops) continue;   // a build with -DTY_TIER has only one tier of each family
        const ty_cpu missing = t->need & ~ty_cpu_have();
        const bool refused = missing && no_emulation();
        if (refused || (missing & ~emu_features())) {
            std::cout << "[ NO TIER  ] " << t->name
                      << (refused ? ": TONGYU_NO_EMULATION is set\n"
                                  : ": neither this CPU nor the emulator runs it\n");
            EXPECT_EQ(std::getenv("TONGYU_ALL_TIERS"), nullptr)
                << "tier " << t->name << " did not run";
            continue;
        }
        SCOPED_TRACE(std::string("tier ") + t->name + (missing ? " (emulated)" : ""));
        const unsigned long before = emu_count();
        tier_is_slow() = slow_row(rows, t);
        run((const Ops *)t->ops, t->name);
        tier_is_slow() = false;
        if (missing && run_must_emulate) {
            EXPECT_GT(emu_count(), before) << "no instruction was emulated";
        }
        std::cout << "[   TIER   ] " << t->name << (missing ? " (emulated)" : "") << "\n";
    }
}

// Calls f with the name of every level that this CPU has, which is then the highest one in use.
template <class F> void each_level(F f)
{
    for (size_t i = 0; ty_tier_level(i); i++) {
        if (ty_tier_limit(ty_tier_level(i)) != TY_OK) continue;
        SCOPED_TRACE(ty_tier_level(i));
        f(std::string(ty_tier_level(i)));
    }
    ASSERT_EQ(ty_tier_limit(nullptr), TY_OK);
}
