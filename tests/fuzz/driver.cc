// Runs a fuzz target without libFuzzer: every seed, truncations of it (all of a seed of less than
// 200 bytes), and mutations of it, the same each time.
//   fuzz-x                 the test
//   fuzz-x --seeds DIR     write the seeds as files, a corpus for libFuzzer
//   fuzz-x FILE ...        run these inputs, for instance a crash that libFuzzer found
#include "fuzz/fuzz.hpp"
#include "support/guard.hpp"
#include <fstream>
#include <iterator>

static void run(const Bytes &input)
{
    Guarded g(input.data(), input.size());   // reading one byte too far is a crash
    LLVMFuzzerTestOneInput(g.data(), g.size());
}

static void mutate(Bytes &m, const std::vector<Bytes> &seeds, TestRng &rng)
{
    static const uint8_t special[] = { 0x00, 0x01, 0x7f, 0x80, 0x81, 0x82, 0x84,
                                       0xff, 0x02, 0x04, 0x30, '\n', '-',  '=' };
    const size_t at = m.empty() ? 0 : rng.below(m.size());
    switch (rng.below(m.empty() ? 1 : 8)) {
    case 0: {   // insert
        const Bytes b = rng.bytes(1 + rng.below(4));
        m.insert(m.begin() + (long)at, b.begin(), b.end());
        break;
    }
    case 1: m[at] ^= (uint8_t)(1u << rng.below(8)); break;
    case 2: m[at] = special[rng.below(sizeof special)]; break;
    case 3: m[at] = (uint8_t)(m[at] + (rng.below(2) ? 1 : -1)); break;
    case 4:
        m.erase(m.begin() + (long)at,
                m.begin() + (long)std::min<size_t>(m.size(), at + 1 + rng.below(4)));
        break;
    case 5: m.resize(at); break;
    case 6: {   // copy a range over another
        const size_t from = rng.below(m.size()),
                     n = std::min(m.size() - std::max(at, from), (size_t)(1 + rng.below(40)));
        std::memmove(m.data() + at, m.data() + from, n);
        break;
    }
    default: {   // continue with the bytes of another seed
        const Bytes &o = seeds[rng.below(seeds.size())];
        if (at < o.size()) {
            m.resize(at);
            m.insert(m.end(), o.begin() + (long)at, o.end());
        }
    }
    }
}

int main(int argc, char **argv)
{
    const std::vector<Bytes> seeds = fuzz_seeds();
    if (argc == 3 && std::string(argv[1]) == "--seeds") {
        for (size_t i = 0; i < seeds.size(); i++)
            std::ofstream(std::string(argv[2]) + "/seed-" + std::to_string(i), std::ios::binary)
                .write((const char *)seeds[i].data(), (std::streamsize)seeds[i].size());
        return 0;
    }
    for (int i = 1; i < argc; i++) {
        std::ifstream f(argv[i], std::ios::binary);
        run(Bytes(std::istreambuf_iterator<char>(f), {}));
    }
    if (argc > 1) return 0;

    const char *full = std::getenv("TONGYU_TEST_FULL");
    const size_t total = full && *full ? 200000 : 3000;
    TestRng rng(2026);
    size_t ran = 0;
    for (const Bytes &s : seeds) {
        run(s);
        for (size_t n = 0; n < s.size(); n += 1 + s.size() / 200, ran++)
            run(Bytes(s.begin(), s.begin() + (long)n));
    }
    run({});
    for (size_t i = 0; i < total; i++, ran++) {
        Bytes m = seeds[i % seeds.size()];
        for (uint64_t n = 1 + rng.below(3); n; n--) mutate(m, seeds, rng);
        run(m);
    }
    std::printf("%zu inputs from %zu seeds\n", ran, seeds.size());
    return 0;
}
