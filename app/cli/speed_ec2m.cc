/* speed ec2m: the first table of Gura, Eberle and Chang Shantz, "Generic Implementations of Elliptic Curve Cryptography using
 * Partial Reduction" (CCS 2002), on this machine: a constant-time multiplication of a random point. */
#include "curves.hpp"
#include "ticks.hpp"
#include "tongyu/os.h"

#include <algorithm>
#include <cstdio>

struct Ec2mRow {
    const char *what;
    ty_ec_way way;
    unsigned reg;
    double source[3];   /* operations/s of the source's software, at 900 MHz; 0: it has none */
};

static const Ec2mRow ec2m_rows[] = {
    {"named", TY_EC_AUTO, 0, {0, 0, 0}},
    {"generic, auto", TY_EC_AUTO, 0, {0, 0, 0}},
    {"generic, full reduction", TY_EC_FULL, 0, {322, 294, 223}},
    {"generic, partial reduction", TY_EC_PARTIAL, 0, {50, 42, 35}},
    {"generic, partial, n = 256", TY_EC_PARTIAL, 256, {0, 0, 0}},
};
static const char *const ec2m_curves[] = {"sect163r2", "sect193r1", "sect233r1"};

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
            curves[i][j] = make_curve(find_curve(ec2m_curves[j]), ec2m_rows[i].way, ec2m_rows[i].reg);
            check(ty_ec_pub_set(&pubs[i][j], i ? ty_ec_any_curve(curves[i][j].get()) : named, point, 1 + 2 * ty_ec_field_len(named)),
                  "speed: the point");
        }
    }
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    do {   /* all in turns: what disturbs one disturbs all */
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < 3; j++)
                for (int again = 0; again < 3; again++) {
                    ty_ec_pub z;
                    const auto from = Clock::now();
                    const uint64_t start = ticks();
                    check(ty_ec_mul(&z, k[j], &pubs[i][j]), "speed: a multiplication");
                    least[i][j] = std::min(least[i][j], static_cast<double>(ticks() - start));
                    best[i][j] = std::min(best[i][j], std::chrono::duration<double>(Clock::now() - from).count());
                }
    } while (Clock::now() < end);

    Json list = Json::array();
    if (!ctx.json)
        std::printf("kP on binary curves, operations/s and %s; source: its software at 900 MHz, operations/s\n\n%-27s%30s%30s%30s\n",
                    ticks_are_cycles() ? "cycles" : "ns", "", "GF(2^163)      source", "GF(2^193)      source", "GF(2^233)      source");
    for (size_t i = 0; i < count; i++) {
        if (!ctx.json) std::printf("%-27s", ec2m_rows[i].what);
        for (size_t j = 0; j < 3; j++) {
            Json row = {{"curve", ec2m_curves[j]}, {"what", ec2m_rows[i].what}, {"cycles", least[i][j]}, {"op_per_s", 1 / best[i][j]}};
            if (ec2m_rows[i].source[j] > 0) row["source_op_per_s"] = ec2m_rows[i].source[j];
            list.push_back(row);
            const std::string source = ec2m_rows[i].source[j] > 0 ? std::to_string(static_cast<int>(ec2m_rows[i].source[j])) : "-";
            if (!ctx.json) std::printf("%12.0f %10.0f %6s", 1 / best[i][j], least[i][j], source.c_str());
        }
        if (!ctx.json) std::printf("\n");
    }
    if (!ctx.json)
        std::printf("\npartial reduction is %.1f, %.1f, %.1f times as fast as full reduction here; in the source's software 0.2 times.\n",
                    least[2][0] / least[3][0], least[2][1] / least[3][1], least[2][2] / least[3][2]);
    ctx.result["version"] = ty_version();
    ctx.result["cycles"] = ticks_are_cycles() ? "time stamp counter" : "nanoseconds";
    ctx.result["ec2m"] = list;
    return EXIT_GOOD;
}
