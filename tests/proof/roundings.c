// Compares the four roundings of ML-DSA with FIPS 204 on every input: roundings.py links this with
// the library and runs  roundings TIER KERNEL GAMMA2 [STATEMENT].  Status 0: all agree; 1: they
// differ, and an input is printed: for decompose and power2round, the first of the call's 256.
// Every value occurs once in each lane mod 16. STATEMENT > 0 selects a false statement, which must
// fail.
#include "mod/q_mldsa.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHIFTS = 16, VALUES = 2 * TY_Q - 1, ROOM = VALUES + 2 * 256 + SHIFTS };

static int32_t *value, *first, *second, *moved;   // inputs and expected outputs
static int32_t gamma2;
static int statement;

static int wrong(const char *what, int32_t at)
{
    printf("%s of %d is wrong\n", what, at);
    return 1;
}

// FIPS 204, algorithm 36
static void decompose(int32_t *r1, int32_t *r0, int32_t a)
{
    const int32_t r = a < 0 ? a + TY_Q : a, alpha = 2 * gamma2;
    int32_t low = r % alpha;
    if (low > gamma2 - (statement == 1)) low -= alpha;
    if (r - low == TY_Q - 1 && statement != 2) {
        *r1 = 0;
        *r0 = low - (statement != 3);
    } else {
        *r1 = (r - low) / alpha;
        *r0 = low;
    }
}

static void expect(int power)
{
    const int32_t m = (TY_Q - 1) / (2 * gamma2);
    for (int32_t i = 0; i < ROOM; i++) {
        int32_t a = i - TY_Q + 1 - SHIFTS;
        if (a <= -TY_Q || a >= TY_Q) a = 0;
        value[i] = a;
        if (power) {   // algorithm 35
            const int32_t r = a < 0 ? a + TY_Q : a;
            int32_t low = r % 8192;
            if (low > 4096 - (statement == 1)) low -= 8192;
            first[i] = (r - low) / 8192 + (statement == 2 && r == TY_Q - 1);
            second[i] = low + (statement == 3 && r == 1);
        } else {
            decompose(&first[i], &second[i], a);
            // algorithm 40
            const int32_t step = second[i] > -(statement == 4) ? 1 : -1;
            moved[i] = (first[i] + step + m) % m;
        }
    }
}

static int run_rounding(const ty_q_ops *q, int power)
{
    int32_t x[256], y[256], a[256];
    expect(power);
    for (int32_t shift = 0; shift < SHIFTS; shift++)
        for (int32_t i = shift; i + 256 <= ROOM; i += 256) {
            memcpy(a, value + i, sizeof a);
            if (power) q->power2round(x, y, a);
            else q->decompose(x, y, a, gamma2);
            if (memcmp(x, first + i, sizeof x) || memcmp(y, second + i, sizeof y))
                return wrong(power ? "power2round" : "decompose", value[i]);
        }
    return 0;
}

static int run_use_hint(const ty_q_ops *q)
{
    int32_t x[256];
    uint32_t h[8];
    expect(0);
    for (int32_t shift = 0; shift < SHIFTS; shift++)
        for (int32_t i = shift; i + 256 <= ROOM; i += 256)
            for (uint32_t turn = 0; turn < 2; turn++) {
                for (uint32_t j = 0; j < 8; j++)
                    h[j] = (0x9e3779b9u * (8 * (uint32_t)i + j + 1)) ^ (0 - turn);
                q->use_hint(x, value + i, h, gamma2);
                for (int32_t j = 0; j < 256; j++) {
                    const int bit = h[j / 32] >> j % 32 & 1;
                    if (x[j] != (bit ? moved : first)[i + j])
                        return wrong("use_hint", value[i + j]);
                }
            }
    return 0;
}

// whether the high part of w1 2 gamma2 + w0 is not w1
static int differs(int32_t w1, int32_t w0)
{
    int32_t high, low;
    const int64_t r = (int64_t)w1 * 2 * gamma2 + w0;
    decompose(&high, &low, (int32_t)(((r % TY_Q) + TY_Q) % TY_Q));
    const int other = (statement == 4 && w0 == gamma2 + 1) ||
                      (statement == 5 && w1 == 0 && w0 == -gamma2);
    return (high != w1) ^ other;
}

static int run_make_hint(const ty_q_ops *q)
{
    const int32_t m = (TY_Q - 1) / (2 * gamma2), most = 2 * gamma2;
    int32_t w1[256], w0[256];
    uint32_t h[8];
    for (int32_t high = 0; high < m; high++) {
        for (int32_t i = 0; i <= 2 * most; i++) first[i] = differs(high, i - most);
        for (int32_t shift = 0; shift < SHIFTS; shift++)
            for (int32_t i = -shift; i <= 2 * most; i += 256) {
                uint32_t count = 0;
                for (int32_t j = 0; j < 256; j++) {
                    const int inside = i + j >= 0 && i + j <= 2 * most;
                    w1[j] = high;
                    w0[j] = inside ? i + j - most : 0;
                    count += inside ? (uint32_t)first[i + j] : 0;
                }
                if (q->make_hint(h, w1, w0, gamma2) != count) return wrong("the count", i - most);
                for (int32_t j = 0; j < 256; j++) {
                    const int inside = i + j >= 0 && i + j <= 2 * most;
                    const int bit = h[j / 32] >> j % 32 & 1;
                    if (bit != (inside ? first[i + j] : 0)) return wrong("make_hint", i + j - most);
                }
            }
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 4) return 2;
    const ty_q_ops *q = &ty_q_ops_c;
    if (!strcmp(argv[1], "avx2")) q = &ty_q_ops_avx2;
    if (!strcmp(argv[1], "avx512")) q = &ty_q_ops_avx512;
    gamma2 = strtol(argv[3], NULL, 10) == 32 ? TY_Q_GAMMA2_32 : TY_Q_GAMMA2_88;
    statement = argc > 4 ? atoi(argv[4]) : 0;
    int32_t **const tables[] = { &value, &first, &second, &moved };
    for (size_t i = 0; i < 4; i++)
        if (!(*tables[i] = calloc(ROOM, sizeof(int32_t)))) return 2;
    if (!strcmp(argv[2], "power2round")) return run_rounding(q, 1);
    if (!strcmp(argv[2], "decompose")) return run_rounding(q, 0);
    if (!strcmp(argv[2], "use_hint")) return run_use_hint(q);
    return !strcmp(argv[2], "make_hint") ? run_make_hint(q) : 2;
}
