/* speed: measures this library on this machine, in a few seconds. */
#include "context.hpp"
#include "curves.hpp"
#include "speed_field.hpp"
#include "speed_mp.hpp"
#include "speed_ops.hpp"
#include "system.hpp"
#include "ticks.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

/* Whether the machine was busy with other work. The measurements compute without a pause: if the
 * process had less CPU time than time passed, other processes had the rest. On a quiet machine
 * medians are close to minima, which the arena requires as well. */
class Quiet {
    static constexpr double NOISY = 1.15, SHARE = 0.95;
    Clock::time_point begun = Clock::now();
    double used = cpu_seconds();
    size_t all = 0, noisy = 0;

public:
    void add(uint64_t min, uint64_t median)
    {
        all++;
        noisy += static_cast<double>(median) > NOISY * static_cast<double>(min);
    }

    void tell(Context &ctx) const
    {
        const double time = std::chrono::duration<double>(Clock::now() - begun).count(),
                     share = (cpu_seconds() - used) / time;
        const auto percent = [](double x) {
            return std::to_string(static_cast<int>(100 * x)) + " %";
        };
        const std::string next = "; minima are the better guide, run again when it is quiet";
        if (share < SHARE)
            ctx.warn("this process had a CPU for " + percent(share) +
                     " of the time: the machine was busy" + next);
        else if (noisy * 20 > all)
            ctx.warn("in " + std::to_string(noisy) + " of " + std::to_string(all) +
                     " measurements the median is more than " + percent(NOISY - 0.9999) +
                     " above the minimum: the machine was busy" + next);
    }
};

struct Sample {
    uint64_t min, median;
    double per_second;
};

/* Batches of about 50 microseconds until the time is up; minimum and median of the batches, per
 * call. */
static Sample measure(const Op &op, double seconds)
{
    const auto since = [](Clock::time_point t) {
        return std::chrono::duration<double>(Clock::now() - t).count();
    };
    const auto begun = Clock::now();
    op.call();
    size_t batch = 1;
    for (double t = 0; t < 50e-6; batch *= 2) {
        const auto t0 = Clock::now();
        for (size_t i = 0; i < batch; i++) op.call();
        t = since(t0);
        if (t >= 50e-6) break;
    }
    std::vector<uint64_t> cycles;
    std::vector<double> times;
    do {
        const auto t0 = Clock::now();
        const uint64_t c0 = ticks();
        for (size_t i = 0; i < batch; i++) op.call();
        cycles.push_back((ticks() - c0) / batch);
        times.push_back(since(t0) / static_cast<double>(batch));
    } while (since(begun) < seconds || cycles.size() < 3);
    std::sort(cycles.begin(), cycles.end());
    std::sort(times.begin(), times.end());
    return {cycles.front(), cycles[cycles.size() / 2], 1 / times[times.size() / 2]};
}

/* A family: its name, here and in the arena; an alias; the family of `tongyu tiers` that determines
 * its tier (empty: it is portable C alone); its operations, or else the function that prints a
 * table of its own. */
struct Family {
    std::string name, alias, tiers;
    void (Bench::*add)(std::vector<Op> &);
    int (*alone)(Context &, double seconds);
};

static const std::vector<Family> &families()
{
    static const std::vector<Family> rows = {
        {"sm2", "", "sm2", &Bench::add_sm2, nullptr},
        {"sm3", "", "sm3", &Bench::add_sm3, nullptr},
        {"sm4", "", "sm4", &Bench::add_sm4, nullptr},
        {"mldsa", "ml-dsa", "mldsa", &Bench::add_mldsa, nullptr},
        {"mp", "", "mp", &Bench::add_mp, nullptr},
        {"ecdsa", "", "ec2m", &Bench::add_ecdsa, nullptr},
        {"keccak", "sha3", "keccak", &Bench::add_keccak, nullptr},
        {"sha256", "sha2", "sha256", &Bench::add_sha256, nullptr},
        {"sha512", "", "", &Bench::add_sha512, nullptr},
        {"kdf", "", "sm3", &Bench::add_kdf, nullptr},
        {"sm2-field", "", "", nullptr, speed_field},
        {"mp-table", "", "", nullptr, speed_mp_table},
        {"ec2m", "", "", nullptr, speed_ec2m},
    };
    return rows;
}

static std::vector<std::string> family_names()
{
    std::vector<std::string> names;
    for (const Family &f : families()) names.push_back(f.name);
    return names;
}

static const Family &find_family(const std::string &name)
{
    for (const Family &f : families())
        if (name == f.name || name == f.alias) return f;
    const std::string near = did_you_mean(name, family_names());
    throw Failure(EXIT_USAGE, "unknown family '" + name + "'",
                  near.empty() ? "choose one of " + CLI::detail::join(family_names(), ", ") : near);
}

struct Speed {
    std::vector<std::string> words;
    bool all = false;
    double seconds = 3;

    /* The families that were asked for, or all that share a table, in the order of families(). */
    std::vector<const Family *> wanted() const
    {
        std::vector<const Family *> asked, list;
        for (const auto &word : words) asked.push_back(&find_family(word));
        for (const Family &f : families())
            if (asked.empty() ? f.alone == nullptr
                              : std::count(asked.begin(), asked.end(), &f) != 0)
                list.push_back(&f);
        return list;
    }

    static std::string tier_of(const Family &family)
    {
        for (const auto &r : tier_rows())
            if (family.tiers == r.family && r.chosen) return r.tier;
        return "c";
    }

    /* The tier limits under which a family is measured: all tiers that run, or just the present
     * limit (an empty name). */
    std::vector<std::string> limits(const Family &family) const
    {
        std::vector<std::string> names;
        if (all)
            for (const auto &r : tier_rows())
                if (family.tiers == r.family && r.runs) names.push_back(r.tier);
        if (names.empty()) names.push_back("");
        return names;
    }

    static void heading()
    {
        std::printf("%-6s %-16s %6s  %-7s %12s %14s %16s\n", "", "operation", "bytes", "tier",
                    "cycles min", "cycles median", "rate");
    }

    static void show(const Op &op, const std::string &tier, const Sample &s)
    {
        char size[24] = "", rate[32];
        if (op.size) {
            std::snprintf(size, sizeof size, "%zu", op.size);
            std::snprintf(rate, sizeof rate, "%.1f MB/s",
                          static_cast<double>(op.size) * s.per_second / 1e6);
        } else {
            std::snprintf(rate, sizeof rate, "%.0f op/s", s.per_second);
        }
        std::printf("%-6s %-16s %6s  %-7s %12llu %14llu %16s\n", op.family, op.name, size,
                    tier.c_str(), static_cast<unsigned long long>(s.min),
                    static_cast<unsigned long long>(s.median), rate);
        std::fflush(stdout);
    }

    static Json row(const Op &op, const std::string &tier, const Sample &s)
    {
        Json r = {{"family", op.family}, {"op", op.name}, {"size", op.size}, {"tier", tier},
                  {"cycles_min", s.min}, {"cycles_median", s.median}};
        if (op.size) r["mb_per_s"] = static_cast<double>(op.size) * s.per_second / 1e6;
        else r["op_per_s"] = s.per_second;
        return r;
    }

    /* Calls report for each operation of each family under each limit; returns the number of
     * operations. Without a report it only counts them. */
    size_t turns(Context &ctx,
                 const std::function<void(const Op &, const std::string &)> &report) const
    {
        size_t count = 0;
        for (const Family *family : wanted())
            for (const auto &limit : limits(*family)) {
                const std::string name = limit.empty() ? ctx.tier : limit;
                check(ty_tier_limit(name.empty() ? nullptr : name.c_str()), "tier " + name);
                std::vector<Op> ops;
                Bench bench;
                (bench.*family->add)(ops);
                count += ops.size();
                if (report)
                    for (const auto &op : ops) report(op, tier_of(*family));
                check(ty_tier_limit(ctx.tier.empty() ? nullptr : ctx.tier.c_str()),
                      "tier " + ctx.tier);
            }
        return count;
    }

    int run(Context &ctx)
    {
        Quiet quiet;
        const auto list = wanted();
        for (const Family *family : list) {
            if (!family->alone) continue;
            if (list.size() == 1) {
                const int status = family->alone(ctx, seconds);
                quiet.tell(ctx);
                return status;
            }
            throw Failure(EXIT_USAGE, family->name + " has a table of its own", "run it alone");
        }
        const double each = seconds / static_cast<double>(turns(ctx, nullptr));
        Json rows = Json::array();
        if (!ctx.json) heading();
        turns(ctx, [&](const Op &op, const std::string &tier) {
            const Sample s = measure(op, each);
            quiet.add(s.min, s.median);
            if (ctx.json) rows.push_back(row(op, tier, s));
            else show(op, tier, s);
        });
        ctx.result["version"] = ty_version();
        ctx.result["cycles"] = (ticks_are_cycles() ? "time stamp counter" : "nanoseconds");
        ctx.result["speed"] = rows;
        std::fflush(stdout);
        quiet.tell(ctx);
        return EXIT_GOOD;
    }
};

static std::string valid_seconds(const std::string &word)
{
    char *end = nullptr;
    const double s = std::strtod(word.c_str(), &end);
    if (!word.empty() && *end == '\0' && s >= 0.01 && s <= 3600) return {};
    throw Failure(EXIT_USAGE, "--seconds cannot be '" + word + "'",
                  "give a number from 0.01 to 3600");
}

void add_speed(CLI::App &root, Context &ctx)
{
    const auto s = std::make_shared<Speed>();
    CLI::App *app = add_verb(&root, ctx, "speed", "Measure how fast the library is on this machine",
                             [s, &ctx] { return s->run(ctx); });
    app->add_option("family", s->words,
                    "Families to measure (default: all but those with a table of their own)")
        ->type_name(CLI::detail::join(family_names(), "|"));
    app->add_flag("--all-tiers", s->all,
                  "Measure every tier that runs here, and not just the best");
    app->add_option("--seconds", s->seconds, "Time for all measurements together")
        ->type_name("S")
        ->check(valid_seconds)
        ->capture_default_str();
    app->footer(
        "Examples:\n  tongyu speed\n  tongyu speed sm4 --all-tiers\n  tongyu speed sm2 mldsa "
        "--json\n"
        "  tongyu speed sm2-field          methods for the field of SM2, compared\n"
        "  tongyu speed mp-table           integers, compared with LibTomMath 0.11's manual and "
        "the installed version\n"
        "  tongyu speed ec2m               binary curves, compared with an article");
}
