/* Records of asm statements: where each copy that the compiler made of a statement begins, how long
 * it is, its name, and the registers or the memory of its operands as the compiler chose them,
 * as text:
 *
 *     __asm__(TY_ASM_BEGIN "..." TY_ASM_END("p_sm2_sel", "%[m] %[a0]") : ...)
 *
 * A statement that is inlined has no symbol, so this is how `make proof` finds its copies. A record
 * is not code and is not loaded: the section has only the flag "e", by which linkers leave it out
 * of programs and shared libraries. There are no records outside ELF on x86-64. */
#ifndef TY_BASE_ASM_RECORD_H
#define TY_BASE_ASM_RECORD_H

#if defined(__ELF__) && defined(__x86_64__)
#  define TY_ASM_BEGIN "6021: "
#  define TY_ASM_END(name, operands)                                                               \
      "6022: .pushsection .ty.asm, \"e\", @progbits; .quad 6021b, 6022b - 6021b; .asciz \""        \
      name " " operands "\"; .popsection"
#else
#  define TY_ASM_BEGIN
#  define TY_ASM_END(name, operands)
#endif

#endif
