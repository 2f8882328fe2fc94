// Search for secrets that a call leaves on its stack. The call runs in a thread on a stack that is
// allocated here, and searched afterwards for pieces of the secrets, at every byte and in either
// byte order. A search for nothing, or on a stack that nothing was written to, is a failure: it
// would succeed whatever the library did.
#pragma once
#include "support/hex.hpp"
#include "tongyu/base.h"
#include <algorithm>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <iostream>
#include <pthread.h>
#include <sstream>
#include <sys/mman.h>
#include <unordered_map>

// Strings of bytes of which no piece may be found. A piece is long enough that it is not found by
// chance: eight bytes if they are as good as random, more if their entropy is lower.
class Secrets {
public:
    Secrets() = default;
    Secrets(std::initializer_list<Bytes> all)
    {
        for (const Bytes &s : all) add("secret " + std::to_string(names_.size()), s);
    }
    // The pieces are adjacent, counted from the beginning and, if n is not a multiple of their
    // length, also from the end, as the limbs of a big-endian number are.
    Secrets &add(const std::string &name, const void *p, size_t n, size_t piece = 8)
    {
        if (n < piece) throw std::logic_error("residue: " + name + " is shorter than a piece");
        const size_t id = names_.size();
        names_.push_back(name);
        for (size_t o = 0; o + piece <= n; o += piece)
            add_piece(id, o, (const uint8_t *)p + o, piece);
        for (size_t o = n % piece; o && o + piece <= n; o += piece)
            add_piece(id, o, (const uint8_t *)p + o, piece);
        return *this;
    }
    Secrets &add(const std::string &name, const Bytes &s) { return add(name, s.data(), s.size()); }
    size_t size() const { return at_.size(); }

    // the number of places in p[0..n) that hold a piece; the first few are described in `which`
    int count(const uint8_t *p, size_t n, std::ostream &which) const
    {
        int hits = 0;
        for (size_t i = 0; i + 8 <= n; i++) {
            uint64_t w;
            std::memcpy(&w, p + i, 8);
            if (!(filter_[w % BITS / 64] >> w % 64 & 1)) continue;
            const auto found = at_.equal_range(w);
            for (auto it = found.first; it != found.second; ++it) {
                const Piece &x = it->second;
                if (i + x.bytes.size() > n ||
                    std::memcmp(p + i, x.bytes.data(), x.bytes.size()) != 0)
                    continue;
                if (hits++ < 4)
                    which << "\n  " << names_[x.of] << " from byte " << x.from
                          << (x.backward ? ", reversed" : "") << ", " << n - i << " bytes deep";
                break;
            }
        }
        return hits;
    }

private:
    enum : uint64_t { BITS = 1 << 20 };
    struct Piece {
        size_t of, from;
        bool backward;
        Bytes bytes;
    };
    void add_piece(size_t of, size_t from, const uint8_t *p, size_t n)
    {
        Bytes piece(p, p + n);
        // a piece of equal bytes may be found by chance
        if (std::all_of(p, p + n, [&](uint8_t b) { return b == p[0]; })) return;
        for (const bool backward : {false, true}) {
            uint64_t w;
            std::memcpy(&w, piece.data(), 8);
            filter_[w % BITS / 64] |= (uint64_t)1 << w % 64;
            at_.emplace(w, Piece{of, from, backward, piece});
            std::reverse(piece.begin(), piece.end());
        }
    }
    std::vector<std::string> names_;
    std::unordered_multimap<uint64_t, Piece> at_;
    std::vector<uint64_t> filter_ = std::vector<uint64_t>(BITS / 64);
};

// For functions whose stack is searched: the call must return `want`. EXPECT_EQ would write over
// the frames of the call, so the result is checked after the thread has ended.
#define MUST_GIVE(call, want) ((void)(residue::wrong |= (call) != (want)))

namespace residue {
inline bool wrong;   // a call since the last check returned an unexpected value
enum : size_t { STACK = 1 << 20, ABOVE = 1 << 16 };
enum : uint8_t { PAINT = 0xa5 };

// The end of the thread writes over the top of the stack: f runs well below it.
struct Call {
    const std::function<void()> *f;
    const volatile uint8_t *below;
};
inline void *run_below(void *p)
{
    auto *call = (Call *)p;
    volatile uint8_t above[ABOVE];
    above[0] = above[sizeof above - 1] = 1;
    call->below = above;
    (*call->f)();
    above[1] = above[0];
    return nullptr;
}

// Run f on a stack that is filled with PAINT beforehand. The result is the depth, the number of
// bytes that f used: they are left in *end - depth to *end.
inline size_t run(const std::function<void()> &f, const uint8_t **end)
{
    static auto *stack =
        (uint8_t *)mmap(nullptr, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    Call call = {&f, nullptr};
    pthread_attr_t attr;
    pthread_t t;
    std::memset(stack, PAINT, STACK);
    pthread_attr_init(&attr);
    pthread_attr_setstack(&attr, stack, STACK);
    EXPECT_EQ(pthread_create(&t, &attr, run_below, &call), 0);
    pthread_join(t, nullptr);
    pthread_attr_destroy(&attr);
    const uint8_t *from = stack;
    while (from < (const uint8_t *)call.below && *from == PAINT) from++;
    *end = (const uint8_t *)call.below;
    return (size_t)(*end - from);
}
}

// Run f on a fresh stack; the result is the number of pieces of the secrets that are left on it.
inline int traces(const std::function<void()> &f, const Secrets &secrets)
{
    const uint8_t *end;
    static const size_t nothing = residue::run([] {}, &end);
    const size_t depth = residue::run(f, &end);
    EXPECT_FALSE(residue::wrong) << "a call returned an unexpected value";
    residue::wrong = false;
    EXPECT_GT(secrets.size(), 0u) << "there is nothing to search for";
    EXPECT_GE(depth, nothing + 64) << "nothing was written to the stack";
    std::ostringstream which;
    const int hits = secrets.count(end - depth, depth, which);
    if (hits) std::cout << "[ RESIDUE  ] " << hits << " pieces:" << which.str() << "\n";
#ifdef DEPTH   // a debugging aid
    std::cout << "[ DEPTH    ] " << depth << "\n";
#endif
    return hits;
}

// Calls run at every level that this CPU has; the names of the others are printed.
template <class F> void at_every_level(F run)
{
    for (size_t i = 0; ty_tier_level(i); i++) {
        const char *level = ty_tier_level(i);
        if (ty_tier_limit(level) != TY_OK) {
            std::cout << "[ NO LEVEL ] " << level << ": this CPU lacks it\n";
            continue;
        }
        SCOPED_TRACE(level);
        run();
    }
    EXPECT_EQ(ty_tier_limit(nullptr), TY_OK);
}
