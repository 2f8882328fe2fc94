/* Storage of the application and of the rollback counter on the board mps2-an386, whose flash can
 * be written like RAM. A board with real flash needs its own boot_store.c, in which program() uses
 * the flash controller. */
#include "boot.h"

#include <string.h>

extern const uint8_t slot_start[], slot_end[], board_ram_start[], board_ram_end[];
extern uint8_t counter_start[], counter_end[];   /* from the linker script */

const uint8_t *boot_slot(size_t *len)
{
    *len = (size_t)(slot_end - slot_start);
    return slot_start;
}

/* The counter's area is a list of records: each is a number and its complement, or all ones if it
 * has not been written. A record is written only once, so that a reset during a write loses
 * nothing. A record that is neither of these was not completed. */
typedef struct record {
    uint32_t number, complement;
} record;

static size_t records(void) { return (size_t)(counter_end - counter_start) / sizeof(record); }

static record at(size_t i)
{
    record r;
    memcpy(&r, counter_start + i * sizeof r, sizeof r);
    return r;
}

static int is_free(record r) { return (r.number & r.complement) == UINT32_MAX; }

static void program(uint8_t *to, record r)
{
    for (size_t i = 0; i < sizeof r; i++)
        ((volatile uint8_t *)to)[i] = ((const uint8_t *)&r)[i];
}

boot_code boot_counter_read(uint32_t *counter)
{
    size_t written = 0, valid = 0;
    *counter = 0;
    for (size_t i = 0; i < records(); i++) {
        const record r = at(i);
        if (is_free(r)) continue;
        written++;
        if (r.number != ~r.complement) continue;
        valid++;
        if (r.number > *counter) *counter = r.number;
    }
    /* an error if all records are written and none is valid: the area holds something else */
    return written < records() || valid ? BOOT_OK : BOOT_COUNTER;
}

boot_code boot_counter_write(uint32_t counter)
{
    for (size_t i = 0; i < records(); i++)
        if (is_free(at(i))) {
            program(counter_start + i * sizeof(record), (record){ counter, ~counter });
            const record r = at(i);
            return r.number == counter && r.complement == ~counter ? BOOT_OK : BOOT_COUNTER;
        }
    return BOOT_COUNTER;
}

int boot_vectors_ok(const uint8_t *slot, const boot_image *image)
{
    uint32_t stack, entry;
    const uint32_t first = (uint32_t)(uintptr_t)(slot + image->body);
    if (image->body_len < 8 || first % BOOT_ALIGN) return 0;
    memcpy(&stack, slot + image->body, 4);
    memcpy(&entry, slot + image->body + 4, 4);
    if (stack % 8 || stack <= (uint32_t)(uintptr_t)board_ram_start ||
        stack > (uint32_t)(uintptr_t)board_ram_end)
        return 0;
    return (entry & 1) && entry - first < image->body_len;
}
