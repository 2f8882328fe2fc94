/* The parts of the boot loader: what verifies an image, and what the board keeps. */
#ifndef BOOT_H
#define BOOT_H

#include "boot_image.h"

/* --- boot_check.c --- */
/* Is the image in slot[slot_len) whole, and signed by every key of the boot loader? Stack: 12 KB.
 * *image is read from it after BOOT_OK. */
boot_code boot_check(boot_image *image, const uint8_t *slot, size_t slot_len);

/* --- boot_store.c --- */
const uint8_t *boot_slot(size_t *len);
/* The counter of the newest image that was started; 0 if none was. BOOT_COUNTER if it cannot be
 * read. */
boot_code boot_counter_read(uint32_t *counter);
/* Keeps a greater one. BOOT_COUNTER if there is no room left. */
boot_code boot_counter_write(uint32_t counter);
/* Do the stack pointer and the entry point of this vector table lie in RAM and in the image? */
int boot_vectors_ok(const uint8_t *slot, const boot_image *image);

#endif
