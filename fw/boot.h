/* The parts of the boot loader: the verification of an image, and the board's slot and counter. */
#ifndef BOOT_H
#define BOOT_H

#include "boot_image.h"

/* --- boot_check.c --- */
/* BOOT_OK if the image in slot[0..slot_len) is whole, and signed by every key of the boot loader;
 * *image is then filled in. Stack: 12 KB. */
boot_code boot_check(boot_image *image, const uint8_t *slot, size_t slot_len);

/* --- boot_store.c --- */
/* The slot of the application, and its length. */
const uint8_t *boot_slot(size_t *len);
/* *counter = that of the newest image that was started; 0 if there was none. BOOT_COUNTER if it
 * cannot be read. */
boot_code boot_counter_read(uint32_t *counter);
/* Stores a greater counter. BOOT_COUNTER if there is no room left. */
boot_code boot_counter_write(uint32_t counter);
/* 1 if the vector table's stack pointer is in RAM and its entry point in the image. */
int boot_vectors_ok(const uint8_t *slot, const boot_image *image);

#endif
