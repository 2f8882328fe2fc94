// Benchmarks run on every tier, as the tests do: one line of the report for each size and each tier
// that this CPU supports.
#pragma once
extern "C" {
#include "base/cpu.h"
}
#include <benchmark/benchmark.h>
#include <cstdio>
#include <string>

// body(state) on every runnable tier of the family, with the sizes given
template <class Body>
void bench_tiers(const char *what, const ty_tier *tiers, std::initializer_list<long> sizes,
                 Body body)
{
    for (const ty_tier *t = tiers; t->name; t++) {
        if (t->need & ~ty_cpu_have()) {
            std::fprintf(stderr, "%s/%s: not on this CPU\n", what, t->name);
            continue;
        }
        const ty_cpu need = t->need;
        auto *b = benchmark::RegisterBenchmark((std::string(what) + "/" + t->name).c_str(),
                                               [need, body](benchmark::State &state) {
                                                   ty_cpu_assume(need);
                                                   body(state);
                                                   ty_cpu_assume(0);
                                               });
        for (long n : sizes) b->Arg(n);
    }
}

// Runs what was registered; to be called at the end of main.
inline int bench_run(int argc, char **argv)
{
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
