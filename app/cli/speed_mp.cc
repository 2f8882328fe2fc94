/* speed mp-table: the timing table of the manual of LibTomMath 0.11 (2003), with its figures, on
 * this machine: our integers, and the LibTomMath that is installed, if there is one. All are
 * measured in turns; the minimum of each counts. */
#include "speed_mp.hpp"
#include "speed_ops.hpp"
#include "system.hpp"
#include "ticks.hpp"
#include "tongyu/compat/tommath.h"
#include "tongyu/os.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

/* The manual's figures: average cycles on an Athlon XP, with GCC 3.2. */
struct MpRow {
    const char *what;
    int bits;
    double mpi, first;   /* MPI, LibTomMath 0.11 */
};
static const MpRow mp_rows[] = {
    { "inversion", 128, 264083, 59782 },
    { "inversion", 256, 549370, 146915 },
    { "inversion", 512, 1675975, 367172 },
    { "inversion", 1024, 5237957, 1054158 },
    { "inversion", 2048, 17871944, 3459683 },
    { "inversion", 4096, 66610468, 11834556 },
    { "multiply", 128, 1426, 451 },
    { "multiply", 256, 2551, 958 },
    { "multiply", 512, 7913, 2476 },
    { "multiply", 1024, 28496, 7927 },
    { "multiply", 2048, 109897, 28224 },
    { "multiply", 4096, 469970, 101171 },
    { "square", 128, 1319, 511 },
    { "square", 256, 1776, 947 },
    { "square", 512, 5399, 2153 },
    { "square", 1024, 18991, 5733 },
    { "square", 2048, 72126, 17621 },
    { "square", 4096, 306269, 67576 },
    { "exptmod", 512, 32021586, 3118435 },
    { "exptmod", 768, 97595492, 8493633 },
    { "exptmod", 1024, 223302532, 17715899 },
    { "exptmod", 2048, 1682223369, 114936361 },
    { "exptmod", 2560, 3268615571, 229402426 },
    { "exptmod", 3072, 5597240141, 367403840 },
    { "exptmod", 4096, 13347270891, 779058433 },
};

/* The installed LibTomMath, or the one that TOMMATH_LIB names. Its symbols stay local, so that they
 * do not collide with ours. */
class InstalledMp {
    void *so;
    template <class F> F *find(F *, const char *name) const
    {
        return so ? reinterpret_cast<F *>(dlsym(so, name)) : nullptr;
    }

public:
#define TOM(name) decltype(::name) *name = find(static_cast<decltype(::name) *>(nullptr), #name)
  InstalledMp()
      : so(dlopen(std::getenv("TOMMATH_LIB") ? std::getenv("TOMMATH_LIB") : "libtommath.so.1",
                  RTLD_NOW | RTLD_LOCAL))
  {
  }
    InstalledMp(const InstalledMp &) = delete;
    ~InstalledMp()
    {
        if (so) dlclose(so);
    }
    TOM(mp_init);
    TOM(mp_clear);
    TOM(mp_from_ubin);
    TOM(mp_invmod);
    TOM(mp_mul);
    TOM(mp_sqr);
    TOM(mp_exptmod);
#undef TOM
    bool usable() const
    {
        return mp_init && mp_clear && mp_from_ubin && mp_invmod && mp_mul && mp_sqr && mp_exptmod;
    }
};

/* Called in every round that is timed: check would construct its strings even without an error. */
static void mp_must(ty_err err)
{
    if (err != TY_OK) check(err, "speed: an operation failed");
}
static void tom_must(mp_err err) { mp_must(err == MP_OKAY ? TY_OK : TY_ERR_ARG); }

/* x, y < m, m odd, of one size, as our integers and as those of the installed library. */
class MpTableRow {
    enum { X, Y, M, Z, count };
    ty_mp ours[count]{};
    mp_int theirs[count]{};
    const InstalledMp &lib;

    void random(size_t bits)
    {
        const ty_rng *rng = ty_rng_system();
        Secret top(bits / 8);
        mp_must(rng->fill(rng->ctx, top.data(), bits / 8));
        top.data()[0] |= 0x80, top.data()[bits / 8 - 1] |= 1;
        mp_must(ty_mp_set_be(&ours[M], top.data(), bits / 8));
        do mp_must(ty_mp_random_below(&ours[X], &ours[M], rng));
        while (ty_mp_invmod_vt(&ours[Z], &ours[X], &ours[M]) != TY_OK);
        mp_must(ty_mp_random_below(&ours[Y], &ours[M], rng));
    }

public:
    enum Column { vt, ct, installed, columns };
    const MpRow &row;
    std::array<double, columns> least{1e300, 1e300, 1e300};

    MpTableRow(const MpRow &what, const InstalledMp &installed_lib) : lib(installed_lib), row(what)
    {
        const size_t bits = static_cast<size_t>(row.bits);
        random(bits);
        if (!lib.usable()) return;
        Secret bytes(bits / 8);
        for (int i = 0; i < count; i++) {
            tom_must(lib.mp_init(&theirs[i]));
            if (i == Z) continue;
            mp_must(ty_mp_get_be(bytes.data(), bits / 8, &ours[i]));
            tom_must(lib.mp_from_ubin(&theirs[i], bytes.data(), bits / 8));
        }
    }
    MpTableRow(const MpTableRow &) = delete;
    ~MpTableRow()
    {
        for (ty_mp &i : ours) ty_mp_clear(&i);
        if (lib.usable())
            for (mp_int &i : theirs) lib.mp_clear(&i);
    }

    bool has(int column) const { return column != installed || lib.usable(); }

    void once(int column)
    {
        ty_mp *z = &ours[Z], *x = &ours[X], *y = &ours[Y], *m = &ours[M];
        switch (row.what[0]) {
        case 'i':
            if (column == installed) tom_must(lib.mp_invmod(&theirs[X], &theirs[M], &theirs[Z]));
            else mp_must(column == ct ? ty_mp_invmod(z, x, m) : ty_mp_invmod_vt(z, x, m));
            break;
        case 'm':
            if (column == installed) tom_must(lib.mp_mul(&theirs[X], &theirs[Y], &theirs[Z]));
            else mp_must(ty_mp_mul(z, x, y));
            break;
        case 's':
            if (column == installed) tom_must(lib.mp_sqr(&theirs[X], &theirs[Z]));
            else mp_must(ty_mp_sqr(z, x));
            break;
        default:
            if (column == installed)
                tom_must(lib.mp_exptmod(&theirs[X], &theirs[Y], &theirs[M], &theirs[Z]));
            else mp_must(column == ct ? ty_mp_powm(z, x, y, m) : ty_mp_powm_vt(z, x, y, m));
        }
    }

    /* Enough calls for some ten thousand cycles, so that reading the clock does not matter. */
    void batch(int column)
    {
        const char op = row.what[0];
        const int calls = 1 + (op == 'e' ? 0 : op == 'i' ? 2048 : 32768) / row.bits;
        /* the first loads the caches */
        for (int again = 0; again < (calls > 1 ? 2 : 1); again++) {
            const uint64_t start = ticks();
            for (int i = 0; i < calls; i++) once(column);
            least[static_cast<size_t>(column)] = std::min(
                least[static_cast<size_t>(column)], static_cast<double>(ticks() - start) / calls);
        }
    }
};

int speed_mp_table(Context &ctx, double seconds)
{
    const InstalledMp lib;
    std::vector<std::unique_ptr<MpTableRow>> rows;
    for (const MpRow &r : mp_rows) rows.push_back(std::make_unique<MpTableRow>(r, lib));
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    int turns = 0;
    /* All in turns, a short row as often as a long one; at least three turns, so that a single
     * disturbance does not determine a row. */
    do {
        for (const auto &r : rows)
            for (int column = 0; column < MpTableRow::columns; column++)
                if (r->has(column) &&
                    (column != MpTableRow::ct || r->row.what[0] == 'i' || r->row.what[0] == 'e'))
                    r->batch(column);
    } while (++turns < 3 || Clock::now() < end);

    Json list = Json::array();
    if (!ctx.json)
        std::printf("The timing table of LibTomMath 0.11's manual, in %s; its own figures are "
                    "averages on an Athlon XP.\n"
                    "const. time: for secret values (products always take constant time). "
                    "ratio: installed / ours.\n\n"
                    "%-10s %5s %15s %13s %15s %13s %13s %7s\n",
                    ticks_are_cycles() ? "cycles" : "ns", "operation", "bits", "manual: MPI",
                    "0.11", "installed", "ours", "const. time", "ratio");
    for (const auto &r : rows) {
        const double theirs = r->has(MpTableRow::installed) ? r->least[MpTableRow::installed] : 0;
        const bool secret = r->row.what[0] == 'i' || r->row.what[0] == 'e';
        Json j = { { "op", r->row.what },
                   { "bits", r->row.bits },
                   { "manual_mpi", r->row.mpi },
                   { "manual_0_11", r->row.first },
                   { "cycles", r->least[MpTableRow::vt] } };
        if (secret) j["cycles_constant_time"] = r->least[MpTableRow::ct];
        if (theirs > 0) j["installed"] = theirs;
        list.push_back(j);
        if (ctx.json) continue;
        std::printf("%-10s %5d %15.0f %13.0f ", r->row.what, r->row.bits, r->row.mpi, r->row.first);
        if (theirs > 0) std::printf("%15.0f ", theirs);
        else std::printf("%15s ", "-");
        std::printf("%13.0f ", r->least[MpTableRow::vt]);
        if (secret) std::printf("%13.0f ", r->least[MpTableRow::ct]);
        else std::printf("%13s ", "");
        if (theirs > 0) std::printf("%7.1f", theirs / r->least[MpTableRow::vt]);
        std::printf("\n");
    }
    ctx.result["version"] = ty_version();
    ctx.result["cycles"] = ticks_are_cycles() ? "time stamp counter" : "nanoseconds";
    ctx.result["installed"] = lib.usable();
    ctx.result["table"] = list;
    return EXIT_GOOD;
}
