/* The instruction emulator: linked into a test program it executes the instructions that this CPU
 * lacks, one trap at a time. x86-64 Linux only; elsewhere it offers nothing.
 *
 *   emu.c      the signal handlers         decode.c   bytes to an instruction
 *   state.c    vector registers: in the signal frame's XSAVE area, or ours
 *   ops.c      what each instruction computes, a row for each: GFNI, VAES, and those after AVX-512
 *   ops_avx512.c   AVX-512 F, BW, DQ, VL, and AVX2             opmask.c   its mask registers
 *   operand.c  which address an instruction of any kind reads or writes
 *
 * AVX-512 on a CPU without it: every EVEX instruction traps, and the upper halves of its registers
 * are kept here. The CPU's own VEX instructions would clear them, so while one is not zero the CPU
 * is single-stepped through the instructions between, and each is examined. An emulated instruction
 * right after another costs some 0.2 us, a step some 2 us and a trap 7. So the commonest
 * instructions of AVX2 are emulated, too, where they follow an emulated one.
 *
 * For correctness only: a trap takes some microseconds, so times are meaningless. Not for use under
 * valgrind, which decodes instructions itself. */
#ifndef TY_TESTS_EMU_H
#define TY_TESTS_EMU_H
#ifdef __cplusplus
extern "C" {
#endif
#include "base/cpu.h"
/* emu_features: the TY_CPU_ bits the emulator adds on this host; 0 where there is no emulator. The
 * first call installs the handler. */
ty_cpu emu_features(void);
/* emu_upper_in_use: whether the upper half of an emulated register of 512 bits is not zero. It is
 * zero after a function that ends by vzeroupper. Always 0 where AVX-512 is not emulated. */
int emu_upper_in_use(void);
/* emu_count: instructions emulated so far in this process. */
unsigned long emu_count(void);
/* emu_watch: from here on the CPU executes single steps, and watch is called for every instruction
 * before it is executed, emulated or not, with its address and the general registers (rax rcx rdx
 * rbx rsp rbp rsi rdi r8 .. r15). NULL ends this, a few instructions later. watch runs in a signal
 * handler. emu_can_watch: whether this is supported here; to be called before the others, also
 * where the CPU lacks nothing. emu_operand: base plus scaled index of the memory operand of the
 * instruction at p, 0 if it has none; the displacement, a part of the instruction, is left out. For
 * a string instruction, a sum that depends on its addresses and its count. *vector is set if the
 * index is a vector register (gathers and scatters). */
typedef void emu_watcher(const uint8_t *p, const uint64_t gpr[16]);
int emu_can_watch(void);
void emu_watch(emu_watcher *watch);
uint64_t emu_operand(const uint8_t *p, const uint64_t gpr[16], int *vector);
#ifdef __cplusplus
}
#endif
#endif
