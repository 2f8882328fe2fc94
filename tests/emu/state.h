/* Vector registers as the kernel saved them in the signal frame: XSAVE's standard format. What
 * AVX-512 adds to a CPU without it is kept beside, per thread: the upper halves of zmm0 to zmm15,
 * zmm16 to zmm31, and the opmasks. */
#ifndef TY_TESTS_EMU_STATE_H
#define TY_TESTS_EMU_STATE_H
#include "ops.h"

/* emu_state_init: look up where the components lie (CPUID leaf 0xD).
 * emu_state_bytes: 16, or 64 where registers have that
 * width or we can add what is missing to 32; 0 if the host has no XSAVE.
 * emu_state_added: whether we do */
void emu_state_init(void);
unsigned emu_state_bytes(void);
int emu_state_added(void);

/* xsave: uc_mcontext.fpregs. r < 16, or < 32 where registers have 64 bytes. put keeps what is above
 * 16 bytes if legacy is set, and clears what is above len if not. */
void emu_state_get(emu_vec *v, const uint8_t *xsave, unsigned r);
void emu_state_put(uint8_t *xsave, unsigned r, const emu_vec *v, unsigned len, int legacy);
uint64_t emu_state_mask(const uint8_t *xsave, unsigned k);
void emu_state_put_mask(uint8_t *xsave, unsigned k, uint64_t mask);

/* Of what we added. emu_state_clear: an instruction of the CPU wrote register r, or (r = 16) all,
 * and its VEX encoding
 * clears what is above.
 * emu_state_exposed: some upper half of zmm0 to zmm15 is not zero, so that such an instruction
 * would have to be noticed */
void emu_state_clear(unsigned r);
int emu_state_exposed(void);
#endif
