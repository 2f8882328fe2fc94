/* The first stage: verifies the image in the slot, refuses one that is older than the newest that
 * was started, and jumps to it. After a refusal it prints a line, and its exit status is the
 * boot_code. */
#include "boot.h"
#include "fw.h"

static boot_code judge(boot_image *image, const uint8_t *slot, size_t slot_len)
{
    uint32_t newest;
    boot_code code = boot_check(image, slot, slot_len);
    if (code != BOOT_OK) return code;
    if (!boot_vectors_ok(slot, image)) return BOOT_ENTRY;
    code = boot_counter_read(&newest);
    if (code != BOOT_OK) return code;
    if (image->counter < newest) return BOOT_ROLLBACK;
    return image->counter > newest ? boot_counter_write(image->counter) : BOOT_OK;
}

/* Jumps to the entry point of a vector table, with its stack. */
__attribute__((noreturn)) static void jump(const uint8_t *vectors)
{
    *(volatile uint32_t *)0xe000ed08 = (uint32_t)(uintptr_t)vectors;   /* VTOR */
    __asm__ volatile("dsb\n\tisb\n\tldr r1, [%0]\n\tldr r2, [%0, #4]\n\tmsr msp, r1\n\tbx r2"
                     :: "r"(vectors) : "r1", "r2", "memory");
    __builtin_unreachable();
}

int main(void)
{
    boot_image image;
    size_t slot_len;
    const uint8_t *const slot = boot_slot(&slot_len);
    const boot_code code = judge(&image, slot, slot_len);
    if (code == BOOT_OK) {
        fw_print("boot: verified\n");
        jump(slot + image.body);
    }
    fw_print("boot: refused\n");
    return (int)code;
}
