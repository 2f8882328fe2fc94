/* Runs the boot loader's verification on a thousand images, each with one error, in QEMU, where the
 * slot can be written. The image in the slot is valid, before and afterwards; every mutated one
 * must be refused. Prints how many were refused with each boot_code. */
#include "boot.h"
#include "fw.h"

#include <string.h>

enum { MUTANTS = 1000, CODES = BOOT_ENTRY + 1 };

extern uint8_t board_ram_start[];   /* from the linker script: much more RAM than the loader has */

static uint32_t state = 1;
static uint32_t draw(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)state * below >> 32);
}

static uint32_t get16(const uint8_t *p) { return (uint32_t)(p[0] | p[1] << 8); }

/* The length of header, body and both areas of TLVs; 0 if the image is invalid */
static uint32_t whole(const uint8_t *slot)
{
    boot_image image;
    if (boot_image_read(&image, slot, 64 * 1024) != BOOT_OK) return 0;
    return (uint32_t)image.signed_len + get16(slot + image.signed_len + 2);
}

/* Changes one bit, one byte, or a field of 16 bits in the header or the TLVs; or erases the end */
static void mutate(uint8_t *slot, uint32_t len, uint32_t areas)
{
    const uint32_t at = draw(len);
    switch (draw(4)) {
    case 0: slot[at] ^= (uint8_t)(1u << draw(8)); break;
    case 1: slot[at] = (uint8_t)draw(256); break;
    case 2: {
        uint8_t *const p = draw(2) ? slot + 4 + 2 * draw(14) : slot + areas + 2 * draw(30);
        p[0] = (uint8_t)draw(256);
        p[1] = (uint8_t)draw(256);
        break;
    }
    default: memset(slot + at, 0xff, len - at);
    }
}

/* Writes n as a string that ends just before p; returns its beginning. */
static const char *number(char *p, uint32_t n)
{
    *--p = 0;
    do *--p = (char)('0' + n % 10); while (n /= 10);
    return p;
}

static void print_count(const char *what, uint32_t n)
{
    char text[12];
    fw_print(what);
    fw_print(number(text + sizeof text, n));
}

int main(void)
{
    static uint32_t count[CODES];
    boot_image image;
    size_t slot_len;
    uint8_t *const slot = (uint8_t *)(uintptr_t)boot_slot(&slot_len);
    const uint32_t len = whole(slot);
    uint8_t *const good = board_ram_start + 1024 * 1024;
    uint32_t accepted = 0, made = 0;
    if (!len || boot_check(&image, slot, slot_len) != BOOT_OK) {
        fw_print("mutants: failed: the image in the slot is not good\n");
        return 2;
    }
    const uint32_t areas = (uint32_t)(image.body + image.body_len);
    memcpy(good, slot, len);
    while (made < MUTANTS) {
        mutate(slot, len, areas);
        if (memcmp(slot, good, len) != 0) {
            boot_image other;
            const boot_code code = boot_check(&other, slot, slot_len);
            count[code]++;
            accepted += code == BOOT_OK;
            made++;
        }
        memcpy(slot, good, len);
    }
    for (uint32_t code = 0; code < CODES; code++)
        if (count[code]) {
            print_count("code ", code);
            print_count(": ", count[code]);
            fw_print("\n");
        }
    if (boot_check(&image, slot, slot_len) != BOOT_OK) accepted++;
    fw_print(accepted ? "mutants: failed: one was accepted\n" : "mutants: all refused\n");
    return accepted != 0;
}
