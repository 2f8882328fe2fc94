/* Published and differential vectors on a bare Cortex-M4. They come from the host, through
 * semihosting, as the file vectors.bin in QEMU's working directory; tests/fw/vectors.py writes it:
 *   case     length of its fields, then the fields; the first one is the kind of case
 *   field    length, bytes
 * where lengths are words, least significant byte first. A file ends with a case without fields. A
 * line is printed for each case that fails, and one with the number of cases. */
#include "fw.h"
#include "vectors.h"

#include <string.h>

static uint8_t all[1 << 17];

static uint32_t word(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

uint32_t fw_number(fw_field f) { return f.len == 4 ? word(f.at) : 0; }

int fw_same(fw_field f, const void *got, size_t len)
{
    return f.len == len && memcmp(f.at, got, len) == 0;
}

/* SYS_OPEN for reading bytes, SYS_READ, which returns the number of bytes that it did not read */
static int file;
static int open(const char *name, uint32_t len)
{
    const struct { const char *name; uint32_t mode, len; } arg = { name, 1, len };
    file = fw_host(0x01, &arg);
    return file != -1;
}
static int take(void *to, uint32_t len)
{
    const struct { uint32_t file; void *to; uint32_t len; } arg = { (uint32_t)file, to, len };
    return len == 0 || fw_host(0x06, &arg) == 0;
}

/* Reads the next case's fields; returns their number, or -1 */
static int next(fw_field f[FW_FIELDS])
{
    uint8_t head[4];
    if (!take(head, 4)) return -1;
    const uint32_t len = word(head);
    if (len > sizeof all || !take(all, len)) return -1;
    int n = 0;
    for (uint32_t at = 0; at < len; n++) {
        if (n == FW_FIELDS || len - at < 4) return -1;
        f[n].len = word(all + at);
        f[n].at = all + at + 4;
        if (f[n].len > len - at - 4) return -1;
        at += 4 + (uint32_t)f[n].len;
    }
    return n;
}

/* 1 if the case holds */
static int holds(const fw_field *f, int n)
{
    for (const fw_kind *k = fw_kinds; k->run; k++)
        if (fw_same(f[0], k->name, k->name_len)) return n == k->fields + 1 && k->run(f + 1);
    return 0;
}

static void print_number(uint32_t x)
{
    char text[12];
    size_t at = sizeof text - 1;
    text[at] = 0;
    do text[--at] = (char)('0' + x % 10);
    while (x /= 10);
    fw_print(text + at);
}

static void failed(fw_field kind, uint32_t number)
{
    char name[24];
    const size_t len = kind.len < sizeof name ? kind.len : sizeof name - 1;
    memcpy(name, kind.at, len);
    name[len] = 0;
    fw_print("FAIL ");
    fw_print(name);
    fw_print(", case ");
    print_number(number);
    fw_print("\n");
}

int main(void)
{
    static const char name[] = "vectors.bin";
    fw_field f[FW_FIELDS];
    uint32_t cases = 0, wrong = 0;
    int n = open(name, sizeof name - 1) ? 0 : -1;
    while (n >= 0 && (n = next(f)) > 0) {
        if (!holds(f, n)) failed(f[0], cases), wrong++;
        cases++;
    }
    if (n < 0) fw_print("vectors.bin: missing, truncated, or not a file of cases\n");
    print_number(cases);
    fw_print(" cases, ");
    print_number(wrong);
    fw_print(" wrong\n");
    return n < 0 ? 2 : wrong != 0;
}
