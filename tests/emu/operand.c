/* The address that any instruction reads or writes: prefixes, then ModRM.
 * Intel SDM volume 2, 2.1 to 2.7 and the opcode maps of appendix A. */
#include "emu.h"

#if defined(__x86_64__)
/* The opcodes of the one-byte map whose ModRM byte may name memory that is read or written */
static int one_byte_modrm(uint8_t op)
{
    if (op < 0x40) return (op & 7) < 4;                        /* arithmetic */
    if (op == 0x63 || op == 0x69 || op == 0x6b) return 1;
    if (op >= 0x80 && op < 0x90) return op != 0x8d;            /* lea computes and does not read */
    return op == 0xc0 || op == 0xc1 || op == 0xc6 || op == 0xc7 || (op >= 0xd0 && op < 0xd4) ||
           (op >= 0xd8 && op < 0xe0) || op == 0xf6 || op == 0xf7 || op >= 0xfe;
}

/* The same for the map after 0F */
static int two_byte_modrm(uint8_t op)
{
    if (op >= 0x80 && op < 0x90) return 0;                     /* jumps */
    if (op == 0x1e || op == 0x1f) return 0;                    /* nop */
    if (op >= 0xc8 && op < 0xd0) return 0;                     /* bswap */
    if (op >= 0x30 && op < 0x38) return 0;                     /* rdtsc and the like */
    return op != 0x05 && op != 0x06 && op != 0x08 && op != 0x09 && op != 0x0b && op != 0x77 &&
           op != 0xa0 && op != 0xa1 && op != 0xa2 && op != 0xa8 && op != 0xa9 && op != 0xaa;
}

/* String instructions: their addresses are in rsi (those that load) and rdi (those that store or
 * compare), and their count in rcx. string_operand: a sum that changes if any one of these does. */
static int is_string(uint8_t op) { return (op >= 0xa4 && op < 0xa8) || (op >= 0xaa && op < 0xb0); }

static uint64_t string_operand(uint8_t op, const uint64_t gpr[16])
{
    const int loads = op < 0xa8 || op == 0xac || op == 0xad, stores = op != 0xac && op != 0xad;
    return (loads ? gpr[6] : 0) + (stores ? 3 * gpr[7] : 0) + 5 * gpr[1];
}

/* x and b: what the prefix adds to index and base. p: at ModRM */
static uint64_t address(const uint8_t *p, unsigned x, unsigned b, const uint64_t gpr[16])
{
    const unsigned mod = p[0] >> 6, rm = p[0] & 7;
    /* a register; relative to the instruction */
    if (mod == 3 || (mod == 0 && rm == 5)) return 0;
    if (rm != 4) return gpr[rm + b];
    const unsigned index = (p[1] >> 3 & 7) + x, base = p[1] & 7;
    const uint64_t scaled = index == 4 ? 0 : gpr[index] << (p[1] >> 6);
    return scaled + (mod == 0 && base == 5 ? 0 : gpr[base + b]);
}

/* VEX and EVEX: all have ModRM except vzeroupper and vzeroall. Gathers and scatters are the opcodes
 * 90 to 93 and a0 to a3 of 0F38. */
static uint64_t vector_operand(const uint8_t *p, const uint64_t gpr[16], int *vector)
{
    const int evex = *p == 0x62, two = *p == 0xc5;
    const unsigned x = two || p[1] & 0x40 ? 0 : 8, b = two || p[1] & 0x20 ? 0 : 8,
                   map = two ? 1 : p[1] & (evex ? 7 : 31);
    p += evex ? 4 : two ? 2 : 3;
    if (map == 1 && *p == 0x77) return 0;
    *vector = map == 2 && ((*p & 0xfc) == 0x90 || (*p & 0xfc) == 0xa0) && p[1] >> 6 != 3;
    return address(p + 1, x, b, gpr);
}

uint64_t emu_operand(const uint8_t *p, const uint64_t gpr[16], int *vector)
{
    uint8_t rex = 0;
    *vector = 0;
    while (*p == 0x66 || *p == 0xf2 || *p == 0xf3 || *p == 0x2e || *p == 0x3e || *p == 0x64 ||
           *p == 0x65 || *p == 0xf0)
        p++;
    if (*p == 0xc4 || *p == 0xc5 || *p == 0x62) return vector_operand(p, gpr, vector);
    if ((*p & 0xf0) == 0x40) rex = *p++;
    if (is_string(*p)) return string_operand(*p, gpr);
    if (*p != 0x0f) {
        if (!one_byte_modrm(*p)) return 0;
    } else {
        p++;
        if (*p == 0x38 || *p == 0x3a) p++;
        else if (!two_byte_modrm(*p)) return 0;
    }
    return address(p + 1, rex & 2 ? 8 : 0, rex & 1 ? 8 : 0, gpr);
}
#else
uint64_t emu_operand(const uint8_t *p, const uint64_t gpr[16], int *vector)
{
    (void)p;
    (void)gpr;
    *vector = 0;
    return 0;
}
#endif
