/* The emulated instructions as functions on 16, 32 or 64 bytes. */
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

/* d = op(a, b) on the lower len bytes; d holds the destination's old value, which some instructions
 * read. */
typedef void emu_fn(emu_vec *d, const emu_vec *a, const emu_vec *b, unsigned len, unsigned imm);

enum { EMU_LEGACY = 1, EMU_VEX = 2, EMU_EVEX = 4 };            /* encodings, as bits */
enum { EMU_W0 = 0, EMU_W1 = 1, EMU_WIG = 2 };
/* the prefix that is part of the opcode */
enum { EMU_NP, EMU_66, EMU_F3, EMU_F2 };
/* the opcode map; 0F3A has an immediate byte */
enum { EMU_0F = 1, EMU_0F38 = 2, EMU_0F3A = 3 };

/* Where operands are. fn computes d from a and b; a is the register vvvv unless said otherwise. */
enum {
    EMU_RVM,   /* d: reg      b: rm, a register or memory; a is not used if there is no vvvv */
    EMU_MR,    /* d: rm       b: reg (stores, extracts); a is not used */
    EMU_VM,    /* d: vvvv     b: rm (shifts by an immediate) */
    EMU_KVM,   /* d->q[0] to opmask reg    b: rm */
    EMU_RG,    /* d: reg      b->q[0]: rm, a general register or memory */
    EMU_GR,    /* d->q[0] to rm, a general register or memory   b: reg; a is not used */
    EMU_RK     /* d: reg      b->q[0]: opmask rm */
};
/* flags */
enum {
    EMU_IMM = 1,        /* an immediate in map 0F */
    EMU_ALIGNED = 2,    /* memory must be aligned */
    EMU_BLEND = 4,      /* masked-off elements are those of a */
    EMU_COMPRESS = 8    /* imm is the mask; the elements that it selects are packed at the bottom */
};
/* memory in parts of the vector */
enum { EMU_HALF = 0x82, EMU_QUARTER = 0x84, EMU_EIGHTH = 0x88 };

typedef struct emu_op {
    const char *name;
    uint8_t map, prefix, opcode, w, encodings;
    uint8_t grain;       /* bytes that one mask bit covers; 0: cannot be masked */
    uint8_t broadcast;   /* bytes of a broadcast memory element; 0: cannot broadcast */
    emu_fn *fn;
    uint8_t form;        /* EMU_RVM ... */
    uint8_t memory;      /* bytes of the memory operand, EMU_HALF ...; 0: the whole vector */
    uint8_t extension;   /* 1 + the opcode's part in ModRM.reg; 0: none */
    uint8_t flags;
} emu_op;

/* ended by a row whose name is NULL: GFNI, VAES and the extensions after AVX-512 */
extern const emu_op emu_ops[];
extern const emu_op emu_ops_avx512[];     /* F, BW, DQ, VL */
extern const emu_op emu_ops_vex[];        /* AVX2 directly after an emulated instruction */
extern const emu_op *const emu_op_lists[];   /* all three, ended by NULL */
#ifdef __cplusplus
}
#endif
#endif
