/* Registers in the signal frame. The XSAVE area has a legacy part (xmm at byte 160), a header at
 * 512 whose first word has a bit for each component that is present, and components at offsets that
 * CPUID reports. One that is not present has its initial value, zero, but may contain stale bytes:
 * it is cleared before it is first written. Intel SDM volume 1, 13.4. */
#include "state.h"

#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <string.h>

enum { SSE = 1, AVX = 2, OPMASK = 5, ZMM_HIGH = 6, ZMM_16_31 = 7, COMPONENTS = 8 };

static unsigned offset[COMPONENTS], size[COMPONENTS], widest;
static int added;
static _Thread_local struct {
    uint8_t high[16][32], upper[16][64];
    uint64_t mask[8];
} more;

static uint64_t xcr0(void)
{
    uint32_t lo, hi;
    __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    return (uint64_t)hi << 32 | lo;
}

void emu_state_init(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & 1u << 27)) return;   /* OSXSAVE */
    const uint64_t enabled = xcr0();
    offset[SSE] = 160;
    size[SSE] = 256;
    for (unsigned n = AVX; n < COMPONENTS; n++)
        if (enabled >> n & 1 && __get_cpuid_count(0xd, n, &a, &b, &c, &d)) {
            size[n] = a;
            offset[n] = b;
        }
    widest = size[AVX] ? 64 : 16;
    added = size[AVX] && !(size[OPMASK] && size[ZMM_HIGH] && size[ZMM_16_31]);
}

unsigned emu_state_bytes(void) { return widest; }
int emu_state_added(void) { return added; }

void emu_state_clear(unsigned r)
{
    if (r < 16) memset(more.high[r], 0, sizeof more.high[r]);
    else memset(more.high, 0, sizeof more.high);
}

int emu_state_exposed(void)
{
    static const uint8_t zero[sizeof more.high];
    return added && memcmp(more.high, zero, sizeof zero) != 0;
}

static uint64_t present(const uint8_t *xsave)
{
    uint64_t bv;
    memcpy(&bv, xsave + 512, 8);
    return bv;
}

/* width bytes of register r in component n */
static void get(uint8_t *v, const uint8_t *xsave, unsigned n, unsigned r, unsigned width)
{
    if (size[n] && present(xsave) >> n & 1) memcpy(v, xsave + offset[n] + width * r, width);
    else memset(v, 0, width);
}

static void put(uint8_t *xsave, unsigned n, unsigned r, const uint8_t *v, unsigned width)
{
    uint64_t bv = present(xsave);
    if (!size[n]) return;
    if (!(bv >> n & 1)) memset(xsave + offset[n], 0, size[n]);
    bv |= (uint64_t)1 << n;
    memcpy(xsave + 512, &bv, 8);
    memcpy(xsave + offset[n] + width * r, v, width);
}

void emu_state_get(emu_vec *v, const uint8_t *xsave, unsigned r)
{
    if (r >= 16) {
        if (added) memcpy(v->b, more.upper[r - 16], 64);
        else get(v->b, xsave, ZMM_16_31, r - 16, 64);
        return;
    }
    get(v->b, xsave, SSE, r, 16);
    get(v->b + 16, xsave, AVX, r, 16);
    if (added) memcpy(v->b + 32, more.high[r], 32);
    else get(v->b + 32, xsave, ZMM_HIGH, r, 32);
}

void emu_state_put(uint8_t *xsave, unsigned r, const emu_vec *v, unsigned len, int legacy)
{
    emu_vec full;
    memset(&full, 0, sizeof full);
    memcpy(&full, v, len);
    if (r >= 16) {
        if (added) memcpy(more.upper[r - 16], full.b, 64);
        else put(xsave, ZMM_16_31, r - 16, full.b, 64);
        return;
    }
    put(xsave, SSE, r, full.b, 16);
    if (legacy) return;
    put(xsave, AVX, r, full.b + 16, 16);
    if (added) memcpy(more.high[r], full.b + 32, 32);
    else put(xsave, ZMM_HIGH, r, full.b + 32, 32);
}

uint64_t emu_state_mask(const uint8_t *xsave, unsigned k)
{
    uint64_t m;
    if (added) return more.mask[k];
    get((uint8_t *)&m, xsave, OPMASK, k, 8);
    return m;
}

void emu_state_put_mask(uint8_t *xsave, unsigned k, uint64_t mask)
{
    if (added) more.mask[k] = mask;
    else put(xsave, OPMASK, k, (const uint8_t *)&mask, 8);
}
#else
void emu_state_init(void) {}
unsigned emu_state_bytes(void) { return 0; }
#endif
