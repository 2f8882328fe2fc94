/* All functions of libc that the freestanding profile needs. */
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
int memcmp(const void *a, const void *b, size_t n);

/* Words at any address, which a Cortex-M4 moves four times as fast as bytes, or twice as fast if
 * they are not aligned. may_alias: they may be parts of any object; packed: so that no instruction
 * is used that needs them aligned. */
typedef struct __attribute__((packed, may_alias)) word {
    uint32_t w;
} word;

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    char *t = to;
    const char *f = from;
    for (; n >= 16; n -= 16, t += 16, f += 16) {
        word *tw = (word *)t;
        const word *fw = (const word *)f;
        const word a = fw[0], b = fw[1], c = fw[2], d = fw[3];
        tw[0] = a, tw[1] = b, tw[2] = c, tw[3] = d;
    }
    for (; n >= 4; n -= 4, t += 4, f += 4) *(word *)t = *(const word *)f;
    while (n--) *t++ = *f++;
    return to;
}

void *memmove(void *to, const void *from, size_t n)
{
    char *t = to;
    const char *f = from;
    if (t < f)
        while (n--) *t++ = *f++;
    else
        while (n--) t[n] = f[n];
    return to;
}

void *memset(void *to, int byte, size_t n)
{
    char *t = to;
    const word w = { 0x01010101u * (uint8_t)byte };
    for (; n && (uintptr_t)t % sizeof w; n--) *t++ = (char)byte;
    for (; n >= 32; n -= 32, t += 32) {
        word *tw = (word *)t;
        tw[0] = w, tw[1] = w, tw[2] = w, tw[3] = w, tw[4] = w, tw[5] = w, tw[6] = w, tw[7] = w;
    }
    for (; n >= 4; n -= 4, t += 4) *(word *)t = w;
    while (n--) *t++ = (char)byte;
    return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *x = a, *y = b;
    for (; n; n--, x++, y++)
        if (*x != *y) return *x - *y;
    return 0;
}
