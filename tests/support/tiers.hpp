// Walk a family's tiers: natively where the CPU can, in the emulator where it cannot. A tier that
// neither can run is named on the console, and is a failure where TONGYU_ALL_TIERS is set.
#pragma once
#include "emu/emu.h"
#include "support/full.hpp"
#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>
#include <string>

// Set where emulation would be too slow.
inline bool no_emulation() { return std::getenv("TONGYU_NO_EMULATION") != nullptr; }

inline int few(int n) { return tier_is_slow() ? (n + 9) / 10 : n; }

// The portable tier where only a sample of it is asked for, and a stronger one gets everything.
inline bool only_sampled(const ty_tier *rows, const ty_tier *t)
{
    if (!sampling() || std::string(t->name) != "c") return false;
    for (const ty_tier *other = rows; other->name; other++)
        if (other != t && other->ops && !(other->need & ~ty_cpu_have())) return true;
    return false;
}

// Whether that row gets a choice of the cases, before or while it is at work.
inline bool slow_row(const ty_tier *rows, const ty_tier *t)
{
    return (t->need & ~ty_cpu_have()) != 0 || only_sampled(rows, t);
}

// run_must_emulate: the test is one in which every tier executes its own instructions. In others a
// wide tier may do the whole of a short message with its narrower neighbour's code, and emulate
// nothing.
template <class Ops, class F>
void for_each_tier(const ty_tier *rows, F run, bool run_must_emulate = false)
{
    for (const ty_tier *t = rows; t->name; t++) {
        if (!t->ops) continue;   // a build with -DTY_TIER has one row of each family
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
