/* Decodes the instructions that are emulated. */
#ifndef TY_TESTS_EMU_DECODE_H
#define TY_TESTS_EMU_DECODE_H
#ifdef __cplusplus
extern "C" {
#endif
#include "ops.h"

/* Copies without memcpy: AddressSanitizer's memcpy would refuse to access shadow memory, which
 * instrumented code writes with the vector instructions that are emulated here. */
static inline void emu_copy(void *to, const void *from, size_t n)
{
#if defined(__x86_64__)
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
#else
    uint8_t *t = (uint8_t *)to;
    const uint8_t *f = (const uint8_t *)from;
    while (n--) *t++ = *f++;
#endif
}

typedef struct emu_insn {
    const emu_op *op;
    unsigned encoding;           /* EMU_LEGACY, EMU_VEX or EMU_EVEX */
    unsigned len;                /* bytes of vector: 16, 32, 64 */
    /* registers of the kind that op->form gives; src2 is not used if memory is set */
    unsigned dst, src1, src2;
    /* the fields of ModRM, for EMU_MR and the like; rm is that of a general register: no EVEX.X */
    unsigned reg, rm;
    int memory;
    unsigned bytes;              /* of the memory operand, or of its register */
    uint64_t address;
    unsigned mask;               /* opmask register; 0: none */
    int zeroing, broadcast;
    unsigned imm;
    const uint8_t *next;         /* the following instruction */
} emu_insn;

/* emu_decode: 1 and *i, or 0 if there is no instruction of emu_op_lists at p. gpr: rax rcx rdx rbx
 * rsp rbp rsi rdi r8 .. r15 */
int emu_decode(emu_insn *i, const uint8_t *p, const uint64_t gpr[16]);

/* emu_vex_writes: the vector register whose upper part the instruction at p clears because its
 * encoding is VEX, or one of EMU_WRITES_. */
enum { EMU_WRITES_ALL = 16, EMU_WRITES_NONE, EMU_WRITES_UNKNOWN };
unsigned emu_vex_writes(const uint8_t *p);

/* emu_opmask: executes an instruction on opmasks (they are VEX-encoded) and returns the address
 * after it; NULL if there is none at p. flags: RFLAGS */
const uint8_t *emu_opmask(const uint8_t *p, uint8_t *xsave, uint64_t gpr[16], uint64_t *flags);
#ifdef __cplusplus
}
#endif
#endif
