/* Vector registers as the kernel saved them in the signal frame: XSAVE's standard format. */
#ifndef TY_TESTS_EMU_STATE_H
#define TY_TESTS_EMU_STATE_H
#include "ops.h"

/* emu_state_init: look up where the components lie (CPUID leaf 0xD).   emu_state_bytes: 16, 32 or 64, the widest
 * register this host keeps; 0 if it has no XSAVE */
void emu_state_init(void);
unsigned emu_state_bytes(void);

/* xsave: uc_mcontext.fpregs. r < 16, or < 32 where registers have 64 bytes. put keeps what is above 16 bytes if legacy
 * is set, and clears what is above len if not. */
void emu_state_get(emu_vec *v, const uint8_t *xsave, unsigned r);
void emu_state_put(uint8_t *xsave, unsigned r, const emu_vec *v, unsigned len, int legacy);
uint64_t emu_state_mask(const uint8_t *xsave, unsigned k);
#endif
