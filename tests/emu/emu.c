#include "emu.h"
ty_cpu emu_features(void) { return 0; }
unsigned long emu_count(void) { return 0; }
