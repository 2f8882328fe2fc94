/* Instructions on opmasks: VEX-encoded, on eight registers of 64 bits. Intel SDM volume 2, KMOV and
 * the instructions after it; prefix and W together encode the width. Memory operands only for kmov,
 * with a base, a scaled index and a displacement. */
#include "decode.h"
#include "state.h"

#if defined(__x86_64__)
#include <string.h>

typedef struct kinsn {
    unsigned map, prefix, w, l, vvvv, opcode, reg, rm;
    int memory;
    uint64_t address;
    const uint8_t *imm;
} kinsn;

static int kdecode(kinsn *k, const uint8_t *p, const uint64_t gpr[16])
{
    unsigned base = 0, index = 0;
    memset(k, 0, sizeof *k);
    if (p[0] == 0xc5) {
        k->map = EMU_0F;
        k->reg = p[1] & 0x80 ? 0 : 8;
        k->w = 0;
        p += 1;
    } else if (p[0] == 0xc4) {
        k->map = p[1] & 31;
        k->reg = p[1] & 0x80 ? 0 : 8;
        base = p[1] & 0x20 ? 0 : 8;
        index = p[1] & 0x40 ? 0 : 8;
        k->w = p[2] >> 7;
        p += 2;
    } else {
        return 0;
    }
    k->vvvv = ~(*p >> 3) & 15;
    k->l = *p >> 2 & 1;
    k->prefix = *p & 3;
    k->opcode = p[1];
    const uint8_t modrm = p[2], mod = modrm >> 6;
    p += 3;
    k->reg += modrm >> 3 & 7;
    k->rm = (modrm & 7) + base;
    k->imm = p;
    if (mod == 3) return 1;
    k->memory = 1;
    if ((modrm & 7) == 4) {   /* a base and a scaled index; index 4 means none */
        const uint8_t sib = *p++;
        if ((sib & 7) == 5 && mod == 0) return 0;
        k->rm = (sib & 7) + base;
        index += sib >> 3 & 7;
        if (index != 4) k->address = gpr[index] << (sib >> 6);
    } else if ((modrm & 7) == 5 && mod == 0) {
        return 0;
    }
    k->address += gpr[k->rm];
    if (mod == 1) {
        k->address += (uint64_t)(int64_t)(int8_t)*p++;
    } else if (mod == 2) {
        int32_t x;
        memcpy(&x, p, 4);
        k->address += (uint64_t)(int64_t)x;
        p += 4;
    }
    k->imm = p;
    return 1;
}

/* the width in bits by prefix (none or 66) and W, in most of these instructions; else 0 */
static unsigned width(const kinsn *k)
{
    return k->prefix == EMU_NP ? (k->w ? 64 : 16) : k->prefix == EMU_66 ? (k->w ? 32 : 8) : 0;
}

static uint64_t low(uint64_t x, unsigned bits)
{
    return bits < 64 ? x & (((uint64_t)1 << bits) - 1) : x;
}

static void set_flags(uint64_t *flags, int zero, int carry)
{
    *flags &= ~(uint64_t)0x8d5;                              /* OF SF ZF AF PF CF */
    *flags |= (zero ? 0x40u : 0u) | (carry ? 1u : 0u);
}

/* kmov between opmasks and memory or general registers */
static int move(const kinsn *k, uint8_t *xsave, uint64_t gpr[16])
{
    unsigned bits = width(k);
    uint64_t x = 0;
    if (k->opcode == 0x92 || k->opcode == 0x93) {            /* here F2 means 32 and 64 bits */
        bits = k->prefix == EMU_NP   ? 16
               : k->prefix == EMU_66 ? 8
               : k->prefix == EMU_F2 ? (k->w ? 64 : 32)
                                     : 0;
        if (!bits || k->memory) return 0;
        if (k->opcode == 0x92) emu_state_put_mask(xsave, k->reg & 7, low(gpr[k->rm], bits));
        else gpr[k->reg] = low(emu_state_mask(xsave, k->rm & 7), bits);
        return 1;
    }
    if (!bits) return 0;
    if (k->opcode == 0x91) {
        if (!k->memory) return 0;
        x = emu_state_mask(xsave, k->reg & 7);
        emu_copy((void *)(uintptr_t)k->address, &x, bits / 8);
        return 1;
    }
    if (k->memory) emu_copy(&x, (const void *)(uintptr_t)k->address, bits / 8);
    else x = emu_state_mask(xsave, k->rm & 7);
    emu_state_put_mask(xsave, k->reg & 7, low(x, bits));
    return 1;
}

static int logic(const kinsn *k, uint8_t *xsave)
{
    const unsigned bits = width(k);
    const uint64_t a = emu_state_mask(xsave, k->vvvv & 7), b = emu_state_mask(xsave, k->rm & 7);
    uint64_t r;
    if (!bits || k->memory || (!k->l && k->opcode != 0x44)) return 0;
    switch (k->opcode) {
    case 0x41: r = a & b; break;
    case 0x42: r = ~a & b; break;
    case 0x44: r = ~b; break;
    case 0x45: r = a | b; break;
    case 0x46: r = ~(a ^ b); break;
    case 0x47: r = a ^ b; break;
    case 0x4a: r = a + b; break;
    /* kunpck: prefix and W encode the width of a half, 8, 16 or 32 bits */
    case 0x4b:
        if (k->prefix == EMU_66 && !k->w) r = low(a, 8) << 8 | low(b, 8);
        else if (k->prefix == EMU_NP && !k->w) r = low(a, 16) << 16 | low(b, 16);
        else if (k->prefix == EMU_NP) r = a << 32 | low(b, 32);
        else return 0;
        emu_state_put_mask(xsave, k->reg & 7, r);
        return 1;
    default: return 0;
    }
    emu_state_put_mask(xsave, k->reg & 7, low(r, bits));
    return 1;
}

static int test(const kinsn *k, const uint8_t *xsave, uint64_t *flags)
{
    const unsigned bits = width(k);
    const uint64_t a = low(emu_state_mask(xsave, k->reg & 7), bits),
                   b = low(emu_state_mask(xsave, k->rm & 7), bits);
    if (!bits || k->memory) return 0;
    if (k->opcode == 0x98) set_flags(flags, (a | b) == 0, (a | b) == low(~(uint64_t)0, bits));
    else set_flags(flags, (a & b) == 0, (~a & b) == 0);
    return 1;
}

/* opcodes 30 and 31: right, 32 and 33: left; even: 8 and 16 bits, odd: 32 and 64 */
static int shift(const kinsn *k, uint8_t *xsave)
{
    const unsigned bits = k->opcode & 1 ? (k->w ? 64 : 32) : (k->w ? 16 : 8), n = *k->imm;
    const uint64_t x = low(emu_state_mask(xsave, k->rm & 7), bits);
    if (k->prefix != EMU_66 || k->memory) return 0;
    emu_state_put_mask(xsave, k->reg & 7,
                       n >= bits       ? 0
                       : k->opcode & 2 ? low(x << n, bits)
                                       : x >> n);
    return 1;
}

const uint8_t *emu_opmask(const uint8_t *p, uint8_t *xsave, uint64_t gpr[16], uint64_t *flags)
{
    kinsn k;
    int done = 0;
    if (!kdecode(&k, p, gpr)) return NULL;
    if (k.map == EMU_0F) {
        if (k.opcode >= 0x90 && k.opcode <= 0x93) done = move(&k, xsave, gpr);
        else if (k.opcode >= 0x41 && k.opcode <= 0x4b) done = logic(&k, xsave);
        else if (k.opcode == 0x98 || k.opcode == 0x99) done = test(&k, xsave, flags);
    } else if (k.map == EMU_0F3A && k.opcode >= 0x30 && k.opcode <= 0x33) {
        done = shift(&k, xsave);
        k.imm++;
    }
    return done ? k.imm : NULL;
}
#endif
