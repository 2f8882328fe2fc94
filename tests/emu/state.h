/* Vector registers as the kernel saved them in the signal frame: XSAVE's standard format. What
 * AVX-512 adds to a CPU without it is kept separately, per thread: the upper halves of zmm0 to
 * zmm15, zmm16 to zmm31, and the opmasks. */
#ifndef TY_TESTS_EMU_STATE_H
#define TY_TESTS_EMU_STATE_H
#include "ops.h"

/* emu_state_init: looks up the offsets of the components (CPUID leaf 0xD).
 * emu_state_bytes: 16, or 64 where registers have that width or have 32 and the rest is kept here;
 * 0 if the host has no XSAVE.
 * emu_state_added: whether the rest is kept here */
void emu_state_init(void);
unsigned emu_state_bytes(void);
int emu_state_added(void);

/* xsave: uc_mcontext.fpregs. r < 16, or < 32 where registers have 64 bytes. put keeps what is above
 * 16 bytes if legacy is set, and clears what is above len if not. */
void emu_state_get(emu_vec *v, const uint8_t *xsave, unsigned r);
void emu_state_put(uint8_t *xsave, unsigned r, const emu_vec *v, unsigned len, int legacy);
uint64_t emu_state_mask(const uint8_t *xsave, unsigned k);
void emu_state_put_mask(uint8_t *xsave, unsigned k, uint64_t mask);

/* About the upper halves that are kept here. emu_state_clear: an instruction of the CPU with VEX
 * encoding writes register r, or all if r = 16, and clears the upper half.
 * emu_state_exposed: some upper half of zmm0 to zmm15 is not zero, so that such an instruction has
 * to be detected */
void emu_state_clear(unsigned r);
int emu_state_exposed(void);
#endif
