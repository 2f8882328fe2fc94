/* speed ec2m: the first table of Gura, Eberle and Chang Shantz, "Generic Implementations of
 * Elliptic Curve Cryptography using Partial Reduction" (CCS 2002), on this machine: a constant-time
 * multiplication of a random point. */
#include "curves.hpp"
#include "ticks.hpp"
#include "tongyu/os.h"

#include <algorithm>
#include <cstdio>

struct Figure {
    double per_second, ms;   /* as the article prints them; 0: not given */
};

/* The article's figures on the three curves. Its software ran at 900 MHz and is for any curve, its
 * hardware is an FPGA at 66.4 MHz. Of full reduction in hardware it says only that partial
 * reduction is 1.7 times as fast. */
struct Ec2mRow {
    const char *what;
    ty_ec_way way;
    unsigned reg;
    Figure software[3], hardware[3];
};

static const Ec2mRow ec2m_rows[] = {
    {"named", TY_EC_AUTO, 0, {}, {{6987, 0.14}, {5359, 0.19}, {4438, 0.23}}},
    {"generic, auto", TY_EC_AUTO, 0, {}, {}},
    {"generic, full reduction", TY_EC_FULL, 0, {{322, 3.11}, {294, 3.40}, {223, 4.48}}, {}},
    {"generic, partial reduction", TY_EC_PARTIAL, 0, {{50, 20.11}, {42, 23.83}, {35, 28.87}},
     {{1075, 0.93}, {911, 1.10}, {757, 1.32}}},
    {"generic, partial, n = 256", TY_EC_PARTIAL, 256, {}, {}},
};
static const char *const ec2m_curves[] = {"sect163r2", "sect193r1", "sect233r1"};

/* "322   3.11": operations per second and milliseconds per operation */
static std::string figure_text(const Figure &f)
{
    char text[32] = "-";
    if (f.per_second > 0) std::snprintf(text, sizeof text, "%.0f %6.2f", f.per_second, f.ms);
    return text;
}

int speed_ec2m(Context &ctx, double seconds)
{
    constexpr size_t count = sizeof ec2m_rows / sizeof ec2m_rows[0];
    std::unique_ptr<ty_ec_any> curves[count][3];
    ty_ec_pub pubs[count][3];
    uint8_t k[3][TY_EC_MAX];
    double least[count][3], best[count][3];
    for (size_t j = 0; j < 3; j++) {
        const ty_ec_curve *named = ty_ec_curve_named(ec2m_curves[j]);
        ty_ec_key key;
        check(ty_ec_keygen(&key, named, ty_rng_system()), "speed: making a point");
        std::copy(key.d, key.d + sizeof k[j], k[j]);
        uint8_t point[1 + 2 * TY_EC_MAX];
        ty_ec_pub_get(point, &key.pub);
        for (size_t i = 0; i < count; i++) {
            least[i][j] = best[i][j] = 1e300;
            curves[i][j] =
                make_curve(find_curve(ec2m_curves[j]), ec2m_rows[i].way, ec2m_rows[i].reg);
            check(ty_ec_pub_set(&pubs[i][j], i ? ty_ec_any_curve(curves[i][j].get()) : named, point,
                                1 + 2 * ty_ec_field_len(named)),
                  "speed: the point");
        }
    }
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    do {   /* all in turns, so that a disturbance affects all alike */
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < 3; j++)
                for (int again = 0; again < 3; again++) {
                    ty_ec_pub z;
                    const auto from = Clock::now();
                    const uint64_t start = ticks();
                    check(ty_ec_mul(&z, k[j], &pubs[i][j]), "speed: a multiplication");
                    least[i][j] = std::min(least[i][j], static_cast<double>(ticks() - start));
                    best[i][j] = std::min(
                        best[i][j], std::chrono::duration<double>(Clock::now() - from).count());
                }
    } while (Clock::now() < end);

    Json list = Json::array();
    const char *unit = ticks_are_cycles() ? "cycles" : "ns";
    if (!ctx.json)
        std::printf(
            "kP on binary curves, with the figures of Gura, Eberle and Chang Shantz (2002):\n"
            "software at 900 MHz, hardware at 66.4 MHz\n");
    for (size_t j = 0; j < 3; j++) {
        if (!ctx.json)
            std::printf("\n%-27s%10s %9s %10s   %16s   %16s\n", ec2m_curves[j], "op/s", "ms", unit,
                        "software op/s ms", "hardware op/s ms");
        for (size_t i = 0; i < count; i++) {
            const Ec2mRow &r = ec2m_rows[i];
            Json row = { { "curve", ec2m_curves[j] },
                         { "what", r.what },
                         { "cycles", least[i][j] },
                         { "op_per_s", 1 / best[i][j] },
                         { "ms", 1e3 * best[i][j] } };
            if (r.software[j].per_second > 0) row["source_op_per_s"] = r.software[j].per_second;
            if (r.hardware[j].per_second > 0)
                row["source_hardware_op_per_s"] = r.hardware[j].per_second;
            list.push_back(row);
            if (!ctx.json)
                std::printf("%-27s%10.0f %9.4f %10.0f   %16s   %16s\n", r.what, 1 / best[i][j],
                            1e3 * best[i][j], least[i][j], figure_text(r.software[j]).c_str(),
                            figure_text(r.hardware[j]).c_str());
        }
    }
    if (!ctx.json)
        std::printf("\npartial reduction is %.1f, %.1f, %.1f times as fast as full reduction here; "
                    "in the article's\n"
                    "software 0.15 times, in its hardware 1.7 times.\n",
                    least[2][0] / least[3][0], least[2][1] / least[3][1],
                    least[2][2] / least[3][2]);
    ctx.result["version"] = ty_version();
    ctx.result["cycles"] = ticks_are_cycles() ? "time stamp counter" : "nanoseconds";
    ctx.result["ec2m"] = list;
    return EXIT_GOOD;
}
