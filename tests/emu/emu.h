/* The instruction emulator: linked into a test program it executes, one trapped instruction at a time,
 * what this CPU lacks. */
#ifndef TY_TESTS_EMU_H
#define TY_TESTS_EMU_H
#ifdef __cplusplus
extern "C" {
#endif
#include "base/cpu.h"
/* emu_features: the TY_CPU_ bits the emulator adds on this host; 0 where there is no emulator. */
ty_cpu emu_features(void);
/* emu_count: instructions emulated so far in this process. */
unsigned long emu_count(void);
#ifdef __cplusplus
}
#endif
#endif
