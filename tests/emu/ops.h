/* The emulated instructions, as values: what they compute on 16, 32 or 64 bytes. */
#ifndef TY_TESTS_EMU_OPS_H
#define TY_TESTS_EMU_OPS_H
#ifdef __cplusplus
extern "C" {
#endif
#include <stddef.h>
#include <stdint.h>

typedef union emu_vec {
    uint8_t b[64];
    uint16_t w[32];
    uint32_t d[16];
    uint64_t q[8];
} emu_vec;

/* d = op(a, b) on the lower len bytes; d holds the destination's old value, which some instructions read. */
typedef void emu_fn(emu_vec *d, const emu_vec *a, const emu_vec *b, unsigned len, unsigned imm);

enum { EMU_LEGACY = 1, EMU_VEX = 2, EMU_EVEX = 4 };            /* encodings, as bits */
enum { EMU_W0 = 0, EMU_W1 = 1, EMU_WIG = 2 };
enum { EMU_NP, EMU_66, EMU_F3, EMU_F2 };                       /* the prefix that is part of the opcode */
enum { EMU_0F38 = 2, EMU_0F3A = 3 };                           /* the opcode map; 0F3A has an immediate byte */

typedef struct emu_op {
    const char *name;
    uint8_t map, prefix, opcode, w, encodings;
    uint8_t grain;       /* bytes that one mask bit covers; 0: cannot be masked */
    uint8_t broadcast;   /* bytes of a broadcast memory element; 0: cannot broadcast */
    emu_fn *fn;
} emu_op;

extern const emu_op emu_ops[];       /* closed by a row whose name is NULL */
#ifdef __cplusplus
}
#endif
#endif
