/* From instruction bytes to what is to be done. */
#ifndef TY_TESTS_EMU_DECODE_H
#define TY_TESTS_EMU_DECODE_H
#ifdef __cplusplus
extern "C" {
#endif
#include "ops.h"

typedef struct emu_insn {
    const emu_op *op;
    unsigned encoding;           /* EMU_LEGACY, EMU_VEX or EMU_EVEX */
    unsigned len;                /* bytes of vector: 16, 32, 64 */
    unsigned dst, src1, src2;    /* vector registers; src2 is of no meaning where memory is set */
    int memory;
    uint64_t address;
    unsigned mask;               /* opmask register; 0: none */
    int zeroing, broadcast;
    unsigned imm;
    const uint8_t *next;         /* the instruction behind */
} emu_insn;

/* emu_decode: 1 and *i, or 0 if p is not an instruction of emu_ops. gpr: rax rcx rdx rbx rsp rbp rsi rdi r8 .. r15 */
int emu_decode(emu_insn *i, const uint8_t *p, const uint64_t gpr[16]);
#ifdef __cplusplus
}
#endif
#endif
