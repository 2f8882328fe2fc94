// Random sources for tests: reproducible, scripted (the exact bytes of a published example),
// failing.
#pragma once
#include "tongyu/base.h"
#include <cstring>
#include <vector>

// xorshift64*: reproducible test data, not cryptography.
struct TestRng {
    uint64_t s;
    explicit TestRng(uint64_t seed = 1) : s(seed * 0x9E3779B97F4A7C15u + 1) {}
    uint64_t next()
    {
        s ^= s >> 12; s ^= s << 25; s ^= s >> 27;
        return s * 0x2545F4914F6CDD1Du;
    }
    uint64_t below(uint64_t n) { return next() % n; }
    void fill(void *p, size_t n)
    {
        for (size_t i = 0; i < n; i++) ((uint8_t *)p)[i] = (uint8_t)(next() >> 56);
    }
    std::vector<uint8_t> bytes(size_t n)
    {
        std::vector<uint8_t> v(n);
        fill(v.data(), n);
        return v;
    }
    ty_rng ty()
    {
        return { [](void *c, uint8_t *o, size_t n) {
                    ((TestRng *)c)->fill(o, n);
                    return TY_OK;
                },
                 this };
    }
};

// Returns prepared bytes, then fails: for nonces given by a standard, and for counting the bytes
// that are drawn.
struct ScriptRng {
    std::vector<uint8_t> script;
    size_t used = 0;
    explicit ScriptRng(std::vector<uint8_t> bytes) : script(std::move(bytes)) {}
    ty_rng ty()
    {
        return { [](void *c, uint8_t *o, size_t n) {
                    auto *r = (ScriptRng *)c;
                    if (n > r->script.size() - r->used) return TY_ERR_RNG;
                    if (n) std::memcpy(o, r->script.data() + r->used, n);
                    r->used += n;
                    return TY_OK;
                }, this };
    }
};

// Succeeds `good` times, then always fails.
struct FailingRng {
    long good, calls = 0;
    TestRng inner{7};
    explicit FailingRng(long good_calls) : good(good_calls) {}
    ty_rng ty()
    {
        return { [](void *c, uint8_t *o, size_t n) {
                    auto *r = (FailingRng *)c;
                    if (r->calls++ >= r->good) return TY_ERR_RNG;
                    r->inner.fill(o, n);
                    return TY_OK;
                }, this };
    }
};
