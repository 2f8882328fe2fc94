/* The instruction emulator: linked into a test program it executes, one trapped instruction at a time,
 * what this CPU lacks. x86-64 Linux only; elsewhere it offers nothing.
 *
 *   emu.c      the SIGILL handler          decode.c   bytes to an instruction
 *   state.c    vector registers in the signal frame's XSAVE area
 *   ops.c      what each instruction computes, one row per instruction
 *
 * For correctness only: a trap takes some microseconds, so timing says nothing. Not for use under valgrind, which
 * decodes instructions itself. */
#ifndef TY_TESTS_EMU_H
#define TY_TESTS_EMU_H
#ifdef __cplusplus
extern "C" {
#endif
#include "base/cpu.h"
/* emu_features: the TY_CPU_ bits the emulator adds on this host; 0 where there is no emulator. The first call installs
 * the handler. */
ty_cpu emu_features(void);
/* emu_count: instructions emulated so far in this process. */
unsigned long emu_count(void);
#ifdef __cplusplus
}
#endif
#endif
