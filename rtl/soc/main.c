/* Firmware of the system in soc.sv: the accelerator's known-answer test, and a key agreement over
 * sect163r2 from both sides, with the driver; scalars are blinded. Prints the results, and the
 * cycles of the system that they took. */
#include "tongyu/accel.h"
#include "tongyu/ec.h"
#include "tongyu/ec_any.h"

#include <string.h>

#define ACCEL ((volatile uint32_t *)0x40000000)
#define CHARACTER (*(volatile uint32_t *)0x10000000)

enum { LEN = 21, POINT = 1 + 2 * LEN };

int main(void);

static uint32_t reg_read(void *ctx, uint32_t offset)
{
    (void)ctx;
    return ACCEL[offset / 4];
}

static void reg_write(void *ctx, uint32_t offset, uint32_t value)
{
    (void)ctx;
    ACCEL[offset / 4] = value;
}

/* A real system has a source of randomness. Here the firmware has none, and a simulation has to
 * give the same results each time: xorshift (Marsaglia 2003). */
static ty_err noise(void *ctx, uint8_t *out, size_t len)
{
    static uint32_t state = 2463534242u;
    (void)ctx;
    for (size_t i = 0; i < len; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        out[i] = (uint8_t)(state >> 24);
    }
    return TY_OK;
}

static void print(const char *text)
{
    while (*text) CHARACTER = (uint8_t)*text++;
}

static void print_bytes(const char *name, const uint8_t *in, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    print(name);
    for (size_t i = 0; i < len; i++) {
        CHARACTER = (uint8_t)digits[in[i] >> 4];
        CHARACTER = (uint8_t)digits[in[i] & 15];
    }
    print("\n");
}

static void print_number(const char *name, uint32_t v)
{
    char digits[11] = {0};
    size_t i = sizeof digits - 1;
    do digits[--i] = (char)('0' + v % 10);
    while (v /= 10);
    print(name);
    print(digits + i);
    print("\n");
}

static uint32_t now(void)
{
    uint32_t cycles;
    __asm__ volatile("rdcycle %0" : "=r"(cycles));
    return cycles;
}

/* z = d p; prints the cycles that it took here and in the accelerator */
static ty_err times(ty_accel *dev, ty_ec_pub *z, const uint8_t *d, const ty_ec_pub *p)
{
    const uint32_t begun = now();
    const ty_err err = ty_accel_mul(dev, z, d, p);
    const uint32_t taken = now() - begun;
    print_number("accelerator ", ty_accel_cycles(dev));
    print_number("driver ", taken);
    return err;
}

static void print_point(const char *name, const ty_ec_pub *p)
{
    uint8_t point[POINT];
    ty_ec_pub_get(point, p);
    print_bytes(name, point, sizeof point);
}

int main(void)
{
    static const ty_accel_bus bus = {reg_read, reg_write, NULL};
    static const ty_rng rng = {noise, NULL};
    uint8_t mine[LEN], theirs[LEN], point[POINT] = {4};
    ty_ec_params p;
    ty_ec_pub g, a, b, z;
    ty_accel dev;
    for (size_t i = 0; i < LEN; i++) {
        mine[i] = (uint8_t)(7 * i);
        theirs[i] = (uint8_t)(200 - 11 * i);
    }
    mine[0] = theirs[0] = 1;

    const ty_ec_curve *curve = ty_ec_curve_named("sect163r2");
    ty_ec_params_get(&p, curve);
    memcpy(point + 1, p.x, LEN);
    memcpy(point + 1 + LEN, p.y, LEN);
    uint32_t begun = now();
    if (ty_ec_pub_set(&g, curve, point, sizeof point) != TY_OK) print("no generator\n");
    print_number("check ", now() - begun);

    if (ty_accel_init(&dev, &bus) != TY_OK) print("no accelerator\n");
    begun = now();
    print(ty_accel_selftest(&dev) == TY_OK ? "selftest passed\n" : "selftest failed\n");
    print_number("selftest ", now() - begun);
    if (ty_accel_blind(&dev, 64, &rng) != TY_OK) print("no blinding\n");
    if (times(&dev, &a, mine, &g) != TY_OK) print("no key\n");
    print_point("public ", &a);
    if (times(&dev, &b, theirs, &g) != TY_OK) print("no key\n");
    print_point("public ", &b);
    if (times(&dev, &z, mine, &b) != TY_OK) print("no agreement\n");
    print_bytes("secret ", z.xy, LEN);
    if (times(&dev, &z, theirs, &a) != TY_OK) print("no agreement\n");
    print_bytes("secret ", z.xy, LEN);
    return 0;
}
