/* speed sm2-field: methods of arithmetic in the field of SM2, compared. All are measured in turns,
 * in many short batches, so that disturbances of the machine affect them alike; the minimum of each
 * counts. */
#include "speed_field.hpp"
#include "sm2_field/sm2_field.h"
#include "ticks.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

using Loop = void (*)(uint32_t *, const uint32_t *, size_t);

/* The timings of each method, in the order of the columns. */
enum Timing { reduce_chain, reduce_many, mul_chain, mul_many, kinds };
static const char *const kind_names[kinds] = {"reduce_latency", "reduce", "mul_latency", "mul"};

struct Way {
    const ty_sm2_field_way *way;
    double least[kinds];   /* ticks per round */

    Loop loop(int kind) const
    {
        const Loop loops[kinds] = { way->reduce_chain, way->reduce_many, way->mul_chain,
                                    way->mul_many };
        return loops[kind];
    }
};

/* The figures of Tongsuo's article, which compared three methods: one product mod p on an Apple M2
 * Pro. See docs/speed.md. */
struct Article {
    const char *role, *name[2];   /* names of ours: the first that runs here is compared */
    double ns;
};
static const Article article[] = {
    {"fast reduction", {"fold64", "fold32"}, 35.53},
    {"plain", {"divide32", "divide32"}, 190.45},
    {"Montgomery", {"mont64", "mont32"}, 50.69},
};

class FieldTable {
    std::vector<Way> ways;
    double ns_per_tick = 1;

public:
    explicit FieldTable(double seconds)
    {
        for (size_t i = 0; const ty_sm2_field_way *way = ty_sm2_field_way_at(i); i++)
            ways.push_back({way, {1e18, 1e18, 1e18, 1e18}});
        const auto begun = Clock::now();
        const uint64_t first = ticks();
        const auto elapsed = [begun] {
            return std::chrono::duration<double>(Clock::now() - begun).count();
        };
        do {
            for (Way &w : ways)
                for (int kind = 0; kind < kinds; kind++) batch(w, kind);
        } while (elapsed() < seconds);
        ns_per_tick = elapsed() * 1e9 / static_cast<double>(ticks() - first);
    }

    /* A batch takes a few thousand cycles: so few that most batches are not interrupted, and many
     * compared with reading the clock. */
    static void batch(Way &w, int kind)
    {
        constexpr size_t rounds = ticks_are_cycles() ? 40 : 400;
        uint32_t x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, y[8] = {0x89abcdef, 7, 6, 5, 4, 3, 2, 0x12345678};
        for (int again = 0; again < 2; again++) {   /* the first loads the caches */
            const uint64_t start = ticks();
            w.loop(kind)(x, y, rounds);
            const uint64_t spent = ticks() - start;
            w.least[kind] = std::min(w.least[kind], static_cast<double>(spent) / rounds);
        }
    }

    double ns(const Way &w, int kind) const { return w.least[kind] * ns_per_tick; }

    /* ns per product of our method that corresponds to the article's, 0 if none runs here; sets
     * `name` to the name of the method */
    double ours(const Article &a, const char *&name) const
    {
        for (const char *n : a.name)
            for (const Way &w : ways)
                if (std::string(n) == w.way->name) {
                    name = w.way->name;
                    return ns(w, mul_chain);
                }
        return 0;
    }

    void print() const
    {
        const char *unit = ticks_are_cycles() ? "cycles" : "ns";
        std::printf("The field of SM2: a reduction of 512 bits, and a product mod p, in %s; "
                    "minima, all in turns.\n"
                    "latency: in a chain, where one waits for another; each: independent ones.\n\n"
                    "%-9s %-17s  %-17s  %-16s\n%-9s %8s %8s  %8s %8s  %7s %8s\n",
                    unit, "", "reduction", "product", "product in ns", "method", "latency", "each",
                    "latency", "each", "latency", "each");
        for (const Way &w : ways)
            std::printf("%-9s %8.1f %8.1f  %8.1f %8.1f  %7.2f %8.2f   %s\n", w.way->name,
                        w.least[reduce_chain], w.least[reduce_many], w.least[mul_chain],
                        w.least[mul_many], ns(w, mul_chain), ns(w, mul_many), w.way->what);

        std::printf("\nThe three methods of Tongsuo's article, ns per product (here: the "
                    "latency):\n\n%-15s %9s %9s   %s\n",
                    "", "article", "here", "");
        const char *name = "";
        for (const Article &a : article) {
            const double here = ours(a, name);
            std::printf("%-15s %9.2f %9.2f   %s\n", a.role, a.ns, here, name);
        }
        const double fast = ours(article[0], name);
        for (int i = 1; i < 3; i++)
            std::printf("fast reduction takes %6.2f %% less time than %s; in the article %.2f %%\n",
                        100 * (1 - fast / ours(article[i], name)), article[i].role,
                        100 * (1 - article[0].ns / article[i].ns));
        const Way &best =
            *std::min_element(ways.begin(), ways.end(), [](const Way &a, const Way &b) {
                return a.least[mul_many] < b.least[mul_many];
            });
        std::printf("\nThe fastest product is %s: %.1f %s latency, %.1f each.\n", best.way->name,
                    best.least[mul_chain], unit, best.least[mul_many]);
    }

    Json json() const
    {
        Json rows = Json::array();
        for (const Way &w : ways) {
            Json r = { { "way", w.way->name },
                       { "what", w.way->what },
                       { "word", w.way->word },
                       { "montgomery", w.way->montgomery != 0 },
                       { "variable_time", w.way->variable_time != 0 } };
            for (int kind = 0; kind < kinds; kind++) r[kind_names[kind]] = w.least[kind];
            r["mul_latency_ns"] = ns(w, mul_chain);
            r["mul_ns"] = ns(w, mul_many);
            rows.push_back(r);
        }
        return rows;
    }

    Json against_article() const
    {
        Json rows = Json::array();
        for (const Article &a : article) {
            const char *name = "";
            const double here = ours(a, name);
            rows.push_back({{"role", a.role}, {"article_ns", a.ns}, {"ns", here}, {"way", name}});
        }
        return rows;
    }
};

int speed_field(Context &ctx, double seconds)
{
    const FieldTable table(seconds);
    if (!ctx.json) table.print();
    ctx.result["version"] = ty_version();
    ctx.result["cycles"] = ticks_are_cycles() ? "time stamp counter" : "nanoseconds";
    ctx.result["field"] = table.json();
    ctx.result["article"] = table.against_article();
    return EXIT_GOOD;
}
