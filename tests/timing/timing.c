/* Does the time of an operation depend on its secret? A t-test of the times with one fixed secret
 * against those with others, drawn at random, after Reparaz, Balasch, Verbauwhede, "Dude, is my
 * code constant time?" (2017). x86-64: it reads the time-stamp counter.
 *
 *     timing [CALLS]     1,000,000 by default, for each operation and tier; fewer for slow ones
 *
 * Before every call a secret is drawn, and a random bit decides whether the fixed one replaces it,
 * so that both classes have the same noise. Interrupts make a few times very long: the test is
 * repeated over the quickest 99.9 % of all calls, 99 %, 95 % and so on to the quickest tenth
 * (crops).
 *
 * An operation leaks if at one crop |t| is above 10 and the means are at least a tick apart, three
 * times in succession, each time with another fixed secret. The supply current depends on the
 * values that are processed, and the clock frequency on the current: a million calls can show a
 * difference of less than a tick for this reason alone, and no other code would remove it. The
 * usual bound for one test is Welch's |t| = 4.5; this program makes hundreds of tests at ten crops
 * each. It fails as well if it does not find the operations that leak on purpose, or finds a leak
 * in one of the two that have none. */
#include "timing/kernels.h"

#include "tongyu/base.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

enum { CALLS = 1000000, ROUNDS = 3, NOT_MEASURED = 77 };
static const double crops[] = { 1, .999, .99, .95, .9, .8, .6, .4, .2, .1 };
#define BOUND 10.0
#define TICK  1.0

static uint32_t *ticks, *sorted;
static uint8_t *fixed;   /* whether call i had the fixed secret */

/* --- Calls ------------------------------------------------------------------------------------ */

static uint64_t draw(void)   /* xorshift64 [Marsaglia 2003] */
{
    static uint64_t x = 88172645463325252u;
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    return x;
}

static void draw_bytes(uint8_t *to, size_t len)
{
    for (size_t i = 0; i < len; i += 8) {
        const uint64_t w = draw();
        memcpy(to + i, &w, len - i < 8 ? len - i : 8);
    }
}

static uint64_t begin(void)
{
    _mm_lfence();
    const uint64_t t = __rdtsc();
    _mm_lfence();
    return t;
}

static uint64_t end(void)
{
    unsigned core;
    const uint64_t t = __rdtscp(&core);
    _mm_lfence();
    return t;
}

static void measure(const kernel *k, size_t calls)
{
    uint8_t secret[SECRET_MOST], always[SECRET_MOST];
    draw_bytes(always, k->len);
    for (size_t i = 0; i < calls; i++) {
        fixed[i] = draw() >> 40 & 1;
        draw_bytes(secret, k->len);
        for (size_t j = 0; j < k->len; j++)
            secret[j] ^= (uint8_t)((secret[j] ^ always[j]) & (0 - fixed[i]));
        k->prepare(secret);
        const uint64_t from = begin();
        k->run();
        const uint64_t t = end() - from;
        ticks[i] = t > UINT32_MAX ? UINT32_MAX : (uint32_t)t;
    }
}

/* --- Statistics ------------------------------------------------------------------------------- */

typedef struct result {
    double t, apart, crop, mean;   /* at the worst crop; apart: ticks between the means */
} result;

static int by_size(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Welch's t of the calls that took no longer than the limit */
static result welch(size_t calls, uint32_t limit)
{
    double n[2] = {0}, sum[2] = {0}, squares[2] = {0};
    const double near = limit;   /* of differences from it the squares are exact */
    for (size_t i = 0; i < calls; i++) {
        if (ticks[i] > limit) continue;
        const double x = ticks[i] - near;
        n[fixed[i]]++, sum[fixed[i]] += x, squares[fixed[i]] += x * x;
    }
    result r = {0};
    if (n[0] < 100 || n[1] < 100) return r;
    double mean[2], error = 0;
    for (int c = 0; c < 2; c++) {
        mean[c] = sum[c] / n[c];
        error += (squares[c] / n[c] - mean[c] * mean[c]) / n[c];
    }
    r.apart = fabs(mean[0] - mean[1]);
    r.t = error > 0 ? r.apart / sqrt(error) : r.apart > 0 ? INFINITY : 0;
    r.mean = mean[0] + near;
    return r;
}

static result worst_of(size_t calls)
{
    result worst = {0};
    memcpy(sorted, ticks, calls * sizeof *ticks);
    qsort(sorted, calls, sizeof *sorted, by_size);
    for (size_t i = 0; i < sizeof crops / sizeof *crops; i++) {
        result r = welch(calls, sorted[(size_t)((double)(calls - 1) * crops[i])]);
        r.crop = crops[i];
        const int counts = r.t > BOUND && r.apart >= TICK,
                  counted = worst.t > BOUND && worst.apart >= TICK;
        if (counts > counted || (counts == counted && r.t > worst.t)) worst = r;
    }
    return worst;
}

/* Prints a line about k on the tier; returns 1 if it leaks */
static int examine(const kernel *k, const char *tier, size_t all)
{
    const size_t calls = all / k->share < 2000 ? 2000 : all / k->share;
    int found = 0;
    printf("%-10s %-8s %-30s", k->family ? k->family : "control", tier, k->name);
    while (found < ROUNDS) {
        measure(k, calls);
        const result r = worst_of(calls);
        printf(" %s|t| %.1f, %.2f of %.0f ticks (%g %%)", found ? "again: " : "", r.t, r.apart,
               r.mean, 100 * r.crop);
        fflush(stdout);
        if (r.t <= BOUND || r.apart < TICK) break;
        found++;
    }
    puts(found == ROUNDS ? "  LEAKS" : "");
    return found == ROUNDS;
}

/* --- Tiers ------------------------------------------------------------------------------------ */

static int on_every_tier(const kernel *k, size_t calls, size_t *measured)
{
    static ty_tier_row rows[256];
    if (ty_tier_limit(NULL) != TY_OK) abort();
    const size_t n = ty_tier_list(rows, 256);
    int leaks_found = 0;
    for (size_t i = 0; i < n && i < 256; i++) {
        const char *tier = rows[i].tier;
        if (strcmp(rows[i].family, k->family) || !strcmp(tier, "c") || !strcmp(tier, "c64"))
            continue;
        if (ty_tier_limit(tier) != TY_OK) {
            printf("%-10s %-8s %-30s not measured: this CPU does not run the tier\n", k->family,
                   tier, k->name);
            continue;
        }
        leaks_found += examine(k, tier, calls);
        ++*measured;
    }
    if (ty_tier_limit(NULL) != TY_OK) abort();
    return leaks_found;
}

int main(int argc, char **argv)
{
    const size_t calls = argc > 1 ? strtoul(argv[1], NULL, 10) : CALLS;
    if (argc > 2 || calls < 2000) {
        fputs("usage: timing [CALLS]     at least 2,000\n", stderr);
        return 2;
    }
    ticks = malloc(calls * sizeof *ticks);
    sorted = malloc(calls * sizeof *sorted);
    fixed = malloc(calls);
    if (!ticks || !sorted || !fixed) {
        fputs("timing: no memory for so many calls\n", stderr);
        return 2;
    }
    kernels_init();
    int wrong = 0;
    for (const kernel *k = leaks; k->name; k++) wrong += !examine(k, "leaks", calls);
    for (const kernel *k = controls; k->name; k++) wrong += examine(k, "clean", calls);
    if (wrong) {
        puts("timing: FAILED: a control did not get its expected verdict");
        return 1;
    }
    size_t measured = 0;
    int found = 0;
    for (const kernel *k = kernels; k->name; k++) found += on_every_tier(k, calls, &measured);
    printf("timing: %zu operations on their tiers measured, %d leak\n", measured, found);
    return found ? 1 : measured ? 0 : NOT_MEASURED;
}
