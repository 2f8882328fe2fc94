/* Leaks on purpose, one per name: each must be caught, or the constant-time runs prove nothing.
 *   clean     compares the secret in constant time: must pass
 *   branch    branches on its lowest bit
 *   index     looks it up in a table
 *   compare   stops at the first different byte
 *   divisor   divides by it (MemorySanitizer only: memcheck does not report it) */
#include "base/ct.h"
#include "tongyu/base.h"

#include <stdio.h>
#include <string.h>

static uint8_t key[16];
static const uint8_t table[256] = { 1, 2, 3 };
static volatile uint32_t sink;   /* keeps the results; a store of a secret is not a leak */

__attribute__((noinline)) static uint32_t branch(const uint8_t *k)
{
    if (k[0] & 1) {
        sink = 1;   /* a volatile store cannot become a conditional move */
        return 3;
    }
    return 5;
}

__attribute__((noinline)) static uint32_t lookup(const uint8_t *k) { return table[k[1]]; }

__attribute__((noinline)) static int compare(const uint8_t *a, const uint8_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (a[i] != b[i]) return 0;
        sink = (uint32_t)i;
    }
    return 1;
}

__attribute__((noinline)) static uint32_t divide(const uint8_t *k)
{
    return 1000000u / (k[2] | 1u);
}

int main(int argc, char **argv)
{
    static const uint8_t guess[16] = { 7, 7, 8 };
    const char *leak = argc == 2 ? argv[1] : "";
    memset(key, 7, sizeof key);
    TY_SECRET(key, sizeof key);

    if (strcmp(leak, "clean") == 0) sink = (uint32_t)ty_equal(key, guess, sizeof key);
    else if (strcmp(leak, "branch") == 0) sink = branch(key);
    else if (strcmp(leak, "index") == 0) sink = lookup(key);
    else if (strcmp(leak, "compare") == 0) sink = (uint32_t)compare(key, guess, sizeof key);
    else if (strcmp(leak, "divisor") == 0) sink = divide(key);
    else { fprintf(stderr, "usage: control_leaks clean|branch|index|compare|divisor\n"); return 2; }
    puts("went through unnoticed");
    return 0;
}
